import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import type { Store } from './store.ts'

/** Postgres only: the pacing state that all instances share, on the database's clock. */
export function createPacing(db: Kysely<Database>): NonNullable<Store['pacing']> {
  return {
    async reserve(accountId, lanes, maxWaitMs) {
      const { rows } = await sql<{
        slot: number
        moment: number
        taken: boolean
        used: number
      }>`select * from pace(${accountId}, ${JSON.stringify(lanes)}::jsonb, ${maxWaitMs})`.execute(db)
      const { slot, moment, taken, used } = rows[0] as (typeof rows)[number]
      return { slot, waitMs: slot - moment, taken, used }
    },
    async hold(accountId, milliseconds) {
      await sql`select pace_hold(${accountId}, ${milliseconds})`.execute(db)
    },
    async giveBack(accountId, lane, slot) {
      await sql`select pace_give_back(${accountId}, ${lane}, ${slot})`.execute(db)
    },
  }
}
