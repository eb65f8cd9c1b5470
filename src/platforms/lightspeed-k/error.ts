// Each K-Series service has its own error format.
import type { NativeError, NativeResponse } from '../../contract/connector.ts'
import { cleanText, errorByStatus } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface ItemsField {
  field?: string
  message?: string
}
interface SpringField {
  field?: string
  defaultMessage?: string
}
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const body = typeof response.body === 'object' && response.body !== null ? response.body : {}
  const named = [
    ...list<ItemsField>(body.apiSubExceptions).map(({ field, message }) => ({ native: field, message })),
    ...list<SpringField>(body.errors).map(({ field, defaultMessage }) => ({ native: field, message: defaultMessage })),
  ]
  const fields = named.flatMap(({ native, message }) => (native ? [{ native, message: message ?? plain.message }] : []))
  const message = text(body.msg) ? cleanText(body.msg) : plain.message
  return { ...plain, kind: kindOf(response, plain, message), message, ...(fields.length ? { fields } : {}) }
}
function kindOf({ status }: NativeResponse, plain: NativeError, message: string): NativeError['kind'] {
  // The only conflict: an order's reference, which is its idempotency key, was used twice.
  if (status === 409) return 'duplicate'
  if (status === 400 && message === 'Invalid account identifier') return 'not_found'
  return plain.kind
}
