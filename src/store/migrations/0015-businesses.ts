// The business of an account at its platform, to find its other accounts. Null until a start has looked for it, empty
// while it is unknown.
import { type Kysely, type Migration, sql } from 'kysely'

export function businesses(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table accounts add column business text`.execute(db)
      await sql`create index accounts_business on accounts (business, workspace_id) where business <> ''`.execute(db)
      await sql`create index accounts_without_business on accounts (id) where business is null`.execute(db)
    },
  }
}
