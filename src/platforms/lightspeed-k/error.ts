// Each K-Series service has its own error format.
import { errorTable, type Finding, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface ErrorBody {
  status: string | number // of items, order and pay, staff
  error: string // of finance, and in addition to a status
  message: string
  msg: string // of a reference that was used twice
  apiSubExceptions: { field?: string; message?: string }[]
  errors: { field?: string; defaultMessage?: string }[]
}
function findings(body: unknown): Finding[] {
  const { status, error, message, msg, apiSubExceptions, errors } = objectIn<ErrorBody>(body)
  const said = text(msg) ?? text(message) ?? text(error)
  if (!said || (text(status) === undefined && text(error) === undefined)) return []
  return [
    { message: cleanText(said) },
    ...list(apiSubExceptions).map((found) => ({ field: found.field, message: found.message })),
    ...list(errors).map((found) => ({ field: found.field, message: found.defaultMessage })),
  ]
}
export const readError = errorTable({
  findings,
  // The only conflict: an order's reference, which is its idempotency key, was used twice. For payments it is a 400.
  statuses: { 409: 'duplicate' },
  kind: ({ kind, message }) => {
    if (kind !== 'invalid') return kind
    if (message.startsWith('reference has already been used')) return 'duplicate'
    return message === 'Invalid account identifier' ? 'not_found' : kind
  },
})
