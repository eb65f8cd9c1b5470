// Finishes writes that a crash left behind, without waiting for their callers.
import { createRequestId } from '../../store/request-id.ts'
import type { Account, EntryKey } from '../../store/store.ts'
import type { EngineStore } from '../options.ts'
import type { Target } from '../target.ts'
import type { Writes } from './create.ts'

const batch = 50

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
/** Answers how many writes it settled. */
export function createSweep(
  store: EngineStore,
  target: (account: Account, entityType: string) => Target,
  writes: Writes,
): (options: SweepOptions) => Promise<number> {
  return async ({ onError, stop, finished }) => {
    let settled = 0
    for (const key of await store.journal.abandoned(batch)) {
      if (stop?.()) break
      const requestId = createRequestId()
      const began = performance.now()
      let account: Account | undefined
      const say = (outcome: { error?: unknown }) =>
        account && finished?.({ requestId, account, key, totalMs: performance.now() - began, ...outcome })
      try {
        account = await store.accounts.get(key.accountId)
        if (account?.state !== 'active') continue
        if (
          !(await writes.resume(target(account, key.entityType), key, {
            requestId,
            caller: 'sweep',
            maxWaitMs: 60_000,
          }))
        )
          continue
        settled++
        say({})
      } catch (error) {
        onError(error)
        say({ error })
      }
    }
    return settled
  }
}
