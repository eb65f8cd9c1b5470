// After a crash, writes that nobody works on any more are brought to their end without waiting for their callers.
import type { Account, Store } from '../store/store.ts'
import type { Target } from './attempt.ts'
import type { Writes } from './writes.ts'

const batch = 50

export interface SweepOptions {
  onError(error: unknown): void
  stop?(): boolean // asked before each write
}
/** Answers how many writes it settled. */
export function createSweep(store: Store, target: (account: Account, entityType: string) => Target, writes: Writes): (options: SweepOptions) => Promise<number> {
  return async ({ onError, stop }) => {
    let settled = 0
    for (const key of await store.journal.abandoned(batch)) {
      if (stop?.()) break
      try {
        const account = await store.accounts.get(key.accountId)
        if (account?.state !== 'active') continue
        if (await writes.resume(target(account, key.entityType), key, { requestId: 'sweep', caller: 'sweep', maxWaitMs: 60_000 })) settled++
      } catch (error) {
        onError(error)
      }
    }
    return settled
  }
}
