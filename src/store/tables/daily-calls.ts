import { type RawBuilder, sql } from 'kysely'
import type { DailyCallTable, DailyTotal } from '../daily-call-table.ts'
import type { DurableQuery, StoreContext } from '../table-types.ts'

/** Rows of one statement. */
const batch = 500
const whole = (milliseconds: number): RawBuilder<number> => sql<number>`cast(${milliseconds} as bigint)`

export function createDailyCalls({ reads, writes, now }: StoreContext): DailyCallTable {
  return {
    async add(calls, { bucketMs }) {
      const bucket = sql<number>`${now} - ${now} % ${whole(bucketMs)}`
      // In one order: two instances that add to the same rows do not wait for each other.
      const rows = calls.toSorted((left, right) => (left.owner < right.owner ? -1 : 1))
      for (let first = 0; first < rows.length; first += batch) {
        const insert = writes
          .insertInto('daily_calls')
          .values(rows.slice(first, first + batch).map(({ owner, calls }) => ({ owner, bucket, calls })))
          .onConflict((conflict) =>
            conflict
              .columns(['owner', 'bucket'])
              .doUpdateSet({ calls: sql<number>`daily_calls.calls + excluded.calls` }),
          )
        // A process that ends loses nothing. A power failure may lose what a process that is killed loses anyway.
        const query: DurableQuery = { ...insert.compile(), durability: 'normal' }
        await writes.executeQuery(query)
      }
    },
    async totals(owners, { dayMs, bucketMs }) {
      const counted = whole(dayMs + bucketMs)
      const found: DailyTotal[] = []
      for (let first = 0; first < owners.length; first += batch) {
        const rows = await reads
          .selectFrom('daily_calls')
          .select((select) => [
            'owner',
            select.fn.sum<number | string>('calls').as('calls'),
            sql<number>`min(bucket) + ${counted} - ${now}`.as('reset_ms'),
          ])
          .where('owner', 'in', owners.slice(first, first + batch))
          .where('bucket', '>', sql<number>`${now} - ${counted}`)
          .groupBy('owner')
          .execute()
        for (const { owner, calls, reset_ms } of rows)
          found.push({ owner, calls: Number(calls), resetMs: Number(reset_ms) })
      }
      return found
    },
    async forget({ dayMs }) {
      await writes
        .deleteFrom('daily_calls')
        .where('bucket', '<', sql<number>`${now} - ${whole(Math.round((dayMs * 25) / 24))}`)
        .execute()
    },
  }
}
