// Consent and tokens. https://developer.loyverse.com/docs/#section/Authorization/OAuth-2.0
import { Refusal, readForm } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { failure } from './wire.ts'

export const tenantName = 'retail_pos'
export const accessSeconds = 43_200
const refused = (status: number, error: string, description: string): WireResponse => ({
  status,
  body: { error, error_description: description },
})

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  business: string,
  origin: string,
): Router<undefined> {
  const noPage = () => failure(404, 'NOT_FOUND', 'The resource was not found')
  const invalidGrant = refused(400, 'invalid_grant', 'The code or the refresh token is invalid or expired')
  return createOAuthServer({
    platform: 'Loyverse',
    issuer,
    application,
    origin,
    tenants: [{ id: tenantName, name: business }],
    authorize: {
      path: '/oauth/authorize',
      checks: [
        [['client_id', 'response_type'], refused(400, 'invalid_request', 'Unknown client_id or response_type')],
        [['redirect_uri'], refused(400, 'invalid_request', 'redirect_uri is required')],
      ],
      invalidForm: refused(400, 'invalid_request', 'Not a form of this page'),
    },
    token: {
      path: '/oauth/token',
      read(request) {
        if (/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? ''))
          return readForm(request)
        throw new Refusal(refused(400, 'invalid_request', 'The request must be form encoded'))
      },
      granted: ({ accessToken, refreshToken, scopes }) => ({
        status: 200,
        body: {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: accessSeconds,
          refresh_token: refreshToken,
          scope: scopes.join(' '),
        },
      }),
      invalidClient: refused(401, 'invalid_client', 'Client authentication failed'),
      invalidCode: invalidGrant,
      invalidRefreshToken: invalidGrant,
      unsupportedGrant: refused(400, 'unsupported_grant_type', 'Unknown grant_type'),
    },
    fallbacks: { notFound: noPage, methodNotAllowed: noPage },
  })
}
