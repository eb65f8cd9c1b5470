// Shopify as its clients see it: one shop, one GraphQL endpoint that executes its queries. Written from the official
// schema, never from the connector.
import { readJson } from '../../../sandbox/http.ts'
import { createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer, type TokenIssuer } from '../../../sandbox/token-issuer.ts'
import { createBucket, type Plan, plans } from './cost.ts'
import { customerMutations, customerQueries } from './customers.ts'
import { type Asked, run, throttledAnswer } from './execution.ts'
import { inventoryMutations, inventoryQueries } from './inventory.ts'
import { locationQueries } from './locations.ts'
import { allScopes, application, createOauth, notFound } from './oauth.ts'
import { orderMutations } from './order-writes.ts'
import { orderQueries, runJobs } from './orders.ts'
import { productMutations } from './product-writes.ts'
import { productQueries } from './products.ts'
import { createRecords } from './records.ts'
import { seedWorld } from './seed.ts'
import { seedPayable } from './seed-orders.ts'
import { sendWebhooks, webhookMutations, webhookQueries } from './webhooks.ts'
import { guarded, type Resolvers } from './wire.ts'
import { createWorld, gid, type World } from './world.ts'

const tenantName = 'retail_pos'
const version = '2026-07'
const unauthorized = '[API] Invalid API key or access token (unrecognized login or wrong password)'

const { job, ...orderReads } = orderQueries
const resolvers: Resolvers = {
  shop: (_, { world }) => ({
    id: gid('Shop', '1'),
    name: world.name,
    currencyCode: world.currency,
    ianaTimezone: world.timezone,
    myshopifyDomain: world.domain,
  }),
  currentAppInstallation: (_, { scopes }) => ({
    id: gid('AppInstallation', '1'),
    accessScopes: scopes.map((handle) => ({ handle })),
  }),
  job: job!,
  ...webhookQueries,
  ...webhookMutations,
  ...guarded('locations', 'read', locationQueries),
  ...guarded('products', 'read', productQueries),
  ...guarded('products', 'write', productMutations),
  ...guarded('inventory', 'read', inventoryQueries),
  ...guarded('inventory', 'write', inventoryMutations),
  ...guarded('customers', 'read', customerQueries),
  ...guarded('customers', 'write', customerMutations),
  ...guarded('orders', 'read', orderReads),
  ...guarded('orders', 'write', orderMutations),
}

/** A shop on a plan, which defines its points per second. */
export const shopifySimulatorOn =
  (plan: Plan): CreateSimulator =>
  ({ size, now, seededAt, state, origin, paceScale = 1, webhooks }) => {
    // Since 2026-08-28 a refresh token works until its successor's access token is first used: here for one minute.
    const issuer = createTokenIssuer({
      state,
      now,
      accessSeconds: 3600,
      refresh: { style: 'rotates', graceSeconds: 60 },
    })
    const world = createWorld(state, now, paceScale, plan === plans.plus)
    seedWorld(world, size, seededAt)
    if (webhooks) sendWebhooks(world, webhooks)
    issuer.issue(tenantName, allScopes, {
      accessToken: 'sandbox-shopify-access',
      refreshToken: 'sandbox-shopify-refresh',
    })
    // The restore rate scales with the pace, as limit windows do.
    const bucket = createBucket({ ...plan, restoreRate: plan.restoreRate / paceScale }, now)
    const tenant = createTenant(world, issuer)
    const oauth = createOauth(issuer, tenantName, world, origin)
    const holderOf = (request: WireRequest) => issuer.lookup(request.headers['x-shopify-access-token'])

    async function handle(request: WireRequest): Promise<WireResponse> {
      if (request.path.startsWith('/admin/oauth/')) return oauth(request, undefined)
      if (request.method !== 'POST' || !/^\/admin\/api\/(\d{4}-\d\d|unstable)\/graphql\.json$/.test(request.path))
        return notFound()
      const holder = holderOf(request)
      if (holder?.status !== 'active') return { status: 401, body: { errors: unauthorized } }
      const asked = readJson(request) as Partial<Asked> | undefined
      if (typeof asked?.query !== 'string')
        return { status: 400, body: { errors: { query: 'Required parameter missing or invalid' } } }
      runJobs(world)
      const body = await run(asked as Asked, resolvers, { world, scopes: holder.scopes }, bucket)
      return { status: 200, headers: { 'x-shopify-api-version': version }, body }
    }

    return {
      platform: 'shopify',
      limit: [{ requests: 1, seconds: 1 }],
      tenants: [tenant],
      tenantOf: (request) => (!request.path.startsWith('/admin/oauth/') && holderOf(request) ? tenant : undefined),
      handle,
      // The error comes with status 200; the wait follows from the numbers.
      throttled: (seconds) => ({
        status: 200,
        body: throttledAnswer(
          seconds === undefined
            ? undefined
            : {
                requestedQueryCost: Math.ceil(plan.restoreRate * seconds),
                actualQueryCost: null,
                throttleStatus: {
                  maximumAvailable: plan.maximumAvailable,
                  currentlyAvailable: 0,
                  restoreRate: plan.restoreRate,
                },
              },
        ),
      }),
      broken: (status) => ({
        status,
        body: { errors: status === 503 ? 'Service Unavailable' : 'Internal Server Error' },
      }),
    }
  }
export const createShopifySimulator: CreateSimulator = shopifySimulatorOn(plans.plus)

function createTenant(world: World, issuer: TokenIssuer): Tenant {
  return createOAuthTenant({
    vertical: tenantName,
    issuer,
    application,
    settings: { shop: world.domain },
    locations: world.locations.ids(),
    records: createRecords(world),
    payable: (amount) => seedPayable(world, Math.round(amount * 100)),
  })
}
