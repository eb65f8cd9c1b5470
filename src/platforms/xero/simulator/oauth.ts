// Consent, tokens and the list of connected organisations. A refresh token is replaced each time; the previous one may be tried again for half an hour.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readBasic, readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router, type Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { notFound } from './wire.ts'
import type { World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const tenant = 'accounting'
export const accessSeconds = 1800
const refused = (error: string, status = 400): WireResponse => ({ status, body: { error } })
const scopesOf = (scope = ''): string[] => scope.split(/[\s+]+/).filter(Boolean)

export function createOauth(issuer: TokenIssuer, { clientId, clientSecret }: Application, world: World, origin: string): Router<undefined> {
  /** Without offline_access there is nothing to refresh with. */
  const granted = ({ accessToken, refreshToken, scopes }: Issued, refreshable = scopes.includes('offline_access')): WireResponse => ({
    status: 200,
    body: { access_token: accessToken, expires_in: accessSeconds, token_type: 'Bearer', ...(refreshable && { refresh_token: refreshToken }), scope: scopes.join(' ') },
  })
  const known = (request: WireRequest, form: Record<string, string>): boolean => {
    const { user, password } = readBasic(request) ?? { user: form.client_id, password: form.client_secret }
    return user === clientId && password === clientSecret
  }
  const routes: Routes<undefined> = {
    'GET /identity/connect/authorize': ({ request: { query } }) => {
      const fields = Object.fromEntries(query)
      if (fields.client_id !== clientId) return refused('unauthorized_client')
      if (fields.response_type !== 'code' || !fields.redirect_uri || !URL.canParse(fields.redirect_uri) || !fields.scope) return refused('invalid_request')
      const action = `${origin}/identity/connect/authorize`
      return consentPage({ platform: 'Xero', application: 'Your application', scopes: scopesOf(fields.scope), action, hidden: fields, tenants: [{ id: tenant, name: world.name }] })
    },
    'POST /identity/connect/authorize': ({ request }) => {
      const form = readForm(request)
      const { redirect_uri: redirectUri = '', state, scope } = form
      if (form.client_id !== clientId || form.tenant !== tenant || !URL.canParse(redirectUri)) return refused('invalid_request')
      if (form.decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
      return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri, codeChallenge: form.code_challenge }), scope, state })
    },
    'POST /connect/token': ({ request }) => {
      const form = readForm(request)
      if (!known(request, form)) return refused('invalid_client')
      if (form.grant_type === 'client_credentials') return granted(issuer.login(tenant, scopesOf(form.scope)), false)
      if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token') return refused('unsupported_grant_type')
      const issued =
        form.grant_type === 'refresh_token' ? issuer.refresh(form.refresh_token) : issuer.redeem(form.code, { redirectUri: form.redirect_uri, codeVerifier: form.code_verifier })
      return issued ? granted(issued) : refused('invalid_grant')
    },
    'POST /connect/revocation': ({ request }) => {
      const form = readForm(request)
      if (!known(request, form)) return refused('invalid_client')
      if (form.token === issuer.current(tenant)?.refreshToken) issuer.revoke(tenant) // an unknown token is no error (RFC 7009)
      return { status: 200, body: '' }
    },
  }
  return createRouter(routes, { notFound, methodNotAllowed: () => ({ status: 405, body: '' }) })
}
