// Consent, tokens, revocation and introspection, as the code flow does them: the refresh token stays the same for ever, older access tokens live on to their own end.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readBearer, readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router, type Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { bodyOf, failure, invalid, ok } from './wire.ts'
import { iso, type World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const unauthorized = (code: string, detail: string): WireResponse => failure(401, 'AUTHENTICATION_ERROR', code, detail)

export function createOauth(issuer: TokenIssuer, application: Application, worlds: readonly World[], origin: string): Router<undefined> {
  const granted = ({ tenant, ...issued }: Issued & { tenant: string }): WireResponse =>
    ok({
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_at: iso(issued.expiresAt).replace(/\.\d+Z$/, 'Z'),
      merchant_id: worlds.find(({ vertical }) => vertical === tenant)!.merchantId,
      refresh_token: issued.refreshToken,
      short_lived: false,
    })
  const routes: Routes<undefined> = {
    'GET /oauth2/authorize': ({ request: { query } }) => {
      const fields = Object.fromEntries(query)
      if (fields.client_id !== application.clientId) return invalid('BAD_REQUEST', 'Unknown client_id.', 'client_id')
      if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return invalid('BAD_REQUEST', 'redirect_uri is required in the sandbox.', 'redirect_uri')
      const tenants = worlds.map(({ vertical, name }) => ({ id: vertical, name }))
      return consentPage({ platform: 'Square', application: 'Your application', scopes: scopesOf(fields.scope), action: `${origin}/oauth2/authorize`, hidden: fields, tenants })
    },
    'POST /oauth2/authorize': ({ request }) => {
      const { tenant = '', decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId, code_challenge: codeChallenge } = readForm(request)
      if (clientId !== application.clientId || !URL.canParse(redirectUri) || !worlds.some(({ vertical }) => vertical === tenant))
        return invalid('BAD_REQUEST', 'Not a form of this page.')
      if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', error_description: 'user_denied', state })
      return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri, codeChallenge }), response_type: 'code', state })
    },
    'POST /oauth2/token': ({ request }) => {
      const body = bodyOf(request) as Record<string, string | undefined>
      if (!body.client_id || !body.grant_type) return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', body.client_id ? 'grant_type' : 'client_id')
      const proves = body.client_secret === application.clientSecret || (body.client_secret === undefined && body.code_verifier !== undefined)
      if (body.client_id !== application.clientId || !proves) return unauthorized('UNAUTHORIZED', 'Not authorized to take this action.')
      if (body.grant_type === 'authorization_code') {
        const issued = issuer.redeem(body.code, { redirectUri: body.redirect_uri, codeVerifier: body.code_verifier })
        return issued ? granted(issued) : unauthorized('UNAUTHORIZED', 'Authorization code not found, expired, already used, or for another redirect_uri.')
      }
      if (body.grant_type !== 'refresh_token') return invalid('INVALID_VALUE', 'grant_type must be authorization_code or refresh_token.', 'grant_type')
      const issued = issuer.refresh(body.refresh_token)
      return issued ? granted(issued) : unauthorized('UNAUTHORIZED', 'Refresh token not found or revoked.')
    },
    'POST /oauth2/token/status': ({ request }) => {
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active') return unauthorized(holder ? `ACCESS_TOKEN_${holder.status.toUpperCase()}` : 'UNAUTHORIZED', 'This request could not be authorized.')
      return ok({
        scopes: holder.scopes,
        expires_at: iso(holder.expiresAt).replace(/\.\d+Z$/, 'Z'),
        client_id: application.clientId,
        merchant_id: worlds.find(({ vertical }) => vertical === holder.tenant)!.merchantId,
      })
    },
    'POST /oauth2/revoke': ({ request }) => {
      if (readBearer(request, 'Client') !== application.clientSecret) return unauthorized('UNAUTHORIZED', 'Not authorized to take this action.')
      const body = bodyOf(request) as Record<string, string | undefined>
      const tenant = issuer.lookup(body.access_token)?.tenant ?? worlds.find(({ merchantId }) => merchantId === body.merchant_id)?.vertical
      if (tenant === undefined) return failure(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'Access token not found.')
      issuer.revoke(tenant)
      return ok({ success: true })
    },
  }
  return createRouter(routes, { notFound: unknownEndpoint, methodNotAllowed: unknownEndpoint })
}

const scopesOf = (scope = ''): string[] => scope.split(/[\s+]+/).filter(Boolean)

export const unknownEndpoint = (): WireResponse => failure(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'API endpoint for URL path and HTTP method is not found.')
