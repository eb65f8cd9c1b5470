// What runs here besides requests: the catalog of all background work. A further job is one entry here, and a file
// with its work in the folder that it belongs to.
import { findBusinesses } from '../accounts/business.ts'
import { createErasureWork, createForgetting } from '../accounts/eraser.ts'
import { createImportWork } from '../accounts/reference-importer.ts'
import { createFeedWork, pruneInBatches } from '../changes/feed-work.ts'
import { followDefaults } from '../changes/settings.ts'
import type { Connector } from '../contract/connector.ts'
import { createDeliveryWork, type DeliveryOptions } from '../deliveries/delivery-work.ts'
import { createSweepWork, type Swept } from '../engine/write/sweep.ts'
import { createMigrationWork, type RunnerOptions } from '../migrate/runner.ts'
import { createHookWork, type HookWorkOptions } from '../platform-webhooks/registrar.ts'
import type { FeedSizes } from '../store/changes.ts'
import type { WebhookSizes } from '../store/deliveries.ts'
import { createLoop, everyMsOf, type Loop, type LoopOptions, type Plan, type Work } from './job.ts'
import { createNamedLeases } from './named-lease.ts'
import { onEach, onOne } from './task.ts'

/**
 * Times with `leastMs` are scaled with the pace of the sandbox. Every job is taken by a lease, so that one instance at a
 * time works on it; `lease` says what has the lease, if it is not a row.
 */
export const catalog = {
  'change feeds': {
    does: 'Reads watched accounts at their platforms, and logs what has changed.',
    everyMs: 5_000,
    leastMs: 500,
    atOnce: 32,
    lease: 'the row of the feed',
  },
  'webhook endpoints': {
    does: 'Sends events to the receivers of webhooks.',
    everyMs: 5_000,
    leastMs: 500,
    atOnce: 500,
    lease: 'the row of the endpoint',
  },
  'webhooks of platforms': {
    does: 'Registers and checks the webhooks that platforms send.',
    everyMs: 5_000,
    leastMs: 1_000,
    atOnce: 8,
    lease: 'the row of the webhook',
  },
  'interrupted writes': {
    does: 'Finishes writes whose process ended, or whose platform did not respond, by account.',
    everyMs: 15_000,
    atOnce: 16,
    lease: 'the journal entry of each write',
  },
  migrations: {
    does: 'Plans and runs migrations between two accounts.',
    everyMs: 15_000,
    atOnce: 4,
    lease: 'by name',
  },
  erasures: {
    does: 'Erases people from what is stored.',
    everyMs: 15_000,
    atOnce: 4,
    lease: 'by name',
  },
  'imports of references': {
    does: 'Stores the links of a file.',
    everyMs: 15_000,
    atOnce: 4,
    lease: 'by name',
  },
  'settings of change feeds': {
    does: 'Makes feeds follow the defaults of their workspaces.',
    everyMs: 60_000,
    leastMs: 2_000,
    atOnce: 1,
    lease: 'by name',
  },
  'old changes': {
    does: 'Removes changes that are older than the log is kept.',
    everyMs: 60_000,
    atOnce: 1,
    lease: 'by name',
  },
  'old deliveries': {
    does: 'Removes deliveries of webhooks that are older than the log is kept.',
    everyMs: 60_000,
    atOnce: 1,
    lease: 'by name',
  },
  'old activity': {
    does: 'Removes activity that is older than it is kept.',
    everyMs: 60_000,
    atOnce: 1,
    lease: 'by name',
  },
  'finished updates': {
    does: 'Forgets updates and claims of contents that no request waits for.',
    everyMs: 15_000,
    atOnce: 1,
    lease: 'by name',
  },
  'businesses of accounts': {
    does: 'Finds the business of accounts that were connected by an old version.',
    everyMs: 86_400_000,
    atOnce: 1,
    lease: 'by name',
  },
  'memory of erased people': {
    does: 'Drops from memory what others have erased.',
    everyMs: 15_000,
    atOnce: 1,
    lease: 'none: on each instance',
  },
  'sizes of change feeds': {
    does: 'Measures all feeds, for the metrics.',
    everyMs: 60_000,
    leastMs: 2_000,
    atOnce: 1,
    lease: 'none: on each instance',
  },
  'sizes of deliveries': {
    does: 'Measures all deliveries of webhooks, for the metrics.',
    everyMs: 60_000,
    leastMs: 2_000,
    atOnce: 1,
    lease: 'none: on each instance',
  },
  'open writes': {
    does: 'Counts the open writes, for the metrics.',
    everyMs: 15_000,
    atOnce: 1,
    lease: 'none: on each instance',
  },
} as const satisfies Record<string, Plan & { lease: string }>
export type JobName = keyof typeof catalog

