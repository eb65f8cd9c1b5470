// The HTTP side of the service: hardened defaults, one JSON parser, one error shape, and the routes.
import { createServer as createNodeServer, type RequestListener, type Server } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Eraser } from '../accounts/eraser.ts'
import type { Oidc } from '../accounts/oidc.ts'
import type { ReferenceImporter } from '../accounts/reference-importer.ts'
import { createSandboxKeys } from '../accounts/sandbox-keys.ts'
import { createTokenIssuer } from '../accounts/secrets.ts'
import { version } from '../base/version.ts'
import { createLatestChanges, type LatestReader } from '../changes/latest.ts'
import { createFeedReader } from '../changes/read-feed.ts'
import type { Connector } from '../contract/connector.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Egress } from '../engine/outbound/egress.ts'
import type { MigrationRunner } from '../migrate/runner.ts'
import { createHookReceiver } from '../platform-webhooks/receive.ts'
import type { HookKeeper } from '../platform-webhooks/registrar.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { installActivity } from './activity/hooks.ts'
import type { ActivityRecorder } from './activity/recorder.ts'
import { createAdmission, installEndings, type Limits, withBudget } from './admission.ts'
import { type Authenticate, createApiKeyAuthentication, createTokenAuthentication } from './authentication.ts'
import { followResponses, refuseExpectations, refuseUnreadable } from './client-errors.ts'
import { connectRoutes } from './connect/routes.ts'
import { installContentEncoding } from './content-encoding.ts'
import { installCors } from './cors.ts'
import { dashboardRoutes } from './dashboard.ts'
import { type Deprecation, deprecations, installDeprecations } from './deprecation.ts'
import { docsRoutes } from './docs.ts'
import { installHead, routeHeadAsGet } from './head.ts'
import { installJson } from './json-body.ts'
import type { ManagementPort } from './listeners.ts'
import { accountRoutes } from './manage/accounts.ts'
import { activityRoutes, createShowActivity } from './manage/activity.ts'
import { auditRoutes, createAudit } from './manage/audit.ts'
import { brandingRoutes } from './manage/branding.ts'
import { changeRoutes } from './manage/changes.ts'
import { connectLinkRoutes } from './manage/connect.ts'
import { credentialRoutes } from './manage/credentials.ts'
import { erasureRoutes } from './manage/erasures.ts'
import { explorerRoutes } from './manage/explorer.ts'
import { explorerNativeRoutes } from './manage/explorer-native.ts'
import { explorerWriteRoutes } from './manage/explorer-writes.ts'
import { acceptRoutes, invitationRoutes } from './manage/invitations.ts'
import { mappingPreviewRoutes } from './manage/mapping-preview.ts'
import { mappingRoutes } from './manage/mappings.ts'
import { migrationRoutes } from './manage/migrations.ts'
import { overviewRoutes } from './manage/overview.ts'
import { peopleRoutes } from './manage/people.ts'
import { platformAppRoutes } from './manage/platform-apps.ts'
import { hookManagement } from './manage/platform-webhooks.ts'
import { platformRoutes } from './manage/platforms.ts'
import { referenceImportRoutes } from './manage/reference-imports.ts'
import { referenceRoutes } from './manage/references.ts'
import { type ManageRoute, mount } from './manage/route.ts'
import { sandboxRoutes } from './manage/sandbox.ts'
import { createManageAuthentication, loginRoute, sessionRoutes } from './manage/sessions.ts'
import { createSignIn, type SessionOptions } from './manage/sign-in.ts'
import { ssoRoutes } from './manage/sso.ts'
import { watchRoutes } from './manage/watches.ts'
import { webhookRoutes } from './manage/webhooks.ts'
import { mountShortRoutes } from './manage/workspace-callers.ts'
import { type Retention, workspaceSettingsRoutes } from './manage/workspace-settings.ts'
import { workspaceRoutes } from './manage/workspaces.ts'
import { writeRoutes } from './manage/writes.ts'
import { mcpRoute } from './mcp-route.ts'
import { installMethods } from './methods.ts'
import type { Metrics } from './metrics.ts'
import { metricsRoute } from './metrics-route.ts'
import { openApiDocuments } from './openapi.ts'
import { loadExamples } from './openapi-examples.ts'
import { hookRoutes } from './platform-webhook-routes.ts'
import { installProblems, nothingAt, sendProblem, toProblem } from './problem.ts'
import { publicRoutes } from './public-routes.ts'
import { createReadiness } from './readiness.ts'
import { formBPrefix } from './record-operations.ts'
import { pathOf } from './request-path.ts'
import { createGuessLimit, withGuessLimit } from './throttle.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { unifiedRoutes } from './unified-routes.ts'

