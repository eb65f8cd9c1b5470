// FreshBooks' response formats: results and errors of the accounting service are inside `response`, OAuth errors are
// not.
import { type Fields, isObject, readJson, refusing, retryAfter } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export interface AccountingError {
  errno: number
  message: string
  field?: string
  object?: string
  value?: string
}
export const result = (body: Fields): WireResponse => ({ status: 200, body: { response: { result: body } } })

export const failure = (status: number, ...errors: AccountingError[]): WireResponse => ({
  status,
  body: {
    response: {
      errors: errors.map(({ errno, message, field = '', object = '', value = '' }) => ({
        errno,
        field,
        message,
        object,
        value,
      })),
    },
  },
})
export const refuse = refusing(failure)

/** The newer format, which the SDK also reads: the same errors, wrapped. */
export function inNewStyle(response: WireResponse): WireResponse {
  const errors = (response.body as { response?: { errors?: AccountingError[] } } | undefined)?.response?.errors
  if (!errors) return response
  const details = errors.map(({ errno, ...metadata }) => ({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: String(errno),
    domain: 'accounting.api.freshbooks.com',
    metadata,
  }))
  return { ...response, body: { code: 5, message: `Request failed with status_code: ${response.status}`, details } }
}

export const oauthFailure = (status: number, error: string, description: string): WireResponse => ({
  status,
  body: { error, error_description: description },
})

/** The accounting service and the identity service have different errors for an invalid token. */
export const unauthenticated = ({ path }: WireRequest): WireResponse =>
  path.startsWith('/accounting/')
    ? failure(401, {
        errno: 1003,
        message:
          'The server could not verify that you are authorized to access the URL requested. You either supplied the wrong credentials, or they are no longer valid.',
      })
    : oauthFailure(401, 'unauthenticated', 'This action requires authentication to continue.')

export const throttled = (seconds?: number): WireResponse => ({
  ...failure(429, { errno: 429, message: 'Rate limit exceeded.', object: 'request' }),
  ...retryAfter(seconds),
})
export const broken = (status: number): WireResponse =>
  oauthFailure(status, 'internal_server_error', 'internal server error')

export function clientIn(request: WireRequest): Fields {
  const body = readJson(request)
  if (!isObject(body)) return refuse(400, { errno: 1005, message: 'The server was unable to parse your request.' })
  return isObject(body.client)
    ? body.client
    : refuse(422, { errno: 1001, message: 'Required field client is missing.', field: 'client', object: 'client' })
}
