// OAuth as the X-Series describes it: the redirect names the shop, a refresh token works once, and with a new access token the old one dies.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { unknownPage } from './wire.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
interface OauthOptions {
  issuer: TokenIssuer
  application: Application
  shop: { name: string; domainPrefix: string }
  allScopes: readonly string[]
  origin: string
  now(): number
}
const failure = (error: string, error_description: string, status = 400): WireResponse => ({ status, body: { error, error_description } })
const scopesOf = (scope = ''): string[] => scope.split(/\s+/).filter(Boolean)
const tenant = 'retail_pos'

export function createOauth({ issuer, application, shop, allScopes, origin, now }: OauthOptions): Router<undefined> {
  /** Only the newest access token lives. */
  function granted(issued: Issued): WireResponse {
    issuer.expire(tenant)
    const { expiresAt } = issuer.issue(tenant, issued.scopes, issued)
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires: Math.floor(expiresAt / 1000),
        expires_in: Math.round((expiresAt - now()) / 1000),
        refresh_token: issued.refreshToken,
        domain_prefix: shop.domainPrefix,
        scope: issued.scopes.join(' '),
      },
    }
  }
  return createRouter<undefined>(
    {
      'GET /connect': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId) return failure('invalid_client', 'Unknown client', 401)
        if (fields.response_type !== 'code') return failure('unsupported_response_type', 'response_type must be code')
        if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return failure('invalid_request', 'redirect_uri is missing')
        if (!scopesOf(fields.scope).every((scope) => allScopes.includes(scope))) return failure('invalid_scope', 'Unknown scope')
        return consentPage({
          platform: 'Lightspeed Retail X-Series',
          application: 'Your application',
          scopes: scopesOf(fields.scope),
          action: `${origin}/connect`,
          hidden: fields,
          tenants: [{ id: tenant, name: shop.name }],
        })
      },
      'POST /connect': ({ request }) => {
        const { tenant: chosen, decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !URL.canParse(redirectUri) || chosen !== tenant) return failure('invalid_request', 'Not a form of this page')
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri }), domain_prefix: shop.domainPrefix, state })
      },
      'POST /api/1.0/token': ({ request }) => {
        const form = readForm(request)
        if (form.client_id !== application.clientId || form.client_secret !== application.clientSecret) return failure('invalid_client', 'Client authentication failed', 401)
        if (form.grant_type === 'authorization_code') {
          const issued = issuer.redeem(form.code, { redirectUri: form.redirect_uri })
          return issued ? granted(issued) : failure('invalid_grant', 'The authorization code is not valid')
        }
        if (form.grant_type !== 'refresh_token') return failure('unsupported_grant_type', 'The grant type is not supported')
        const issued = issuer.refresh(form.refresh_token)
        return issued ? granted(issued) : failure('invalid_grant', 'The refresh token is not valid')
      },
    },
    { notFound: unknownPage, methodNotAllowed: unknownPage },
  )
}
