import type { NativeError, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

/** The same shape in every API; `status` comes as a number or as text, and `errors` holds more of the same. */
interface ErrorMessage {
  code?: number
  message?: string | null
  fieldName?: string | null
  errors?: ErrorMessage[] | null
}
/** https://doc.toasttab.com/doc/devguide/apiResponsesAndErrors.html */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const body: ErrorMessage = typeof response.body === 'object' && response.body !== null ? response.body : {}
  const fields = [body, ...list(body.errors)]
    .filter(({ fieldName }) => text(fieldName))
    .map(({ fieldName, message }) => ({ native: fieldName!, message: message ?? plain.message }))
  const code = text(body.code)
  const wait = plain.kind === 'throttled' && plain.retryAfterMs === undefined ? untilReset(response.headers) : undefined
  return { ...plain, ...(code ? { code } : {}), ...(fields.length ? { fields } : {}), ...(wait ? { retryAfterMs: wait } : {}) }
}

/** The headers tell of the limit that is nearest. One of a single endpoint (menus: one a second) must not hold the whole account: its lane sees to it. */
export function throttle({ headers }: NativeResponse): number {
  const spent = headers['x-toast-ratelimit-remaining']?.trim() === '0' && headers['x-toast-ratelimit-by']?.toUpperCase() !== 'ENDPOINT'
  return spent ? untilReset(headers) : 0
}

/** Reset is a point in time, in seconds; without a clock of our own it counts from the answer's Date. */
function untilReset(headers: NativeResponse['headers']): number {
  const wait = Number(headers['x-toast-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? '')
  return wait > 0 ? Math.min(wait, longestWindowMs) : 0
}
const longestWindowMs = 900_000
