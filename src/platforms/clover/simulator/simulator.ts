// Clover as its clients see it: one merchant, OAuth v2, REST v3. Written from the vendor's documentation and models,
// never from the connector.
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter } from '../../../sandbox/router.ts'
import type { Simulator, SimulatorOptions, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { inventoryRoutes } from './inventory.ts'
import { moneyRoutes } from './money.ts'
import { createOauth, unauthorized } from './oauth.ts'
import { lineRoutes } from './order-lines.ts'
import { orderRoutes } from './orders.ts'
import { customerRoutes, employeeRoutes } from './people.ts'
import { createRecords } from './records.ts'
import { openedAgo, seedWorld } from './seed.ts'
import { createWebhooks } from './webhooks.ts'
import { failure, ok } from './wire.ts'
import { createWorld, type World } from './world.ts'

const application: Application = { clientId: 'SANDBOXCLOVERAPP', clientSecret: 'sandbox-clover-app-secret' }
const merchantId = 'H4RB0VRK1TCHN'

const router = createRouter<World>(
  { ...inventoryRoutes, ...orderRoutes, ...lineRoutes, ...moneyRoutes, ...customerRoutes, ...employeeRoutes },
  { notFound: () => failure(404, 'Not Found'), methodNotAllowed: () => failure(405, '405 Method Not Allowed') },
)
const address = {
  address1: '12 Harbor Street',
  address2: 'Floor 2',
  address3: '',
  city: 'Boston',
  country: 'US',
  phoneNumber: '6175550100',
  state: 'MA',
  zip: '02210',
}
/** Address and properties are links, unless the query expands them. */
function merchantRoute({ merchant, base, names }: World, { path, query }: WireRequest): WireResponse | undefined {
  const parts: Readonly<Record<string, object>> = {
    address: { href: `${base}/address`, ...address, merchant: { id: merchant.id } },
    properties: {
      href: `${base}/properties`,
      defaultCurrency: merchant.currency,
      timezone: merchant.timezone,
      vat: false,
      merchantRef: { id: merchant.id },
    },
  }
  if (path !== '') return parts[path.slice(1)] && ok(parts[path.slice(1)])
  const expanded = (query.get('expand') ?? '').split(',')
  return ok({
    href: base,
    id: merchant.id,
    name: names.get(merchant.id) ?? merchant.name,
    createdTime: merchant.createdTime,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, expanded.includes(name) ? part : { href: `${base}/${name}` }]),
    ),
  })
}

/** Permissions belong to the application; a call without one gets the 401 of an invalid token. */
const permissionOf: Readonly<Record<string, string>> = {
  orders: 'orders',
  customers: 'customers',
  employees: 'employees',
  shifts: 'employees',
  payments: 'payments',
  refunds: 'payments',
  tenders: 'merchant',
  '': 'merchant',
  address: 'merchant',
  properties: 'merchant',
}
const allPermissions = ['customers', 'employees', 'inventory', 'merchant', 'orders', 'payments']

export const createCloverSimulator = (
  { size, now, seededAt, state, origin, webhooks }: SimulatorOptions,
  permissions: readonly string[] = allPermissions,
): Simulator => {
  const issuer = createTokenIssuer({ state, now, accessSeconds: 1800, refresh: { style: 'single_use' } })
  const merchant = {
    id: merchantId,
    name: 'Harbor Kitchen',
    currency: 'USD',
    timezone: 'America/New_York',
    createdTime: seededAt - openedAgo,
  }
  const world = createWorld(merchant, origin, state, now)
  const { unbalanced } = seedWorld(world, size, seededAt)
  const modifier = world.modifiers.values()[0]!
  issuer.issue('restaurant', [], {
    accessToken: 'sandbox-clover-access-restaurant',
    refreshToken: 'sandbox-clover-refresh-restaurant',
  })
  const oauth = createOauth(issuer, application, world, origin)

  const tenant = createOAuthTenant({
    vertical: 'restaurant',
    issuer,
    application,
    settings: { merchantId, apiHost: 'apisandbox.dev.clover.com', loginHost: 'sandbox.dev.clover.com' },
    locations: [merchantId], // a merchant is one location
    modifier: {
      of: { modifierExternalId: modifier.id, name: modifier.name, quantity: 1, price: modifier.price / 100 },
    },
    unbalanced,
    records: createRecords(world),
  })

  async function handle(request: WireRequest): Promise<WireResponse> {
    if (request.path.startsWith('/oauth/')) return oauth(request, undefined)
    const [, mId, path = ''] = /^\/v3\/merchants\/([^/]+)(\/.*)?$/.exec(request.path) ?? []
    if (mId === undefined) return failure(404, 'Not Found')
    if (issuer.lookup(readBearer(request))?.status !== 'active' || mId !== merchantId) return unauthorized()
    if (!permissions.includes(permissionOf[path.split('/')[1] ?? ''] ?? 'inventory')) return unauthorized()
    return (
      (request.method === 'GET' && merchantRoute(world, { ...request, path })) || router({ ...request, path }, world)
    )
  }
  return {
    platform: 'clover',
    limit: [{ requests: 5, seconds: 1 }],
    concurrency: 5,
    tenants: [tenant],
    tenantOf: (request) =>
      !request.path.startsWith('/oauth/') && issuer.lookup(readBearer(request)) ? tenant : undefined,
    handle,
    ...createWebhooks(webhooks, state, world, application.clientId),
    // A header names which of the four limits was exceeded; only the concurrent ones include a wait.
    throttled(seconds) {
      const headers: Record<string, string> =
        seconds === undefined
          ? { 'x-ratelimit-tokenlimit': '16' }
          : { 'x-ratelimit-tokenconcurrentlimit': '5', 'retry-after': String(seconds) }
      return { ...failure(429, '429 Too Many Requests'), headers }
    },
    broken: (status) => failure(status, status === 503 ? '503 Service Unavailable' : '500 Internal Server Error'),
  }
}
