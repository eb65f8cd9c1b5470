import type { NativeResponse } from '../../contract/connector.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

/** The same shape in every API; `status` comes as a number or as text, and `errors` holds more of the same. */
interface ErrorMessage {
  code?: number
  message?: string | null
  fieldName?: string | null
  errors?: ErrorMessage[] | null
}
/** https://doc.toasttab.com/doc/devguide/apiResponsesAndErrors.html */
export const readError = errorTable({
  findings: (body) => {
    const whole = objectIn<ErrorMessage>(body)
    return [whole, ...list(whole.errors)].map(({ code, message, fieldName }) => ({
      code: text(code),
      message: text(message) && cleanText(message!),
      field: text(fieldName),
    }))
  },
  retryAfterMs: ({ kind, retryAfterMs }, { headers }) =>
    kind === 'throttled' && retryAfterMs === undefined ? untilReset(headers) || undefined : undefined,
})

/** The headers tell of the limit that is nearest. One of a single endpoint (menus: one a second) must not hold the whole account: its lane sees to it. */
export function throttle({ headers }: NativeResponse): number {
  const spent =
    headers['x-toast-ratelimit-remaining']?.trim() === '0' &&
    headers['x-toast-ratelimit-by']?.toUpperCase() !== 'ENDPOINT'
  return spent ? untilReset(headers) : 0
}

/** Reset is a point in time, in seconds; without a clock of our own it counts from the answer's Date. */
function untilReset(headers: NativeResponse['headers']): number {
  const wait = Number(headers['x-toast-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? '')
  return wait > 0 ? Math.min(wait, longestWindowMs) : 0
}
const longestWindowMs = 900_000
