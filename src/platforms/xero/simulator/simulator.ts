// Xero as its clients see it: one organization, OAuth with rotating refresh tokens, the contacts of the Accounting API.
// Written from the vendor's specification, never from the connector.
import { readBearer } from '../../../sandbox/http.ts'
import { type Application, createOAuthTenant } from '../../../sandbox/oauth-server.ts'
import { createRouter } from '../../../sandbox/router.ts'
import type {
  CreateSimulator,
  Simulator,
  SimulatorOptions,
  WireRequest,
  WireResponse,
} from '../../../sandbox/simulator.ts'
import { createTokenIssuer } from '../../../sandbox/token-issuer.ts'
import { contactRoutes } from './contacts.ts'
import { accessSeconds, createOauth, tenant as tenantName } from './oauth.ts'
import { createRecords, seedWorld } from './seed.ts'
import { createXeroWebhooks } from './webhooks.ts'
import { notFound, problem } from './wire.ts'
import { createWorld, type World } from './world.ts'

const application: Application = {
  clientId: '5AND80XXUNIFIEDRECORDS0000000000',
  clientSecret: 'sandbox-xero-not-a-real-secret',
}
const scopes = ['offline_access', 'accounting.contacts']
const halfAnHour = 1800
const unauthorized = (detail: string): WireResponse => problem(401, 'Unauthorized', detail)

const limited = (problem: 'minute' | 'day' | 'concurrent', seconds?: number): WireResponse => ({
  status: 429,
  headers: { 'x-rate-limit-problem': problem, ...(seconds !== undefined && { 'retry-after': String(seconds) }) },
  body: '',
})
const accounting = createRouter<World>(contactRoutes, { notFound, methodNotAllowed: () => ({ status: 405, body: '' }) })
const isApi = ({ path }: WireRequest): boolean => path.startsWith('/api.xro/')
const isConnections = ({ path }: WireRequest): boolean => /^\/connections(\/|$)/i.test(path)

export const createXeroSimulator: CreateSimulator = (options) => createXeroWith(options, 5000)

export function createXeroWith(
  { size, now, seededAt, state, origin, webhooks }: SimulatorOptions,
  callsPerDay: number,
): Simulator {
  const issuer = createTokenIssuer({
    state,
    now,
    accessSeconds,
    refresh: { style: 'rotates', graceSeconds: halfAnHour },
  })
  const world = createWorld(state, now)
  const connections = state.collection<{ connected: number }>('connections')
  seedWorld(world, size, seededAt)
  connections.set(world.connectionId, { connected: seededAt })
  issuer.issue(tenantName, scopes, { accessToken: 'sandbox-xero-access', refreshToken: 'sandbox-xero-refresh' })
  // Tokens of custom connections, which belong to one organization: https://developer.xero.com/faq/custom-integration
  const custom = state.collection<{ organization: string }>('custom-connections')
  const oauth = createOauth(issuer, application, world, origin, (token) =>
    custom.set(token, { organization: world.tenantId }),
  )
  const enterWebhook = createXeroWebhooks(world, state, webhooks)
  let [minute, calls] = [0, 0]

  /** Undefined if the call is allowed. */
  function stopped(request: WireRequest): WireResponse | undefined {
    const holder = issuer.lookup(readBearer(request))
    if (holder?.status === 'expired') return unauthorized('TokenExpired: token expired')
    if (holder?.status !== 'active') return unauthorized('AuthenticationUnsuccessful')
    const organization = custom.get(readBearer(request) ?? '')?.organization
    if (!isApi(request))
      return organization === undefined ? undefined : problem(403, 'Forbidden', 'AuthenticationUnsuccessful')
    const named = request.headers['xero-tenant-id']?.toLowerCase() ?? organization
    if (named !== world.tenantId || !connections.has(world.connectionId))
      return problem(403, 'Forbidden', 'AuthenticationUnsuccessful')
    const enough =
      request.method === 'GET' ? ['accounting.contacts', 'accounting.contacts.read'] : ['accounting.contacts']
    return holder.scopes.some((scope) => enough.includes(scope)) ? undefined : unauthorized('AuthorizationUnsuccessful')
  }

  function connectionsOf(request: WireRequest): WireResponse {
    const [, , id] = request.path.split('/')
    if (request.method === 'DELETE' && id) return connections.delete(id) ? { status: 204 } : notFound()
    if (request.method !== 'GET') return { status: 405, body: '' }
    const rows = connections.values().map(({ connected }) => {
      const at = `${new Date(connected).toISOString().slice(0, -1)}0000` // seven digits and no offset
      const { connectionId, tenantId, name } = world
      return {
        id: connectionId,
        authEventId: 'd99ecdfe-391d-43d2-b834-17636ba90e8d',
        tenantId,
        tenantType: 'ORGANISATION',
        tenantName: name,
        createdDateUtc: at,
        updatedDateUtc: at,
      }
    })
    return { status: 200, body: rows }
  }

  /**
   * The remaining calls of the vendor's own 60 per minute. The sandbox enforces the limit below, so these never run
   * out.
   */
  function remaining(): Record<string, string> {
    const current = Math.floor(now() / 60_000)
    calls = current === minute ? calls + 1 : 1
    minute = current
    const left = String(Math.max(1, 60 - calls))
    return { 'x-minlimit-remaining': left, 'x-appminlimit-remaining': '9900' }
  }

  async function handle(request: WireRequest): Promise<WireResponse> {
    if (!isApi(request) && !isConnections(request)) return oauth(request, undefined)
    const refusal = stopped(request)
    if (refusal) return refusal
    if (isConnections(request)) return connectionsOf(request)
    const response = await accounting(request, world)
    const headers = { ...response.headers, ...remaining() }
    // The response is XML unless JSON is requested.
    if (!/json/i.test(request.headers.accept ?? ''))
      return {
        status: response.status,
        headers: { ...headers, 'content-type': 'text/xml' },
        body: '<Response><Status>OK</Status></Response>',
      }
    return { ...response, headers }
  }

  const tenant = createOAuthTenant({
    vertical: tenantName,
    issuer,
    application,
    settings: {}, // the organization is determined by the connector
    locations: [],
    records: { customer: createRecords(world) },
  })
  return {
    platform: 'xero',
    limit: [{ requests: 5, seconds: 6 }],
    concurrency: 5,
    daily: {
      calls: callsPerDay,
      headers: (left) => ({ 'x-daylimit-remaining': String(left) }),
      exceeded: (seconds) => limited('day', seconds),
    },
    tenants: [tenant],
    tenantOf: (request) => (isApi(request) && issuer.lookup(readBearer(request)) ? tenant : undefined),
    handle,
    enterWebhook,
    throttled: (seconds, atOnce) => limited(atOnce ? 'concurrent' : 'minute', seconds),
    broken: (status) => ({
      status,
      body: {
        ErrorNumber: status,
        Type: 'ApiException',
        Message: 'An error occurred in Xero. Check the API Status page for current service status.',
      },
    }),
  }
}
