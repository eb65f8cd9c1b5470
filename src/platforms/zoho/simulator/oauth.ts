// Consent and tokens: https://www.zoho.com/accounts/protocol/oauth.html. A refresh token does not expire, but yields at
// most ten access tokens in ten minutes; every error has status 200.
import { readForm } from '../../../sandbox/http.ts'
import { type Application, createOAuthServer } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { SimulatorOptions, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import type { SimulatedProduct } from './world.ts'

export const tenant = 'accounting'
export const accessSeconds = 3600
const tokensPerWindow = 10
const windowMs = 600_000

const refused = (error: string): WireResponse => ({ status: 200, body: { error } })
const blocked: WireResponse = {
  status: 200,
  body: {
    error: 'Access Denied',
    error_description: 'You have made too many requests continuously. Please try again after some time.',
    status: 'failure',
  },
}
const invalidRequestPage: WireResponse = {
  status: 400,
  headers: { 'content-type': 'text/html' },
  body: '<h1>Error occurred: check client_id, response_type, scope and redirect_uri.</h1>',
}
/** Zoho accepts parameters in the query and in a form. */
const parametersOf = (request: WireRequest): Record<string, string> => ({
  ...Object.fromEntries(request.query),
  ...readForm(request),
})

type Options = Pick<SimulatorOptions, 'state' | 'now' | 'origin' | 'paceScale'>
export function createOauth(
  issuer: TokenIssuer,
  product: SimulatedProduct,
  application: Application,
  { state, now, origin, paceScale = 1 }: Options,
): Router<undefined> {
  const offline = state.collection<boolean>('tokens/offline')
  const given = state.collection<readonly number[]>('tokens/given')
  const { location, accountsServer, apiDomain } = product.dataCenter
  const recent = (refreshToken = ''): number[] =>
    (given.get(refreshToken) ?? []).filter((at) => at > now() - windowMs * paceScale)

  return createOAuthServer({
    platform: product.name,
    issuer,
    application,
    origin,
    tenants: [{ id: tenant, name: product.organization.name }],
    readScopes: (scope = '') => scope.split(',').filter(Boolean),
    authorize: {
      path: '/oauth/v2/auth',
      checks: [[['client_id', 'response_type', 'scope', 'redirect_uri'], invalidRequestPage]],
      invalidForm: refused('invalid_request'),
      approved(code, form) {
        if (form.access_type === 'offline') offline.set(code, true)
        return { state: form.state, code, location, 'accounts-server': accountsServer }
      },
    },
    token: {
      path: '/oauth/v2/token',
      read: parametersOf,
      check: ({ grant_type: type, refresh_token: token }) =>
        type === 'refresh_token' && recent(token).length >= tokensPerWindow ? blocked : undefined,
      granted(issued, { grant_type: type, code = '', refresh_token: token = '' }) {
        if (type === 'refresh_token') given.set(token, [...recent(token), now()])
        const refreshToken =
          type === 'authorization_code' && offline.has(code) ? { refresh_token: issued.refreshToken } : {}
        return {
          status: 200,
          body: {
            access_token: issued.accessToken,
            ...refreshToken,
            api_domain: apiDomain,
            token_type: 'Bearer',
            expires_in: accessSeconds,
          },
        }
      },
      invalidClient: refused('invalid_client'),
      invalidCode: refused('invalid_code'),
      invalidRefreshToken: refused('invalid_code'),
      unsupportedGrant: refused('unsupported_grant_type'),
    },
    routes: {
      'POST /oauth/v2/token/revoke': ({ request }) => {
        if (parametersOf(request).token !== issuer.current(tenant)?.refreshToken) return refused('invalid_token')
        issuer.revoke(tenant)
        return { status: 200, body: { status: 'success' } }
      },
    },
    fallbacks: {
      notFound: () => ({ status: 404, body: { error: 'not_found' } }),
      methodNotAllowed: () => ({ status: 405, body: { error: 'method_not_allowed' } }),
    },
  })
}
