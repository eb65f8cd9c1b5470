// Plans and runs migrations, as a job. After a restart, the first instance that finds an unfinished one continues it:
// what was acknowledged is in the ledger, and the idempotency keys cover the rest.
import { Problem, sentence } from '../contract/errors.ts'
import type { Next, Turn, Work } from '../jobs/job.ts'
import type { NamedLease, NamedLeases } from '../jobs/named-lease.ts'
import { LostLease } from '../store/lost-lease.ts'
import type { MigrationKey, MigrationState, Store, StoredMigration } from '../store/store.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import type { EngineAccess } from './engine-side.ts'
import { isFailure, reasonOf } from './failure.ts'
import { type MigrationProgress, noProgress, planJob, runJob } from './job.ts'
import { UnknownLocation } from './location.ts'

/** What the management API asks of it. */
export interface MigrationRunner {
  /** Continues a migration that is planning or running, unless another instance does. */
  start(key: MigrationKey): void
  /** Stops one that this instance works on. A write that has begun is completed. */
  stop(key: MigrationKey): void
}
export interface RunnerOptions extends Omit<EngineAccess, 'store'> {
  store: Store
  onError(error: unknown): void
  progressMs?: number
}
interface HeldMigration extends NamedLease {
  key: MigrationKey
}
/** More than this instance works on: others may have the first ones. */
const looked = 20

export const nameOfMigration = ({ workspaceId, id }: MigrationKey): string => `${workspaceId} ${id}`

export function createMigrationWork(
  { progressMs = 1_000, ...options }: RunnerOptions,
  leases: NamedLeases,
): Work<HeldMigration> {
  const { store, onError } = options

  async function work(held: HeldMigration, turn: Turn): Promise<Next> {
    const migration = await store.migrations.get(held.key)
    if (migration?.state !== 'planning' && migration?.state !== 'running') return { dueInMs: 0 }
    const progress: MigrationProgress = structuredClone(noProgress)
    const own = fenced(store, held)
    const stop = new AbortController()
    const report = () =>
      own.migrations.change(held.key, { progress }, [migration.state]).then(
        (goesOn) => goesOn || stop.abort(), // it was stopped by a person
        (error: unknown) => (error instanceof LostLease ? stop.abort(error) : onError(error)),
      )
    const reports = setInterval(report, progressMs)
    try {
      const signal = AbortSignal.any([turn.signal, stop.signal])
      await advance(own, migration, progress, { ...turn, signal })
    } finally {
      clearInterval(reports)
    }
    return { dueInMs: 0 }
  }

  async function advance(
    own: Store,
    migration: StoredMigration,
    progress: MigrationProgress,
    { signal, check }: Turn,
  ): Promise<void> {
    const { state } = migration
    const ends = (next: MigrationState, more: object) =>
      own.migrations.change(migration, { state: next, error: null, progress, ...more }, [state])
    const context = { ...options, store: own, signal, check, progress }
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
      check()
      if (signal.reason instanceof LostLease) throw signal.reason
      if (signal.aborted) return
      // It stays as it is, and is taken up again.
      if (error instanceof DatabaseUnavailable || error instanceof LostLease) throw error
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

  return {
    due: async () => (await store.migrations.open(looked)).map(nameOfMigration),
    async take(name, claim) {
      const [workspaceId = '', id = ''] = name.split(' ')
      const lease = await leases.take(`migration ${name}`, claim)
      return lease && { ...lease, key: { workspaceId, id } }
    },
    renew: leases.renew,
    work,
    release: leases.release,
    about: (name) => `the migration ${name}`,
  }
}

/** The store of a run: what it changes has no effect once another instance has the migration. */
function fenced(store: Store, { commit }: NamedLease): Store {
  const { migrations, links } = store
  return {
    ...store,
    migrations: {
      ...migrations,
      change: (...parameters) => commit((inner) => inner.migrations.change(...parameters)),
      setMeta: (...parameters) => commit((inner) => inner.migrations.setMeta(...parameters)),
      putRecord: (...parameters) => commit((inner) => inner.migrations.putRecord(...parameters)),
      putBefore: (...parameters) => commit((inner) => inner.migrations.putBefore(...parameters)),
      removeBefore: (...parameters) => commit((inner) => inner.migrations.removeBefore(...parameters)),
    },
    links: { ...links, put: (...parameters) => commit((inner) => inner.links.put(...parameters)) },
  }
}
