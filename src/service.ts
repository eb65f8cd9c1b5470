// The service without its surroundings: store, engine and server wired together. Tests start it like this too.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { findBusinesses } from './accounts/business.ts'
import { createEraser } from './accounts/eraser.ts'
import { createOidc } from './accounts/oidc.ts'
import { createReferenceImporter } from './accounts/reference-importer.ts'
import { recordMigrated, recordSwept } from './api/activity/hooks.ts'
import { createActivityRecorder } from './api/activity/recorder.ts'
import { createManagementPort, listenError } from './api/listeners.ts'
import { createMetrics } from './api/metrics.ts'
import { createServer, type ServerOptions } from './api/server.ts'
import { createScheduler } from './changes/scheduler.ts'
import { type Config, makeDataDir } from './config.ts'
import type { Connector } from './contract/connector.ts'
import { sentence } from './contract/errors.ts'
import { createDispatcher } from './deliveries/dispatcher.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createEgress } from './engine/outbound/egress.ts'
import { createCallLog } from './engine/outbound/pacing/call-log.ts'
import { createDailyCalls } from './engine/outbound/pacing/daily-calls.ts'
import { createMemorySlots } from './engine/outbound/pacing/memory-slots.ts'
import { createPacer } from './engine/outbound/pacing/pacer.ts'
import { createPostgresSlots } from './engine/outbound/pacing/postgres-slots.ts'
import { createTransport, type Transport } from './engine/outbound/transport.ts'
import { createLogger } from './logger.ts'
import { createMigrationRunner } from './migrate/runner.ts'
import { createHookKeeper } from './platform-webhooks/registrar.ts'
import { type ActivityWriter, writeHere } from './store/activity-writer.ts'
import { keysOpen } from './store/key-check.ts'
import { type OpenOptions, openStore } from './store/open-store.ts'
import { type DirectoryLock, lockDirectory } from './store/sqlite/directory-lock.ts'
import type { Account, Store } from './store/store.ts'
import { DatabaseUnavailable } from './store/unavailable.ts'
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
/** Undefined with PostgreSQL. Rejects a directory that another process uses. */
export function claimDataDir({ databaseUrl, dataDir }: Config): DirectoryLock | undefined {
  if (databaseUrl) return undefined
  makeDataDir(dataDir)
  return lockDirectory(dataDir)
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
  const opened = await openDatabase(config, {
    vault,
    exclusive: lock !== undefined,
    warn: (message) => logger.warn(message),
  })
  if (!(await keysOpen(opened, { first: true }))) {
    await opened.close()
    lock?.release()
    throw new Error(
      `the encryption key does not open what is in the database. Set ENCRYPTION_KEY${config.keyFile ? ` (or the file ${config.keyFile.path})` : ''} to the key it was sealed with; several are allowed, newest first`,
    )
  }
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
  const importer = createReferenceImporter(store, (error) =>
    logger.warn({ err: error }, 'an import of references stopped for now'),
  )
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
  const scheduler = createScheduler({
    store,
    engine,
    instance,
    scale: config.paceScale,
    days: config.changesDays ?? 7,
    onError: (error, what) => logger.warn({ err: error }, `${what}: not done yet`),
    onSizes: metrics.feeds,
  })
  const dispatcher = createDispatcher({
    store,
    engine,
    transport: webhookTransport,
    instance,
    scale: config.paceScale,
    sandbox: config.sandbox,
    days: config.changesDays ?? 7,
    onError: (error, what) => logger.warn({ err: error }, `${what}: not done yet`),
    onAttempt: metrics.webhookAttempt,
    onEnded: metrics.webhookEnded,
    onSizes: metrics.webhooks,
  })
  const migrations = createMigrationRunner({
    store,
    engine,
    onWrite: (write) => activity && recordMigrated(activity, write),
    onError: (error) => logger.warn({ err: error }, 'a migration stopped for now'),
  })
  const eraser = createEraser({
    store,
    scale: config.paceScale,
    forget: engine.forgetFacts,
    flush: async () => activity?.flush(),
    onError: (error) => logger.warn({ err: error }, 'an erasure stopped for now'),
  })
  let url = config.publicUrl ?? ''
  const hookKeeper = createHookKeeper({
    store,
    engine,
    connectors,
    instance,
    scale: config.paceScale,
    baseUrl: () => url,
    isSandboxed: (account) => config.sandbox && originOverride?.(account) !== undefined,
    onError: (error, what) => logger.warn({ err: error }, `${what}: not done yet`),
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
    importer,
    eraser,
    migrations,
    retention: { activityDays: days, changesDays: config.changesDays ?? 7 },
    hookKeeper,
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

  let stopping = false
  let sweeping: NodeJS.Timeout | undefined
  const sweeps = new Set<Promise<void>>()
  async function sweepOnce(): Promise<void> {
    let failed = 0
    const onError = (error: unknown) => {
      failed++
      // The message of a problem repeats that of its cause.
      const { code, cause } = error as { code?: string; cause?: unknown }
      const level = code === 'write_in_progress' ? 'debug' : 'warn'
      logger[level]({ err: cause ?? error, code }, 'a write could not be finished yet')
    }
    const settled = await engine.sweep({
      onError,
      stop: () => stopping,
      finished(result) {
        if (activity) recordSwept(activity, result)
      },
    })
    importer.resume().catch((error: unknown) => logger.warn({ err: error }, 'imports of references'))
    eraser.resume().catch((error: unknown) => logger.warn({ err: error }, 'erasures'))
    migrations.resume().catch((error: unknown) => logger.warn({ err: error }, 'migrations'))
    metrics.swept({ settled, failed, ...(await store.journal.open()) })
  }
  // A run that waits for a slow platform does not hold up the next one: each takes the accounts that no other has.
  const background = (work: Promise<void>, name: string) => {
    const run = work.catch((error: unknown) => logger.warn({ err: error }, name)).finally(() => sweeps.delete(run))
    sweeps.add(run)
  }
  const sweep = () => background(sweepOnce(), 'sweep')
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
      background(
        findBusinesses(store, connectors, () => stopping),
        'the businesses of accounts',
      )
      sweep()
      sweeping = setInterval(sweep, sweepMs)
      scheduler.start()
      dispatcher.start()
      hookKeeper.start()
      return address
    },
    async close() {
      clearInterval(sweeping)
      stopping = true
      engine.stopReadingAhead()
      const scheduled = Promise.all([scheduler.close(), dispatcher.close(), hookKeeper.close(), migrations.close()])
      const finished = Promise.all([app.close(), management?.close()]).then(() =>
        Promise.all([engine.idle(), ...sweeps, importer.close(), eraser.close(), scheduled]),
      )
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

/** Opened and migrated. An error names the settings: at a start, the operator can correct them. */
async function openDatabase(
  { dataDir, databaseUrl, databaseDirectUrl: directUrl }: Config,
  options: Pick<OpenOptions, 'vault' | 'exclusive' | 'warn'>,
): Promise<Store> {
  try {
    const store = await openStore({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), directUrl, ...options })
    await store.migrate()
    return store
  } catch (error) {
    if (!databaseUrl || !(error instanceof DatabaseUnavailable)) throw error
    const settings = directUrl ? 'DATABASE_URL and DATABASE_DIRECT_URL' : 'DATABASE_URL'
    throw new Error(
      `${sentence(error.message)} Check that the server runs, and address, user and password in ${settings}`,
      { cause: error },
    )
  }
}

/** An operator may have agreed on more with a platform, or want to leave some of it to others. */
function withLimits(
  connectors: Readonly<Record<string, Connector>>,
  limits: Config['platformLimits'] = {},
): Readonly<Record<string, Connector>> {
  const unknown = Object.keys(limits).find((platform) => !connectors[platform])
  if (unknown !== undefined)
    throw new Error(
      `PLATFORM_LIMITS names the unknown platform "${unknown}". The platforms are ${Object.keys(connectors).sort().join(', ')}`,
    )
  // No prototype: callers name platforms, and "constructor" is none.
  const limited = Object.entries(limits).map(([platform, rates]) => {
    const { limit, dailyLimit, ...connector } = connectors[platform] as Connector
    const [daily, windows] = [true, false].map((isDaily) =>
      rates.filter(({ seconds }) => (seconds === 86_400) === isDaily),
    )
    return [
      platform,
      {
        ...connector,
        limit: windows?.length ? windows : limit,
        dailyLimit: daily?.[0] ? { ...dailyLimit, calls: daily[0].requests } : dailyLimit,
      },
    ]
  })
  return Object.assign(Object.create(null), connectors, Object.fromEntries(limited))
}

/** True when it ended in time. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const ended = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleep(milliseconds, false, { signal: ended.signal })])
  } finally {
    ended.abort()
  }
}
