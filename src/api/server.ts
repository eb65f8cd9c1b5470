// The HTTP side of the service: hardened defaults, one JSON parser, one error shape, and the routes.
import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Connector } from '../contract/connector.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { createApiKeyAuthentication, createTokenAuthentication } from './authentication.ts'
import { accountRoutes } from './manage/accounts.ts'
import { credentialRoutes } from './manage/credentials.ts'
import { mappingRoutes } from './manage/mappings.ts'
import { type ManageRoute, mount } from './manage/route.ts'
import { createManageAuthentication, loginRoute, logoutRoute } from './manage/sessions.ts'
import type { Metrics } from './metrics.ts'
import { formBPrefix, openApiDocument } from './openapi.ts'
import { installProblems, sendProblem, toProblem } from './problem.ts'
import { publicRoutes } from './public-routes.ts'
import { createTokenOffice } from './secrets.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { unifiedRoutes } from './unified-routes.ts'

export const serviceVersion = '1.0.0'
const bodyLimit = 1024 * 1024

export interface ServerOptions {
  store: Store
  engine: Engine
  vault: Vault
  connectors: Readonly<Record<string, Connector>>
  metrics: Metrics
  logger: FastifyBaseLogger
  adminToken?: string
  baseUrl: () => string
  maxWaitMs: number
  now?: () => number
  /** Hooks of the surroundings, before any route is there. */
  prepare?(app: FastifyInstance): void
}

export function manageRoutes(store: Store, engine: Engine, connectors: Readonly<Record<string, Connector>>): { login: ManageRoute; guarded: ManageRoute[] } {
  return { login: loginRoute(store), guarded: [logoutRoute(store), ...credentialRoutes(store), ...accountRoutes(store, engine, connectors), ...mappingRoutes(store, engine)] }
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { store, engine, connectors, metrics } = options
  let stopping = false
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 0,
    return503OnClosing: false, // we say it ourselves, in the one shape
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) => void sendProblem(reply as never, toProblem(error), request.id, options.baseUrl()),
    genReqId: () => `req_${randomBytes(12).toString('base64url')}`,
  })
  options.prepare?.(app)
  installProblems(app, options.baseUrl)
  installJson(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // Behind a keep-alive connection that was busy when closing began.
    if (stopping) throw new Problem('unavailable', 'The service is shutting down.', { headers: { 'retry-after': '5' } })
    const values = [...Object.values((request.params ?? {}) as object), ...Object.values((request.query ?? {}) as object)]
    if (values.some((value) => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())))
      throw new Problem('malformed_request', 'The address contains NUL or text that is not well-formed.')
  })
  app.addHook('onSend', async (_, reply) => {
    if (stopping) reply.header('connection', 'close') // or an idle caller would keep the server open
  })
  app.addHook('onResponse', async (request, reply) => {
    metrics.request(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    request.log.info({ method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })
  app.addHook('preClose', async () => {
    stopping = true
  })

  const office = createTokenOffice(options.vault)
  const clock = options.now ? { now: options.now } : {}
  const shared = { store, engine, maxWaitMs: options.maxWaitMs }
  const { login, guarded } = manageRoutes(store, engine, connectors)
  const document = openApiDocument([login, ...guarded], serviceVersion)

  await app.register(async (scope) => publicRoutes(scope, { store, connectors, document, metrics: metrics.registry, stopping: () => stopping }))
  await app.register(async (scope) => unifiedRoutes(scope, { ...shared, authenticate: createApiKeyAuthentication(store), mappingKeys: false }))
  await app.register(async (scope) => unifiedRoutes(scope, { ...shared, authenticate: createTokenAuthentication(store, office, options.now), mappingKeys: true }), {
    prefix: formBPrefix,
  })
  await app.register(async (scope) => tokenEndpoint(scope, { store, office, ...clock }), { prefix: formBPrefix })
  await app.register(async (scope) => mount(scope, login), { prefix: '/manage/v1' })
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', createManageAuthentication(store, options.adminToken))
      for (const route of guarded) mount(scope, route)
    },
    { prefix: '/manage/v1' },
  )
  return app
}

/** Exactly one JSON value in valid UTF-8. */
function installJson(app: FastifyInstance): void {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      // Some clients name a content type on requests that have no body at all.
      if (request.method === 'DELETE' || (request.method === 'POST' && /\/manage\//.test(request.url))) return done(null, undefined)
      return done(new Problem('malformed_json', 'The body is empty.'))
    }
    try {
      done(null, JSON.parse(decoder.decode(body as Buffer)))
    } catch (error) {
      done(new Problem('malformed_json', `The body is not one JSON value: ${(error as Error).message.slice(0, 120)}`, { cause: error }))
    }
  })
}
