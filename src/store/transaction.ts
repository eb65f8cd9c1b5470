import type { Kysely, Transaction } from 'kysely'
import type { CachedTable } from './lookup-cache.ts'
import { noLookupCache } from './lookup-cache.ts'
import type { Database, StoreContext } from './table-types.ts'
import { noBatches } from './tables/journal-batches.ts'

/** A transaction of its own, or a part of the one that is open. */
export const transacted = <T>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db as Transaction<Database>) : db.transaction().execute(work))

/**
 * The tables of `work` read and write in one transaction. What they change is removed from the cache when the
 * transaction has ended.
 */
export function inTransaction<T>(context: StoreContext, work: (inner: StoreContext) => Promise<T>): Promise<T> {
  const changed = new Set<CachedTable>()
  const lookups: StoreContext['lookups'] = {
    ...noLookupCache,
    changing(tables, change) {
      for (const table of tables) changed.add(table)
      return change
    },
  }
  const woken = new Set<string>()
  const wakes = { ...context.wakes, committed: (accountId: string) => void woken.add(accountId) }
  const ended = transacted(context.writes, (transaction) =>
    work({ ...context, reads: transaction, writes: transaction, lookups, wakes, batches: noBatches }),
  ).then((result) => {
    for (const accountId of woken) context.wakes.committed(accountId)
    return result
  })
  return context.lookups.changing(changed, ended)
}
