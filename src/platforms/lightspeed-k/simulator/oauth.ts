// OAuth as the K-Series portal describes it: authorization code, an hour's access token, refresh tokens that work once.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readBasic, readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { springError } from './wire.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
const failure = (error: string, error_description: string, status = 400): WireResponse => ({ status, body: { error, error_description } })
const scopesOf = (scope = ''): string[] => scope.split(/\s+/).filter(Boolean)

export function createOauth(issuer: TokenIssuer, application: Application, name: string, allScopes: readonly string[], origin: string, now: () => number): Router<undefined> {
  const granted = (issued: Issued): WireResponse => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      access_token: issued.accessToken,
      refresh_token: issued.refreshToken,
      token_type: 'Bearer',
      expires_in: Math.round((issued.expiresAt - now()) / 1000),
      scope: issued.scopes.join(' '),
    },
  })
  return createRouter<undefined>(
    {
      'GET /oauth/authorize': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        const problem = consentProblem(fields, application, allScopes)
        if (problem) return problem
        return consentPage({
          platform: 'Lightspeed Restaurant K-Series',
          application: 'Your application',
          scopes: scopesOf(fields.scope),
          action: `${origin}/oauth/authorize`,
          hidden: fields,
          tenants: [{ id: 'restaurant', name }],
        })
      },
      'POST /oauth/authorize': ({ request }) => {
        const { tenant = '', decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !URL.canParse(redirectUri) || tenant !== 'restaurant') return failure('invalid_request', 'Not a form of this page')
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri }), state })
      },
      'POST /oauth/token': ({ request }) => {
        const basic = readBasic(request)
        const proven = basic && decodeURIComponent(basic.user) === application.clientId && decodeURIComponent(basic.password) === application.clientSecret
        if (!proven) return failure('invalid_client', 'Bad client credentials', 401)
        const form = readForm(request)
        if (form.grant_type === 'authorization_code') {
          const issued = issuer.redeem(form.code, { redirectUri: form.redirect_uri })
          return issued ? granted(issued) : failure('invalid_grant', 'Invalid authorization code')
        }
        if (form.grant_type !== 'refresh_token') return failure('unsupported_grant_type', 'Unsupported grant type')
        const issued = issuer.refresh(form.refresh_token)
        return issued ? granted(issued) : failure('invalid_grant', 'Invalid refresh token')
      },
    },
    { notFound: unknownPage, methodNotAllowed: (request) => springError(405, `Request method '${request.method}' not supported`, request.path) },
  )
}
export const unknownPage = (request: WireRequest): WireResponse => springError(404, 'No message available', request.path)

function consentProblem(fields: Record<string, string>, application: Application, allScopes: readonly string[]): WireResponse | undefined {
  if (fields.client_id !== application.clientId) return failure('invalid_client', 'Unknown client', 401)
  if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return failure('invalid_request', 'redirect_uri is missing')
  if (fields.response_type !== 'code') return failure('unsupported_response_type', 'response_type must be code')
  return scopesOf(fields.scope).every((scope) => allScopes.includes(scope)) ? undefined : failure('invalid_scope', 'The client may not ask for this scope')
}
