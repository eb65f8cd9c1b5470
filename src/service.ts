// The service without its surroundings: store, engine and server wired together. Tests start it like this too.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createEraser } from './accounts/eraser.ts'
import { createOidc } from './accounts/oidc.ts'
import { createReferenceImporter } from './accounts/reference-importer.ts'
import { recordMigrated, recordSwept } from './api/activity/hooks.ts'
import { createActivityRecorder } from './api/activity/recorder.ts'
import { createManagementPort, listenError } from './api/listeners.ts'
import { createMetrics } from './api/metrics.ts'
import { createServer, type ServerOptions } from './api/server.ts'
import { within } from './base/within.ts'
import type { Config } from './config.ts'
import type { Connector } from './contract/connector.ts'
import { claimDataDir, openDatabase } from './database.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createEgress } from './engine/outbound/egress.ts'
import { createCallLog } from './engine/outbound/pacing/call-log.ts'
import { createDailyCalls } from './engine/outbound/pacing/daily-calls.ts'
import { createMemorySlots } from './engine/outbound/pacing/memory-slots.ts'
import { createPacer } from './engine/outbound/pacing/pacer.ts'
import { createPostgresSlots } from './engine/outbound/pacing/postgres-slots.ts'
import { createTransport, type Transport } from './engine/outbound/transport.ts'
import { createJobs } from './jobs/jobs.ts'
import { createLogger } from './logger.ts'
import { nameOfMigration } from './migrate/runner.ts'
import { withLimits } from './platform-limits.ts'
import { createHookKeeper } from './platform-webhooks/registrar.ts'
import { type ActivityWriter, writeHere } from './store/activity-writer.ts'
import type { DirectoryLock } from './store/sqlite/directory-lock.ts'
import type { Account, Store } from './store/store.ts'
import { createVault } from './store/vault.ts'
import { createTelemetry } from './telemetry.ts'
import type { JournalThread } from './threads/journal.ts'
import { createReaders, type ReaderOptions } from './threads/readers.ts'

export interface Service {
  app: FastifyInstance
  store: Store
  engine: Engine
  url(): string
  /** Where the management API and the dashboard are. */
  manageUrl(): string
  listen(): Promise<string>
  /** `/readyz` is 503 for this reason until the returned function is called. */
  hold(reason: string): () => void
  /** Requests in flight. Closes idle connections: what is left is busy. */
  requests(): Promise<number>
  close(): Promise<LeftBehind>
}
export interface ServiceOptions {
  config: Config
  deprecated?: ServerOptions['deprecated']
  connectors: Readonly<Record<string, Connector>>
  originOverride?(account: Account): string | undefined
  logger?: Logger
  now?: () => number
  sweepMs?: number
  sandboxUrl?: string
  /** Instead of the store's own. */
  activityWriter?: ActivityWriter
  journalThread?: JournalThread
  readers?: ReaderOptions
  /** Around the calls to platforms and receivers of webhooks. */
  wrapTransport?(transport: Transport): Transport
  lock?: DirectoryLock // from claimDataDir; taken here if it is not given
}
/** What a shutdown could not finish in time. */
export interface LeftBehind {
  requests: number // their connections were closed
  writes: number // the journal has them: the next start or another instance finishes them
  activity: boolean // some of the last requests are missing from the activity
}

