import { type Kysely, sql } from 'kysely'
import { prepareOnce } from '../prepared.ts'
import type { Store } from '../store.ts'
import type { Database } from '../table-types.ts'

interface Row {
  slot: number
  leaves: number
  moment: number
  taken: boolean
  used: number
  tentative: boolean
}
type BackgroundRow = Omit<Row, 'tentative'> & { waiting: boolean }

/** PostgreSQL only: the pacing state that all instances share, on the database's clock. */
export function createPacing(db: Kysely<Database>): NonNullable<Store['pacing']> {
  return {
    async reserve(owner, { lanes, count, maxWaitMs, horizonMs, afterMs, leewayMs, returned, arrived }) {
      const named = arrived.map(({ slot }) => slot)
      const arrivals = arrived.map(({ arrival }) => arrival)
      const query =
        sql<Row>`select * from pace_slots(${owner}, ${JSON.stringify(lanes)}::jsonb, ${count}, ${maxWaitMs}, ${horizonMs}, ${afterMs}, ${leewayMs}, ${returned}, ${named}, ${arrivals})`.compile(
          db,
        )
      prepareOnce(query.sql)
      const { rows } = await db.executeQuery(query)
      const { moment, leaves, used } = rows.at(-1) as Row
      const slots = rows
        .slice(0, -1)
        .map(({ slot, leaves, tentative }) => ({ slot, waitMs: leaves - moment, leewayMs: slot - leaves, tentative }))
      return { moment, slots, nextMs: leaves - moment, used }
    },
    async reserveInBackground(owner, { lanes, afterMs, leewayMs, returned, arrived }) {
      const named = arrived.map(({ slot }) => slot)
      const arrivals = arrived.map(({ arrival }) => arrival)
      const query =
        sql<BackgroundRow>`select * from pace_background(${owner}, ${JSON.stringify(lanes)}::jsonb, ${afterMs}, ${leewayMs}, ${returned}, ${named}, ${arrivals})`.compile(
          db,
        )
      prepareOnce(query.sql)
      const { rows } = await db.executeQuery(query)
      const { slot, leaves, moment, taken, used, waiting } = rows[0] as BackgroundRow
      const waitMs = leaves - moment
      const reserved = taken ? { slot, waitMs, leewayMs: slot - leaves, tentative: false } : undefined
      return { moment, slot: reserved, nextMs: waitMs, used, waiting }
    },
    async moment() {
      const { rows } = await sql<{
        moment: number
      }>`select (extract(epoch from clock_timestamp()) * 1000)::double precision as moment`.execute(db)
      return (rows[0] as { moment: number }).moment
    },
    async hold(owner, milliseconds) {
      await sql`select pace_hold(${owner}, ${milliseconds})`.execute(db)
    },
    async sharePermits(owner, { instance, concurrency, used, wanted, expiryMs, background = 0 }) {
      const { rows } = await sql<{
        allowed: number
      }>`select share_call_permits(${owner}, ${instance}, ${concurrency}, ${used}, ${wanted}, ${expiryMs}, ${background}) as allowed`.execute(
        db,
      )
      return (rows[0] as { allowed: number }).allowed
    },
    async dropPermits(instance) {
      await sql`delete from call_permits where instance = ${instance}`.execute(db)
    },
  }
}
