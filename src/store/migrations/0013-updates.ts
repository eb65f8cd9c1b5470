// Updates are journaled beside the creates. A finished one is removed after a while, and this finds it without a walk
// through the journal.
import { type Kysely, type Migration, sql } from 'kysely'

export function updates(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`create index journal_finished_updates on journal (lease_until) where entity_type like '%.update' and state = 'done'`.execute(
        db,
      )
    },
  }
}