export async function createService({
  config,
  connectors: known,
  originOverride,
  logger = createLogger(config.logLevel),
  now,
  sweepMs = 15_000,
  sandboxUrl,
  activityWriter,
  journalThread,
  readers,
  wrapTransport = (transport) => transport,
  deprecated,
  lock: given,
}: ServiceOptions): Promise<Service> {
  const vault = createVault(config.encryptionKeys)
  const connectors = withLimits(known, config.platformLimits)
  const lock = given ?? claimDataDir(config)
  const opened = await openDatabase(config, { vault, lock, warn: (message) => logger.warn(message) })
  const store: Store = journalThread ? { ...opened, journal: { ...opened.journal, ...journalThread.journal } } : opened
  if (lock) await store.endLeases() // their holder is gone
  const callLog = lock && createCallLog({ file: join(config.dataDir, 'calls.log') })
  const dailyCalls = createDailyCalls({
    table: store.dailyCalls,
    scale: config.paceScale,
    onError: (error) => logger.warn({ err: error }, 'daily calls could not be counted yet'),
  })
  const metrics = createMetrics(() => engine)
  const egress = createEgress({ allowedHosts: config.allowedHosts ?? [] })
  const { proxy } = config
  const transport = wrapTransport(createTransport({ egress, proxy }))
  const webhookTransport = wrapTransport(createTransport({ egress, proxy, connections: 32 }))
  const traceTransport = createTransport({ egress, proxy, connections: 1 })
  const telemetry = createTelemetry(process.env, (message) => logger.warn(message), traceTransport)
  const { activityDays: days = 14 } = config
  const onError = (error: unknown) => logger.warn({ err: error }, 'activity could not be kept')
  const activity =
    days > 0
      ? createActivityRecorder({
          writer: activityWriter ?? writeHere(store.activity),
          days,
          onDropped: metrics.activityDropped,
          onError,
        })
      : undefined
  const onReaderError = (error: unknown) => logger.error({ err: error }, 'a thread that reads pages has ended')
  const pacer = createPacer(
    store.pacing
      ? createPostgresSlots({ pacing: store.pacing, scale: config.paceScale })
      : createMemorySlots({ scale: config.paceScale, log: callLog }),
    undefined,
    dailyCalls,
  )
  const instance = randomUUID()
  const engine: Engine = createEngine(
    {
      connectors,
      store,
      vault,
      pacer,
      transport,
      instance,
      paceScale: config.paceScale,
      callTimeoutMs: config.callTimeoutMs,
      now,
      ...(originOverride && config.sandbox ? { originOverride } : {}), // without a sandbox there is no way around the egress guard
      observe(event) {
        metrics.nativeCall(event)
        telemetry?.nativeCall(event)
        activity?.nativeCall(event)
        logger.debug(event, 'native call')
      },
      ...(activity ? { observeStage: activity.stage, observeTaken: activity.nativeCall } : {}),
      readAhead: config.readAhead,
      countReadAhead: metrics.readAhead,
    },
    readers && ((...parts) => createReaders({ ...readers, onError: onReaderError }, ...parts)),
  )
  let url = config.publicUrl ?? ''
  const onJobError = (error: unknown, what: string) => logger.warn({ err: error }, `${what}: not done yet`)
  const jobs = createJobs({
    store,
    engine,
    connectors,
    instance,
    scale: config.paceScale,
    days: config.changesDays ?? 7,
    transport: webhookTransport,
    sandbox: config.sandbox,
    baseUrl: () => url,
    isSandboxed: (account) => config.sandbox && originOverride?.(account) !== undefined,
    everyMs: {
      'interrupted writes': sweepMs,
      'open writes': sweepMs,
      migrations: sweepMs,
      erasures: sweepMs,
      'imports of references': sweepMs,
      'memory of erased people': sweepMs,
    },
    flush: async () => activity?.flush(),
    pruneActivity: async () => (await activity?.prune()) ?? 0,
    onError: onJobError,
    onLost: (what) => logger.debug(`${what}: another process has it, or the lease has ended`),
    onUnsettled(error) {
      // The message of a problem repeats that of its cause.
      const { code, cause } = error as { code?: string; cause?: unknown }
      const level = code === 'write_in_progress' ? 'debug' : 'warn'
      logger[level]({ err: cause ?? error, code }, 'a write could not be finished yet')
    },
    onSwept: (result) => activity && recordSwept(activity, result),
    onSettled: metrics.swept,
    onOpen: metrics.openWrites,
    onWrite: (write) => activity && recordMigrated(activity, write),
    onAttempt: metrics.webhookAttempt,
    onEnded: metrics.webhookEnded,
    onFeedSizes: metrics.feeds,
    onWebhookSizes: metrics.webhooks,
  })
  let manageUrl: string | undefined
  const management = config.manage ? createManagementPort(config.manage) : undefined
  let held: string | undefined
  const app = await createServer({
    store,
    engine,
    vault,
    connectors,
    metrics,
    logger,
    baseUrl: () => url,
    maxWaitMs: config.maxWaitMs,
    ...(config.adminToken ? { adminToken: config.adminToken } : {}),
    openMetrics: config.sandbox || management !== undefined,
    ...(config.metricsToken ? { metricsToken: config.metricsToken } : {}),
    ...(management ? { management } : {}),
    importer: createReferenceImporter(() => jobs.wake('imports of references')),
    eraser: createEraser(store, () => jobs.wake('erasures')),
    migrations: {
      start: (key) => jobs.wake('migrations', nameOfMigration(key)),
      stop: (key) => jobs.stop('migrations', nameOfMigration(key)),
    },
    retention: { activityDays: days, changesDays: config.changesDays ?? 7 },
    hookKeeper: createHookKeeper({
      store,
      engine,
      instance,
      run: (id) => jobs.run('webhooks of platforms', id),
      onError: onJobError,
    }),
    egress,
    ...(config.oidc ? { oidc: createOidc(config.oidc, transport) } : {}),
    dashboardFolder: join(import.meta.dirname, '../packages/dashboard/dist'),
    docsFolder: join(import.meta.dirname, '../dist/docs'),
    ...(activity ? { activity } : {}),
    ...(sandboxUrl ? { sandboxUrl } : {}),
    sandbox: config.sandbox,
    held: () => held,
    ...(config.limits ? { limits: config.limits } : {}),
    corsOrigins: config.corsOrigins ?? [],
    ...(deprecated ? { deprecated } : {}),
    ...(config.trustProxy ? { trustProxy: config.trustProxy } : {}),
    ...(now ? { now } : {}),
    ...(telemetry ? { prepare: telemetry.install } : {}),
  })

  const requests = () => {
    app.server.closeIdleConnections()
    return new Promise<number>((resolve) => app.server.getConnections((error, count) => resolve(error ? 0 : count)))
  }
  return {
    app,
    store,
    engine,
    url: () => url,
    manageUrl: () => manageUrl ?? url,
    requests,
    hold(reason) {
      held = reason
      return () => {
        held = undefined
      }
    },
    async listen() {
      await app.ready()
      manageUrl = await management?.listen(app.server)
      const address = await app
        .listen({ host: config.host, port: config.port })
        .catch((error) => Promise.reject(listenError(error, config)))
      if (manageUrl) logger.info(`Management API listening at ${manageUrl}`)
      url = config.publicUrl ?? address
      jobs.start()
      return address
    },
    async close() {
      engine.stopReadingAhead()
      const ended = jobs.close()
      const finished = Promise.all([app.close(), management?.close()]).then(() => Promise.all([engine.idle(), ended]))
      const inTime = await within(finished, config.shutdownMs ?? 25_000)
      const left: LeftBehind = {
        requests: inTime ? 0 : await requests(),
        writes: inTime ? 0 : engine.writesUnderWay(),
        activity: false,
      }
      // Callers that still wait see the connection close; an unfinished write is in the journal, and another instance
      // finishes it.
      if (!inTime) app.server.closeAllConnections()
      await Promise.all([transport.close(), webhookTransport.close()])
      await engine.close()
      await within(pacer.close(), 2_000)
      callLog?.close()
      if (!inTime) await within(finished, 2_000)
      const counted = dailyCalls
        .close()
        .catch((error: unknown) => logger.warn({ err: error }, 'daily calls were not counted'))
      await within(counted, 5_000)
      if (activity) left.activity = !(await within(activity.close(), 5_000))
      await journalThread?.close()
      await store.close()
      await telemetry?.close()
      await traceTransport.close()
      lock?.release()
      return left
    },
  }
}
