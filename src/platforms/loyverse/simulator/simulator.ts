// Loyverse as its clients see it: one merchant with three stores. Written from the vendor's reference, never from the
// connector.
import { readBearer, retryAfter } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, WireRequest } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { customerRoutes } from './customers.ts'
import { itemRoutes, supplierRoutes } from './items.ts'
import { accessSeconds, createOauth, tenantName } from './oauth.ts'
import { receiptRoutes } from './receipts.ts'
import { createRecords } from './records.ts'
import { day, seedWorld } from './seed.ts'
import { discountRoutes, inventoryRoutes, merchantRoutes, paymentTypeRoutes, storeRoutes, taxRoutes } from './shop.ts'
import { sendWebhooks, webhookRoutes } from './webhooks.ts'
import { failure } from './wire.ts'
import { createWorld, liveStores, type World } from './world.ts'

const application: Application = {
  clientId: 'sandbox-loyverse-unified-records',
  clientSecret: 'sandbox-loyverse-not-a-real-secret',
}
/** Created in the back office: it has all permissions and does not expire. */
export const personalToken = 'sandbox-loyverse-personal-token'
const areas = ['CUSTOMERS', 'ITEMS', 'INVENTORY', 'RECEIPTS', 'SUPPLIERS'] as const
const scopes = [
  ...areas.flatMap((area) => [`${area}_READ`, `${area}_WRITE`]),
  'MERCHANT_READ',
  'PAYMENT_TYPES_READ',
  'STORES_READ',
  'TAXES_READ',
]

interface Authorized {
  world: World
  scopes: readonly string[] | 'all'
}
const needs = (area: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, handler]) => [
      route,
      ({ request, params, context }) => {
        const scope = `${area}_${route.startsWith('GET ') ? 'READ' : 'WRITE'}`
        if (context.scopes !== 'all' && !context.scopes.includes(scope))
          return failure(403, 'FORBIDDEN', 'The access token does not permit this')
        return handler({ request, params, context: context.world })
      },
    ]),
  )
/** No scope is documented for webhooks. */
function forWebhooks(): Routes<Authorized> {
  const [signed, unsigned] = [webhookRoutes(true), webhookRoutes(false)]
  return Object.fromEntries(
    Object.keys(signed).map((route) => [
      route,
      ({ request, params, context }) =>
        (context.scopes === 'all' ? unsigned : signed)[route]!({ request, params, context: context.world }),
    ]),
  )
}
const noPage = () => failure(404, 'NOT_FOUND', 'The resource was not found')
const router = createRouter<Authorized>(
  {
    ...needs('ITEMS', { ...itemRoutes, ...discountRoutes }),
    ...needs('SUPPLIERS', supplierRoutes),
    ...needs('INVENTORY', inventoryRoutes),
    ...needs('RECEIPTS', receiptRoutes),
    ...needs('CUSTOMERS', customerRoutes),
    ...needs('MERCHANT', merchantRoutes),
    ...needs('STORES', storeRoutes),
    ...needs('PAYMENT_TYPES', paymentTypeRoutes),
    ...needs('TAXES', taxRoutes),
    ...forWebhooks(),
  },
  { notFound: noPage, methodNotAllowed: noPage },
)

/** A modifier as a line of an order names it. */
function modifierIn(world: World): object {
  const [{ id, modifier_options } = { id: '', modifier_options: [] }] = world.modifiers.values()
  const [option] = modifier_options
  return {
    modifierExternalId: option?.id,
    modifierGroupExternalId: id,
    name: option?.name,
    quantity: 1,
    price: option?.price,
  }
}

const simulatorOf =
  (unlimitedHistory: boolean): CreateSimulator =>
  ({ size, now, seededAt, state, origin, webhooks }) => {
    const issuer = createTokenIssuer({ state, now, accessSeconds, refresh: { style: 'rotates', graceSeconds: 60 } })
    const world = createWorld(state, now, seededAt - 600 * day, unlimitedHistory)
    seedWorld(world, size, seededAt)
    if (webhooks) sendWebhooks(world, webhooks, application.clientSecret)
    issuer.issue(tenantName, scopes, {
      accessToken: 'sandbox-loyverse-access-token',
      refreshToken: 'sandbox-loyverse-refresh-token',
    })
    const oauth = createOauth(issuer, application, world.merchant.business_name, origin)
    const stores = liveStores(world).map(({ id }) => id)
    const tenant = createOAuthTenant({
      vertical: tenantName,
      issuer,
      application,
      credentials: ({ scopes: granted }) => ({ scope: granted.join(' ') }),
      settings: { storeId: stores[0]!, paymentTypeId: world.paymentTypes.ids()[2]!, taxId: world.taxes.ids()[0]! },
      locations: stores.slice(1),
      records: createRecords(world),
      modifier: { of: modifierIn(world) },
    })
    const isOauth = ({ path }: WireRequest): boolean => path.startsWith('/oauth/')
    const allowed = (request: WireRequest): Authorized['scopes'] | undefined => {
      const token = readBearer(request)
      const holder = issuer.lookup(token)
      return token === personalToken ? 'all' : holder?.status === 'active' ? holder.scopes : undefined
    }
    return {
      platform: 'loyverse',
      limit: [{ requests: 5, seconds: 6 }],
      tenants: [tenant],
      tenantOf: (request) =>
        !isOauth(request) && (readBearer(request) === personalToken || issuer.lookup(readBearer(request)))
          ? tenant
          : undefined,
      handle(request) {
        if (isOauth(request)) return oauth(request, undefined)
        const granted = allowed(request)
        return granted
          ? router(request, { world, scopes: granted })
          : failure(401, 'UNAUTHORIZED', 'The access token is missing or not valid')
      },
      throttled: (seconds) => ({
        ...failure(429, 'RATE_LIMITED', 'The rate limit of the account was exceeded'),
        ...retryAfter(seconds),
      }),
      broken: (status) => failure(status, 'INTERNAL_SERVER_ERROR', 'Try again later'),
    }
  }
export const createLoyverseSimulator = simulatorOf(true)
/** A merchant who has not subscribed to "Unlimited sales history". */
export const createFreeLoyverseSimulator = simulatorOf(false)
