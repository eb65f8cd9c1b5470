// FreshBooks as its clients see it: one business, OAuth with refresh tokens that work once, clients of the accounting
// service. Written from the vendor's documentation and SDK, never from the connector.
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter } from '../../../sandbox/router.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { clientRoutes } from './clients.ts'
import { accessSeconds, createOauth, isOauth, scopes, tenant as tenantName } from './oauth.ts'
import { createRecords, seedClients } from './seed.ts'
import { broken, failure, inNewStyle, oauthFailure, throttled, unauthenticated } from './wire.ts'
import { createWorld, type Habits, type World } from './world.ts'

const application: Application = {
  clientId: 'sandboxFreshbooksClientId',
  clientSecret: 'sandboxFreshbooksSecretNotReal',
}

const router = createRouter<World>(
  {
    ...clientRoutes,
    'GET /auth/api/v1/users/me': ({ context }) => ({ status: 200, body: { response: identityOf(context) } }),
  },
  {
    notFound: () => failure(404, { errno: 1012, message: 'Resource not found.' }),
    methodNotAllowed: () => failure(405, { errno: 1005, message: 'Method not allowed.' }),
  },
)

export const freshbooksSimulatorWith =
  (habits: Habits): CreateSimulator =>
  ({ size, now, seededAt, state, origin }) => {
    const issuer = createTokenIssuer({ state, now, accessSeconds, refresh: { style: 'single_use' } })
    const world = createWorld(state, now, habits)
    seedClients(world, size, seededAt)
    issuer.issue(tenantName, scopes, {
      accessToken: 'sandbox-freshbooks-access',
      refreshToken: 'sandbox-freshbooks-refresh',
    })
    const oauth = createOauth(issuer, application, world, origin, now)

    /** Undefined if the call is allowed. */
    function stopped(request: WireRequest): WireResponse | undefined {
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active') return unauthenticated(request)
      const accounting = request.path.startsWith('/accounting/')
      const needed = accounting ? `user:clients:${request.method === 'GET' ? 'read' : 'write'}` : 'user:profile:read'
      if (!holder.scopes.includes(needed))
        return oauthFailure(403, 'insufficient_scope', `The request requires the scope ${needed}.`)
      if (accounting && !request.path.startsWith(`/accounting/account/${world.accountId}/`))
        return failure(403, { errno: 1003, message: 'You do not have access to this account.' })
      return undefined
    }
    async function answer(request: WireRequest): Promise<WireResponse> {
      const response = stopped(request) ?? (await router(request, world))
      return habits.errors === 'new' ? inNewStyle(response) : response
    }
    const tenant = createOAuthTenant({
      vertical: tenantName,
      issuer,
      application,
      settings: { accountId: world.accountId },
      locations: [],
      records: { customer: createRecords(world) },
    })
    return {
      platform: 'freshbooks',
      limit: [{ requests: 1, seconds: 1 }],
      tenants: [tenant],
      tenantOf: (request) => (!isOauth(request) && issuer.lookup(readBearer(request)) ? tenant : undefined),
      handle: (request) => (isOauth(request) ? oauth(request, undefined) : answer(request)),
      throttled,
      broken,
    }
  }
export const createFreshbooksSimulator: CreateSimulator = freshbooksSimulatorWith({})

const identityOf = ({ businesses }: World) => ({
  id: 2192788,
  first_name: 'Nadia',
  last_name: 'Okafor',
  email: 'nadia@example.com',
  language: 'en',
  phone_numbers: [{ title: '', phone_number: null }],
  addresses: [null],
  business_memberships: [
    ...businesses.map(({ id, name, accountId, uuid }, n) => ({
      id: 6765686 + n,
      role: 'owner',
      unacknowledged_change: false,
      business: {
        id,
        business_uuid: uuid,
        name,
        account_id: accountId,
        timezone: 'America/Los_Angeles',
        date_format: 'mm/dd/yyyy',
        active: true,
        address: null,
        phone_number: null,
        business_clients: [],
      },
    })),
    {
      id: 7900913,
      role: 'owner',
      unacknowledged_change: false,
      business: { id: 3000000, business_uuid: null, name: 'Closed', account_id: 'zDmNq', active: false },
    },
    {
      id: 7900914,
      role: 'employee',
      unacknowledged_change: false,
      business: { id: 3000001, business_uuid: null, name: 'No books here', account_id: null },
    },
  ],
  roles: businesses.map(({ accountId }, n) => ({
    id: 2290862 + n,
    role: 'admin',
    systemid: 4354764 + n,
    userid: 1,
    accountid: accountId,
  })),
})
