import type { NativeErrorKind } from '../../contract/connector.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { list } from '../../kit/fields.ts'

interface SquareError {
  code: string
  detail?: string
  field?: string
}
const kinds: Readonly<Record<string, NativeErrorKind>> = {
  ACCESS_TOKEN_EXPIRED: 'token',
  UNAUTHORIZED: 'token',
  ACCESS_TOKEN_REVOKED: 'reconnect',
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  // The guides have VERSION_MISMATCH, the published enum only CONFLICT: both mean that another write came first.
  VERSION_MISMATCH: 'stale',
  CONFLICT: 'stale',
  IDEMPOTENCY_KEY_REUSED: 'invalid',
  INVALID_CURSOR: 'cursor',
  RATE_LIMITED: 'throttled',
}
/** Errors that name no field. */
const fields: Readonly<Record<string, string>> = {
  PAYMENT_AMOUNT_MISMATCH: 'amount_money',
  INVALID_LOCATION: 'location_id',
}
/** https://developer.squareup.com/docs/build-basics/handling-errors */
export const readError = errorTable({
  findings: (body) =>
    list(objectIn<{ errors: SquareError[] }>(body).errors).map(({ code, detail, field }) => ({
      code,
      message: detail ?? code,
      field: field ?? fields[code],
    })),
  kinds,
  kind: (error, status, { field }) => (status === 'invalid' && field === 'cursor' ? 'cursor' : error.kind),
})
