// The end of the outbound channel: one HTTP exchange with a platform, limited in time and size. Redirects are not
// followed.
import type { Dispatcher } from 'undici'
// Not the whole package, which also loads fetch and WebSocket, its own and those of Node.js: 10 MB for each process.
import buildConnector from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { BoundedMap } from '../../base/bounded-map.ts'
import { version } from '../../base/version.ts'
import { Problem } from '../../contract/errors.ts'
import { createByteBudget, type OpenResponse, TooManyBytes } from './byte-budget.ts'
import { createEgress, type Egress, EgressRefused } from './egress.ts'
import { createProxy, ProxyFailed, type ProxySettings, type Tunnels } from './proxy.ts'
import { acceptEncoding, createDecoder, type Decoder } from './response-encoding.ts'
import { TransportError } from './transport-error.ts'

export { TransportError }

export interface WireCall {
  method: string
  origin: string // scheme, host, port, and a path prefix where the platform has one
  sandbox?: boolean // the one address that is not guarded
  path: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  pool?: string // whose connections: one that does not respond takes none from others at the same host
  account?: string // whose budget of bytes the response counts against
  maxBytes?: number // of the response
  background?: boolean // its bytes never cost a caller its response
  onSent?(): void // it has a connection; nothing is sent when this throws
  onResponse?(): void // the response begins
}
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}
export interface Transport {
  exchange(call: WireCall): Promise<WireAnswer>
  close(): Promise<void>
}

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENFILE',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'PROXY_FAILED',
  'PROXY_REFUSED',
  'LEASE_ENDED',
])
const timedOut = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
const unknownAuthority = 'its certificate is not signed by an authority that this service knows'
/** The fault of a connection, by the code of the system or of undici. */
const connectionFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'it refused the connection',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its network',
  EMFILE: 'the service has too many open files',
  ENFILE: 'the system has too many open files',
  EADDRNOTAVAIL: 'the service has no free port for the connection',
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed before the response was complete',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its response are too large',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
}
const connectionFault = (code: string, { message }: Error): string =>
  connectionFaults[code] ?? (code ? `the connection failed (${code})` : message)
const tooLarge = 'the response is too large'
/** Sent with every call, token calls included: common firewalls reject requests without one. */
const userAgent = `unified-records/${version}`
/** The size of a response, where the connector does not say. */
const maxBytesByDefault = 4 * 1024 * 1024
/** All responses to background calls that are being received. */
const backgroundBytes = 32 * 1024 * 1024
/** The bytes that an account may have in memory at once: one response that is read, and one that arrives. */
const responsesAtOnce = 2
/** Every account can have a host of its own: connections to the least recently used hosts are closed. */
const maxPools = 500

/**
 * All accounts of a platform share its connections: at 200 ms per call, 256 connections allow 1,280 calls per second,
 * about the limit of an instance.
 */
const perPlatform = 256
const connectMs = 10_000

export function createTransport({
  connections = perPlatform,
  egress = createEgress(),
  proxy: settings,
}: {
  connections?: number
  egress?: Egress
  proxy?: ProxySettings | undefined
} = {}): Transport {
  const proxy = settings && createProxy(settings)
  const budget = createByteBudget()
  const backgroundBudget = createByteBudget(backgroundBytes)
  const pools = new Map<string, Pool>() // not a BoundedMap: a pool in use stays, and one that goes is closed
  const poolOf = (target: URL, sandbox: boolean, owner: string): Pool => {
    const { origin, hostname } = target
    const connector = () => {
      if (proxy?.serves(target)) return tunneled(proxy, hostname, sandbox ? undefined : egress)
      return sandbox ? { timeout: connectMs } : guardedConnector(egress, hostname)
    }
    const name = `${sandbox ? 'sandbox ' : ''}${owner} ${origin}`
    const pool =
      pools.get(name) ??
      new Pool(origin, {
        connections,
        pipelining: 1,
        keepAliveTimeout: 10_000,
        maxHeaderSize: 65_536,
        connect: connector(),
      })
    pools.delete(name)
    pools.set(name, pool) // the most recently used is closed last
    if (pools.size > maxPools) giveUpIdle(pools)
    return pool
  }
  return {
    async exchange({
      method,
      origin,
      sandbox = false,
      path,
      headers,
      body,
      timeoutMs,
      pool: owner = '',
      account = origin,
      maxBytes = maxBytesByDefault,
      background = false,
      onSent,
      onResponse,
    }) {
      const base = parsed(origin)
      try {
        if (!sandbox) egress.check(base)
        if (!path.startsWith('/')) throw new TypeError('a path begins with a slash')
        const pool = poolOf(base, sandbox, owner)
        const options = {
          method: method as 'GET',
          path: (base.pathname === '/' ? '' : base.pathname.replace(/\/$/, '')) + path,
          headers: { 'user-agent': userAgent, 'accept-encoding': acceptEncoding, ...headers },
          body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        }
        const open = (abort: (error: Error) => void) =>
          (background ? backgroundBudget : budget).open(account, maxBytes * responsesAtOnce, abort)
        return await ask(pool, options, maxBytes, open, onSent, onResponse)
      } catch (error) {
        if (error instanceof EgressRefused)
          throw new Problem(
            'forbidden',
            `The account's settings name a host that this service does not call: ${error.message}.`,
            { cause: error },
          )
        const code = String((error as { code?: unknown }).code ?? '')
        const timeout = timedOut.has(code)
        throw new TransportError(
          timeout ? 'did not respond in time' : isOurs(error) ? error.message : connectionFault(code, error as Error),
          {
            sent: !neverSent.has(code),
            timeout,
            code,
            cause: error,
          },
        )
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Checks the addresses when a name is resolved, and the address of the connection itself. */
function guardedConnector(egress: Egress, hostname: string): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMs, lookup: egress.lookup })
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error) return done(error, null)
      if (egress.permits(hostname, socket.remoteAddress)) return done(null, socket)
      socket.destroy()
      done(new EgressRefused(hostname), null)
    })
}

