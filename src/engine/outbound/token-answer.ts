// The response of a token endpoint: tokens, the platform's own refusal, or something that is neither.
import type { TokenAnswer } from '../../contract/connector.ts'
import { valueAt } from '../../contract/pointer.ts'
import { textOf, type WireAnswer } from './transport.ts'

/** Why there is no token. */
export interface Refusal {
  reason: string
  status?: number
  code?: string
  message?: string // of the platform
  spent?: true // not rejected: the response was lost, and with it a single-use code
  ended?: true // the platform says that the authorization has ended
}
export type TokenVerdict =
  | { credentials: Record<string, string> }
  | { refused: Refusal }
  /** Nothing that the platform itself says about the authorization. `askedMs`: the pause that it asks for. */
  | { later: { askedMs?: number } }

/** The words of OAuth 2.0 for an authorization that has ended (RFC 6749, 5.2). Some platforms have others. */
const usualEnd = [{ at: '/error', matches: /^invalid_grant$/ }]
const passing = /too many|rate|server_error|temporarily|slow_down/i

export function readTokens(response: WireAnswer, answer: TokenAnswer, strike: (text: string) => string): TokenVerdict {
  const { status, headers } = response
  const askedMs = retryAfterMs(headers['retry-after'])
  const later: TokenVerdict = { later: askedMs === undefined ? {} : { askedMs } }
  let body: unknown
  try {
    body = JSON.parse(textOf(response))
  } catch {
    return later
  }
  const access = valueAt(body, answer.access)
  if (typeof access !== 'string' || access === '' || status >= 400) {
    // A response without a token is a failure whatever its status: some platforms reject with status 200.
    const code = strike(wordsAt(body, '/error', '/code', '/errors/0/code')).slice(0, 200)
    const message = strike(wordsAt(body, '/error_description', '/message', '/errors/0/detail')).slice(0, 200)
    if (status >= 500 || status === 429 || passing.test(wordsAt(body, '/error', '/error_description'))) return later
    const ended = (answer.ended ?? usualEnd).some(({ at, matches }) => matches.test(wordAt(body, at)))
    // A gateway answers with a status, and perhaps with a body of its own.
    if (!ended && code === '' && message === '') return later
    return {
      refused: {
        reason: `The platform refused to renew the token (${code || `status ${status}`}).`,
        status,
        code: code || undefined,
        message: message || undefined,
        ...(ended ? { ended: true } : {}),
      } as Refusal,
    }
  }
  const credentials: Record<string, string> = { accessToken: access }
  const refresh = answer.refresh === undefined ? undefined : valueAt(body, answer.refresh)
  if (typeof refresh === 'string' && refresh) credentials.refreshToken = refresh
  const expiresAt = expiry(body, answer, headers.date)
  if (expiresAt) credentials.expiresAt = expiresAt
  for (const [name, pointer] of Object.entries(answer.keep ?? {})) {
    const value = valueAt(body, pointer)
    if (value !== undefined && value !== null) credentials[name] = String(value)
  }
  return { credentials }
}

const wordAt = (body: unknown, pointer: string): string => {
  const value = valueAt(body, pointer)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
/** The first text at one of these pointers. */
const wordsAt = (body: unknown, ...pointers: string[]): string => {
  const found = pointers
    .map((pointer) => valueAt(body, pointer))
    .find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : ''
}

/** Seconds, or a date. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? ms : undefined
}

/**
 * On our clock. An instant of the platform is on the platform's clock, which the `Date` of the same response tells:
 * otherwise a token of a platform whose clock is behind ours would count as expired when it is issued.
 */
function expiry(body: unknown, answer: TokenAnswer, date = ''): string | undefined {
  const leftMs = answer.expires && lifetime(body, answer.expires, Date.parse(date) || Date.now())
  const at = Date.now() + (leftMs ?? Number.NaN)
  return Math.abs(at) <= latestTime ? new Date(at).toISOString() : undefined
}
function lifetime(body: unknown, expires: NonNullable<TokenAnswer['expires']>, issued: number): number | undefined {
  if ('at' in expires) {
    const at = valueAt(body, expires.at)
    return (expires.as === 'iso' ? Date.parse(String(at)) : Number(at) * 1000) - issued
  }
  const seconds = Number(valueAt(body, expires.in))
  return seconds > 0 ? seconds * 1000 : undefined
}
/** The latest time of a JavaScript date, in milliseconds. */
const latestTime = 8.64e15
