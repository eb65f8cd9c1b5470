// Consent, tokens and revocation. The company that was chosen is told in the redirect only; every refresh brings a new refresh token.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readBasic, readForm, readJson } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const oauthPaths = ['/connect/oauth2', '/oauth2/', '/v2/oauth2/']
export const tenant = 'accounting'
export const scope = 'com.intuit.quickbooks.accounting'

const error = (status: number, code: string, description?: string): WireResponse => ({ status, body: { error: code, ...(description && { error_description: description }) } })

export function createOauth(issuer: TokenIssuer, application: Application, world: World, origin: string): Router<undefined> {
  const granted = (issued: Issued | undefined): WireResponse =>
    issued
      ? {
          status: 200,
          headers: { 'cache-control': 'no-cache, no-store' },
          body: { token_type: 'bearer', access_token: issued.accessToken, expires_in: 3600, refresh_token: issued.refreshToken, x_refresh_token_expires_in: 8_726_400 },
        }
      : error(400, 'invalid_grant', 'Incorrect or invalid refresh token')
  const isApplication = (request: WireRequest): boolean => {
    const { user, password } = readBasic(request) ?? {}
    return user === application.clientId && password === application.clientSecret
  }
  return createRouter(
    {
      'GET /connect/oauth2': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId || fields.response_type !== 'code' || !fields.state || !fields.scope || !URL.canParse(fields.redirect_uri ?? ''))
          return {
            status: 400,
            headers: { 'content-type': 'text/html' },
            body: '<h1>The request of the application is not right: client_id, response_type, scope, redirect_uri, state.</h1>',
          }
        const tenants = [{ id: world.realmId, name: world.name }]
        return consentPage({
          platform: 'QuickBooks',
          application: 'Your application',
          scopes: fields.scope.split(' '),
          action: `${origin}/connect/oauth2`,
          hidden: fields,
          tenants,
        })
      },
      'POST /connect/oauth2': ({ request }) => {
        const { tenant: realmId, decision, redirect_uri: redirectUri = '', state, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !URL.canParse(redirectUri) || realmId !== world.realmId) return error(400, 'invalid_request')
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: [scope], redirectUri }), state, realmId })
      },
      'POST /oauth2/v1/tokens/bearer': ({ request }) => {
        if (!isApplication(request)) return error(401, 'invalid_client')
        const form = readForm(request)
        if (form.grant_type === 'authorization_code') return granted(issuer.redeem(form.code, { redirectUri: form.redirect_uri }))
        return form.grant_type === 'refresh_token' ? granted(issuer.refresh(form.refresh_token)) : error(400, 'unsupported_grant_type')
      },
      'POST /v2/oauth2/tokens/revoke': ({ request }) => {
        if (!isApplication(request)) return error(401, 'invalid_client')
        if (typeof (readJson(request) as { token?: unknown } | undefined)?.token !== 'string') return error(400, 'invalid_request')
        issuer.revoke(tenant)
        return { status: 200 }
      },
    },
    { notFound: () => error(404, 'not_found'), methodNotAllowed: () => error(405, 'invalid_request') },
  )
}
