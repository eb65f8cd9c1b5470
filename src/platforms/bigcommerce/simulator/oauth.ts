// App installation: consent, a code with the store's context, and an access token that does not expire.
import { type Application, createOAuthServer, separatedScopes } from '../../../sandbox/oauth-server.ts'
import type { Router } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { objectOf, v3Error } from './wire.ts'
import type { World } from './world.ts'

const failure = (status: number, error: string, description: string): WireResponse => ({
  status,
  body: { error, error_description: description },
})
const accountUuid = '8d4d492f-17a1-4d95-b396-e1c5720815a5'

export function createOauth(
  issuer: TokenIssuer,
  application: Application,
  world: World,
  origin: string,
): Router<undefined> {
  const context = `stores/${world.storeHash}`
  const owner = { id: 24654, username: 'merchant@example.com', email: 'merchant@example.com' }
  return createOAuthServer({
    platform: 'BigCommerce',
    issuer,
    application,
    origin,
    tenants: [{ id: 'retail_pos', name: world.name }],
    authorize: {
      path: '/oauth2/authorize',
      checks: [
        [['client_id'], failure(400, 'invalid_client', 'Unknown client_id.')],
        [['redirect_uri'], failure(400, 'invalid_request', 'redirect_uri is required.')],
        [
          [(fields) => fields.context === undefined || fields.context === context],
          failure(400, 'invalid_request', 'Unknown store.'),
        ],
      ],
      invalidForm: failure(400, 'invalid_request', 'Not a form of this page.'),
      approved: (code, { scope, state }) => ({
        code,
        scope: separatedScopes(scope).join(' '),
        context,
        account_uuid: accountUuid,
        state,
      }),
    },
    token: {
      path: '/oauth2/token',
      read: (request) => objectOf(request) as Record<string, string | undefined>,
      check: (fields) =>
        fields.context === context
          ? undefined
          : failure(400, 'invalid_request', 'context must be the one of the redirect.'),
      granted({ accessToken, scopes }, fields) {
        const scope = scopes.join(' ')
        if (fields.scope !== scope) return failure(400, 'invalid_scope', 'scope must be the one of the redirect.')
        return {
          status: 200,
          body: { access_token: accessToken, scope, user: owner, owner, context, account_uuid: accountUuid },
        }
      },
      invalidClient: failure(401, 'invalid_client', 'Client authentication failed.'),
      invalidCode: failure(400, 'invalid_grant', 'Invalid authorization code.'),
      unsupportedGrant: failure(400, 'unsupported_grant_type', 'Only authorization_code: tokens do not expire.'),
    },
    fallbacks: {
      notFound: () => v3Error(404, 'Not found'),
      methodNotAllowed: () => v3Error(405, 'Method not allowed'),
    },
  })
}
