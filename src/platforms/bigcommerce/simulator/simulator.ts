// BigCommerce as its clients see it: one store behind /stores/{hash}, X-Auth-Token, V3 for catalog and customers, V2
// for orders. Written from the vendor's files, never from the connector.
import type { Application } from '../../../sandbox/oauth-server.ts'
import { createRouter, type Handler, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { addressRoutes } from './addresses.ts'
import { catalogRoutes } from './catalog.ts'
import { customerRoutes } from './customers.ts'
import { createOauth } from './oauth.ts'
import { orderRoutes } from './orders.ts'
import { methodRoutes } from './payments.ts'
import { productWriteRoutes } from './product-writes.ts'
import { productRoutes } from './products.ts'
import { createRecords } from './records.ts'
import { refundRoutes } from './refunds.ts'
import { day, seedWorld } from './seed.ts'
import { isUnbalanced } from './seed-orders.ts'
import { taxClassRoutes, taxRoutes } from './taxes.ts'
import { sendWebhooks, webhookRoutes } from './webhooks.ts'
import { v2Error, v3Error } from './wire.ts'
import { createWorld, type World } from './world.ts'

const application: Application = {
  clientId: 'sandbox-bigcommerce-client',
  clientSecret: 'sandbox-bigcommerce-not-a-real-secret',
}
const scopes = [
  'store_v2_products',
  'store_v2_orders',
  'store_v2_customers',
  'store_v2_information_read_only',
  'store_payments_methods_read',
]
const facts = { storeHash: 'sbx7hash01', name: 'Maple Goods', currency: 'USD' }
/**
 * For the headers of every response. The quota depends on the plan: this one is so large that the limit below applies
 * first.
 */
const quota = { window: 30_000, requests: 60_000 }

interface Authorized {
  world: World
  scopes: readonly string[]
}

const storeInformation: Handler<World> = ({ context: { storeHash, name, currency, names, pricesWithTax } }) => ({
  status: 200,
  body: {
    id: storeHash,
    domain: 'maple-goods.example.com',
    secure_url: 'https://maple-goods.example.com',
    status: 'live',
    name: names.get(storeHash) ?? name,
    first_name: 'Jane',
    last_name: 'Doe',
    address: '12 Harbor Road',
    country: 'United States',
    country_code: 'US',
    phone: '',
    admin_email: 'jane@example.com',
    order_email: 'orders@example.com',
    timezone: { name: 'America/Chicago', raw_offset: -21_600, dst_offset: -18_000, dst_correction: true },
    language: 'en',
    currency,
    currency_symbol: '$',
    decimal_separator: '.',
    thousands_separator: ',',
    decimal_places: 2,
    currency_symbol_location: 'left',
    weight_units: 'KGS',
    dimension_units: 'Centimeters',
    plan_name: 'Enterprise',
    plan_level: 'Enterprise',
    plan_is_trial: false,
    is_price_entered_with_tax: pricesWithTax,
    store_id: 1001234,
    default_channel_id: 1,
    default_site_id: 1000,
  },
})

/** A scope that ends in _read_only allows reading; without the suffix it allows both. */
const needs = (version: 'v2' | 'v3', scope: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, handler]): [string, Handler<Authorized>] => {
      const [method, path] = route.split(' ')
      const enough = [scope, ...(method === 'GET' ? [`${scope}_read_only`] : [])]
      const refused =
        version === 'v2'
          ? v2Error(403, "You don't have a required scope to access the endpoint")
          : v3Error(403, "You don't have a required scope to access the endpoint")
      return [
        `${method} /${version}${path}`,
        ({ request, params, context }) =>
          enough.some((one) => context.scopes.includes(one))
            ? handler({ request, params, context: context.world })
            : refused,
      ]
    }),
  )
const notFound = ({ path }: WireRequest): WireResponse =>
  path.startsWith('/v2/')
    ? v2Error(404, 'The requested resource was not found.')
    : v3Error(404, 'The route is not found')
