// OAuth as the X-Series describes it: the redirect names the shop, a refresh token works once, and a new access token
// invalidates the previous one.
import { type Application, createOAuthServer } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { unknownPage } from './wire.ts'

interface OauthOptions {
  issuer: TokenIssuer
  application: Application
  shop: { name: string; domainPrefix: string }
  allScopes: readonly string[]
  origin: string
  now(): number
}
const failure = (error: string, error_description: string, status = 400): WireResponse => ({
  status,
  body: { error, error_description },
})
const scopesOf = (scope = ''): string[] => scope.split(/\s+/).filter(Boolean)
const tenant = 'retail_pos'

export function createOauth({ issuer, application, shop, allScopes, origin, now }: OauthOptions): Router<undefined> {
  return createOAuthServer({
    platform: 'Lightspeed Retail X-Series',
    issuer,
    application,
    origin,
    tenants: [{ id: tenant, name: shop.name }],
    readScopes: scopesOf,
    authorize: {
      path: '/connect',
      checks: [
        [['client_id'], failure('invalid_client', 'Unknown client', 401)],
        [['response_type'], failure('unsupported_response_type', 'response_type must be code')],
        [['redirect_uri'], failure('invalid_request', 'redirect_uri is missing')],
        [
          [({ scope }) => scopesOf(scope).every((one) => allScopes.includes(one))],
          failure('invalid_scope', 'Unknown scope'),
        ],
      ],
      invalidForm: failure('invalid_request', 'Not a form of this page'),
      approved: (code, { state }) => ({ code, domain_prefix: shop.domainPrefix, state }),
    },
    token: {
      path: '/api/1.0/token',
      /** Only the newest access token works. */
      granted(issued) {
        issuer.expire(tenant)
        const { expiresAt } = issuer.issue(tenant, issued.scopes, issued)
        return {
          status: 200,
          headers: { 'cache-control': 'no-store' },
          body: {
            access_token: issued.accessToken,
            token_type: 'Bearer',
            expires: Math.floor(expiresAt / 1000),
            expires_in: Math.round((expiresAt - now()) / 1000),
            refresh_token: issued.refreshToken,
            domain_prefix: shop.domainPrefix,
            scope: issued.scopes.join(' '),
          },
        }
      },
      invalidClient: failure('invalid_client', 'Client authentication failed', 401),
      invalidCode: failure('invalid_grant', 'The authorization code is not valid'),
      invalidRefreshToken: failure('invalid_grant', 'The refresh token is not valid'),
      unsupportedGrant: failure('unsupported_grant_type', 'The grant type is not supported'),
    },
    fallbacks: { notFound: unknownPage, methodNotAllowed: unknownPage },
  })
}
