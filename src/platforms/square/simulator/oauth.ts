// Consent, tokens, revocation and introspection. The refresh token never changes; older access tokens stay valid until
// they expire.
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer, publicClientInFields } from '../../../sandbox/oauth-server.ts'
import type { Router, Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { bodyOf, failure, invalid, ok } from './wire.ts'
import { iso, type World } from './world.ts'

export const unauthorized = (code: string, detail: string): WireResponse =>
  failure(401, 'AUTHENTICATION_ERROR', code, detail)
const badRequest = (detail: string, field?: string): WireResponse =>
  failure(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST', detail, field)
const notAuthorized = unauthorized('UNAUTHORIZED', 'Not authorized to take this action.')
const textsIn = (request: WireRequest) => bodyOf(request) as Record<string, string | undefined>
const wholeSeconds = (milliseconds: number): string => iso(milliseconds).replace(/\.\d+Z$/, 'Z')

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  worlds: readonly World[],
  origin: string,
): Router<undefined> {
  const merchantOf = (tenant: string): string => worlds.find(({ vertical }) => vertical === tenant)!.merchantId
  const routes: Routes<undefined> = {
    'POST /oauth2/token/status': ({ request }) => {
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active')
        return unauthorized(
          holder ? `ACCESS_TOKEN_${holder.status.toUpperCase()}` : 'UNAUTHORIZED',
          'This request could not be authorized.',
        )
      return ok({
        scopes: holder.scopes,
        expires_at: wholeSeconds(holder.expiresAt),
        client_id: application.clientId,
        merchant_id: merchantOf(holder.tenant),
      })
    },
    'POST /oauth2/revoke': ({ request }) => {
      if (readBearer(request, 'Client') !== application.clientSecret) return notAuthorized
      const body = textsIn(request)
      const tenant =
        issuer.lookup(body.access_token)?.tenant ??
        worlds.find(({ merchantId }) => merchantId === body.merchant_id)?.vertical
      if (tenant === undefined) return failure(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'Access token not found.')
      issuer.revoke(tenant)
      return ok({ success: true })
    },
  }
  return createOAuthServer({
    platform: 'Square',
    issuer,
    application,
    origin,
    tenants: worlds.map(({ vertical, name }) => ({ id: vertical, name })),
    authorize: {
      path: '/oauth2/authorize',
      checks: [
        [['client_id'], badRequest('Unknown client_id.', 'client_id')],
        [['redirect_uri'], badRequest('redirect_uri is required in the sandbox.', 'redirect_uri')],
      ],
      invalidForm: badRequest('Not a form of this page.'),
      pkce: true,
      denied: { error_description: 'user_denied' },
      approved: (code, { state }) => ({ code, response_type: 'code', state }),
    },
    token: {
      path: '/oauth2/token',
      read(request) {
        const body = textsIn(request)
        if (!body.client_id || !body.grant_type)
          invalid(
            'MISSING_REQUIRED_PARAMETER',
            'Missing required parameter.',
            body.client_id ? 'grant_type' : 'client_id',
          )
        return body
      },
      isClient: publicClientInFields(application),
      granted: ({ tenant, accessToken, refreshToken, expiresAt }) =>
        ok({
          access_token: accessToken,
          token_type: 'bearer',
          expires_at: wholeSeconds(expiresAt),
          merchant_id: merchantOf(tenant),
          refresh_token: refreshToken,
          short_lived: false,
        }),
      invalidClient: notAuthorized,
      invalidCode: unauthorized(
        'UNAUTHORIZED',
        'Authorization code not found, expired, already used, or for another redirect_uri.',
      ),
      invalidRefreshToken: unauthorized('UNAUTHORIZED', 'Refresh token not found or revoked.'),
      unsupportedGrant: failure(
        400,
        'INVALID_REQUEST_ERROR',
        'INVALID_VALUE',
        'grant_type must be authorization_code or refresh_token.',
        'grant_type',
      ),
    },
    routes,
    fallbacks: { notFound: unknownEndpoint, methodNotAllowed: unknownEndpoint },
  })
}

export const unknownEndpoint = (): WireResponse =>
  failure(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'API endpoint for URL path and HTTP method is not found.')
