// PostgreSQL: a number that every change of a cached table changes, so that instances know when to read again.
// It changes at the end of a transaction: one that holds it waits for nothing else.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

/** The last use of a credential is not cached. */
const changes = {
  accounts: 'insert or delete or update',
  credentials: 'insert or delete or update of name, secret_hash, generation, rotated_at, revoked_at',
  mappings: 'insert or delete or update',
  mapping_keys: 'insert or delete or update',
  mapping_defaults: 'insert or delete or update',
}

export function lookupVersion(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'sqlite') return
      await sql`create table lookup_version (version bigint not null)`.execute(db)
      await sql`insert into lookup_version (version) values (1)`.execute(db)
      await sql`create function count_lookup_change() returns trigger language plpgsql as $$
        begin
          update lookup_version set version = version + 1;
          return null;
        end
      $$`.execute(db)
      for (const [table, events] of Object.entries(changes))
        await sql`create constraint trigger ${sql.ref(`${table}_changed`)} after ${sql.raw(events)} on ${sql.ref(table)}
          deferrable initially deferred for each row execute function count_lookup_change()`.execute(db)
    },
  }
}
