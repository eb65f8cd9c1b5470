// Who is calling. Form A takes API keys only, form B access tokens only; the management API takes both.

import type { FastifyRequest } from 'fastify'
import { hashSecret, sameText, type TokenIssuer } from '../accounts/secrets.ts'
import { BoundedMap } from '../base/bounded-map.ts'
import { Problem } from '../contract/errors.ts'
import type { Credential, Store } from '../store/store.ts'
import { formBPrefix } from './record-operations.ts'

export interface Caller {
  workspaceId: string
  credentialId: string
  credential: Credential
}
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** RFC 6750 allows printable ASCII without the double quote and the backslash. */
const quotable = (text: string) => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?')

const unauthorized = (detail: string, error?: string) =>
  new Problem('unauthorized', detail, {
    headers: {
      'www-authenticate': `Bearer realm="unified-records"${error ? `, error="${error}", error_description="${quotable(detail)}"` : ''}`,
    },
  })

export function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined)
    throw unauthorized('The authorization header is missing. Send "authorization: Bearer <token>".')
  const match = /^Bearer +([\w.~+/=-]{1,4096})$/i.exec(header)
  if (!match) throw unauthorized('The authorization header must be "Bearer <token>".', 'invalid_request')
  return match[1] as string
}
export const invalidToken = (detail: string) => unauthorized(detail, 'invalid_token')

/** Checked for every request: an expiry needs no other event to take effect. */
export const isLive = ({ revokedAt, expiresAt }: Credential, now: number): boolean =>
  !revokedAt && (expiresAt === undefined || Date.parse(expiresAt) > now)

const callerOf = (credential: Credential): Caller => ({
  workspaceId: credential.workspaceId,
  credentialId: credential.id,
  credential,
})

/** The last use is recorded to the minute, not for every request. */
function createTouch(store: Store): (id: string, address: string) => void {
  const touched = new BoundedMap<string, number>(10_000)
  return (id, address) => {
    const now = Date.now()
    if (now - (touched.get(id) ?? 0) < 60_000) return
    touched.set(id, now)
    store.credentials.touch(id, address).catch(() => touched.delete(id))
  }
}

const notAnApiKey = (bearer: string) =>
  bearer.startsWith('urt_')
    ? `This is an access token. Send it to ${formBPrefix}/unified/..., or send an API key here.`
    : 'This is not an API key. A key has the form urk_<id>.<secret>; send it whole, as it was shown once.'
const notAToken = (bearer: string) =>
  bearer.startsWith('urk_')
    ? 'This is an API key. Send it to /unified/..., or send an access token from the token endpoint here.'
    : `This is not an access token of this service. Request one from ${formBPrefix}/oauth/server/access-token.`

export function createApiKeyAuthentication(store: Store, now = Date.now): Authenticate {
  const touch = createTouch(store)
  return async (request) => {
    const bearer = bearerOf(request)
    const match = /^(urk_\w{4,32})\.(\w{16,128})$/.exec(bearer)
    if (!match) throw invalidToken(notAnApiKey(bearer))
    const credential = await store.credentials.lookup(match[1] as string)
    const good = sameText(hashSecret(match[2] as string), credential?.secretHash ?? '')
    if (!credential || !good || credential.kind !== 'api_key' || !isLive(credential, now()))
      throw invalidToken(
        'The API key is unknown, revoked or expired. Create a key in the dashboard or the management API.',
      )
    touch(credential.id, request.ip)
    return callerOf(credential)
  }
}

export function createTokenAuthentication(store: Store, issuer: TokenIssuer, now = Date.now): Authenticate {
  const touch = createTouch(store)
  return async (request) => {
    const bearer = bearerOf(request)
    const claims = issuer.verify(bearer)
    if (!claims) throw invalidToken(notAToken(bearer))
    if (claims.expiresAt * 1000 <= now())
      throw invalidToken('The access token has expired. Request a new one from the token endpoint.')
    const credential = await store.credentials.lookup(claims.accessId)
    const good =
      credential?.kind === 'access_id' && isLive(credential, now()) && credential.generation === claims.generation
    if (!credential || !good)
      throw invalidToken(
        'The access token is no longer valid: its access id was rotated or revoked, or has expired. Request a new token with the current secret.',
      )
    touch(credential.id, request.ip)
    return callerOf(credential)
  }
}
