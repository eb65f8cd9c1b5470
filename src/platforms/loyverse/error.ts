import type { NativeErrorKind } from '../../contract/connector.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { list } from '../../kit/fields.ts'

interface LoyverseError {
  code?: string
  details?: string
  field?: string
}
const kinds: Readonly<Record<string, NativeErrorKind>> = {
  INVALID_CURSOR: 'cursor',
  // A lapsed subscription, or receipts older than 31 days without "Unlimited sales history".
  PAYMENT_REQUIRED: 'forbidden',
}
/**
 * https://developer.loyverse.com/docs/#section/Handling-errors. A 404 means the requested record, or, with a field, one
 * that the body references.
 */
export const readError = errorTable({
  findings: (body) =>
    list(objectIn<{ errors: LoyverseError[] }>(body).errors).map(({ code, details, field }) => ({
      code,
      message: details ?? code,
      field,
    })),
  kinds,
  statuses: { 402: 'forbidden' },
})