const router = createRouter<Authorized>(
  {
    ...needs('v3', 'store_v2_products', { ...productRoutes, ...productWriteRoutes, ...catalogRoutes }),
    ...needs('v3', 'store_v2_customers', { ...customerRoutes, ...addressRoutes }),
    ...needs('v2', 'store_v2_orders', orderRoutes),
    ...needs('v3', 'store_v2_orders', refundRoutes),
    // Webhooks need the scopes of their events, which this app has.
    ...needs('v3', 'store_v2_products', webhookRoutes(application.clientId)),
    ...needs('v2', 'store_v2_information', { 'GET /store': storeInformation, ...taxClassRoutes }),
    ...needs('v3', 'store_v2_information', taxRoutes),
    ...needs('v2', 'store_payments_methods_read', methodRoutes),
  },
  { notFound, methodNotAllowed: () => v3Error(405, 'Method not allowed') },
)

export const createBigcommerceSimulator: CreateSimulator = ({ size, now, seededAt, state, origin, webhooks }) => {
  // Tokens do not expire, but the issuer needs an expiration.
  const issuer = createTokenIssuer({ state, now, accessSeconds: (3650 * day) / 1000, refresh: { style: 'reusable' } })
  const world = createWorld(facts, state, now)
  seedWorld(world, size, seededAt)
  if (webhooks) sendWebhooks(world, webhooks, application.clientSecret)
  issuer.issue('retail_pos', scopes, { accessToken: 'sandbox-bigcommerce-access', refreshToken: 'unused' })
  const oauth = createOauth(issuer, application, world, origin)
  const tenant: Tenant = {
    vertical: 'retail_pos',
    get credentials() {
      return { accessToken: issuer.current('retail_pos')!.accessToken, ...application }
    },
    settings: { storeHash: facts.storeHash, billingPostalCode: '78701' },
    locations: [],
    get unbalanced() {
      return world.orders.filter(isUnbalanced).map(({ id }) => String(id))
    },
    records: createRecords(world),
    expireTokens: () => {}, // nothing expires here
    revokeTokens: () => issuer.revoke('retail_pos'), // the merchant uninstalls the app
  }
  const calls: number[] = []
  function rateHeaders(): Record<string, string> {
    const at = now()
    while (calls[0] !== undefined && calls[0] <= at - quota.window) calls.shift()
    calls.push(at)
    return rate(quota.requests - calls.length, (calls[0] ?? at) + quota.window - at)
  }
  const holderOf = (request: WireRequest) => issuer.lookup(request.headers['x-auth-token'])

  async function handle(request: WireRequest): Promise<WireResponse> {
    if (request.path.startsWith('/oauth2/')) return oauth(request, undefined)
    const [, hash, path] = /^\/stores\/([^/]+)(\/v[23]\/.*)$/.exec(request.path) ?? []
    if (!hash || !path) return v3Error(404, 'The route is not found')
    const holder = holderOf(request)
    if (holder?.status !== 'active' || hash !== world.storeHash)
      return v3Error(401, 'X-Auth-Token header is required or is not valid for this store')
    if (!/json|\*\/\*/.test(request.headers.accept ?? '')) return v2Error(406, 'Ask for application/json.')
    const response = await router({ ...request, path }, { world, scopes: holder.scopes })
    return { ...response, headers: { ...rateHeaders(), ...response.headers } }
  }

  return {
    platform: 'bigcommerce',
    limit: [
      { requests: 5, seconds: 1 },
      { requests: 300, seconds: 60 },
    ],
    tenants: [tenant],
    tenantOf: (request) => (!request.path.startsWith('/oauth2/') && holderOf(request) ? tenant : undefined),
    handle,
    // Under load the headers may be missing.
    throttled: (seconds) => ({
      ...v3Error(429, 'Too many requests'),
      ...(seconds !== undefined && { headers: rate(0, seconds * 1000) }),
    }),
    broken: (status) => v3Error(status, status === 503 ? 'Service unavailable' : 'Internal server error'),
  }
}

const rate = (left: number, resetMs: number): Record<string, string> => ({
  'x-rate-limit-time-window-ms': String(quota.window),
  'x-rate-limit-time-reset-ms': String(resetMs),
  'x-rate-limit-requests-quota': String(quota.requests),
  'x-rate-limit-requests-left': String(left),
})
