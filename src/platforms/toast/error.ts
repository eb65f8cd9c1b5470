import type { NativeResponse } from '../../contract/connector.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

/** The same format in every API; `status` is a number or a string, and `errors` contains more of the same. */
interface ErrorMessage {
  status?: number | string
  requestId?: string | null
  code?: number
  message?: string | null
  fieldName?: string | null
  errors?: ErrorMessage[] | null
}
/** https://doc.toasttab.com/doc/devguide/apiResponsesAndErrors.html */
export const readError = errorTable({
  findings: (body) => {
    const whole = objectIn<ErrorMessage>(body)
    if (whole.status === undefined && whole.code === undefined && whole.requestId === undefined) return []
    return [whole, ...list(whole.errors)].map(({ code, message, fieldName }) => ({
      code: text(code),
      message: text(message) && cleanText(message!),
      field: text(fieldName),
    }))
  },
  retryAfterMs: ({ kind, retryAfterMs }, { headers }) =>
    kind === 'throttled' && retryAfterMs === undefined ? untilReset(headers) || undefined : undefined,
})

/**
 * The headers report the nearest limit. The limit of a single endpoint (menus: one per second) must not pause the whole
 * account: its lane handles it.
 */
export function throttle({ headers }: NativeResponse): number {
  const spent =
    headers['x-toast-ratelimit-remaining']?.trim() === '0' &&
    headers['x-toast-ratelimit-by']?.toUpperCase() !== 'ENDPOINT'
  return spent ? untilReset(headers) : 0
}

/** Reset is a time in seconds; the connector has no clock, so the wait is measured from the response's Date. */
function untilReset(headers: NativeResponse['headers']): number {
  const wait = Number(headers['x-toast-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? '')
  return wait > 0 ? Math.min(wait, longestWindowMs) : 0
}
const longestWindowMs = 900_000
