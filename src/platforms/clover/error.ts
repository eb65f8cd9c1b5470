import type { NativeError, NativeResponse } from '../../contract/connector.ts'
import type { Pointer } from '../../contract/entity.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'

/** `{ message, details? }`, no codes and no field names. A missing permission is a 401 like an expired token: it stays one after the renewal, and becomes a reconnect. */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return undefined
  const details = text(response.body?.details)
  return { ...plain, ...(details ? { message: `${plain.message}: ${details}` } : {}) }
}

export interface Violation {
  pointer: Pointer
  message: string
}
/** Lengths are those of Clover's own models: https://github.com/clover/clover-android-sdk */
export const tooLong = (pointer: Pointer, value: string | undefined, length: number): Violation[] =>
  (value?.length ?? 0) > length ? [{ pointer, message: `Clover keeps at most ${length} characters` }] : []
