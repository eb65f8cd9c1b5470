// Consent and tokens. https://developer.loyverse.com/docs/#section/Authorization/OAuth-2.0
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { failure } from './wire.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const tenantName = 'retail_pos'
export const accessSeconds = 43_200
const refused = (status: number, error: string, description: string): WireResponse => ({ status, body: { error, error_description: description } })
const scopesOf = (scope = ''): string[] => scope.split(/[\s+]+/).filter(Boolean)

export function createOauth(issuer: TokenIssuer, { clientId, clientSecret }: Application, business: string, origin: string): Router<undefined> {
  const noPage = () => failure(404, 'NOT_FOUND', 'The resource was not found')
  return createRouter<undefined>(
    {
      'GET /oauth/authorize': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== clientId || fields.response_type !== 'code') return refused(400, 'invalid_request', 'Unknown client_id or response_type')
        if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return refused(400, 'invalid_request', 'redirect_uri is required')
        const tenants = [{ id: tenantName, name: business }]
        return consentPage({ platform: 'Loyverse', application: 'Your application', scopes: scopesOf(fields.scope), action: `${origin}/oauth/authorize`, hidden: fields, tenants })
      },
      'POST /oauth/authorize': ({ request }) => {
        const form = readForm(request)
        const { redirect_uri: redirectUri = '', state, scope, tenant = '' } = form
        if (form.client_id !== clientId || tenant !== tenantName || !URL.canParse(redirectUri)) return refused(400, 'invalid_request', 'Not a form of this page')
        if (form.decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri }), state })
      },
      'POST /oauth/token': ({ request }) => {
        if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '')) return refused(400, 'invalid_request', 'The request must be form encoded')
        const form = readForm(request)
        if (form.client_id !== clientId || form.client_secret !== clientSecret) return refused(401, 'invalid_client', 'Client authentication failed')
        if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token') return refused(400, 'unsupported_grant_type', 'Unknown grant_type')
        const issued = form.grant_type === 'refresh_token' ? issuer.refresh(form.refresh_token) : issuer.redeem(form.code, { redirectUri: form.redirect_uri })
        if (!issued) return refused(400, 'invalid_grant', 'The code or the refresh token is invalid or expired')
        const { accessToken, refreshToken, scopes } = issued
        return { status: 200, body: { access_token: accessToken, token_type: 'Bearer', expires_in: accessSeconds, refresh_token: refreshToken, scope: scopes.join(' ') } }
      },
    },
    { notFound: noPage, methodNotAllowed: noPage },
  )
}
