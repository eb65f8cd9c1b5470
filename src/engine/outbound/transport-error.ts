// Apart from the transport: threads that only pass this error on do not load the HTTP client.
/** `PROXY_REFUSED`: it would refuse again, and a repeated wrong password can lock the user out. */
export type ProxyFault = 'PROXY_FAILED' | 'PROXY_REFUSED'
export const isProxyFault = (code: string | undefined): code is ProxyFault =>
  code === 'PROXY_FAILED' || code === 'PROXY_REFUSED'

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
