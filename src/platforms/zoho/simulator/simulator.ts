// Zoho's finance products as their clients see them. Written from the vendor's file and documentation, never from the
// connectors.
import { randomBytes } from 'node:crypto'
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter } from '../../../sandbox/router.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { type Caller, contactRoutes } from './contacts.ts'
import { accessSeconds, createOauth, tenant as tenantName } from './oauth.ts'
import { createRecords, seedContacts } from './seed.ts'
import { createZohoWebhooks } from './webhooks.ts'
import { broken, dayExceeded, failure, throttled } from './wire.ts'
import { createWorld, type SimulatedProduct } from './world.ts'

const operations = ['contacts.CREATE', 'contacts.READ', 'contacts.UPDATE', 'contacts.DELETE', 'settings.READ']
const router = createRouter<Caller>(contactRoutes, {
  notFound: () => failure(404, 5, 'Invalid URL Passed'),
  methodNotAllowed: ({ method }) =>
    failure(405, 37, `The HTTP method ${method} is not allowed for the requested resource`),
})
const mint = (): string => `1000.${randomBytes(16).toString('hex')}.${randomBytes(16).toString('hex')}`

export const createZohoSimulator =
  (product: SimulatedProduct): CreateSimulator =>
  (options) => {
    const { size, now, seededAt, state } = options
    const issuer = createTokenIssuer({
      state,
      now,
      accessSeconds,
      refresh: { style: 'reusable' },
      codeSeconds: 120,
      mint,
    })
    const world = createWorld(product, state, now)
    const application: Application = {
      clientId: `1000.SANDBOX${product.scope.toUpperCase()}`,
      clientSecret: `sandbox-${product.platform}-not-a-real-secret`,
    }
    const scopes = operations.map((operation) => `${product.scope}.${operation}`)
    seedContacts(world, size, seededAt)
    issuer.issue(tenantName, scopes, {
      accessToken: `1000.sandbox.${product.platform}-access`,
      refreshToken: `1000.sandbox.${product.platform}-refresh`,
    })
    const oauth = createOauth(issuer, product, application, options)
    const tokenOf = (request: WireRequest) => readBearer(request, 'Zoho-oauthtoken')

    function answer(request: WireRequest): WireResponse | Promise<WireResponse> {
      const holder = issuer.lookup(tokenOf(request))
      if (!holder) return failure(401, 14, 'Invalid value passed for authtoken.')
      if (holder.status !== 'active') return failure(401, 57, 'You are not authorized to perform this operation')
      const path = request.path.slice(product.base.length)
      if (path !== '/organizations' && request.query.get('organization_id') !== product.organization.id)
        return failure(
          401,
          6041,
          `This user is not associated with the CompanyID/CompanyName: ${request.query.get('organization_id') ?? ''}.`,
        )
      return router({ ...request, path }, { world, scopes: holder.scopes })
    }
    const isApi = ({ path }: WireRequest): boolean => path.startsWith(`${product.base}/`)
    const tenant = createOAuthTenant({
      vertical: tenantName,
      issuer,
      application,
      credentials: () => ({ apiDomain: product.dataCenter.apiDomain }),
      settings: {}, // organization and data center are determined by the connector
      locations: [],
      records: { customer: createRecords(world) },
    })
    return {
      platform: product.platform,
      limit: product.limit,
      concurrency: 5,
      daily: { calls: product.callsPerDay, exceeded: dayExceeded },
      tenants: [tenant],
      tenantOf: (request) => (isApi(request) && issuer.lookup(tokenOf(request)) ? tenant : undefined),
      handle: (request) => (isApi(request) ? answer(request) : oauth(request, undefined)),
      enterWebhook: createZohoWebhooks(world, state, options.webhooks),
      throttled,
      broken,
    }
  }
