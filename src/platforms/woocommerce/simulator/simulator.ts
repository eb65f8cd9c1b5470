// A WooCommerce shop as its clients see it. Written from the vendor's documentation and the plugin's own controllers,
// never from the connector.
import { readBasic } from '../../../sandbox/http.ts'
import { createRouter } from '../../../sandbox/router.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { customerRoutes } from './customers.ts'
import { moneyRoutes, seedGateways } from './money-routes.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { createRecords } from './records.ts'
import { refundRoutes } from './refunds.ts'
import { seedWorld } from './seed.ts'
import { seedTaxRates } from './tax-rates.ts'
import { termAndShopRoutes } from './terms.ts'
import { sendWebhooks, webhookRoutes } from './webhooks.ts'
import { failure } from './wire.ts'
import { createWorld, type World } from './world.ts'

const key = {
  consumerKey: 'ck_sandbox0000000000000000000000000000000001',
  consumerSecret: 'cs_sandbox0000000000000000000000000000000001',
}
/** A read-only key. */
export const readOnlyKey = {
  consumerKey: 'ck_sandbox0000000000000000000000000000000002',
  consumerSecret: 'cs_sandbox0000000000000000000000000000000002',
}

const noRoute = () => failure(404, 'rest_no_route', 'No route was found matching the URL and request method.')

/** Paths of records accept only digits; anything else is an unknown path. */
const isRecordWithoutNumber = (path: string): boolean => {
  const [, kind, id] =
    /^\/wp-json\/wc\/v3\/(products|orders|refunds|taxes|customers|webhooks|products\/categories|products\/tags|products\/brands)\/([^/]+)/.exec(
      path,
    ) ?? []
  return (
    kind !== undefined && !/^\d+$/.test(id!) && !(kind === 'products' && ['categories', 'tags', 'brands'].includes(id!))
  )
}
const unauthorized = (message: string) => failure(401, 'woocommerce_rest_authentication_error', message)

/** Over https: HTTP Basic, or both values in the query for servers that drop the header. */
function credentialsIn(request: WireRequest): { user: string; password: string } | undefined {
  const user = request.query.get('consumer_key')
  return (
    readBasic(request) ?? (user === null ? undefined : { user, password: request.query.get('consumer_secret') ?? '' })
  )
}
function refusedBy(world: World, request: WireRequest): WireResponse | undefined {
  const given = credentialsIn(request)
  const reading = request.method === 'GET'
  if (!given)
    return failure(
      401,
      `woocommerce_rest_cannot_${reading ? 'view' : 'create'}`,
      `Sorry, you ${reading ? 'cannot list' : 'are not allowed to create'} resources.`,
    )
  const known = world.keys.get(given.user)
  if (!known) return unauthorized('Consumer key is invalid.')
  if (known.secret !== given.password) return unauthorized('Consumer secret is invalid.')
  return reading || known.permissions === 'read_write'
    ? undefined
    : unauthorized('The API key provided does not have write permissions.')
}

export const createWoocommerceSimulator: CreateSimulator = ({ size, now, seededAt, state, origin, webhooks }) => {
  const world = createWorld(state, now, origin)
  world.keys.set(key.consumerKey, { secret: key.consumerSecret, permissions: 'read_write' })
  world.keys.set(readOnlyKey.consumerKey, { secret: readOnlyKey.consumerSecret, permissions: 'read' })
  seedTaxRates(world)
  seedGateways(world)
  seedWorld(world, size, seededAt)
  if (webhooks) sendWebhooks(world, webhooks)
  const router = createRouter<World>(
    {
      ...productRoutes,
      ...orderRoutes,
      ...refundRoutes,
      ...moneyRoutes,
      ...customerRoutes,
      ...termAndShopRoutes,
      ...webhookRoutes(webhooks),
    },
    { notFound: noRoute, methodNotAllowed: noRoute },
  )
  const tenant: Tenant = {
    vertical: 'retail_pos',
    credentials: key,
    settings: { shop: world.shop, tipFees: 'Tip' },
    locations: [],
    records: createRecords(world),
    expireTokens: () => {}, // keys do not expire
    revokeTokens: () => void world.keys.delete(key.consumerKey),
  }
  return {
    platform: 'woocommerce',
    limit: [{ requests: 5, seconds: 1 }], // the plugin has no limit: this is realistic for a shared host
    tenants: [tenant],
    tenantOf: (request) => (credentialsIn(request) ? tenant : undefined),
    handle: (request) =>
      isRecordWithoutNumber(request.path) ? noRoute() : (refusedBy(world, request) ?? router(request, world)),
    throttled: (seconds) => ({
      status: 429,
      headers: { 'content-type': 'text/html', ...(seconds !== undefined && { 'retry-after': String(seconds) }) },
      body: '<html><head><title>429 Too Many Requests</title></head><body><center><h1>429 Too Many Requests</h1></center><hr><center>nginx</center></body></html>',
    }),
    broken: (status) =>
      failure(
        status,
        'internal_server_error',
        '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>',
      ),
  }
}
