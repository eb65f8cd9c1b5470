// Finds the writes that the platform took only in part. The index has no other rows, so it costs other writes nothing.
import { type Kysely, type Migration, sql } from 'kysely'

export function partialWrites(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`create index journal_partial on journal (account_id) where state = 'partial'`.execute(db)
    },
  }
}