export interface JobsOptions
  extends DeliveryOptions,
    Pick<RunnerOptions, 'onWrite'>,
    Pick<HookWorkOptions, 'baseUrl' | 'isSandboxed'>,
    Pick<LoopOptions, 'instance' | 'onLost'> {
  connectors: Readonly<Record<string, Connector>>
  /** How long changes and deliveries are kept. */
  days: number
  /** Instead of the times in the catalog. */
  everyMs?: Partial<Record<JobName, number>>
  /** Stores the activity that this instance has not stored yet. */
  flush(): Promise<void>
  /** Removes a batch of old activity. Returns how many entries. */
  pruneActivity(): Promise<number>
  onError(error: unknown, what: string): void
  onUnsettled(error: unknown): void
  onSwept(result: Swept): void
  onSettled(result: { settled: number; failed: number }): void
  onOpen(open: { inFlight: number; unknown: number }): void
  onFeedSizes(sizes: FeedSizes): void
  onWebhookSizes(sizes: WebhookSizes): void
}
export interface Jobs {
  start(): void
  wake(name: JobName, id?: string): void
  run(name: JobName, id: string): Promise<void>
  stop(name: JobName, id: string): void
  /** Ends after what is under way. */
  close(): Promise<void>
}

const dayMs = 86_400_000

// biome-ignore lint/suspicious/noExplicitAny: each job has its own type of what it holds
type Works = Record<JobName, Work<any>>

/** What each job of the catalog does. */
export function createWorks(options: JobsOptions, planOf: (name: JobName) => Plan): Works {
  const { store, engine, scale, connectors, days, flush, onError } = options
  const { changes, webhooks, journal } = store
  const leases = createNamedLeases(store)
  const keptMs = days * dayMs
  const forget = engine.forgetFacts
  const task = (name: JobName, run: Parameters<typeof onEach>[0]['run']) => ({ name, plan: planOf(name), scale, run })
  const alone = (...parameters: Parameters<typeof task>) => onOne(leases, task(...parameters))
  const each = (...parameters: Parameters<typeof task>) => onEach(task(...parameters))
  return {
    'change feeds': createFeedWork(options),
    'webhook endpoints': createDeliveryWork(options),
    'webhooks of platforms': createHookWork(options),
    'interrupted writes': createSweepWork({
      sweep: engine.sweep,
      pauseMs: everyMsOf(planOf('interrupted writes'), scale),
      onError: options.onUnsettled,
      finished: options.onSwept,
      onSettled: options.onSettled,
    }),
    migrations: createMigrationWork({ ...options, onError: (error) => onError(error, 'a migration') }, leases),
    erasures: createErasureWork({ store, scale, forget, flush }, leases),
    'imports of references': createImportWork(store, leases),
    'settings of change feeds': alone('settings of change feeds', (turn) =>
      followDefaults(store, engine, () => !turn.mayGoOn()),
    ),
    'old changes': alone('old changes', (turn) => pruneInBatches(turn, (rows) => changes.prune(keptMs, rows))),
    'old deliveries': alone('old deliveries', (turn) => pruneInBatches(turn, (rows) => webhooks.prune(keptMs, rows))),
    'old activity': alone('old activity', (turn) => pruneInBatches(turn, () => options.pruneActivity())),
    'finished updates': alone('finished updates', engine.sweep.forget),
    'businesses of accounts': alone('businesses of accounts', (turn) =>
      findBusinesses(store, connectors, () => !turn.mayGoOn()),
    ),
    'memory of erased people': each('memory of erased people', createForgetting({ store, forget })),
    'sizes of change feeds': each('sizes of change feeds', async () => options.onFeedSizes(await changes.sizes())),
    'sizes of deliveries': each('sizes of deliveries', async () => options.onWebhookSizes(await webhooks.sizes())),
    'open writes': each('open writes', async () => options.onOpen(await journal.open())),
  }
}

export const jobNames = Object.keys(catalog) as JobName[]

export function createJobs(options: JobsOptions): Jobs {
  const planOf = (name: JobName): Plan => {
    const everyMs = options.everyMs?.[name]
    return everyMs === undefined ? catalog[name] : { ...catalog[name], everyMs, leastMs: everyMs }
  }
  const works = createWorks(options, planOf)
  const loops = Object.fromEntries(
    jobNames.map((name) => [name, createLoop({ name, ...planOf(name), ...works[name] }, options)]),
  ) as Record<JobName, Loop>
  const all = Object.values(loops)
  return {
    start() {
      for (const loop of all) loop.start()
    },
    wake: (name, id) => loops[name].wake(id),
    run: (name, id) => loops[name].run(id),
    stop: (name, id) => loops[name].stop(id),
    close: async () => void (await Promise.all(all.map((loop) => loop.close()))),
  }
}