const bodyLimit = 1024 * 1024

export interface ServerOptions {
  store: Store
  engine: Engine
  vault: Vault
  connectors: Readonly<Record<string, Connector>>
  metrics: Metrics
  logger: Logger
  adminToken?: string
  management?: ManagementPort // absent: everything is served on the one port
  metricsToken?: string
  openMetrics: boolean // without a token; false: not served
  baseUrl: () => string
  maxWaitMs?: number | undefined
  now?: () => number
  limits?: Limits // none: every request is accepted
  trustProxy?: string[] // addresses of proxies that are trusted to report the caller's address
  corsOrigins?: readonly string[] // of web pages that can call the service; `*` for all
  deprecated?: readonly Deprecation[] // for tests; by default the table of the service
  egress: Egress
  oidc?: Oidc
  retention: Retention
  importer: ReferenceImporter
  eraser: Eraser
  migrations: MigrationRunner
  hookKeeper: HookKeeper
  activity?: ActivityRecorder // none: nothing is recorded
  sandboxUrl?: string
  /** Webhooks may be sent to this machine. */
  sandbox?: boolean
  /** Why the service is not ready, although its database is. */
  held?: () => string | undefined
  dashboardFolder: string // the built files
  docsFolder: string
  /** Hooks that are installed before any route. */
  prepare?(app: FastifyInstance): void
}

export interface ManageSurroundings extends SessionOptions {
  retention: Retention
  importer: ReferenceImporter
  eraser: Eraser
  migrations: MigrationRunner
  hookKeeper: HookKeeper
  latestChanges: LatestReader
  closing: AbortSignal // ends long polls
  egress: Egress
  oidc?: Oidc // people can sign in there
  sandboxUrl?: string
  sandbox?: boolean
}
/** They show records next to native rows; a key reads and writes records with the scopes for that. */
const forPeople = (routes: ManageRoute[]): ManageRoute[] => routes.map((route) => ({ ...route, scope: 'people' }))

