// What limits a credential: accounts, entities and hidden fields (separated by spaces; null: no limit) and its expiry.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const columns = ['accounts', 'entities', 'hidden_fields', 'expires_at', 'last_address']
/** As in 0020, with the new columns. The last use is not cached. */
const cached =
  'name, secret_hash, generation, rotated_at, revoked_at, scopes, accounts, entities, hidden_fields, expires_at'

export function credentialLimits(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const column of columns) await sql`alter table credentials add column ${sql.ref(column)} text`.execute(db)
      if (kind === 'sqlite') return
      await sql`drop trigger credentials_changed on credentials`.execute(db)
      await sql`create constraint trigger credentials_changed
        after insert or delete or update of ${sql.raw(cached)} on credentials
        deferrable initially deferred for each row execute function count_lookup_change()`.execute(db)
    },
  }
}
