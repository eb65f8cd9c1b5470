// Finishes writes that were interrupted, without waiting for their callers: accounts beside each other, the writes of
// one account in turn.
import { createRequestId } from '../../store/request-id.ts'
import type { Account, EntryKey } from '../../store/store.ts'
import type { EngineStore, RequestContext } from '../options.ts'
import { duplicateWindowMs } from './duplicates.ts'

/** Accounts at once, and writes of one account in one run: a platform that does not respond takes minutes for each. */
const accountsAtOnce = 16
const perAccount = 5
const batch = 200
/** By then no request waits for the response of an update. */
const finishedUpdatesMs = 10 * 60_000

export interface SweepOptions {
  onError(error: unknown): void
  stop?(): boolean // asked before each write
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

/**
 * Returns how many writes it settled. It can be called again while it runs: accounts that are being swept are left to
 * the run that has them.
 */
export function createSweep(
  store: Pick<EngineStore, 'journal' | 'accounts'>,
  resume: Resume,
): (options: SweepOptions) => Promise<number> {
  const busy = new Set<string>()

  async function settle(key: EntryKey, { onError, finished }: SweepOptions): Promise<boolean> {
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

  return async (options) => {
    await store.journal.forgetUpdates(finishedUpdatesMs)
    await store.journal.forgetGuards(duplicateWindowMs)
    const keys = await store.journal.abandoned(batch, perAccount)
    const accounts = [...Map.groupBy(keys, ({ accountId }) => accountId)].filter(([accountId]) => !busy.has(accountId))
    let settled = 0
    const next = accounts.values()
    const work = async () => {
      for (const [accountId, writes] of next) {
        if (options.stop?.()) return
        busy.add(accountId)
        try {
          for (const key of writes) if (!options.stop?.() && (await settle(key, options))) settled++
        } finally {
          busy.delete(accountId)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.max(0, accountsAtOnce - busy.size) }, work))
    return settled
  }
}
