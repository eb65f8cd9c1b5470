// Apart from the transport: threads that only pass this error on do not load the HTTP client.
/** No response came. `sent` is false only where the request provably never left. */
export class TransportError extends Error {
  readonly sent: boolean
  readonly timeout: boolean
  /** The system's or undici's code, such as ENOTFOUND. */
  readonly code: string | undefined
  constructor(message: string, state: { sent: boolean; timeout: boolean; code?: string | undefined; cause?: unknown }) {
    super(message, { cause: state.cause })
    this.name = 'TransportError'
    this.sent = state.sent
    this.timeout = state.timeout
    this.code = state.code
  }
}
