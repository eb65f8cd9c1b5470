// Installing an app: consent, a code with the store's context, a token that has no end.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { objectOf, v3Error } from './wire.ts'
import type { World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
const failure = (status: number, error: string, description: string): WireResponse => ({ status, body: { error, error_description: description } })
const scopesOf = (scope = ''): string[] => scope.split(/[\s+]+/).filter(Boolean)

export function createOauth(issuer: TokenIssuer, application: Application, world: World, origin: string): Router<undefined> {
  const context = `stores/${world.storeHash}`
  const owner = { id: 24654, username: 'merchant@example.com', email: 'merchant@example.com' }
  return createRouter<undefined>(
    {
      'GET /oauth2/authorize': ({ request: { query } }) => {
        const fields = Object.fromEntries(query)
        if (fields.client_id !== application.clientId) return failure(400, 'invalid_client', 'Unknown client_id.')
        if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return failure(400, 'invalid_request', 'redirect_uri is required.')
        if (fields.context !== undefined && fields.context !== context) return failure(400, 'invalid_request', 'Unknown store.')
        const tenants = [{ id: 'retail_pos', name: world.name }]
        return consentPage({ platform: 'BigCommerce', application: 'Your app', scopes: scopesOf(fields.scope), action: `${origin}/oauth2/authorize`, hidden: fields, tenants })
      },
      'POST /oauth2/authorize': ({ request }) => {
        const { tenant, decision, redirect_uri: redirectUri = '', state, scope, client_id: clientId } = readForm(request)
        if (clientId !== application.clientId || !URL.canParse(redirectUri) || tenant !== 'retail_pos') return failure(400, 'invalid_request', 'Not a form of this page.')
        if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
        const code = issuer.authorize({ tenant, scopes: scopesOf(scope), redirectUri })
        return redirectTo(redirectUri, { code, scope: scopesOf(scope).join(' '), context, account_uuid: '8d4d492f-17a1-4d95-b396-e1c5720815a5', state })
      },
      'POST /oauth2/token': ({ request }) => {
        const body = objectOf(request) as Record<string, string | undefined>
        if (body.client_id !== application.clientId || body.client_secret !== application.clientSecret) return failure(401, 'invalid_client', 'Client authentication failed.')
        if (body.grant_type !== 'authorization_code') return failure(400, 'unsupported_grant_type', 'Only authorization_code: tokens do not expire.')
        if (body.context !== context) return failure(400, 'invalid_request', 'context must be the one of the redirect.')
        const issued = issuer.redeem(body.code, { redirectUri: body.redirect_uri })
        if (!issued) return failure(400, 'invalid_grant', 'Invalid authorization code.')
        const scope = issued.scopes.join(' ')
        if (body.scope !== scope) return failure(400, 'invalid_scope', 'scope must be the one of the redirect.')
        return { status: 200, body: { access_token: issued.accessToken, scope, user: owner, owner, context, account_uuid: '8d4d492f-17a1-4d95-b396-e1c5720815a5' } }
      },
    },
    { notFound: () => v3Error(404, 'Not found'), methodNotAllowed: () => v3Error(405, 'Method not allowed') },
  )
}
