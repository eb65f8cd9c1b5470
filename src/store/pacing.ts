import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import type { Store } from './store.ts'

/** Postgres only: the pacing state that all instances share, on the database's clock. */
export function createPacing(db: Kysely<Database>): NonNullable<Store['pacing']> {
  return {
    async reserve(accountId, lanes, maxWaitMs) {
      const { rows } = await sql<{
        slot: number
        leaves: number
        moment: number
        taken: boolean
        used: number
      }>`select * from pace_slot(${accountId}, ${JSON.stringify(lanes)}::jsonb, ${maxWaitMs})`.execute(db)
      const { slot, leaves, moment, taken, used } = rows[0] as (typeof rows)[number]
      return { slot, moment, waitMs: leaves - moment, leewayMs: slot - leaves, taken, used }
    },
    async moment() {
      const { rows } = await sql<{ moment: number }>`select (extract(epoch from clock_timestamp()) * 1000)::double precision as moment`.execute(db)
      return (rows[0] as { moment: number }).moment
    },
    async hold(accountId, milliseconds) {
      await sql`select pace_hold(${accountId}, ${milliseconds})`.execute(db)
    },
    async late(accountId, lanes, slot) {
      const { rows } = await sql<{ moved: boolean }>`select pace_late(${accountId}, ${JSON.stringify(lanes)}::jsonb, ${slot}) as moved`.execute(db)
      return rows[0]?.moved === true
    },
    async giveBack(accountId, lane, slot) {
      await sql`select pace_give_back(${accountId}, ${lane}, ${slot})`.execute(db)
    },
  }
}
