// QuickBooks Online as its clients see it: one company, OAuth with rotating refresh tokens, the query language,
// SyncTokens. Written from the vendor's schema and documentation, never from the connector.
import { randomBytes } from 'node:crypto'
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { createRouter } from '../../../sandbox/router.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import type { CreateSimulator, NativeRecords, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { customerRoutes } from './customers.ts'
import { createOauth, oauthPaths, scope, tenant as tenantId } from './oauth.ts'
import { addCustomer, seedCustomers } from './seed.ts'
import { createQuickbooksWebhooks } from './webhooks.ts'
import { broken, finished, gatewayFailure, throttled } from './wire.ts'
import { changedAt, createWorld, localTime, type World } from './world.ts'

const application: Application = {
  clientId: 'sandboxQuickbooksClientId',
  clientSecret: 'sandboxQuickbooksSecretNotReal',
}
const unknownOperation = (): WireResponse => ({
  status: 400,
  body: {
    Fault: {
      Error: [{ Message: 'Unsupported Operation', Detail: 'Operation is not supported.', code: '500' }],
      type: 'ValidationFault',
    },
  },
})
const router = createRouter<World>(customerRoutes, { notFound: unknownOperation, methodNotAllowed: unknownOperation })

/** Intuit's own sources disagree on how long a replaced refresh token still works: a day, or not at all. */
export const quickbooksSimulatorWithGrace =
  (graceSeconds: number): CreateSimulator =>
  ({ size, now, seededAt, state, origin, webhooks }) => {
    const issuer = createTokenIssuer({
      state,
      now,
      accessSeconds: 3600,
      refresh: { style: 'rotates', graceSeconds },
      mint: (kind) =>
        kind === 'access'
          ? `eyJlbmMi.${randomBytes(30).toString('base64url')}`
          : `${kind === 'refresh' ? 'RT1-' : 'XAB'}${randomBytes(24).toString('hex')}`,
    })
    const world = createWorld(state, now)
    seedCustomers(world, createSeed('quickbooks-online'), size, seededAt)
    issuer.issue(tenantId, [scope], {
      accessToken: 'sandbox-quickbooks-access',
      refreshToken: 'sandbox-quickbooks-refresh',
    })
    const tenant = createOAuthTenant({
      vertical: tenantId,
      issuer,
      application,
      settings: { realmId: world.realmId },
      locations: [],
      records: { customer: createRecords(world) },
    })
    const oauth = createOauth(issuer, application, world, origin)
    const isOauth = ({ path }: WireRequest) => oauthPaths.some((start) => path.startsWith(start))

    async function answer(request: WireRequest): Promise<WireResponse> {
      const holder = issuer.lookup(readBearer(request))
      if (holder?.status !== 'active')
        return gatewayFailure(
          401,
          'AuthenticationFailed',
          '003200',
          holder ? `Token ${holder.status}: ${readBearer(request)}` : 'Malformed bearer token: too short or too long',
        )
      if (!request.path.startsWith(`/v3/company/${world.realmId}/`))
        return gatewayFailure(403, 'ApplicationAuthorizationFailed', '003100', null)
      return router(request, world)
    }
    return {
      platform: 'quickbooks-online',
      limit: [
        { requests: 5, seconds: 1 },
        { requests: 300, seconds: 60 },
      ],
      concurrency: 10,
      tenants: [tenant],
      tenantOf: (request) => (!isOauth(request) && issuer.lookup(readBearer(request)) ? tenant : undefined),
      handle: async (request) =>
        isOauth(request) ? oauth(request, undefined) : finished(request, await answer(request), localTime(now(), true)),
      enterWebhook: createQuickbooksWebhooks(world, state, webhooks),
      throttled,
      broken,
    }
  }
export const createQuickbooksOnlineSimulator: CreateSimulator = quickbooksSimulatorWithGrace(24 * 3600)

/** What the bookkeeper does without the API. Customers are never deleted, only deactivated. */
function createRecords(world: World): NativeRecords {
  const adding = createAdding(() => `added ${randomBytes(8).toString('hex')}`, world.now)
  return recordsIn(world.customers, {
    add: adding((seed, at) =>
      addCustomer(world, seed, { created: at, changed: at, inactive: seed.chance(0.1), balance: 0 }),
    ),
    touch: (customer) => ({
      ...customer,
      Notes: `Called ${randomBytes(3).toString('hex')}`,
      SyncToken: String(Number(customer.SyncToken) + 1),
      MetaData: { ...customer.MetaData, LastUpdatedTime: changedAt(world, customer) },
    }),
  })
}
