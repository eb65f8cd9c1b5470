// Consent and tokens: offline access tokens valid for one hour, refresh tokens that change on use.
// https://shopify.dev/docs/apps/build/authentication-authorization
import { createHmac } from 'node:crypto'
import { readForm, readJson } from '../../../sandbox/http.ts'
import { createOAuthServer, type OAuthFields } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { World } from './world.ts'

export const application = {
  clientId: 'sandbox-shopify-unified-records',
  clientSecret: 'sandbox-shpss-not-a-real-secret',
}
export const allScopes = ['products', 'inventory', 'orders', 'customers']
  .flatMap((area) => [`read_${area}`, `write_${area}`])
  .concat('read_locations', 'read_all_orders')
const refreshSeconds = 90 * 86_400
export const notFound = (): WireResponse => ({ status: 404, body: { errors: 'Not Found' } })
const refused = (error: string, description: string): WireResponse => ({
  status: 400,
  body: { error, error_description: description },
})

/** Sorted, joined and signed with the application's secret, so that the application can verify the redirect. */
export function signed(parameters: Readonly<Record<string, string>>): string {
  const message = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(parameters[name]!)}`)
    .join('&')
  return createHmac('sha256', application.clientSecret).update(message).digest('hex')
}
/** Write includes read, and the response lists only the wider scope. */
const shortened = (scopes: readonly string[]): string =>
  scopes.filter((scope) => !scopes.includes(scope.replace(/^read_/, 'write_')) || scope.startsWith('write_')).join(',')
const isRenewable = ({ grant_type: type, expiring }: OAuthFields): boolean =>
  type === 'refresh_token' || (type !== 'client_credentials' && expiring === '1')

export function createOauth(issuer: TokenIssuer, tenant: string, world: World, origin: string): Router<undefined> {
  return createOAuthServer({
    platform: 'Shopify',
    issuer,
    application,
    origin,
    tenants: [{ id: tenant, name: world.name }],
    readScopes: (scope = '') => scope.split(',').filter(Boolean),
    authorize: {
      path: '/admin/oauth/authorize',
      checks: [[['client_id', 'redirect_uri'], notFound()]],
      invalidForm: notFound(),
      ignoresTenant: true,
      bindsRedirect: false,
      approved(code, { state }) {
        const parameters = {
          code,
          host: Buffer.from(`admin.shopify.com/store/${world.domain.split('.')[0]}`).toString('base64'),
          shop: world.domain,
          timestamp: String(Math.floor(world.now() / 1000)),
          ...(state && { state }),
        }
        return { ...parameters, hmac: signed(parameters) }
      },
    },
    token: {
      path: '/admin/oauth/access_token',
      read: (request) =>
        (request.headers['content-type'] ?? '').includes('json')
          ? ((readJson(request) ?? {}) as OAuthFields)
          : readForm(request),
      granted({ accessToken, refreshToken, expiresAt, scopes }, fields) {
        const body = {
          access_token: accessToken,
          scope: shortened(scopes),
          expires_in: Math.floor((expiresAt - world.now()) / 1000),
        }
        return {
          status: 200,
          body: isRenewable(fields)
            ? { ...body, refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds }
            : body,
        }
      },
      invalidClient: refused('invalid_client', 'Client authentication failed'),
      invalidCode: refused('invalid_request', 'The authorization code was not found or was already used'),
      invalidRefreshToken: refused('invalid_request', 'This request requires an active refresh_token'),
      loginScopes: () => allScopes,
    },
    fallbacks: { notFound, methodNotAllowed: notFound },
  })
}
