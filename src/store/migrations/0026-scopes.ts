// The scopes of a credential, separated by spaces. Null: the default ones.
import { type Kysely, type Migration, sql } from 'kysely'

export function credentialScopes(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table credentials add column scopes text`.execute(db)
    },
  }
}
