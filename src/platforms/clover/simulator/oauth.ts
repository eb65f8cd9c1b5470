// OAuth v2: expiring tokens, and a refresh token that works once. The merchant's id comes in the redirect only.
import { consentPage, redirectTo } from '../../../sandbox/consent.ts'
import { readForm } from '../../../sandbox/http.ts'
import { createRouter, type Router, type Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { bodyOf, failure, ok } from './wire.ts'
import type { World } from './world.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
const year = 365 * 86_400
export const unauthorized = (): WireResponse => failure(401, '401 Unauthorized')

export function createOauth(issuer: TokenIssuer, application: Application, world: World, origin: string): Router<undefined> {
  /** Unix seconds, absolute; there is no `expires_in`. */
  const granted = ({ accessToken, refreshToken, expiresAt }: Issued): WireResponse =>
    ok({
      access_token: accessToken,
      access_token_expiration: Math.floor(expiresAt / 1000),
      refresh_token: refreshToken,
      refresh_token_expiration: Math.floor(world.now() / 1000) + year,
    })
  const routes: Routes<undefined> = {
    'GET /oauth/v2/authorize': ({ request: { query } }) => {
      const fields = Object.fromEntries(query)
      if (fields.client_id !== application.clientId) return failure(400, 'Unknown client_id')
      if (!fields.redirect_uri || !URL.canParse(fields.redirect_uri)) return failure(400, 'redirect_uri is needed in the sandbox')
      const tenants = [{ id: world.merchant.id, name: world.merchant.name }]
      return consentPage({ platform: 'Clover', application: 'Your application', scopes: [], action: `${origin}/oauth/v2/authorize`, hidden: fields, tenants })
    },
    'POST /oauth/v2/authorize': ({ request }) => {
      const { tenant, decision, redirect_uri: redirectUri = '', state, client_id, code_challenge: codeChallenge } = readForm(request)
      if (client_id !== application.clientId || !URL.canParse(redirectUri) || tenant !== world.merchant.id) return failure(400, 'Not a form of this page')
      if (decision !== 'approve') return redirectTo(redirectUri, { error: 'access_denied', state })
      const code = issuer.authorize({ tenant: 'restaurant', codeChallenge })
      return redirectTo(redirectUri, { merchant_id: world.merchant.id, employee_id: world.employees.ids()[0], client_id, code, state })
    },
    'POST /oauth/v2/token': ({ request }) => {
      const body = bodyOf(request) as Record<string, string | undefined>
      const proves = body.client_secret === application.clientSecret || (body.client_secret === undefined && body.code_verifier !== undefined)
      if (body.client_id !== application.clientId || !proves) return failure(401, 'Failed to validate authentication code')
      const issued = issuer.redeem(body.code, { codeVerifier: body.code_verifier })
      return issued ? granted(issued) : failure(401, 'Failed to validate authentication code')
    },
    'POST /oauth/v2/refresh': ({ request }) => {
      const body = bodyOf(request) as Record<string, string | undefined>
      const issued = body.client_id === application.clientId ? issuer.refresh(body.refresh_token) : undefined
      return issued ? granted(issued) : failure(401, 'Invalid refresh token')
    },
  }
  const missing = () => failure(404, 'Not Found')
  return createRouter(routes, { notFound: missing, methodNotAllowed: () => failure(405, '405 Method Not Allowed') })
}
