// Square as its clients see it: two sellers, OAuth, scopes, versions. Written from the vendor's specification, never
// from the connector.
import { readBearer, retryAfter } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter, type Handler, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer, type TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { catalogRoutes, modifiersIn } from './catalog.ts'
import { catalogWriteRoutes } from './catalog-writes.ts'
import { customerRoutes } from './customers.ts'
import { inventoryRoutes } from './inventory.ts'
import { createOauth, unauthorized, unknownEndpoint } from './oauth.ts'
import { orderSearchRoutes } from './order-search.ts'
import { orderRoutes } from './orders.ts'
import { paymentRoutes, refundRoutes } from './payments.ts'
import { createRecords } from './records.ts'
import { locationRoutes, shiftRoutes } from './schedule.ts'
import { day, seedWorld } from './seed.ts'
import { seedDue } from './seed-orders.ts'
import { teamRoutes, timecardRoutes } from './team.ts'
import { createWebhooks } from './webhooks.ts'
import { failure } from './wire.ts'
import { createWorld, type SellerFacts, type World } from './world.ts'

const application: Application = {
  clientId: 'sandbox-sq0idb-unified-records',
  clientSecret: 'sandbox-sq0csb-not-a-real-secret',
}
const scopes = [
  'MERCHANT_PROFILE_READ',
  ...['ITEMS', 'INVENTORY', 'ORDERS', 'CUSTOMERS', 'EMPLOYEES'].flatMap((area) => [`${area}_READ`, `${area}_WRITE`]),
  ...['TIMECARDS_READ', 'PAYMENTS_READ', 'PAYMENTS_WRITE'],
]
const sellers: readonly SellerFacts[] = [
  {
    vertical: 'restaurant',
    name: 'Harbor Kitchen',
    merchantId: 'MLRESTAURANT1',
    currency: 'USD',
    country: 'US',
    timezone: 'America/New_York',
  },
  {
    vertical: 'retail_pos',
    name: 'Maple Goods',
    merchantId: 'MLRETAILSHOP1',
    currency: 'CAD',
    country: 'CA',
    timezone: 'America/Toronto',
  },
]

interface Authorized {
  world: World
  scopes: readonly string[]
}

const needs = (area: string, read: readonly string[], routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, handler]) => {
      const reads = route.startsWith('GET ') || read.some((ending) => route.endsWith(ending))
      return [
        route,
        guarded(route.endsWith('/pay') ? 'PAYMENTS_WRITE' : `${area}_${reads ? 'READ' : 'WRITE'}`, handler),
      ]
    }),
  )

function guarded(scope: string, handler: Handler<World>): Handler<Authorized> {
  return ({ request, params, context }) => {
    if (!context.scopes.includes(scope))
      return failure(
        403,
        'AUTHENTICATION_ERROR',
        'INSUFFICIENT_SCOPES',
        `The merchant has not given your application sufficient permissions: ${scope}.`,
      )
    return handler({ request, params, context: context.world })
  }
}

const searching = ['/search', '/batch-retrieve', '/search-catalog-items']
const router = createRouter<Authorized>(
  {
    ...needs('ITEMS', searching, { ...catalogRoutes, ...catalogWriteRoutes }),
    ...needs('INVENTORY', searching, inventoryRoutes),
    ...needs('ORDERS', searching, { ...orderRoutes, ...orderSearchRoutes }),
    ...needs('CUSTOMERS', searching, customerRoutes),
    ...needs('PAYMENTS', [], { ...paymentRoutes, ...refundRoutes }),
    ...needs('EMPLOYEES', searching, teamRoutes),
    ...needs('TIMECARDS', searching, { ...timecardRoutes, ...shiftRoutes }),
    ...needs('MERCHANT_PROFILE', searching, locationRoutes),
  },
  { notFound: unknownEndpoint, methodNotAllowed: unknownEndpoint },
)

export const createSquareSimulator: CreateSimulator = ({ size, now, seededAt, state, origin, webhooks }) => {
  const issuer = createTokenIssuer({ state, now, accessSeconds: (30 * day) / 1000, refresh: { style: 'reusable' } })
  const worlds = sellers.map((facts) => createWorld(facts, state, now))
  for (const world of worlds) {
    seedWorld(world, size, seededAt)
    issuer.issue(world.vertical, scopes, {
      accessToken: `sandbox-square-access-${world.vertical}`,
      refreshToken: `sandbox-square-refresh-${world.vertical}`,
    })
  }
  const tenants = worlds.map((world) => createTenant(world, issuer))
  const oauth = createOauth(issuer, application, worlds, origin)

  async function handle(request: WireRequest): Promise<WireResponse> {
    if (request.path.startsWith('/oauth2/')) return oauth(request, undefined)
    const version = request.headers['square-version']
    if (version !== undefined && !/^\d{4}-\d\d-\d\d$/.test(version))
      return failure(
        400,
        'INVALID_REQUEST_ERROR',
        'INVALID_SQUARE_VERSION_FORMAT',
        'The Square-Version header must be YYYY-MM-DD.',
      )
    const holder = issuer.lookup(readBearer(request))
    if (!holder) return unauthorized('UNAUTHORIZED', 'This request could not be authorized.')
    if (holder.status === 'revoked') return unauthorized('ACCESS_TOKEN_REVOKED', 'The access token was revoked.')
    if (holder.status === 'expired') return unauthorized('ACCESS_TOKEN_EXPIRED', 'The access token has expired.')
    const world = worlds.find(({ vertical }) => vertical === holder.tenant)!
    const response = await router(request, { world, scopes: holder.scopes })
    return { ...response, headers: { 'square-version': version ?? '2025-08-20', ...response.headers } }
  }

  return {
    platform: 'square',
    limit: [
      { requests: 5, seconds: 1 },
      { requests: 300, seconds: 60 },
    ],
    tenants,
    tenantOf(request) {
      if (request.path.startsWith('/oauth2/')) return undefined
      const holder = issuer.lookup(readBearer(request))
      return holder && tenants.find(({ vertical }) => vertical === holder.tenant)
    },
    handle,
    ...createWebhooks(webhooks, state, worlds),
    throttled: (seconds) => ({
      ...failure(429, 'RATE_LIMIT_ERROR', 'RATE_LIMITED', 'Your request was throttled: too many requests.'),
      ...retryAfter(seconds),
    }),
    broken: (status) =>
      failure(
        status,
        'API_ERROR',
        status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR',
        'An internal error has occurred.',
      ),
  }
}

/** As an order names it. */
function orderModifier(world: World): object {
  const { id, modifier_data } = modifiersIn(world)[0]!
  return {
    modifierExternalId: id,
    name: modifier_data!.name,
    quantity: 2,
    price: modifier_data!.price_money!.amount / 100,
  }
}
function createTenant(world: World, issuer: TokenIssuer): Tenant {
  return createOAuthTenant({
    vertical: world.vertical,
    issuer,
    application,
    settings: {},
    locations: world.locations.ids(),
    modifier: { of: orderModifier(world) },
    payable: (amount) => seedDue(world, Math.round(amount * 100)),
    records: createRecords(world),
  })
}
