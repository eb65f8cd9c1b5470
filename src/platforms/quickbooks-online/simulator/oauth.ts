// Consent, tokens and revocation. Only the redirect names the company; every refresh returns a new refresh token.
import { readBasic, readJson } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { World } from './world.ts'

export const oauthPaths = ['/connect/oauth2', '/oauth2/', '/v2/oauth2/']
export const tenant = 'accounting'
export const scope = 'com.intuit.quickbooks.accounting'

const error = (status: number, code: string, description?: string): WireResponse => ({
  status,
  body: { error: code, error_description: description },
})
const invalidRequestPage: WireResponse = {
  status: 400,
  headers: { 'content-type': 'text/html' },
  body: '<h1>The request of the application is not right: client_id, response_type, scope, redirect_uri, state.</h1>',
}

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  { realmId, name }: World,
  origin: string,
): Router<undefined> {
  const isClient = (request: WireRequest): boolean => {
    const { user, password } = readBasic(request) ?? {}
    return user === application.clientId && password === application.clientSecret
  }
  const invalidGrant = error(400, 'invalid_grant', 'Incorrect or invalid refresh token')
  return createOAuthServer({
    platform: 'QuickBooks',
    issuer,
    application,
    origin,
    tenants: [{ id: realmId, name, tenant }],
    readScopes: (scope = '') => scope.split(' '),
    authorize: {
      path: '/connect/oauth2',
      checks: [[['client_id', 'response_type', 'state', 'scope', 'redirect_uri'], invalidRequestPage]],
      invalidForm: error(400, 'invalid_request'),
      scopes: [scope],
      approved: (code, { state }) => ({ code, state, realmId }),
    },
    token: {
      path: '/oauth2/v1/tokens/bearer',
      isClient,
      granted: ({ accessToken, refreshToken }) => ({
        status: 200,
        headers: { 'cache-control': 'no-cache, no-store' },
        body: {
          token_type: 'bearer',
          access_token: accessToken,
          expires_in: 3600,
          refresh_token: refreshToken,
          x_refresh_token_expires_in: 8_726_400,
        },
      }),
      invalidClient: error(401, 'invalid_client'),
      invalidCode: invalidGrant,
      invalidRefreshToken: invalidGrant,
      unsupportedGrant: error(400, 'unsupported_grant_type'),
    },
    routes: {
      'POST /v2/oauth2/tokens/revoke': ({ request }) => {
        if (!isClient(request)) return error(401, 'invalid_client')
        if (typeof (readJson(request) as { token?: unknown } | undefined)?.token !== 'string')
          return error(400, 'invalid_request')
        issuer.revoke(tenant)
        return { status: 200 }
      },
    },
    fallbacks: { notFound: () => error(404, 'not_found'), methodNotAllowed: () => error(405, 'invalid_request') },
  })
}
