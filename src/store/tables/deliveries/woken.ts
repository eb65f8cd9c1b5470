import type { Kysely } from 'kysely'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'

/** A transaction after which the holders of endpoints look again. */
export async function woken<T>(
  { writes, wakes }: Pick<StoreContext, 'writes' | 'wakes'>,
  work: (transaction: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const result = await transacted(writes, async (transaction) => {
    const done = await work(transaction)
    await wakes.committing(transaction, '')
    return done
  })
  wakes.committed('')
  return result
}
