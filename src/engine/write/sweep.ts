// Finishes writes that were interrupted, without waiting for their callers: accounts beside each other, the writes of
// one account in turn. Each write has a lease of its own, in the journal.

import type { Work } from '../../jobs/job.ts'
import { createRequestId } from '../../store/request-id.ts'
import type { Account, EntryKey } from '../../store/store.ts'
import type { EngineStore, RequestContext } from '../options.ts'
import { duplicateWindowMs } from './duplicates.ts'

/** Writes of one account in one turn: a platform that does not respond takes minutes for each. */
const perAccount = 5
const batch = 200
/** By then no request waits for the response of an update. */
const finishedUpdatesMs = 10 * 60_000

export interface SweepOptions {
  onError(error: unknown): void
  mayGoOn?(): boolean // asked before each write
  /** After each write that was taken up. */
  finished?(result: Swept): void
}
export interface Swept {
  requestId: string
  account: Account
  key: EntryKey
  totalMs: number
  error?: unknown
}
export type Resume = (account: Account, key: EntryKey, context: RequestContext) => Promise<boolean>

export interface Sweep {
  /** The interrupted writes that no process works on, by account. */
  due(): Promise<Map<string, EntryKey[]>>
  /** Takes up the writes of one account. Returns how many it settled. */
  settle(keys: readonly EntryKey[], options: SweepOptions): Promise<number>
  /** Forgets what no request waits for any more. */
  forget(): Promise<void>
}

export function createSweep(store: Pick<EngineStore, 'journal' | 'accounts'>, resume: Resume): Sweep {
  async function settleOne(key: EntryKey, { onError, finished }: SweepOptions): Promise<boolean> {
    const requestId = createRequestId()
    const began = performance.now()
    let account: Account | undefined
    const report = (outcome: { error?: unknown }) =>
      account && finished?.({ requestId, account, key, totalMs: performance.now() - began, ...outcome })
    try {
      account = await store.accounts.get(key.accountId)
      if (account?.state !== 'active') return false
      const context = { requestId, caller: 'sweep', settles: true as const, maxWaitMs: 60_000 }
      if (!(await resume(account, key, context))) return false
      report({})
      return true
    } catch (error) {
      onError(error)
      report({ error })
      return false
    }
  }

  return {
    due: async () => Map.groupBy(await store.journal.abandoned(batch, perAccount), ({ accountId }) => accountId),
    async settle(keys, options) {
      let settled = 0
      for (const key of keys) if ((options.mayGoOn?.() ?? true) && (await settleOne(key, options))) settled++
      return settled
    },
    async forget() {
      await store.journal.forgetUpdates(finishedUpdatesMs)
      await store.journal.forgetGuards(duplicateWindowMs)
    },
  }
}

export interface SweepWorkOptions extends Pick<SweepOptions, 'finished'> {
  sweep: Sweep
  /** How long an account is left alone after its turn. */
  pauseMs: number
  onError(error: unknown): void
  onSettled(result: { settled: number; failed: number }): void
}
export function createSweepWork({
  sweep,
  pauseMs,
  onSettled,
  ...options
}: SweepWorkOptions): Work<readonly EntryKey[]> {
  let found = new Map<string, EntryKey[]>()
  return {
    async due() {
      found = await sweep.due()
      return [...found.keys()]
    },
    take: async (accountId) => found.get(accountId),
    async work(keys, turn) {
      let failed = 0
      const onError = (error: unknown) => {
        failed++
        options.onError(error)
      }
      const settled = await sweep.settle(keys, { ...options, onError, mayGoOn: turn.mayGoOn })
      onSettled({ settled, failed })
      return { dueInMs: pauseMs, holdMs: pauseMs }
    },
    release: async () => {},
    about: (accountId) => `the interrupted writes of ${accountId}`,
  }
}
