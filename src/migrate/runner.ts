// Plans and runs migrations in the background. After a restart, the first instance that finds an unfinished one
// continues it: what was acknowledged is in the ledger, and the idempotency keys cover the rest.
import { randomUUID } from 'node:crypto'
import { Problem, sentence } from '../contract/errors.ts'
import type { MigrationKey, MigrationState, Store, StoredMigration } from '../store/store.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import type { EngineAccess } from './engine-side.ts'
import { isFailure, reasonOf } from './failure.ts'
import { type MigrationProgress, noProgress, planJob, runJob } from './job.ts'
import { UnknownLocation } from './location.ts'

export interface MigrationRunner {
  /** Continues a migration that is planning or running, unless another instance does. */
  start(key: MigrationKey): void
  /** Stops one that this instance works on. A write that has begun is completed. */
  stop(key: MigrationKey): void
  /** Starts what no instance works on. */
  resume(): Promise<void>
  close(): Promise<void>
}
export interface RunnerOptions extends Omit<EngineAccess, 'store'> {
  store: Store
  onError(error: unknown): void
  progressMs?: number
}
const leaseMs = 30_000
const renewMs = 5_000
const mostAtOnce = 4

export function createMigrationRunner({ progressMs = 1_000, ...options }: RunnerOptions): MigrationRunner {
  const { store, onError } = options
  const holder = randomUUID()
  const jobs = new Map<string, { ended: Promise<void>; abort: AbortController }>()
  let closing = false

  async function work(key: MigrationKey, abort: AbortController): Promise<void> {
    const lease = `migration ${key.workspaceId} ${key.id}`
    if (!(await store.leases.acquire(lease, holder, leaseMs))) return
    const timers: NodeJS.Timeout[] = []
    const every = (milliseconds: number, task: () => Promise<boolean>) =>
      timers.push(
        setInterval(() => {
          // False: it was stopped, or another instance has it.
          task().then((goesOn) => goesOn || abort.abort(), onError)
        }, milliseconds),
      )
    try {
      const migration = await store.migrations.get(key)
      if (migration?.state !== 'planning' && migration?.state !== 'running') return
      const progress: MigrationProgress = structuredClone(noProgress)
      every(renewMs, () => store.leases.acquire(lease, holder, leaseMs))
      every(progressMs, () => store.migrations.change(key, { progress }, [migration.state]))
      await advance(migration, progress, abort.signal)
    } finally {
      for (const timer of timers) clearInterval(timer)
      await store.leases.release(lease, holder).catch(() => undefined)
    }
  }

  async function advance(migration: StoredMigration, progress: MigrationProgress, signal: AbortSignal): Promise<void> {
    const { state } = migration
    const ends = (next: MigrationState, more: object) =>
      store.migrations.change(migration, { state: next, error: null, progress, ...more }, [state])
    const context = { ...options, signal, progress }
    try {
      if (state === 'planning') {
        const plan = await planJob(context, migration)
        Object.assign(progress, { stage: 'ended' })
        await ends('planned', { plan })
      } else {
        const report = await runJob(context, migration)
        Object.assign(progress, { stage: 'ended', complete: report.complete })
        await ends('done', { report })
      }
    } catch (error) {
      if (signal.aborted) return
      // It stays as it is, and is taken up again.
      if (error instanceof DatabaseUnavailable) throw error
      await ends('failed', { error: explain(error) })
    }
  }

  function explain(error: unknown): string {
    if (isFailure(error)) return sentence(reasonOf(error))
    if (error instanceof Problem) return error.detail
    if (error instanceof UnknownLocation) return sentence(`Location: ${error.message}`)
    onError(error)
    return 'An internal error stopped it. The log of the service has the cause. Continue it, or report the error.'
  }

  const nameOf = ({ workspaceId, id }: MigrationKey) => `${workspaceId} ${id}`
  function start(key: MigrationKey): void {
    const current = jobs.get(nameOf(key))
    // It was stopped, and its last calls have not ended.
    if (current?.abort.signal.aborted) void current.ended.then(() => start(key))
    if (closing || current || jobs.size >= mostAtOnce) return
    const abort = new AbortController()
    const ended = work(key, abort)
      .catch(onError)
      .finally(() => jobs.delete(nameOf(key)))
    jobs.set(nameOf(key), { ended, abort })
  }
  return {
    start,
    stop: (key) => jobs.get(nameOf(key))?.abort.abort(),
    async resume() {
      for (const key of await store.migrations.open(20)) start(key)
    },
    async close() {
      closing = true
      for (const { abort } of jobs.values()) abort.abort()
      await Promise.all([...jobs.values()].map(({ ended }) => ended))
    },
  }
}
