// Consent and tokens: JSON in and out, an access token for half a day, a refresh token that works once and leaves no second chance.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm, readJson } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { type Fields, isObject, oauthFailure } from './wire.ts'
import type { World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export const tenant = 'accounting'
export const scopes = ['user:profile:read', 'user:clients:read', 'user:clients:write']
export const accessSeconds = 43_200
export const isOauth = ({ path }: WireRequest): boolean => path.startsWith('/oauth/') || path.startsWith('/auth/oauth/')

/** Without a query, and secure; a machine of one's own is allowed here. */
const isRedirect = (address: string): boolean => URL.canParse(address) && !address.includes('?') && /^https:|^http:\/\/(localhost|127\.0\.0\.1)/.test(address)
const page = (text: string): WireResponse => ({ status: 400, headers: { 'content-type': 'text/html' }, body: `<h1>${text}</h1>` })

export function createOauth(issuer: TokenIssuer, application: Application, world: World, origin: string, now: () => number): Router<undefined> {
  const granted = (issued: Issued | undefined): WireResponse =>
    issued
      ? {
          status: 200,
          body: {
            access_token: issued.accessToken,
            token_type: 'Bearer',
            expires_in: accessSeconds,
            refresh_token: issued.refreshToken,
            scope: issued.scopes.join(' '),
            created_at: Math.floor(now() / 1000),
            direct_buy_tokens: {},
          },
        }
      : oauthFailure(401, 'invalid_grant', 'The provided authorization grant is invalid, expired, revoked, or was issued to another client.')

  function tokens(body: Fields): WireResponse {
    if (body.client_id !== application.clientId || body.client_secret !== application.clientSecret)
      return oauthFailure(401, 'invalid_client', 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.')
    const textIn = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined)
    if (body.grant_type === 'authorization_code') return granted(issuer.redeem(textIn('code'), { redirectUri: textIn('redirect_uri') }))
    if (body.grant_type !== 'refresh_token') return oauthFailure(400, 'unsupported_grant_type', 'The authorization grant type is not supported by the authorization server.')
    return granted(issuer.refresh(textIn('refresh_token')))
  }
  return createRouter(
    {
      'GET /oauth/authorize': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId || fields.response_type !== 'code') return page('Unknown application or response type.')
        if (!isRedirect(fields.redirect_uri ?? '')) return page('A redirect must be secure and cannot carry a query.')
        const tenants = [{ id: world.accountId, name: world.businesses[0]?.name ?? world.accountId }]
        return consentPage({
          platform: 'FreshBooks',
          application: 'Your application',
          scopes: (fields.scope ?? scopes.join(' ')).split(' '),
          action: `${origin}/oauth/authorize`,
          hidden: fields,
          tenants,
        })
      },
      'POST /oauth/authorize': ({ request }) => {
        const { decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !isRedirect(redirectUri)) return page('Unknown application.')
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', error_description: 'The resource owner denied the request.', state })
        return redirectTo(redirectUri, { code: issuer.authorize({ tenant, scopes: scope?.split(' ') ?? scopes, redirectUri }), state })
      },
      'POST /auth/oauth/token': ({ request }) => {
        const body = readJson(request)
        return isObject(body) ? tokens(body) : oauthFailure(400, 'invalid_request', 'The request is missing a required parameter.')
      },
    },
    { notFound: () => oauthFailure(404, 'not_found', 'Not found'), methodNotAllowed: () => oauthFailure(405, 'method_not_allowed', 'Method not allowed') },
  )
}
