// Consent and tokens: https://www.zoho.com/accounts/protocol/oauth.html. A refresh token is for ever, but gives only ten access tokens in ten minutes; every refusal comes with status 200.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { SimulatorOptions, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { SimulatedProduct } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const tenant = 'accounting'
export const accessSeconds = 3600
const tokensPerWindow = 10
const windowMs = 600_000

const refused = (error: string): WireResponse => ({ status: 200, body: { error } })
const blocked = (): WireResponse => ({
  status: 200,
  body: { error: 'Access Denied', error_description: 'You have made too many requests continuously. Please try again after some time.', status: 'failure' },
})
const scopesOf = (scope = ''): string[] => scope.split(',').filter(Boolean)
/** Parameters come in the query or as a form. */
const parametersOf = (request: WireRequest): Record<string, string> => ({ ...Object.fromEntries(request.query), ...readForm(request) })

type Options = Pick<SimulatorOptions, 'state' | 'now' | 'origin' | 'paceScale'>
export function createOauth(issuer: TokenIssuer, product: SimulatedProduct, application: Application, { state, now, origin, paceScale = 1 }: Options): Router<undefined> {
  const offline = state.collection<boolean>('tokens/offline')
  const given = state.collection<readonly number[]>('tokens/given')
  const { location, accountsServer, apiDomain } = product.dataCentre

  const granted = (issued: Issued | undefined, withRefreshToken: boolean): WireResponse =>
    issued
      ? {
          status: 200,
          body: {
            access_token: issued.accessToken,
            ...(withRefreshToken && { refresh_token: issued.refreshToken }),
            api_domain: apiDomain,
            token_type: 'Bearer',
            expires_in: accessSeconds,
          },
        }
      : refused('invalid_code')
  function refresh(refreshToken = ''): WireResponse {
    const recent = (given.get(refreshToken) ?? []).filter((at) => at > now() - windowMs * paceScale)
    if (recent.length >= tokensPerWindow) return blocked()
    const issued = issuer.refresh(refreshToken)
    if (issued) given.set(refreshToken, [...recent, now()])
    return granted(issued, false)
  }

  return createRouter(
    {
      'GET /oauth/v2/auth': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId || fields.response_type !== 'code' || !fields.scope || !URL.canParse(fields.redirect_uri ?? ''))
          return { status: 400, headers: { 'content-type': 'text/html' }, body: '<h1>Error occurred: check client_id, response_type, scope and redirect_uri.</h1>' }
        const tenants = [{ id: tenant, name: product.organization.name }]
        return consentPage({
          platform: product.name,
          application: 'Your application',
          scopes: scopesOf(fields.scope),
          action: `${origin}/oauth/v2/auth`,
          hidden: fields,
          tenants,
        })
      },
      'POST /oauth/v2/auth': ({ request }) => {
        const { redirect_uri: redirectUri = '', ...form } = readForm(request)
        if (form.client_id !== application.clientId || form.tenant !== tenant || !URL.canParse(redirectUri)) return refused('invalid_request')
        if (form.decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state: form.state })
        const code = issuer.authorize({ tenant, scopes: scopesOf(form.scope), redirectUri })
        if (form.access_type === 'offline') offline.set(code, true)
        return redirectTo(redirectUri, { state: form.state, code, location, 'accounts-server': accountsServer })
      },
      'POST /oauth/v2/token': ({ request }) => {
        const form = parametersOf(request)
        if (form.client_id !== application.clientId || form.client_secret !== application.clientSecret) return refused('invalid_client')
        if (form.grant_type === 'refresh_token') return refresh(form.refresh_token)
        if (form.grant_type !== 'authorization_code') return refused('unsupported_grant_type')
        return granted(issuer.redeem(form.code, { redirectUri: form.redirect_uri }), offline.has(form.code ?? ''))
      },
      'POST /oauth/v2/token/revoke': ({ request }) => {
        if (parametersOf(request).token !== issuer.current(tenant)?.refreshToken) return refused('invalid_token')
        issuer.revoke(tenant)
        return { status: 200, body: { status: 'success' } }
      },
    },
    { notFound: () => ({ status: 404, body: { error: 'not_found' } }), methodNotAllowed: () => ({ status: 405, body: { error: 'method_not_allowed' } }) },
  )
}
