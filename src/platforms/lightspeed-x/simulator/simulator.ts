// Lightspeed Retail X-Series as its clients see it: one retailer with two outlets, prices including tax. Written from
// the vendor's specification, never from the connector.
import { isObject, readBearer, readJson } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter, type Handler, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { customerRoutes } from './customers.ts'
import { ids } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { createOauth } from './oauth.ts'
import { productWriteRoutes } from './product-writes.ts'
import { productRoutes } from './products.ts'
import { createRecords } from './records.ts'
import { saleRoutes } from './sales.ts'
import { searchRoutes, searchScope } from './search.ts'
import { seedWorld } from './seed.ts'
import { shopRoutes } from './shop.ts'
import { sendWebhooks, webhookRoutes } from './webhooks.ts'
import { failure, unknownPage } from './wire.ts'
import { createWorld, type World } from './world.ts'

const application: Application = {
  clientId: 'sandbox-lightspeed-x-client',
  clientSecret: 'sandbox-lightspeed-x-not-a-real-secret',
}
/**
 * products:read and products:write exclude costs. The scope that includes them is not in the vendor's list: this one
 * represents it. https://x-series-api.lightspeedhq.com/docs/scopes
 */
const costScope = 'products:cost'
const areas = ['products', 'customers', 'sales', 'inventory', 'suppliers']
const allScopes = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
  ...['retailer', 'outlets', 'registers', 'payment_types', 'payments', 'taxes', 'users'].map((area) => `${area}:read`),
  'webhooks',
  costScope,
]

/** The fields of a product that have its cost: `supply_price`, and `price` of its suppliers. */
function costless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(costless)
  if (!isObject(value)) return value
  const { supply_price: _, ...rest } = value
  return Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [
      name,
      name === 'product_suppliers' && Array.isArray(part)
        ? part.map(({ price: _, ...supplier }) => supplier)
        : costless(part),
    ]),
  )
}
/** Costs in a write are ignored. */
const withoutCosts = (request: WireRequest): WireRequest => {
  const body = request.method === 'GET' ? undefined : readJson(request)
  return isObject(body) ? { ...request, body: JSON.stringify(costless(body)) } : request
}

interface Authorized {
  world: World
  scopes: readonly string[]
}
const guarded =
  (scopeOf: (request: WireRequest) => string, handler: Handler<World>): Handler<Authorized> =>
  ({ request, params, context }) =>
    context.scopes.includes(scopeOf(request))
      ? handler({ request, params, context: context.world })
      : failure(403, 'permission denied')
const needs = (area: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, handler]) => [
      route,
      guarded(() => `${area}:${route.startsWith('GET ') ? 'read' : 'write'}`, handler),
    ]),
  )

const under = (scope: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(Object.entries(routes).map(([route, handler]) => [route, guarded(() => scope, handler)]))

const router = createRouter<Authorized>(
  {
    ...needs('products', { ...productRoutes, ...productWriteRoutes }),
    // A POST that only reads.
    ...under('inventory:read', inventoryRoutes),
    ...needs('customers', customerRoutes),
    ...needs('sales', saleRoutes),
    ...Object.fromEntries(Object.entries(shopRoutes).flatMap(([area, routes]) => Object.entries(needs(area, routes)))),
    ...Object.fromEntries(
      Object.entries(searchRoutes).map(([route, handler]) => [route, guarded(searchScope, handler)]),
    ),
    ...under('webhooks', webhookRoutes),
  },
  { notFound: unknownPage, methodNotAllowed: () => failure(405, 'method not allowed') },
)

export const createLightspeedXSimulator: CreateSimulator = ({
  size,
  now,
  seededAt,
  state,
  origin,
  paceScale = 1,
  webhooks,
}) => {
  const issuer = createTokenIssuer({ state, now, accessSeconds: 86_400, refresh: { style: 'single_use' } })
  const world = createWorld(
    {
      domainPrefix: 'maplegoods',
      name: 'Maple Goods',
      currency: 'NZD',
      symbol: '$',
      country: 'NZ',
      timezone: 'Pacific/Auckland',
      taxExclusive: false,
    },
    state,
    now,
    paceScale,
  )
  seedWorld(world, size, seededAt)
  if (webhooks) sendWebhooks(world, webhooks, application.clientSecret)
  issuer.issue('retail_pos', allScopes, {
    accessToken: 'sandbox-lightspeed-x-access',
    refreshToken: 'sandbox-lightspeed-x-refresh',
  })
  const oauth = createOauth({ issuer, application, shop: world, allScopes, origin, now })

  const tenant = createOAuthTenant({
    vertical: 'retail_pos',
    issuer,
    application,
    credentials: ({ scopes: granted }) => ({ scope: granted.join(' ') }),
    // The user and the tax can be determined; there are several registers and payment types.
    settings: { domainPrefix: world.domainPrefix, registerId: ids.registers[0], paymentTypeId: ids.paymentTypes[0] },
    locations: [...ids.outlets],
    records: createRecords(world),
  })
  const isOauth = ({ path }: WireRequest): boolean => path === '/connect' || path === '/api/1.0/token'
  const window = 300_000 * paceScale
  let calls: number[] = []
  /** Per retailer and application: 300 for each register and 50 more, in five minutes. */
  function counted(response: WireResponse): WireResponse {
    calls = [...calls.filter((at) => at > now() - window), now()]
    const limit = 300 * world.registers.count() + 50
    return {
      ...response,
      headers: {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - calls.length)),
        ...response.headers,
      },
    }
  }
  return {
    platform: 'lightspeed-x',
    limit: [{ requests: 1, seconds: 1 }],
    tenants: [tenant],
    tenantOf: (request) => (!isOauth(request) && issuer.lookup(readBearer(request)) ? tenant : undefined),
    async handle(request) {
      if (isOauth(request)) return oauth(request, undefined)
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active') return failure(401, 'Access token is not valid')
      const seesCosts = holder.scopes.includes(costScope)
      const response = await router(seesCosts ? request : withoutCosts(request), { world, scopes: holder.scopes })
      return counted(seesCosts ? response : { ...response, body: costless(response.body) })
    },
    // A date, not a number of seconds.
    throttled: (seconds) => ({
      ...failure(429, 'Too Many Requests', 'Rate limiting enforced'),
      ...(seconds !== undefined && { headers: { 'retry-after': new Date(now() + seconds * 1000).toUTCString() } }),
    }),
    broken: (status) =>
      failure(status, status === 503 ? 'Service Unavailable' : 'Internal Server Error', 'Something went wrong'),
  }
}
