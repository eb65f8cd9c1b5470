import type { NativeError, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'

/** `{ message, details? }`, no codes and no field names. A missing permission is a 401, like an expired token: it is still a 401 after the renewal and becomes a reconnect. */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const details = text(response.body?.details)
  return { ...plain, ...(details ? { message: `${plain.message}: ${details}` } : {}) }
}
