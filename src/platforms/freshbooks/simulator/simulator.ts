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
import { createCallbacks } from './webhooks.ts'
import { broken, failure, inNewStyle, oauthFailure, throttled, unauthenticated } from './wire.ts'
import { createWorld, type Habits, type World } from './world.ts'

const application: Application = {
  clientId: 'sandboxFreshbooksClientId',
  clientSecret: 'sandboxFreshbooksSecretNotReal',
}

const refusals = {
  notFound: () => failure(404, { errno: 1012, message: 'Resource not found.' }),
  methodNotAllowed: () => failure(405, { errno: 1005, message: 'Method not allowed.' }),
}

export const freshbooksSimulatorWith =
  (habits: Habits): CreateSimulator =>
  ({ size, now, seededAt, state, origin, webhooks }) => {
    const issuer = createTokenIssuer({ state, now, accessSeconds, refresh: { style: 'single_use' } })
    const world = createWorld(state, now, habits)
    seedClients(world, size, seededAt)
    issuer.issue(tenantName, scopes, {
      accessToken: 'sandbox-freshbooks-access',
      refreshToken: 'sandbox-freshbooks-refresh',
    })
    const router = createRouter<World>(
      {
        ...clientRoutes,
        ...createCallbacks(world, state, webhooks),
        'GET /auth/api/v1/users/me': ({ context }) => ({ status: 200, body: { response: identityOf(context) } }),
      },
      refusals,
    )
    const oauth = createOauth(issuer, application, world, origin, now)

    /** Undefined if the call is allowed. */
    function stopped(request: WireRequest): WireResponse | undefined {
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active') return unauthenticated(request)
      const accounting = request.path.startsWith('/accounting/')
      // A callback needs the scope that reads its records.
      const events = request.path.startsWith('/events/')
      const reads = events || request.method === 'GET'
      const needed = accounting || events ? `user:clients:${reads ? 'read' : 'write'}` : 'user:profile:read'
      if (!holder.scopes.includes(needed))
        return oauthFailure(403, 'insufficient_scope', `The request requires the scope ${needed}.`)
      if ((accounting || events) && request.path.split('/')[3] !== world.accountId)
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

/** Every member that FreshBooks' own SDK reads; it fails where a business has no address, phone number or clients. */
const identityOf = ({ businesses }: World) => ({
  id: 2192788,
  identity_id: 2192788,
  identity_uuid: '0a4ae3a1-5f3b-4b0d-8d8e-2f6b1c9d7e55',
  first_name: 'Nadia',
  last_name: 'Okafor',
  email: 'nadia@example.com',
  language: 'en',
  confirmed_at: '2025-01-05T12:17:11Z',
  created_at: '2025-01-05T12:15:02Z',
  unconfirmed_email: null,
  setup_complete: true,
  phone_numbers: [{ title: '', phone_number: null }],
  addresses: [null],
  profession: { id: 1204, title: null, company: 'Harbor Coffee Supply', designation: null, business_id: null },
  links: {
    me: '/service/auth/api/v1/users?id=2192788',
    roles: '/service/auth/api/v1/users/role/2192788',
  },
  permissions: Object.fromEntries(businesses.map(({ accountId }) => [accountId, { 'invoices.limit': null }])),
  groups: businesses.map(({ id }, n) => ({
    id: 3120876 + n,
    group_id: 1102 + n,
    role: 'owner',
    identity_id: 2192788,
    identity_uuid: '0a4ae3a1-5f3b-4b0d-8d8e-2f6b1c9d7e55',
    first_name: 'Nadia',
    last_name: 'Okafor',
    email: 'nadia@example.com',
    company: 'Harbor Coffee Supply',
    business_id: id,
    active: true,
  })),
  subscription_statuses: Object.fromEntries(businesses.map(({ accountId }) => [accountId, 'active_beta'])),
  business_memberships: [
    ...businesses.map(({ id, name, accountId, uuid }, n) =>
      membership(6765686 + n, 'owner', { id, name, account_id: accountId, business_uuid: uuid }),
    ),
    membership(7900913, 'owner', { id: 3000000, name: 'Closed', account_id: 'zDmNq', active: false }),
    membership(7900914, 'employee', { id: 3000001, name: 'No books here', account_id: null }),
  ],
  roles: businesses.map(({ accountId }, n) => ({
    id: 2290862 + n,
    role: 'admin',
    systemid: 4354764 + n,
    userid: 1,
    accountid: accountId,
    created_at: '2025-01-05T12:15:02Z',
    links: { destroy: `/service/auth/api/v1/users/role/${2290862 + n}` },
  })),
})
const membership = (
  id: number,
  role: string,
  business: { id: number; name: string; account_id: string | null; business_uuid?: string; active?: boolean },
) => ({
  id,
  role,
  unacknowledged_change: false,
  fasttrack_token: null,
  business: {
    business_uuid: null,
    date_format: 'mm/dd/yyyy',
    timezone: 'America/Los_Angeles',
    active: true,
    address: null,
    phone_number: null,
    business_clients: [],
    ...business,
  },
})
