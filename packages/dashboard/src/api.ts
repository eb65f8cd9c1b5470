// One request function over fetch: same origin, the session cookie, the CSRF header on every request that changes
// something, problems as errors.
import { type ErrorCode, type ErrorDetails, errorFrom, UnifiedError } from '../../client/src/error.ts'
import { sleep } from '../../client/src/waiting.ts'
import { retryDelay } from './retry.ts'

export class ApiError extends UnifiedError {
  constructor(code: ErrorCode, status: number, detail: string, more: ErrorDetails = {}) {
    super(code, status, detail, { ...more, title: more.title ?? 'The request failed' })
    this.name = 'ApiError'
  }
  /** The service is busy or unreachable: the request itself is fine. */
  get outage(): boolean {
    return this.code === 'unreachable' || this.status === 503
  }
  /** The error message for one field of a form. */
  violationOf(pointer: string): string | undefined {
    return this.errors.find((one) => one.pointer === pointer)?.message
  }
  /** The valid values of one field of a form, if the platform reports them. */
  choicesOf(pointer: string): readonly { value: string; label: string }[] | undefined {
    return this.errors.find((one) => one.pointer === pointer)?.choices
  }
}

export interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Called with the headers of each response: timings and rate limits. */
  onHeaders?(headers: Headers, status: number): void
  /** For routes without a session: no CSRF token, and a 401 is an answer to the form. */
  open?: boolean
  /** Called before a read is retried. */
  onRetry?(): void
}

let csrfToken: () => Promise<string> = async () => ''
let onSignedOut: () => void = () => {}

/** Called for every request that changes something. The token is empty while there is no session. */
export const provideCsrfToken = (provider: () => Promise<string>): void => {
  csrfToken = provider
}
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener
}

/** Retries reads a few times while the service is busy or unreachable. Changes are not retried: the user decides. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await send<T>(method, path, options)
    } catch (error) {
      const delay =
        method === 'GET' && error instanceof ApiError && error.outage
          ? retryDelay(failures, error.retryAfter)
          : undefined
      if (delay === undefined) throw error
      options.onRetry?.()
      await sleep(delay, options.signal)
    }
  }
}

async function send<T>(
  method: string,
  path: string,
  { body, headers = {}, signal, onHeaders, open = false }: RequestOptions,
): Promise<T> {
  const ours = path.startsWith('/manage/')
  const changes = ours && !open && method !== 'GET'
  const csrf: Record<string, string> = changes ? { 'x-csrf-token': await csrfToken() } : {}
  const received = async () => {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
        ...csrf,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    })
    return { response, text: await response.text() }
  }
  const { response, text } = await received().catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiError('unreachable', 0, 'The connection failed before the service responded.', {
      title: 'The service cannot be reached',
    })
  })
  onHeaders?.(response.headers, response.status)
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  if (ours && !open && response.status === 401) onSignedOut()
  throw errorFrom(response, text, ApiError)
}

/** `/path?name=value`, without empty values. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return entries.length === 0
    ? path
    : `${path}?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}
export const segment = encodeURIComponent