/**
 * Through the operator's proxy, which resolves the name itself: the name is checked before the proxy is asked for it.
 * Without `egress`, the operator chose the target.
 */
function tunneled(proxy: Tunnels, hostname: string, egress: Egress | undefined): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMs })
  const open = async (port: string) => {
    await egress?.verify(hostname).catch((error: unknown) => {
      if (error instanceof EgressRefused || !proxy.resolvesNames) throw error
    })
    return proxy.open(hostname, port || '443')
  }
  return (options, done) =>
    void open(options.port).then(
      (httpSocket) => connect({ ...options, httpSocket }, done),
      (error: Error) => done(error, null),
    )
}

function giveUpIdle(pools: Map<string, Pool>): void {
  for (const [name, pool] of pools) {
    const { running, pending, queued } = pool.stats
    if (running + pending + queued > 0) continue
    pools.delete(name)
    void pool.close()
    return
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value
  return result
}

/** One exchange through the library's lowest-level API: a stream for each body is measurably slower. */
function ask(
  pool: Pool,
  options: Dispatcher.DispatchOptions & { headersTimeout: number },
  maxBytes: number,
  open: (abort: (error: Error) => void) => OpenResponse,
  onSent?: () => void,
  onResponse?: () => void,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const received = open((error) => end(error))
    let status = 0
    let headers: Record<string, string> = {}
    let running: Dispatcher.DispatchController | undefined
    let decoder: Decoder | undefined
    let failure: Error | undefined
    // One deadline for headers and body together: a slow body times out too.
    const deadline = setTimeout(() => end(new TooLate()), options.headersTimeout)
    function end(error: Error): void {
      if (failure) return
      failure = error
      chunks.length = 0
      decoder?.destroy()
      received.end()
      clearTimeout(deadline)
      reject(error)
      running?.abort(error)
    }
    /** A part of the body, as it is after decompression. */
    function take(chunk: Buffer): void {
      if (failure) return
      length += chunk.length
      if (length > maxBytes) {
        end(new Unfit(tooLarge))
        return
      }
      chunks.push(chunk)
      received.add(chunk.length)
    }
    function done(): void {
      if (failure) return
      received.end()
      clearTimeout(deadline)
      resolve({
        status,
        headers,
        bytes: chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks),
      })
    }
    pool.dispatch(options, {
      onRequestStart(controller) {
        running = controller
        if (failure) return controller.abort(failure) // it timed out before a connection was free
        try {
          onSent?.()
        } catch (error) {
          end(error as Error)
        }
      },
      onResponseStart(_, code, named) {
        onResponse?.()
        status = code
        headers = flat(named)
        if (Number(headers['content-length']) > maxBytes) return end(new Unfit(tooLarge))
        const encoding = headers['content-encoding']?.trim().toLowerCase()
        if (!encoding || encoding === 'identity') return
        decoder = createDecoder(encoding, { take, done, fail: (message) => end(new Unfit(message)) })
        if (!decoder) return end(new Unfit('the response has an encoding that was not requested'))
        delete headers['content-encoding']
        delete headers['content-length']
      },
      onResponseData(_, chunk) {
        if (failure) return
        if (decoder) decoder.write(chunk)
        else take(chunk)
      },
      onResponseEnd() {
        if (failure) return
        if (decoder) decoder.end()
        else done()
      },
      onResponseError: (_, error) => end(error),
    })
  })
}
class Unfit extends Error {}
const isOurs = (error: unknown): error is Error =>
  error instanceof Unfit || error instanceof TooManyBytes || error instanceof ProxyFailed
class TooLate extends Error {
  readonly code = 'ETIMEDOUT'
}

export function textOf({ bytes }: WireAnswer): string {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf // skips a byte order mark
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', marked ? 3 : 0)
}

const origins = new BoundedMap<string, URL>(maxPools)
function parsed(origin: string): URL {
  let url = origins.get(origin)
  if (!url) {
    url = new URL(origin)
    origins.set(origin, url)
  }
  return url
}