/** Without services the routes can be described, not called. */
export function manageRoutes(
  store: Store,
  engine: Engine,
  connectors: Readonly<Record<string, Connector>>,
  surroundings: ManageSurroundings = {} as ManageSurroundings,
): { open: ManageRoute[]; guarded: ManageRoute[] } {
  const showActivity = createShowActivity(store, connectors)
  const signIn = createSignIn(surroundings)
  return {
    open: [
      loginRoute(store, signIn),
      ...acceptRoutes(store, signIn),
      ...ssoRoutes(surroundings, signIn, surroundings.oidc),
    ],
    guarded: [
      ...sessionRoutes(store, surroundings, signIn),
      ...peopleRoutes(store),
      ...invitationRoutes(store, surroundings.dashboardUrl),
      ...workspaceRoutes(store, engine, surroundings.hookKeeper),
      ...credentialRoutes(store),
      ...accountRoutes(store, engine, connectors, surroundings),
      ...mappingRoutes(store, engine),
      ...referenceRoutes(store),
      ...forPeople([
        ...mappingPreviewRoutes(store, engine),
        ...explorerRoutes(store, engine),
        ...explorerWriteRoutes(store, engine),
        ...explorerNativeRoutes(store, engine),
        ...migrationRoutes(store, engine, surroundings.migrations),
      ]),
      ...referenceImportRoutes(store, surroundings.importer),
      ...erasureRoutes(store, surroundings.eraser),
      ...activityRoutes(store, showActivity),
      ...writeRoutes(store, engine),
      ...auditRoutes(store),
      ...watchRoutes(store, engine),
      ...webhookRoutes(store, { sandbox: surroundings.sandbox === true, egress: surroundings.egress }),
      ...hookManagement(store, connectors, surroundings),
      ...changeRoutes(store, engine, surroundings),
      ...overviewRoutes(store, engine, showActivity),
      ...brandingRoutes(store),
      ...workspaceSettingsRoutes(store, surroundings.retention ?? { activityDays: 0, changesDays: 0 }),
      ...connectLinkRoutes({ store, engine, connectors }, surroundings.baseUrl),
      ...platformAppRoutes(store, engine, connectors, surroundings.baseUrl),
      ...platformRoutes(connectors),
      ...sandboxRoutes(surroundings.sandboxUrl),
    ],
  }
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { store, engine, connectors, metrics, limits, management } = options
  let stopping = false
  const admission = createAdmission({ limits, shed: metrics.shed, baseUrl: options.baseUrl })
  metrics.watch('unified_admission_queued', 'Record requests that wait for their turn now', admission.queued)
  metrics.reviews(Object.values(connectors))
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    serverFactory: (handler) => createHttpServer(admission.admit(routeHeadAsGet(handler)), limits?.maxConnections),
    ...(options.trustProxy?.length ? { trustProxy: options.trustProxy } : {}),
    exposeHeadRoutes: false, // see head.ts
    return503OnClosing: false, // we send our own problem document
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) =>
      void sendProblem(
        reply.header('x-request-id', request.id) as never,
        toProblem(error),
        request.id,
        options.baseUrl(),
      ),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, options.baseUrl()),
    genReqId: createRequestId,
    childLoggerFactory: (logger) => logger, // one logger per request would cost more than the request id in each line
  })
  installHead(app)
  options.prepare?.(app)
  installProblems(app, options.baseUrl)
  refuseExpectations(app.server, options.baseUrl)
  installJson(app)
  installContentEncoding(app)
  // Hooks of every request use callbacks: five promises less per request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // Behind a keep-alive connection that was busy when closing began.
    if (stopping)
      return done(new Problem('unavailable', 'The service is shutting down.', { headers: { 'retry-after': '5' } }))
    if (management && isManagement(request.routeOptions.url ?? '') && !management.received(request))
      return done(nothingAt(request))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return done(new Problem('malformed_request', 'The Host header is missing.'))
    if (isUnreadable(request.params) || isUnreadable(request.query))
      return done(new Problem('malformed_request', 'The address contains NUL or text that is not well-formed.'))
    done()
  })
  const deprecated = options.deprecated ?? deprecations
  installDeprecations(app, deprecated)
  installCors(app, options.corsOrigins ?? [])
  installMethods(app, (request, url) => isManagement(url) && management?.received(request) === false)
  installEndings(app)
  const budgeted = (authenticate: Authenticate) => (limits ? withBudget(authenticate, limits) : authenticate)
  app.addHook('onSend', (_, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close') // or an idle caller would keep the server open
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    metrics.request(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    // The path is not worth its redaction when no one reads it.
    if (options.logger.isLevelEnabled('debug'))
      request.log.debug(
        {
          reqId: request.id,
          method: request.method,
          path: pathOf(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      )
    done()
  })
  const readiness = createReadiness(store)
  const held = () => (stopping ? 'The service is shutting down.' : options.held?.())
  app.addHook('onError', (_, __, error, done) => {
    readiness.observe(error)
    done()
  })
  if (options.activity) installActivity(app, options.activity)
  const closing = new AbortController()
  app.addHook('preClose', async () => {
    stopping = true
    closing.abort()
  })

  const issuer = createTokenIssuer(options.vault)
  const clock = options.now ? { now: options.now } : {}
  const guesses = createGuessLimit()
  const audit = createAudit(store)
  const byKey = budgeted(withGuessLimit(createApiKeyAuthentication(store, options.now), guesses))
  const byToken = budgeted(createTokenAuthentication(store, issuer, options.now))
  const feeds = createFeedReader({ store, engine, vault: options.vault })
  const shared = { store, engine, feeds, closing: closing.signal, maxWaitMs: options.maxWaitMs }
  const { open, guarded } = manageRoutes(store, engine, connectors, {
    vault: options.vault,
    // PUBLIC_URL describes the public port; how a browser reaches the management port is in its Origin header.
    secure: (request) => (management ? (request.headers.origin ?? '') : options.baseUrl()).startsWith('https:'),
    baseUrl: options.baseUrl,
    dashboardUrl: (request) => (management ? originOf(request) : options.baseUrl()),
    importer: options.importer,
    eraser: options.eraser,
    migrations: options.migrations,
    retention: options.retention,
    egress: options.egress,
    ...(options.oidc ? { oidc: options.oidc } : {}),
    hookKeeper: options.hookKeeper,
    latestChanges: createLatestChanges({ store, engine }),
    closing: closing.signal,
    ...(options.sandboxUrl ? { sandboxUrl: options.sandboxUrl } : {}),
    sandbox: options.sandbox === true,
  })
  const documents = async () =>
    openApiDocuments([...open, ...guarded], version, { examples: await loadExamples(), deprecated })

  const hasManagement = (request: FastifyRequest) => !management || management.received(request)
  const home = (request: FastifyRequest) => (management?.received(request) ? '/dashboard' : '/reference')
  await app.register(async (scope) =>
    publicRoutes(scope, { readiness, connectors, documents, hasManagement, home, held }),
  )
  await app.register(async (scope) => metricsRoute(scope, metrics.registry, options))
  await app.register(async (scope) => dashboardRoutes(scope, options.dashboardFolder))
  await app.register(async (scope) => docsRoutes(scope, options.docsFolder))
  await app.register(async (scope) => unifiedRoutes(scope, { ...shared, authenticate: byKey, mappingKeys: false }))
  await app.register(async (scope) => unifiedRoutes(scope, { ...shared, authenticate: byToken, mappingKeys: true }), {
    prefix: formBPrefix,
  })
  const { vault, baseUrl, corsOrigins: origins = [] } = options
  await app.register(async (scope) => mcpRoute(scope, { ...shared, vault, baseUrl, origins, byKey, byToken }))
  await app.register(async (scope) => mountShortRoutes(scope, guarded, { authenticate: byKey, audit }))
  await app.register(async (scope) => mountShortRoutes(scope, guarded, { authenticate: byToken, audit }), {
    prefix: formBPrefix,
  })
  await app.register(async (scope) => tokenEndpoint(scope, { store, issuer, guesses, ...clock }), {
    prefix: formBPrefix,
  })
  await app.register(async (scope) =>
    hookRoutes(scope, {
      receiver: createHookReceiver({ store, engine, connectors, baseUrl: options.baseUrl, ...clock }),
      platforms: Object.keys(connectors),
      guesses,
      count: metrics.hook,
    }),
  )
  await app.register(
    async (scope) =>
      connectRoutes(scope, {
        store,
        engine,
        connectors,
        vault,
        baseUrl,
        sandboxKeys: createSandboxKeys(options.sandboxUrl),
        hookKeeper: options.hookKeeper,
      }),
    { prefix: '/connect' },
  )
  await app.register(async (scope) => open.forEach((route) => void mount(scope, route, audit)), {
    prefix: '/manage/v1',
  })
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', createManageAuthentication(store, options.adminToken, { byKey, byToken }))
      installText(scope, guarded)
      for (const route of guarded) mount(scope, route, audit)
    },
    { prefix: '/manage/v1' },
  )
  return app
}

