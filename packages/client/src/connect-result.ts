// The result of a connect link, in the address that a customer returns to.
import { UnifiedError } from './error.ts'

interface ResultOf<Status extends string> {
  status: Status
  linkId: string
  /** What the link was created with. */
  state?: string
  /** Unix seconds. */
  timestamp: number
}
export type ConnectResult =
  | (ResultOf<'connected'> & { accountId: string })
  | (ResultOf<'failed'> & {
      /** The link still works unless it has expired. */
      error:
        | 'access_denied'
        | 'cancelled'
        | 'authorization_failed'
        | 'connection_failed'
        | 'link_expired'
        | (string & {})
    })

/** `signingSecret` of the link, or a function that looks it up by the id of the link. */
export type SigningSecret = string | ((linkId: string) => string | undefined | Promise<string | undefined>)

/**
 * Returns the result if the service signed this address within the last five minutes, and throws a `UnifiedError` with
 * the code `invalid_connect_result` if not. `url` can be a path, as in a request of Node's http server.
 */
export async function verifyConnectResult(
  url: string | URL,
  signingSecret: SigningSecret,
  { maxAgeSeconds = 300 }: { maxAgeSeconds?: number } = {},
): Promise<ConnectResult> {
  const query = new URL(url, 'http://localhost').searchParams
  const given = (query.get('signature') ?? '').match(/../g) ?? []
  query.delete('signature')
  query.sort()
  const value = (name: string) => query.get(name) ?? ''
  const linkId = value('linkId')
  const secret = typeof signingSecret === 'string' ? signingSecret : await signingSecret(linkId)
  if (!secret) throw invalid('no signing secret is known for its link')
  const encode = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signature = Uint8Array.from(given, (byte) => Number.parseInt(byte, 16))
  if (!(await crypto.subtle.verify('HMAC', key, signature, encode(query.toString()))))
    throw invalid('its signature is not from this secret')
  const timestamp = Number(value('timestamp'))
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= maxAgeSeconds))
    throw invalid(`it is older than ${maxAgeSeconds} seconds, or the clock of this computer is wrong`)
  const common = { linkId, state: query.get('state') ?? undefined, timestamp }
  return value('status') === 'connected'
    ? { status: 'connected', accountId: value('accountId'), ...common }
    : { status: 'failed', error: value('error'), ...common }
}

const invalid = (reason: string): UnifiedError =>
  new UnifiedError('invalid_connect_result', 0, `The address is not a valid result of a connect link: ${reason}.`)
