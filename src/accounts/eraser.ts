// Erases people in the background. After a restart the first instance that finds an unfinished erasure resumes it where
// it was. Every instance forgets what it has of the account in memory.
import { randomUUID } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { Problem } from '../contract/errors.ts'
import type { Erasure, ErasureKey, PersonKey } from '../store/erasure-store.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Store } from '../store/store.ts'

export interface Eraser {
  begin(asked: PersonKey & Pick<Erasure, 'isPlan' | 'createdBy'>, transaction: Store['transaction']): Promise<Erasure>
  /** Starts what is due and no instance works on, and forgets what others have erased. */
  resume(): Promise<void>
  /** Stops after the current batch. */
  close(): Promise<void>
}
export interface EraserOptions {
  store: Store
  scale: number
  /** Drops what this instance has in memory of an account. */
  forget(accountId: string): void
  /** Stores the activity that this instance has not stored yet. */
  flush(): Promise<void>
  onError(error: unknown): void
}
const leaseMs = 30_000
/** By then every instance has stored its activity, ended the requests that were under way, and looked at `recent`. */
const secondPassMs = 60_000

export function createEraser({ store, scale, forget, flush, onError }: EraserOptions): Eraser {
  const holder = randomUUID()
  const running = new Map<string, Promise<void>>()
  const waits = new Map<string, NodeJS.Timeout>()
  let forgotten = new Set<string>()
  let closing = false

  /** Returns when it is to be continued here; undefined if it is done, or another instance works on it. */
  async function work(key: ErasureKey): Promise<number | undefined> {
    const name = `erasure ${key.id}`
    if (!(await store.leases.acquire(name, holder, leaseMs))) return undefined
    try {
      forget(key.accountId)
      await flush()
      for (; !closing; await breathe()) {
        const waitMs = await store.erasures.step(key, secondPassMs * scale)
        if (waitMs === undefined) forget(key.accountId)
        if (waitMs !== 0) return waitMs
        await store.leases.acquire(name, holder, leaseMs)
      }
      return undefined
    } finally {
      await store.leases.release(name, holder).catch(() => undefined)
    }
  }
  function later(key: ErasureKey, waitMs: number | undefined): void {
    if (closing || waitMs === undefined) return
    clearTimeout(waits.get(key.id))
    const timer = setTimeout(() => {
      waits.delete(key.id)
      start(key)
    }, waitMs)
    waits.set(key.id, timer.unref())
  }
  function start(key: ErasureKey): void {
    if (closing || running.has(key.id)) return
    const job = work(key)
      .catch((error) => {
        onError(error)
        return undefined
      })
      .then((waitMs) => {
        running.delete(key.id)
        later(key, waitMs)
      })
    running.set(key.id, job)
  }

  /** What is open cannot be erased: its content is needed to find out its outcome, and to finish it. */
  async function refuseOpen(person: PersonKey, open: Awaited<ReturnType<Store['erasures']['openWrites']>>) {
    const [first] = open.about
    if (first)
      throw new Problem(
        'resource_in_use',
        `${open.about.length === 1 ? 'A write' : `${open.about.length} writes`} of this person ${open.about.length === 1 ? 'is' : 'are'} not finished, and nothing was erased. The first has the externalId "${first.externalId}" and is ${first.state}. Wait until it is done, or settle it: GET /manage/v1/workspaces/{workspaceId}/writes lists open writes, as does the page Writes of the dashboard.`,
      )
    if (await store.erasures.isMigrating(person.accountId))
      throw new Problem(
        'resource_in_use',
        'A migration from or to this account is planning or running, and nothing was erased. Wait until it has ended, or stop it.',
      )
  }

  return {
    async begin({ isPlan, createdBy, ...person }, transaction) {
      const linked = await store.erasures.linkedTo(person)
      if (linked !== undefined)
        throw new Problem('validation_failed', 'The id is not one of the platform.', {
          errors: [{ pointer: '/id', message: `${person.nativeId} is your id of ${linked}. Use the platform id.` }],
        })
      const open = await store.erasures.openWrites(person)
      if (!isPlan) await refuseOpen(person, open)
      const id = createRequestId().replace('req_', 'era_')
      const made = await transaction((inner) =>
        inner.erasures.create({
          ...person,
          id,
          isPlan,
          createdBy,
          openWrites: open.about.length,
          unsettled: open.unsettled,
        }),
      )
      start(made)
      return made
    },
    async resume() {
      const recent = (await store.erasures.recent()).map(({ accountId, id, state }) => ({ accountId, at: id + state }))
      for (const { accountId, at } of recent) if (!forgotten.has(at)) forget(accountId)
      forgotten = new Set(recent.map(({ at }) => at))
      for (const key of await store.erasures.due(20)) start(key)
    },
    async close() {
      closing = true
      for (const timer of waits.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
