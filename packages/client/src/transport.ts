// One call over HTTP: attempts, retries, and parsing of responses.
import { errorFrom, isRetryable, UnifiedError } from './error.ts'
import type { ClientOptions, RateLimit } from './types.ts'
import { backoffMs, sleep, withSignal } from './waiting.ts'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `url` of the client by default. */
  origin?: string
  path: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string | undefined>
  body?: string
  signal?: AbortSignal
  /** Waits for rate limits without counting them as failures. */
  patient?: boolean
  /** A repetition has a second effect: only what the service refused is repeated. */
  once?: boolean
}
export interface HttpAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: untyped JSON, typed by the callers
  body: any
  headers: Headers
}
/** Sends a request and retries it while that is safe. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>

const longestWaitSeconds = 60

/**
 * A repeated POST is replayed by its key, and a repeated GET or PUT leaves the same state, so retries are safe. Two
 * exceptions: an update with If-Match would
 * fail because of its own first attempt if the response was lost, and an unknown outcome is worth one more attempt, not
 * four.
 */
function worthRepeating(error: UnifiedError, request: HttpRequest, previous: UnifiedError | undefined): boolean {
  if (request.headers?.['if-match'] || request.once) return error.status === 429
  if (error.code === 'outcome_unknown') return previous?.code !== 'outcome_unknown'
  return isRetryable(error) && error.code !== 'reference_pending' && error.code !== 'not_ready'
}
/**
 * A resend that may have arrived must not be resent: without the option, the service checks the outcome of the first
 * one.
 */
const withoutResend = (request: HttpRequest): HttpRequest =>
  request.query?.onUnknown ? { ...request, query: { ...request.query, onUnknown: undefined } } : request

/** Does not repeat what it refuses: that can contain a password. */
export function checkedUrl(given: string | undefined, option: string, example: string): URL {
  const url = given && URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  const problem = given ? `${option} must be` : `createClient needs ${option},`
  throw new TypeError(`${problem} an http or https URL without a user name or password, such as ${example}.`)
}
export const withoutSlash = (url: URL): string => url.href.replace(/\/+$/, '')

export function createTransport(options: ClientOptions): Send {
  const { maxRetries = 4, timeoutMs = 90_000, onResponse } = options
  const serviceUrl = withoutSlash(checkedUrl(options.url, 'url', 'https://records.example.com'))
  const send = options.fetch ?? fetch

  /** The response and its body, within the timeout of one attempt. */
  const exchange = ({ method, origin = serviceUrl, path, query, headers, body, signal }: HttpRequest) =>
    withSignal(signal, async (controller) => {
      let late: UnifiedError | undefined
      const timer = setTimeout(() => {
        late = new UnifiedError('timeout', 0, `${method} ${path} got no response within ${timeoutMs} ms.`)
        controller.abort(late)
      }, timeoutMs)
      try {
        const response = await send(origin + path + queryOf(query), {
          method,
          headers: present(headers),
          body,
          signal: controller.signal,
          redirect: 'manual',
        })
        return { response, text: await response.text() }
      } catch (error) {
        signal?.throwIfAborted()
        return (
          late ??
          new UnifiedError(
            'network_error',
            0,
            `${method} ${path} failed: the request could not be sent, or the response could not be read.`,
            { cause: error },
          )
        )
      } finally {
        clearTimeout(timer)
      }
    })

  async function attemptOnce(request: HttpRequest, attempt: number): Promise<HttpAnswer> {
    const { method, path } = request
    const outcome = await exchange(request)
    const failed = outcome instanceof UnifiedError
    onResponse?.({
      method,
      path,
      status: failed ? 0 : outcome.response.status,
      attempt,
      ...(failed ? {} : readHeaders(outcome.response.headers)),
    })
    if (failed) throw outcome
    return readAnswer(outcome.response, outcome.text)
  }

  return async (first) => {
    let request = first
    let retries = 0
    let previous: UnifiedError | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptOnce(request, attempt)
      } catch (error) {
        if (!(error instanceof UnifiedError)) throw error
        const waitsForLimit = error.status === 429 && request.patient === true
        if (
          !waitsForLimit &&
          (++retries > maxRetries ||
            (error.retryAfter ?? 0) > longestWaitSeconds ||
            !worthRepeating(error, request, previous))
        )
          throw error
        previous = error
        if (error.status !== 429) request = withoutResend(request)
        await sleep(backoffMs(attempt, error.retryAfter), request.signal)
      }
    }
  }
}

const present = (headers: HttpRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))

function queryOf(query: HttpRequest['query'] = {}): string {
  const text = new URLSearchParams(present(query)).toString()
  return text && `?${text}`
}

function readHeaders(headers: Headers): { requestId?: string; waitedMs?: number; rateLimit?: RateLimit } {
  const waited = headers.get('x-queue-wait-ms')
  const [, limit, left, resetSeconds] = /^"(\d+)-per-[^"]*";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  return {
    requestId: headers.get('x-request-id') ?? undefined,
    waitedMs: waited === null ? undefined : Number(waited),
    rateLimit:
      limit === undefined
        ? undefined
        : { limit: Number(limit), left: Number(left), resetSeconds: Number(resetSeconds) },
  }
}

function readAnswer(response: Response, text: string): HttpAnswer {
  if (!response.ok) throw errorFrom(response, text)
  if (response.status === 204) return { body: undefined, headers: response.headers }
  try {
    return { body: JSON.parse(text), headers: response.headers }
  } catch {
    throw new UnifiedError('unreadable_answer', response.status, 'The response is not JSON.', {
      requestId: response.headers.get('x-request-id') ?? undefined,
    })
  }
}
