// The operator's proxy for https calls: a tunnel by CONNECT, with TLS from this service to the target inside it. The
// proxy sees the name of the target, never a request.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'
import { isLocalHost } from '../../base/local-host.ts'
import type { ProxyFault } from './transport-error.ts'

export interface ProxySettings {
  url: URL // http: or https:, with the credentials for the proxy
  except: readonly string[] // hosts that are called directly
  /** Whether the proxy may be asked for a name that this service cannot resolve. */
  resolvesNames: boolean
}
export interface Tunnels {
  resolvesNames: boolean
  /** Whether calls of this origin use the proxy. Plain http never does: the proxy would see it. */
  serves(target: URL): boolean
  /** A connection to the target through the proxy. */
  open(hostname: string, port: string): Promise<Socket>
}

/** There is no connection through the proxy. Nothing was sent to the target. */
export class ProxyFailed extends Error {
  readonly code: ProxyFault
  constructor(message: string, code: ProxyFault, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProxyFailed'
    this.code = code
  }
}

const connectMs = 10_000
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  ENOTFOUND: 'has a host name that does not exist',
  EAI_AGAIN: 'has a host name that could not be resolved',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'did not respond in time',
}
/** Refusals. They stay the same until the operator changes something. */
const answers: Readonly<Record<number, string>> = {
  403: 'does not allow this host',
  407: 'requires other credentials: check the user and password in HTTPS_PROXY',
}

export function createProxy({ url, except, resolvesNames }: ProxySettings): Tunnels {
  const isExcepted = exceptions(except)
  const secure = url.protocol === 'https:'
  // Without the credentials: it is part of errors.
  const name = `the proxy ${url.host}`
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
  const headers = credentials === ':' ? {} : { 'proxy-authorization': `Basic ${btoa(latin1(credentials))}` }
  return {
    resolvesNames,
    serves: (target) => target.protocol === 'https:' && !isLocalHost(target.hostname) && !isExcepted(target),
    open(hostname, port) {
      const { promise, resolve, reject } = Promise.withResolvers<Socket>()
      const target = `${hostname}:${port}`
      const fail = (what: string, code: ProxyFault, cause?: unknown) =>
        reject(new ProxyFailed(`${name} ${what}`, code, cause))
      const request = (secure ? requestHttps : requestHttp)({
        method: 'CONNECT',
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || (secure ? 443 : 80),
        path: target,
        headers: { host: target, ...headers },
        agent: false,
      })
      const deadline = setTimeout(() => request.destroy(new TooLate()), connectMs)
      request.once('connect', ({ statusCode = 0 }, socket, head) => {
        clearTimeout(deadline)
        if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket as Socket)
        socket.destroy()
        const refusal = answers[statusCode]
        fail(
          `${refusal ?? 'opened no connection to this host'} (status ${statusCode})`,
          refusal ? 'PROXY_REFUSED' : 'PROXY_FAILED',
        )
      })
      request.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(deadline)
        const fault = faults[error.code ?? ''] ?? `cannot be used${error.code ? ` (${error.code})` : ''}`
        fail(fault, 'PROXY_FAILED', error)
      })
      request.end()
      return promise
    },
  }
}
class TooLate extends Error {
  readonly code = 'ETIMEDOUT'
}

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/**
 * As in curl: a name covers itself and the names below it, with or without a leading dot; an address or a network covers
 * addresses; with a port, an entry covers that port; `*` covers everything.
 */
function exceptions(entries: readonly string[]): (target: URL) => boolean {
  const rules = entries.map(ruleOf)
  return ({ hostname, port }) => {
    const host = hostname.replace(/^\[|\]$|\.$/g, '')
    return rules.some((rule) => rule(host, port || '443'))
  }
}

type Rule = (host: string, port: string) => boolean
function ruleOf(entry: string): Rule {
  if (entry === '*') return () => true
  const wholeEntry = networkOf(entry) // the last part of an IPv6 address looks like a port
  if (wholeEntry) return wholeEntry
  const [, host = '', ownPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const name = host.toLowerCase().replace(/^\*?\.|\.$/g, '')
  const covers = networkOf(host.replace(/^\[|\]$/g, '')) ?? ((asked) => asked === name || asked.endsWith(`.${name}`))
  return (asked, port) => covers(asked) && (ownPort === undefined || ownPort === port)
}

function networkOf(text: string): ((host: string) => boolean) | undefined {
  const [address = '', prefix] = text.split('/')
  const family = isIP(address)
  if (family === 0) return undefined
  const list = new BlockList()
  list.addSubnet(address, Number(prefix ?? (family === 4 ? 32 : 128)), family === 4 ? 'ipv4' : 'ipv6')
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
}