/** Every request passes through admission first: refusing one must cost next to nothing. */
function createHttpServer(listener: RequestListener, maxConnections: number | undefined): Server {
  // Headers may take as long as the slowest of networks needs, and a connection may be opened ahead of its first
  // request. A missing Host is refused later, with an explanation.
  const server = createNodeServer(
    { maxHeaderSize: 16_384, headersTimeout: 20_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    listener,
  )
  followResponses(server)
  server.requestTimeout = 30_000
  server.keepAliveTimeout = 72_000
  // A socket on which nothing moves for longer than any response takes, one that does not read included.
  server.setTimeout(180_000)
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  return server
}

/** By the route that matched, not by the raw path: `/%6Danage` reaches the same route. */
const isManagement = (route: string) => /^\/(manage|dashboard|metrics)(\/|$)/.test(route)

function isUnreadable(values: unknown): boolean {
  for (const value of Object.values((values ?? {}) as Record<string, unknown>))
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return true
  return false
}

/** Bodies that are not JSON, for routes that accept them. */
function installText(app: FastifyInstance, routes: readonly ManageRoute[]): void {
  const types = new Set(routes.flatMap(({ content }) => content?.types ?? []))
  for (const type of types) app.addContentTypeParser(type, { parseAs: 'string' }, (_, body, done) => done(null, body))
}

/**
 * The origin of the dashboard on a port of its own. Only the scheme is taken from the browser, which knows it behind a
 * proxy: an origin of another host would lead a sign-in there.
 */
function originOf({ headers: { origin }, protocol, host }: FastifyRequest): string {
  const own = `${protocol}://${host}`
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host ? origin : own
}
