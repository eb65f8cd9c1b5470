// Consent and tokens: offline access tokens that expire after an hour, refresh tokens that change on use. https://shopify.dev/docs/apps/build/authentication-authorization
import { createHmac } from 'node:crypto'
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm, readJson } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { World } from './world.ts'

export const application = { clientId: 'sandbox-shopify-unified-records', clientSecret: 'sandbox-shpss-not-a-real-secret' }
const refreshSeconds = 90 * 86_400
export const notFound = (): WireResponse => ({ status: 404, body: { errors: 'Not Found' } })
const refused = (error: string, description: string): WireResponse => ({ status: 400, body: { error, error_description: description } })

/** Sorted, joined and signed with the application's secret, so that the application can tell who sent its user back. */
export function signed(parameters: Readonly<Record<string, string>>): string {
  const message = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(parameters[name]!)}`)
    .join('&')
  return createHmac('sha256', application.clientSecret).update(message).digest('hex')
}
const scopesOf = (scope = ''): string[] => scope.split(',').filter(Boolean)
/** Write includes read, and the answer names only the wider one. */
const shortened = (scopes: readonly string[]): string => scopes.filter((scope) => !scopes.includes(scope.replace(/^read_/, 'write_')) || scope.startsWith('write_')).join(',')

export function createOauth(issuer: TokenIssuer, tenant: string, world: World, origin: string): Router<undefined> {
  const granted = ({ accessToken, refreshToken, expiresAt, scopes }: Issued, renewable: boolean): WireResponse => {
    const body = { access_token: accessToken, scope: shortened(scopes), expires_in: Math.floor((expiresAt - world.now()) / 1000) }
    return { status: 200, body: renewable ? { ...body, refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds } : body }
  }
  const token = ({ request }: { request: WireRequest }): WireResponse => {
    const body = ((request.headers['content-type'] ?? '').includes('json') ? readJson(request) : readForm(request)) as Record<string, string | undefined> | undefined
    if (body?.client_id !== application.clientId || body.client_secret !== application.clientSecret) return refused('invalid_client', 'Client authentication failed')
    if (body.grant_type === 'client_credentials') return granted(issuer.login(tenant, allScopes), false)
    if (body.grant_type === 'refresh_token') {
      const issued = issuer.refresh(body.refresh_token)
      return issued ? granted(issued, true) : refused('invalid_request', 'This request requires an active refresh_token')
    }
    const issued = issuer.redeem(body.code, {})
    return issued ? granted(issued, body.expiring === '1') : refused('invalid_request', 'The authorization code was not found or was already used')
  }
  return createRouter(
    {
      'GET /admin/oauth/authorize': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId || !URL.canParse(fields.redirect_uri ?? '')) return notFound()
        const tenants = [{ id: tenant, name: world.name }]
        return consentPage({
          platform: 'Shopify',
          application: 'Your application',
          scopes: scopesOf(fields.scope),
          action: `${origin}/admin/oauth/authorize`,
          hidden: fields,
          tenants,
        })
      },
      'POST /admin/oauth/authorize': ({ request }) => {
        const { decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !URL.canParse(redirectUri)) return notFound()
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        const parameters = {
          code: issuer.authorize({ tenant, scopes: scopesOf(scope) }),
          host: Buffer.from(`admin.shopify.com/store/${world.domain.split('.')[0]}`).toString('base64'),
          shop: world.domain,
          timestamp: String(Math.floor(world.now() / 1000)),
          ...(state && { state }),
        }
        return redirectTo(redirectUri, { ...parameters, hmac: signed(parameters) })
      },
      'POST /admin/oauth/access_token': token,
    },
    { notFound, methodNotAllowed: notFound },
  )
}
export const allScopes = ['products', 'inventory', 'orders', 'customers'].flatMap((area) => [`read_${area}`, `write_${area}`]).concat('read_locations')
