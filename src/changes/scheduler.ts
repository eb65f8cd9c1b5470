// All feeds of this instance: takes those that are due, several accounts beside each other. Instances share the work
// through the leases of the feeds.
import type { Engine } from '../engine/engine.ts'
import type { FeedSizes } from '../store/changes.ts'
import type { Account, Store } from '../store/store.ts'
import { createEngineReader } from './engine-reader.ts'
import { followDefaults, watchingOf } from './settings.ts'
import { createWorker } from './worker.ts'

const feedsAtOnce = 32
const lookEveryMs = 5_000
/** However much the time of the sandbox is scaled. */
const shortestLookMs = 500
const shortestMs = 2_000
const followEveryMs = 60_000
const pruneEveryMs = 60_000
const measureEveryMs = 60_000
const pruneRows = 1000
const prunesInARow = 20
const dayMs = 86_400_000

export interface SchedulerOptions {
  store: Store
  engine: Engine
  instance: string
  scale: number
  days: number
  onError(error: unknown, what: string): void
  onSizes(sizes: FeedSizes): void
}
export interface Scheduler {
  start(): void
  /** Ends after the reads that are under way. */
  close(): Promise<void>
}

export function createScheduler({
  store,
  engine,
  instance,
  scale,
  days,
  onError,
  onSizes,
}: SchedulerOptions): Scheduler {
  const { changes } = store
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Map<string, Promise<void>>()
  const background = new Set<Promise<void>>()
  const worker = createWorker({
    changes,
    holder: instance,
    scale,
    account: (id) => store.accounts.get(id),
    watching: (account: Account) => watchingOf(store, engine, account),
    reader: (account, watch) => createEngineReader({ engine, store, scale, signal }, account, watch),
    stop: () => signal.aborted,
    onError: (error, accountId) => onError(error, `the change feed of ${accountId}`),
  })
  let looking: Promise<void> | undefined
  let lookAgain = false
  const timers: NodeJS.Timeout[] = []
  let unsubscribe = () => {}

  function begin(accountId: string): void {
    const run = worker
      .work(accountId)
      .then(
        () => {},
        (error: unknown) => onError(error, `the change feed of ${accountId}`),
      )
      .finally(() => {
        running.delete(accountId)
        look()
      })
    running.set(accountId, run)
  }
  async function lookOnce(): Promise<void> {
    const free = feedsAtOnce - running.size
    if (free <= 0) return
    const due = await changes.due(free + running.size)
    for (const accountId of due) if (running.size < feedsAtOnce && !running.has(accountId)) begin(accountId)
  }
  function look(): void {
    if (signal.aborted) return
    lookAgain = looking !== undefined
    looking ??= lookOnce()
      .catch((error: unknown) => onError(error, 'looking for change feeds that are due'))
      .finally(() => {
        looking = undefined
        if (lookAgain) look()
      })
  }
  function every(milliseconds: number, name: string, work: () => Promise<void>): void {
    let isRunning = false
    const run = () => {
      if (isRunning || signal.aborted) return
      isRunning = true
      const one: Promise<void> = work()
        .catch((error: unknown) => onError(error, name))
        .finally(() => {
          isRunning = false
          background.delete(one)
        })
      background.add(one)
    }
    timers.push(setInterval(run, milliseconds))
    run()
  }
  /** One instance at a time. */
  async function alone(name: string, forMs: number, work: () => Promise<void>): Promise<void> {
    if (await store.leases.acquire(name, instance, forMs)) await work()
  }
  async function prune(): Promise<void> {
    for (let round = 0; round < prunesInARow && !signal.aborted; round++)
      if ((await changes.prune(days * dayMs, pruneRows)) === 0) return
  }

  return {
    start() {
      unsubscribe = changes.subscribe(look)
      every(Math.max(shortestLookMs, lookEveryMs * scale), 'change feeds', async () => look())
      const followMs = Math.max(shortestMs, followEveryMs * scale)
      every(followMs, 'the settings of change feeds', () =>
        alone('change settings', followMs, () => followDefaults(store, engine, () => signal.aborted)),
      )
      every(Math.max(shortestMs, measureEveryMs * scale), 'the sizes of change feeds', async () =>
        onSizes(await changes.sizes()),
      )
      every(pruneEveryMs, 'old changes', () => alone('change pruning', pruneEveryMs / 2, prune))
    },
    async close() {
      stopping.abort()
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([looking, ...running.values(), ...background])
    },
  }
}
