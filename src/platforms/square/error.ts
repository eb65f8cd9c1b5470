import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'

interface SquareError {
  category: string
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
  // The guides say VERSION_MISMATCH, the published enum has only CONFLICT: both mean that somebody wrote in between.
  VERSION_MISMATCH: 'stale',
  CONFLICT: 'stale',
  IDEMPOTENCY_KEY_REUSED: 'invalid',
  INVALID_CURSOR: 'cursor',
  RATE_LIMITED: 'throttled',
}
/** https://developer.squareup.com/docs/build-basics/handling-errors */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const errors = list<SquareError>(response.body?.errors)
  const first = errors[0]
  if (!first) return plain
  const fields = errors.filter(({ field }) => field).map(({ field, detail, code }) => ({ native: field!, message: detail ?? code }))
  return { ...plain, kind: kindOf(first, plain.kind), code: first.code, message: first.detail ?? first.code, ...(fields.length ? { fields } : {}) }
}
function kindOf({ code, field }: SquareError, byStatus: NativeErrorKind): NativeErrorKind {
  if (byStatus === 'invalid' && field === 'cursor') return 'cursor'
  return kinds[code] ?? byStatus
}
