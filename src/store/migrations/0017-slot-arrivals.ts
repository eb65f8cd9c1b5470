// A call counts from its response instead of its slot. Instances of the version before go on with the functions that
// they know, over the same rows.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'
import { installPaceSlots } from './pace-slots.ts'

export function slotArrivals(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'sqlite') return
      await sql`alter table pacing add column arrivals double precision[] not null default '{}'`.execute(db)
      await installPaceSlots(db)
      await sql`drop function if exists pace_free(double precision[], jsonb, double precision, double precision, double precision)`.execute(
        db,
      )
    },
  }
}
