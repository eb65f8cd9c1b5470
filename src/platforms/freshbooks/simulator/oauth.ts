// Consent and tokens: JSON requests, access tokens valid for twelve hours, refresh tokens that work once without a
// grace period.
import { isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer, type OAuthFields } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { oauthFailure } from './wire.ts'
import type { World } from './world.ts'

export const tenant = 'accounting'
export const scopes = ['user:profile:read', 'user:clients:read', 'user:clients:write']
export const accessSeconds = 43_200
export const isOauth = ({ path }: WireRequest): boolean => path.startsWith('/oauth/') || path.startsWith('/auth/oauth/')

const page = (text: string): WireResponse => ({
  status: 400,
  headers: { 'content-type': 'text/html' },
  body: `<h1>${text}</h1>`,
})

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  world: World,
  origin: string,
  now: () => number,
): Router<undefined> {
  const invalidGrant = oauthFailure(
    401,
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, or was issued to another client.',
  )
  return createOAuthServer({
    platform: 'FreshBooks',
    issuer,
    application,
    origin,
    tenants: [{ id: world.accountId, name: world.businesses[0]?.name ?? world.accountId, tenant }],
    readScopes: (scope) => scope?.split(' ') ?? scopes,
    /** HTTPS without a query; the sandbox also accepts the local machine. */
    isRedirect: (address) =>
      URL.canParse(address) && !address.includes('?') && /^https:|^http:\/\/(localhost|127\.0\.0\.1)/.test(address),
    authorize: {
      path: '/oauth/authorize',
      checks: [
        [['client_id', 'response_type'], page('Unknown application or response type.')],
        [['redirect_uri'], page('A redirect must be secure and cannot carry a query.')],
      ],
      invalidForm: page('Unknown application.'),
      ignoresTenant: true,
      denied: { error_description: 'The resource owner denied the request.' },
    },
    token: {
      path: '/auth/oauth/token',
      read(request) {
        const body = readJson(request)
        if (!isObject(body))
          throw new Refusal(oauthFailure(400, 'invalid_request', 'The request is missing a required parameter.'))
        return body as OAuthFields
      },
      granted: (issued) => ({
        status: 200,
        body: {
          access_token: issued.accessToken,
          token_type: 'Bearer',
          expires_in: accessSeconds,
          refresh_token: issued.refreshToken,
          scope: issued.scopes.join(' '),
          created_at: Math.floor(now() / 1000),
          direct_buy_tokens: {},
        },
      }),
      invalidClient: oauthFailure(
        401,
        'invalid_client',
        'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
      ),
      invalidCode: invalidGrant,
      invalidRefreshToken: invalidGrant,
      unsupportedGrant: oauthFailure(
        400,
        'unsupported_grant_type',
        'The authorization grant type is not supported by the authorization server.',
      ),
    },
    fallbacks: {
      notFound: () => oauthFailure(404, 'not_found', 'Not found'),
      methodNotAllowed: () => oauthFailure(405, 'method_not_allowed', 'Method not allowed'),
    },
  })
}
