// Consent, tokens and revocation. Each refresh replaces the refresh token; the previous one works for another thirty
// minutes.
import { readBasic, readForm } from '../../../sandbox/http.ts'
import {
  type Application,
  createOAuthServer,
  type OAuthFields,
  separatedScopes,
} from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { notFound } from './wire.ts'
import type { World } from './world.ts'

export const tenant = 'accounting'
export const accessSeconds = 1800
const refused = (error: string, status = 400): WireResponse => ({ status, body: { error } })

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  world: World,
  origin: string,
  onLogin: (accessToken: string) => void,
): Router<undefined> {
  const isClient = (request: WireRequest, fields: OAuthFields): boolean => {
    const { user, password } = readBasic(request) ?? { user: fields.client_id, password: fields.client_secret }
    return user === application.clientId && password === application.clientSecret
  }
  return createOAuthServer({
    platform: 'Xero',
    issuer,
    application,
    origin,
    tenants: [{ id: tenant, name: world.name }],
    authorize: {
      path: '/identity/connect/authorize',
      checks: [
        [['client_id'], refused('unauthorized_client')],
        [['response_type', 'redirect_uri', 'scope'], refused('invalid_request')],
      ],
      invalidForm: refused('invalid_request'),
      pkce: true,
      approved: (code, { scope, state }) => ({ code, scope, state }),
    },
    token: {
      path: '/connect/token',
      isClient,
      /** Without offline_access, and after a login, there is no refresh token. */
      granted({ accessToken, refreshToken, scopes }, { grant_type: type }) {
        const custom = type === 'client_credentials'
        if (custom) onLogin(accessToken)
        const refreshable = !custom && scopes.includes('offline_access')
        const body = {
          access_token: accessToken,
          expires_in: accessSeconds,
          token_type: 'Bearer',
          ...(refreshable && { refresh_token: refreshToken }),
          scope: scopes.join(' '),
        }
        return { status: 200, body }
      },
      invalidClient: refused('invalid_client'),
      invalidCode: refused('invalid_grant'),
      invalidRefreshToken: refused('invalid_grant'),
      loginScopes: ({ scope }) => separatedScopes(scope),
      unsupportedGrant: refused('unsupported_grant_type'),
    },
    routes: {
      'POST /connect/revocation': ({ request }) => {
        const form = readForm(request)
        if (!isClient(request, form)) return refused('invalid_client')
        // An unknown token is not an error (RFC 7009).
        if (form.token === issuer.current(tenant)?.refreshToken) issuer.revoke(tenant)
        return { status: 200, body: '' }
      },
    },
    fallbacks: { notFound, methodNotAllowed: () => ({ status: 405, body: '' }) },
  })
}
