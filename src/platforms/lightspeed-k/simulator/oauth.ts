// OAuth as the K-Series portal describes it: authorization code, access tokens valid for one hour, refresh tokens that
// work once.
import { readBasic } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { springError } from './wire.ts'

const failure = (error: string, error_description: string, status = 400): WireResponse => ({
  status,
  body: { error, error_description },
})
const scopesOf = (scope = ''): string[] => scope.split(/\s+/).filter(Boolean)

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  name: string,
  allScopes: readonly string[],
  origin: string,
  now: () => number,
): Router<undefined> {
  return createOAuthServer({
    platform: 'Lightspeed Restaurant K-Series',
    issuer,
    application,
    origin,
    tenants: [{ id: 'restaurant', name }],
    readScopes: scopesOf,
    authorize: {
      path: '/oauth/authorize',
      checks: [
        [['client_id'], failure('invalid_client', 'Unknown client', 401)],
        [['redirect_uri'], failure('invalid_request', 'redirect_uri is missing')],
        [['response_type'], failure('unsupported_response_type', 'response_type must be code')],
        [
          [({ scope }) => scopesOf(scope).every((one) => allScopes.includes(one))],
          failure('invalid_scope', 'The client may not ask for this scope'),
        ],
      ],
      invalidForm: failure('invalid_request', 'Not a form of this page'),
    },
    token: {
      path: '/oauth/token',
      isClient(request) {
        const basic = readBasic(request)
        return (
          basic !== undefined &&
          decodeURIComponent(basic.user) === application.clientId &&
          decodeURIComponent(basic.password) === application.clientSecret
        )
      },
      granted: (issued) => ({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          access_token: issued.accessToken,
          refresh_token: issued.refreshToken,
          token_type: 'Bearer',
          expires_in: Math.round((issued.expiresAt - now()) / 1000),
          scope: issued.scopes.join(' '),
        },
      }),
      invalidClient: failure('invalid_client', 'Bad client credentials', 401),
      invalidCode: failure('invalid_grant', 'Invalid authorization code'),
      invalidRefreshToken: failure('invalid_grant', 'Invalid refresh token'),
      unsupportedGrant: failure('unsupported_grant_type', 'Unsupported grant type'),
    },
    fallbacks: {
      notFound: unknownPage,
      methodNotAllowed: (request) => springError(405, `Request method '${request.method}' not supported`, request.path),
    },
  })
}
export const unknownPage = (request: WireRequest): WireResponse =>
  springError(404, 'No message available', request.path)
