// OAuth v2: access tokens expire, and a refresh token works once. Only the redirect contains the merchant's id.
import { type Application, createOAuthServer, publicClientInFields } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import type { Issued, TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { bodyOf, failure, ok } from './wire.ts'
import type { World } from './world.ts'

const year = 365 * 86_400
export const unauthorized = (): WireResponse => failure(401, '401 Unauthorized')
const textsIn = (request: WireRequest) => bodyOf(request) as Record<string, string | undefined>

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  world: World,
  origin: string,
): Router<undefined> {
  const { id, name } = world.merchant
  /** Absolute Unix seconds; there is no `expires_in`. */
  const granted = ({ accessToken, refreshToken, expiresAt }: Issued): WireResponse =>
    ok({
      access_token: accessToken,
      access_token_expiration: Math.floor(expiresAt / 1000),
      refresh_token: refreshToken,
      refresh_token_expiration: Math.floor(world.now() / 1000) + year,
    })
  const invalidCode = failure(401, 'Failed to validate authentication code')
  return createOAuthServer({
    platform: 'Clover',
    issuer,
    application,
    origin,
    tenants: [{ id, name, tenant: 'restaurant' }],
    readScopes: () => [],
    authorize: {
      path: '/oauth/v2/authorize',
      checks: [
        [['client_id'], failure(400, 'Unknown client_id')],
        [['redirect_uri'], failure(400, 'redirect_uri is needed in the sandbox')],
      ],
      invalidForm: failure(400, 'Not a form of this page'),
      pkce: true,
      bindsRedirect: false,
      approved: (code, { client_id, state }) => ({
        merchant_id: id,
        employee_id: world.employees.ids()[0],
        client_id,
        code,
        state,
      }),
    },
    token: {
      path: '/oauth/v2/token',
      read: textsIn,
      isClient: publicClientInFields(application),
      granted,
      invalidClient: invalidCode,
      invalidCode,
    },
    routes: {
      'POST /oauth/v2/refresh': ({ request }) => {
        const body = textsIn(request)
        const issued = body.client_id === application.clientId ? issuer.refresh(body.refresh_token) : undefined
        return issued ? granted(issued) : failure(401, 'Invalid refresh token')
      },
    },
    fallbacks: {
      notFound: () => failure(404, 'Not Found'),
      methodNotAllowed: () => failure(405, '405 Method Not Allowed'),
    },
  })
}
