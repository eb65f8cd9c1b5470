// Erases people, as a job: the first instance that finds an unfinished erasure resumes it where it was. Every instance
// forgets what it has of the account in memory.
import { setImmediate as breathe } from 'node:timers/promises'
import { Problem } from '../contract/errors.ts'
import type { Work } from '../jobs/job.ts'
import type { NamedLease, NamedLeases } from '../jobs/named-lease.ts'
import type { Erasure, ErasureKey, PersonKey } from '../store/erasure-store.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Store } from '../store/store.ts'

export interface Eraser {
  begin(asked: PersonKey & Pick<Erasure, 'isPlan' | 'createdBy'>, transaction: Store['transaction']): Promise<Erasure>
}
export interface EraserOptions {
  store: Store
  scale: number
  /** Drops what this instance has in memory of an account. */
  forget(accountId: string): void
  /** Stores the activity that this instance has not stored yet. */
  flush(): Promise<void>
}
/** More than this instance works on: others may have the first ones. */
const looked = 20
/** By then every instance has stored its activity, ended the requests that were under way, and looked at `recent`. */
const secondPassMs = 60_000

interface HeldErasure extends NamedLease {
  key: ErasureKey
}

export function createErasureWork(
  { store, scale, forget, flush }: EraserOptions,
  leases: NamedLeases,
): Work<HeldErasure> {
  return {
    due: async () => (await store.erasures.due(looked)).map(({ accountId, id }) => `${accountId} ${id}`),
    async take(name, claim) {
      const [accountId = '', id = ''] = name.split(' ')
      const lease = await leases.take(`erasure ${id}`, claim)
      return lease && { ...lease, key: { accountId, id } }
    },
    renew: leases.renew,
    async work({ key }, turn) {
      forget(key.accountId)
      await flush()
      // A step has no effect when another instance has made it.
      for (; turn.mayGoOn(); await breathe()) {
        const waitMs = await store.erasures.step(key, secondPassMs * scale)
        if (waitMs === undefined) forget(key.accountId)
        if (waitMs !== 0) return { dueInMs: waitMs ?? 0, holdMs: waitMs ?? 0 }
      }
      return { dueInMs: 0 }
    },
    release: leases.release,
    about: (name) => `the erasure ${name}`,
  }
}

/** On each instance: drops what is in memory of accounts of whose people something was erased. */
export function createForgetting({ store, forget }: Pick<EraserOptions, 'store' | 'forget'>): () => Promise<void> {
  let forgotten = new Set<string>()
  return async () => {
    const recent = (await store.erasures.recent()).map(({ accountId, id, state }) => ({ accountId, at: id + state }))
    for (const { accountId, at } of recent) if (!forgotten.has(at)) forget(accountId)
    forgotten = new Set(recent.map(({ at }) => at))
  }
}

/** `wake` looks for erasures that were begun. */
export function createEraser(store: Store, wake: () => void): Eraser {
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
      wake()
      return made
    },
  }
}
