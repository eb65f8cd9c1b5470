import { sql } from 'kysely'
import type { Store } from '../store.ts'
import type { StoreContext } from '../table-types.ts'

export function createLeases({ writes, now }: StoreContext): Store['leases'] {
  return {
    /** The holder can acquire it again, which extends it. */
    async acquire(name, holder, leaseMs) {
      const until = sql<number>`${now} + ${leaseMs}`
      const row = await writes
        .insertInto('leases')
        .values({ name, holder, lease_until: until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, lease_until: until })
            .where((column) =>
              column.or([column('leases.lease_until', '<=', now), column('leases.holder', '=', holder)]),
            ),
        )
        .returning('name')
        .executeTakeFirst()
      return row !== undefined
    },
    async renew(name, holder, leaseMs) {
      const { numUpdatedRows } = await writes
        .updateTable('leases')
        .set({ lease_until: sql<number>`${now} + ${leaseMs}` })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release(name, holder) {
      await writes.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
    },
  }
}
