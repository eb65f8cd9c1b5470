// The last link of the outbound chain: one HTTP exchange with a platform, bounded in time and size, no redirects followed.
import { Pool } from 'undici'

export interface WireCall {
  method: string
  origin: string // scheme, host, port, and a path prefix where the platform has one
  path: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
}
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  text: string
}
export interface Transport {
  exchange(call: WireCall): Promise<WireAnswer>
  close(): Promise<void>
}

/** No answer came. `sent` is false only where the request provably never left. */
export class TransportError extends Error {
  readonly sent: boolean
  readonly timeout: boolean
  constructor(message: string, state: { sent: boolean; timeout: boolean; cause?: unknown }) {
    super(message, { cause: state.cause })
    this.name = 'TransportError'
    this.sent = state.sent
    this.timeout = state.timeout
  }
}
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'])
const timedOut = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
const maxAnswerBytes = 32 * 1024 * 1024

export function createTransport(options: { connections?: number } = {}): Transport {
  const pools = new Map<string, Pool>()
  const poolOf = (origin: string): Pool => {
    let pool = pools.get(origin)
    if (!pool) {
      pool = new Pool(origin, { connections: options.connections ?? 64, pipelining: 1, connectTimeout: 10_000, keepAliveTimeout: 10_000, maxHeaderSize: 65_536 })
      pools.set(origin, pool)
    }
    return pool
  }
  return {
    async exchange({ method, origin, path, headers, body, timeoutMs }) {
      const base = new URL(origin)
      try {
        const answer = await poolOf(base.origin).request({
          method: method as 'GET',
          path: (base.pathname === '/' ? '' : base.pathname.replace(/\/$/, '')) + path,
          headers,
          ...(body === undefined ? {} : { body }),
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: AbortSignal.timeout(timeoutMs),
        })
        return { status: answer.statusCode, headers: flat(answer.headers), text: await boundedText(answer.body) }
      } catch (error) {
        const code = String((error as { code?: unknown }).code ?? '')
        const timeout = timedOut.has(code) || (error as Error).name === 'TimeoutError'
        throw new TransportError(timeout ? 'did not answer in time' : code || (error as Error).message, { sent: !neverSent.has(code), timeout, cause: error })
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value
  return result
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
