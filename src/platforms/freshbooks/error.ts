// Errors have four formats: a list of numbered errors (the accounting service), the same in Google's format (its newer
// parts), Google's own (callbacks), and OAuth's `error` and `error_description`. All but Google's own may come with
// status 200.
import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText, errorKindByStatus } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface AccountingError {
  errno?: number | string
  field?: string | null
  message?: string | null
}
interface ErrorBody {
  response?: { errors?: AccountingError[] }
  details?: {
    '@type'?: string
    reason?: string
    metadata?: { field?: string; message?: string }
    fieldViolations?: { field?: string; description?: string }[]
  }[]
  message?: unknown
  error?: unknown
  error_description?: unknown
}
/** https://www.freshbooks.com/api/errors */
const kinds: Readonly<Record<string, NativeErrorKind>> = {
  409: 'stale', // another request is changing it
  429: 'throttled',
  500: 'unavailable',
  1003: 'forbidden',
  1011: 'not_found', // deleted
  1012: 'not_found',
  1042: 'forbidden', // the account is not active
}
/** These fields identify a missing record; any other field of an unknown resource is a value that was sent. */
const identity = new Set(['userid', 'id', 'clientid'])

const read = errorTable({
  anyStatus: true,
  kinds,
  findings: (body) =>
    errorsIn(objectIn<ErrorBody>(body)).map((error) => {
      const field = text(error.field)
      return {
        code: text(error.errno),
        message: messageOf(error),
        field: field && identity.has(field) ? undefined : field,
      }
    }),
  // An unambiguous status takes precedence: an invalid token is a 401 with number 1003.
  kind: ({ code = '', fields }, status) => {
    if (status && ['token', 'throttled', 'unavailable'].includes(status)) return status
    return kinds[code] === 'not_found' && fields ? 'invalid' : (kinds[code] ?? 'invalid')
  },
})
export const readError = (response: NativeResponse): NativeError | undefined =>
  read(response) ??
  oauthError(response.status, objectIn<ErrorBody>(response.body)) ??
  callbackError(response.status, objectIn<ErrorBody>(response.body))

const messageOf = ({ message }: AccountingError): string => cleanText(message ?? '') || 'rejected without a reason'

function errorsIn({ response, details }: ErrorBody): AccountingError[] {
  const plain = list(response?.errors)
  if (plain.length) return [...plain]
  return list(details).flatMap(({ reason, metadata }) =>
    metadata ? [{ errno: reason, field: metadata.field, message: metadata.message }] : [],
  )
}
const oauthError = (status: number, { error, error_description }: ErrorBody): NativeError | undefined =>
  typeof error === 'string' && typeof error_description === 'string'
    ? {
        kind: /unauthenticated|invalid_token/.test(error) ? 'token' : (errorKindByStatus(status) ?? 'invalid'),
        code: error,
        message: cleanText(error_description),
      }
    : undefined

/** https://github.com/freshbooks/freshbooks-nodejs-sdk: transformEventErrorResponse */
function callbackError(status: number, { message, details }: ErrorBody): NativeError | undefined {
  const kind = errorKindByStatus(status)
  if (!kind || typeof message !== 'string' || !Array.isArray(details)) return undefined
  const fields = list(details).flatMap(({ fieldViolations }) =>
    list(fieldViolations).flatMap(({ field, description }) =>
      field ? [{ native: field, message: cleanText(description ?? message) }] : [],
    ),
  )
  return { kind, message: cleanText(message), ...(fields.length > 0 && { fields }) }
}
