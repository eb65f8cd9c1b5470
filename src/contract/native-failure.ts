import type { NativeError } from './native-exchange.ts'

/**
 * What `read` and `write` of a call object reject with when the platform rejects a call: its response, read by the
 * connector. Without a status the platform sent no such response: the connector itself refuses.
 */
export class NativeFailure extends Error {
  readonly error: NativeError
  readonly status: number | undefined
  constructor(error: NativeError, status?: number) {
    super(error.message)
    this.name = 'NativeFailure'
    this.error = error
    this.status = status
  }
}
