// Who is calling. Form A takes API keys only, form B access tokens only; the management API takes neither.

import type { FastifyRequest } from 'fastify'
import { hashSecret, sameText, type TokenIssuer } from '../accounts/secrets.ts'
import { BoundedMap } from '../contract/bounded-map.ts'
import { Problem } from '../contract/errors.ts'
import type { Credential, Store } from '../store/store.ts'

export interface Caller {
  workspaceId: string
  credentialId: string
}
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

const unauthorized = (detail: string, error?: string) =>
  new Problem('unauthorized', detail, {
    headers: {
      'www-authenticate': `Bearer realm="unified-records"${error ? `, error="${error}", error_description="${detail}"` : ''}`,
    },
  })

export function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw unauthorized('The authorization header is missing.')
  const match = /^Bearer +([\w.~+/=-]{1,4096})$/i.exec(header)
  if (!match) throw unauthorized('The authorization header must be "Bearer <token>".', 'invalid_request')
  return match[1] as string
}
export const invalidToken = (detail: string) => unauthorized(detail, 'invalid_token')

const callerOf = (credential: Credential): Caller => ({
  workspaceId: credential.workspaceId,
  credentialId: credential.id,
})

/** The last use is recorded to the minute, not for every request. */
function createTouch(store: Store): (id: string) => void {
  const touched = new BoundedMap<string, number>(10_000)
  return (id) => {
    const now = Date.now()
    if (now - (touched.get(id) ?? 0) < 60_000) return
    touched.set(id, now)
    store.credentials.touch(id).catch(() => touched.delete(id))
  }
}

export function createApiKeyAuthentication(store: Store): Authenticate {
  const touch = createTouch(store)
  return async (request) => {
    const match = /^(urk_\w{4,32})\.(\w{16,128})$/.exec(bearerOf(request))
    if (!match) throw invalidToken('This address form takes an API key.')
    const credential = await store.credentials.get(match[1] as string)
    const good = sameText(hashSecret(match[2] as string), credential?.secretHash ?? '')
    if (!credential || !good || credential.kind !== 'api_key' || credential.revokedAt)
      throw invalidToken('The API key is not valid.')
    touch(credential.id)
    return callerOf(credential)
  }
}

export function createTokenAuthentication(store: Store, issuer: TokenIssuer, now = Date.now): Authenticate {
  const touch = createTouch(store)
  return async (request) => {
    const claims = issuer.verify(bearerOf(request))
    if (!claims) throw invalidToken('This address form takes an access token from the token endpoint.')
    if (claims.expiresAt * 1000 <= now()) throw invalidToken('The access token has expired.')
    const credential = await store.credentials.get(claims.accessId)
    const good =
      credential?.kind === 'access_id' && !credential.revokedAt && credential.generation === claims.generation
    if (!credential || !good) throw invalidToken('The access token is no longer valid.')
    touch(credential.id)
    return callerOf(credential)
  }
}
