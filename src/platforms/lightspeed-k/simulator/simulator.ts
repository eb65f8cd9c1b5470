// Lightspeed Restaurant K-Series as its clients see it: one business, one location, five services behind one host.
// Written from the vendor's specification, never from the connector.
import { readBearer, retryAfter } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter, type Handler, type Routes } from '../../../sandbox/router.ts'
import type { CreateSimulator, WireRequest } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { itemRoutes, richItemRoutes } from './items.ts'
import { payRoutes } from './money.ts'
import { createOauth, unknownPage } from './oauth.ts'
import { orderRoutes } from './orders.ts'
import { createRecords, payableCheck } from './records.ts'
import { salesRoutes } from './sales.ts'
import { day, seedWorld } from './seed.ts'
import { staffRoutes } from './staff.ts'
import { sendShifts, webhookRoutes } from './webhooks.ts'
import { springError } from './wire.ts'
import { createWorld, type World } from './world.ts'

const application: Application = {
  clientId: 'devp-sandbox-unified-records',
  clientSecret: 'sandbox-lightspeed-k-not-a-real-secret',
}
const scopes = ['financial-api', 'items', 'orders-api', 'staff-api']

interface Authorized {
  world: World
  scopes: readonly string[]
}
const needs = (scope: string, routes: Routes<World>): Routes<Authorized> =>
  Object.fromEntries(Object.entries(routes).map(([route, handler]) => [route, guarded(scope, handler)]))
const guarded =
  (scope: string, handler: Handler<World>): Handler<Authorized> =>
  ({ request, params, context }) =>
    context.scopes.includes(scope)
      ? handler({ request, params, context: context.world })
      : springError(403, 'Insufficient scope for this resource', request.path)

const router = createRouter<Authorized>(
  {
    ...needs('items', itemRoutes),
    ...needs('orders-api', { ...richItemRoutes, ...orderRoutes, ...payRoutes }),
    ...needs('financial-api', salesRoutes),
    ...needs('staff-api', { ...staffRoutes, ...webhookRoutes }),
  },
  {
    notFound: unknownPage,
    methodNotAllowed: (request) => springError(405, `Request method '${request.method}' not supported`, request.path),
  },
)

export const createLightspeedKSimulator: CreateSimulator = ({ size, now, seededAt, state, origin, webhooks }) => {
  const issuer = createTokenIssuer({ state, now, accessSeconds: 3600, refresh: { style: 'single_use' } })
  const world = createWorld(
    {
      businessId: 454335871,
      locationId: 45454565682155,
      name: 'The Brass Kettle',
      currency: 'GBP',
      country: 'GB',
      timezone: 'Europe/London',
      locales: ['en', 'fr'],
      endpointId: 'unified-records',
      openedAt: seededAt - 430 * day,
    },
    state,
    now,
  )
  seedWorld(world, size, seededAt)
  issuer.issue('restaurant', scopes, {
    accessToken: 'sandbox-lightspeed-k-access',
    refreshToken: 'sandbox-lightspeed-k-refresh',
  })
  const oauth = createOauth(issuer, application, world.name, scopes, origin, now)

  const tenant = createOAuthTenant({
    vertical: 'restaurant',
    issuer,
    application,
    credentials: ({ scopes: granted }) => ({ scope: granted.join(' ') }),
    settings: {
      apiHost: 'api.lsk.lightspeed.app',
      businessLocationId: String(world.locationId),
      endpointId: world.endpointId,
      discountCode: 'MANUAL',
    },
    locations: [String(world.locationId)],
    modifier: { of: { modifierExternalId: 'MOD-HOT', name: 'Extra hot', quantity: 1, price: 0 } },
    unbalanced: world.accounts
      .filter(({ payments }) => payments.some(({ code }) => code === 'VOUCHER'))
      .map(({ id }) => id),
    payable: (amount) => payableCheck(world, amount),
    records: createRecords(world),
  })
  sendShifts(webhooks, world)
  const isOauth = ({ path }: WireRequest): boolean => path.startsWith('/oauth/')
  return {
    platform: 'lightspeed-k',
    limit: [{ requests: 1, seconds: 1 }],
    tenants: [tenant],
    tenantOf: (request) => (!isOauth(request) && issuer.lookup(readBearer(request)) ? tenant : undefined),
    handle(request) {
      if (isOauth(request)) return oauth(request, undefined)
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active')
        return {
          status: 401,
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          body: { error: 'invalid_token', error_description: 'The access token expired or is unknown' },
        }
      return router(request, { world, scopes: holder.scopes })
    },
    throttled: (seconds) => ({
      status: 429,
      body: { message: 'API rate limit exceeded' },
      ...retryAfter(seconds),
    }),
    broken: (status) => springError(status, 'No message available', '/'),
  }
}
