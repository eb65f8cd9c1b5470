import type { NativeError } from './connector.ts'

/**
 * What `read` and `write` of a call object reject with when the platform rejects a call: its response, read by the
 * connector.
 */
export class NativeFailure extends Error {
  readonly error: NativeError
  readonly status: number
  constructor(error: NativeError, status: number) {
    super(error.message)
    this.name = 'NativeFailure'
    this.error = error
    this.status = status
  }
}
