import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
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
/** https://developer.loyverse.com/docs/#section/Handling-errors. A 404 is the record asked for, or, with a field, one that the body refers to. */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const errors = list<LoyverseError>(response.body?.errors)
  const { code, details } = errors[0] ?? {}
  if (!code) return response.status === 402 ? { ...plain, kind: 'forbidden' } : plain
  const fields = errors.filter(({ field }) => field).map((error) => ({ native: error.field!, message: error.details ?? error.code! }))
  return { ...plain, kind: kinds[code] ?? plain.kind, code, message: details ?? code, ...(fields.length ? { fields } : {}) }
}
