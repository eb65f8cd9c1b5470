// Toast as its clients see it: one restaurant, a login without refresh tokens, scopes in the token. Written from
// Toast's published definitions and guides, never from the connector.

import { randomBytes } from 'node:crypto'
import { type Fields, isObject, readBearer, readJson } from '../../../sandbox/http.ts'
import { createReferee } from '../../../sandbox/referee.ts'
import { createRouter, type Handler, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer, type TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { configurationRoutes } from './configuration.ts'
import { employeeRoutes, laborRoutes } from './labor.ts'
import { menuRoutes, stockRoutes } from './menus.ts'
import { sampleModifier } from './modifiers.ts'
import { orderRoutes } from './orders.ts'
import { paymentRoutes } from './payment-routes.ts'
import { createRecords } from './records.ts'
import { restaurantRoutes } from './restaurant.ts'
import { seedWorld } from './seed.ts'
import { createWebhooks } from './webhooks.ts'
import { day, failure, ok, timeOf } from './wire.ts'
import { createWorld, type World } from './world.ts'

const client = {
  clientId: 'sandboxToastClient4NaLedOcjZpJM8',
  clientSecret: 'sandbox-toast-client-secret-not-a-real-one',
}
const scopes = [
  'orders:read',
  'orders.orders:write',
  'guest.pi:read',
  'delivery_info.address:read',
  'menus:read',
  'stock:read',
  'stock:write',
  'labor:read',
  'labor.employees:read',
  'labor.employees:write',
  'restaurants:read',
  'config:read',
]
const quarter = 900_000 // of an hour: 10,000 requests each
const vertical = 'restaurant'
// "at least 5-10 seconds apart": less than the shorter distance is certainly too close.
const historyLimit = [{ requests: 1, seconds: 5 }]
const isHistory = ({ path, query }: WireRequest, now: number): boolean =>
  path === '/orders/v2/ordersBulk' && timeOf(query.get('endDate') ?? '') < now - day

interface Authorized {
  world: World
  scopes: readonly string[]
}
const needs = (read: string, write: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, handler]) => [
      route,
      guarded(/^GET |\/(search|prices)$/.test(route) ? read : write, handler),
    ]),
  )

const guarded =
  (scope: string, handler: Handler<World>): Handler<Authorized> =>
  ({ request, params, context }) =>
    context.scopes.includes(scope)
      ? handler({ request, params, context: context.world })
      : failure(403, `The client lacks the scope ${scope}`)

const router = createRouter<Authorized>(
  {
    ...needs('orders:read', 'orders.orders:write', orderRoutes),
    ...needs('orders:read', 'orders.payments:write', paymentRoutes),
    ...needs('menus:read', 'menus:write', menuRoutes),
    ...needs('stock:read', 'stock:write', stockRoutes),
    ...needs('labor.employees:read', 'labor.employees:write', employeeRoutes),
    ...needs('labor:read', 'labor:write', laborRoutes),
    ...needs('restaurants:read', 'restaurants:write', restaurantRoutes),
    ...needs('config:read', 'config:write', configurationRoutes),
  },
  { notFound: () => failure(404, 'Not found'), methodNotAllowed: () => failure(405, 'Method not allowed') },
)

