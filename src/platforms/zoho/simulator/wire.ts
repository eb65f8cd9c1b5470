// Zoho's response format: always a code, 0 for success.
import { type Fields, isObject, readForm, readJson, refusing, retryAfter } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const success = (fields: Fields, status = 200, message = 'success'): WireResponse => ({
  status,
  body: { code: 0, message, ...fields },
})
export const failure = (status: number, code: number, message: string): WireResponse => ({
  status,
  body: { code, message },
})

export const refuse = refusing(failure)
export const invalid = (field: string): never => refuse(400, 2, `Invalid value passed for ${field}`)
export const tooLong = (field: string, length: number): never =>
  refuse(400, 15, `Please ensure that the ${field} has less than ${length} characters.`)
export const missing = (what: string): never => refuse(404, 1002, `${what} does not exist.`)

/** A JSON body, or the older format, a form with one field. */
export function bodyOf(request: WireRequest): Fields {
  const body = /form-urlencoded/.test(request.headers['content-type'] ?? '')
    ? parsed(readForm(request).JSONString)
    : readJson(request)
  return isObject(body) ? body : refuse(400, 4, 'Invalid JSON string passed')
}
const parsed = (text = ''): unknown => readJson({ body: text } as WireRequest)

export const throttled = (seconds?: number): WireResponse => ({
  ...failure(
    429,
    44,
    'For security reasons, you have been blocked for some time as you have exceeded the maximum number of requests per minute that can be made.',
  ),
  ...retryAfter(seconds),
})
export const dayExceeded = (seconds: number): WireResponse => ({
  ...failure(429, 45, 'You have exceeded the maximum number of API calls that can be made in a day.'),
  headers: { 'x-rate-limit-reset': String(seconds) },
})
export const broken = (status: number): WireResponse =>
  status === 403
    ? failure(status, 1038, 'You are not permitted to perform this operation')
    : failure(status, 1000, 'Internal error')