/** Until the last minute of a token, every login returns the same token. */
function login(issuer: TokenIssuer, now: () => number, body: unknown): WireResponse {
  const given: Fields = isObject(body) ? body : {}
  const current = issuer.current(vertical)
  const held = current && issuer.lookup(current.accessToken)
  const known =
    given.clientId === client.clientId &&
    given.clientSecret === client.clientSecret &&
    given.userAccessType === 'TOAST_MACHINE_CLIENT'
  if (!known || held?.status === 'revoked') return failure(401, 'The client credentials are not valid', 10010, true)
  const fresh = current && held?.status === 'active' && held.expiresAt - now() > 60_000
  const { accessToken, expiresAt } = fresh ? current : issuer.login(vertical, scopes)
  const token = {
    tokenType: 'Bearer',
    scope: null,
    expiresIn: Math.floor((expiresAt - now()) / 1000),
    accessToken,
    idToken: null,
    refreshToken: null,
  }
  return ok({ token, status: 'SUCCESS' })
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Looks like a JSON Web Token; its signature is random. */
const mintToken = (now: () => number) => () =>
  [
    base64({ alg: 'RS256', typ: 'JWT' }),
    base64({ exp: Math.floor(now() / 1000) + 86_400, scope: scopes.join(' ') }),
    randomBytes(32).toString('base64url'),
  ].join('.')

const tooSoon = (until: number): WireResponse => ({
  ...failure(429, 'Too many requests'),
  headers: {
    'x-toast-ratelimit-by': 'ENDPOINT',
    'x-toast-ratelimit-remaining': '0',
    'x-toast-ratelimit-reset': String(Math.ceil(until / 1000)),
  },
})

export const createToastSimulator: CreateSimulator = ({ size, now, seededAt, state, paceScale, webhooks }) => {
  const issuer = createTokenIssuer({
    state,
    now,
    accessSeconds: 86_400,
    refresh: { style: 'reusable' },
    mint: mintToken(now),
  })
  const world = createWorld(state, now, seededAt)
  seedWorld(world, size, seededAt)
  const tenant: Tenant = {
    vertical,
    credentials: client,
    settings: {
      apiHost: 'ws-sandbox-api.eng.toasttab.com',
      restaurantGuid: world.guid,
      namingAuthority: 'UnifiedRecords',
    },
    locations: [world.guid],
    modifier: { of: sampleModifier },
    records: createRecords(world),
    expireTokens: () => issuer.expire(vertical),
    revokeTokens: () => issuer.revoke(vertical),
  }
  const history = createReferee({ limit: historyLimit, now, paceScale })
  let counted = { since: 0, calls: 0 }
  const window = quarter * (paceScale ?? 1)
  const rateHeaders = (): Record<string, string> => {
    const since = Math.floor(now() / window) * window
    counted = { since, calls: counted.since === since ? counted.calls + 1 : 1 }
    return {
      'x-toast-ratelimit-by': 'GLOBAL',
      'x-toast-ratelimit-remaining': String(Math.max(0, 10_000 - counted.calls)),
      'x-toast-ratelimit-reset': String(Math.ceil((since + window) / 1000)),
    }
  }

  async function handle(request: WireRequest): Promise<WireResponse> {
    if (request.path === '/authentication/v1/authentication/login')
      return request.method === 'POST' ? login(issuer, now, readJson(request)) : failure(405, 'Method not allowed')
    const holder = issuer.lookup(readBearer(request))
    if (holder?.status !== 'active')
      return failure(401, 'The authentication token is missing, expired or not valid', 10010)
    const restaurant = request.headers['toast-restaurant-external-id']
    if (!restaurant) return failure(400, 'The Toast-Restaurant-External-ID header is required')
    if (restaurant !== world.guid) return failure(403, 'The client does not have access to the restaurant')
    const { allowed, retryAfterMs } = isHistory(request, now())
      ? history.call(vertical)
      : { allowed: true, retryAfterMs: 0 }
    if (!allowed) return tooSoon(now() + retryAfterMs)
    const response = await router(request, { world, scopes: holder.scopes })
    return { ...response, headers: { ...rateHeaders(), ...response.headers } }
  }

  return {
    platform: 'toast',
    limit: [{ requests: 5, seconds: 1 }],
    tenants: [tenant],
    tenantOf: (request) => (issuer.lookup(readBearer(request)) ? tenant : undefined),
    handle,
    ...createWebhooks(webhooks, state, world),
    throttled: (seconds) => ({
      ...failure(429, 'Too many requests'),
      ...(seconds !== undefined && {
        headers: {
          'x-toast-ratelimit-by': 'GLOBAL',
          'x-toast-ratelimit-remaining': '0',
          'x-toast-ratelimit-reset': String(Math.floor(now() / 1000) + seconds),
          'retry-after': String(seconds),
        },
      }),
    }),
    broken: (status) =>
      failure(status, status === 503 ? 'The service is unavailable' : 'An unexpected internal error occurred'),
  }
}
