import { type Kysely, Migrator } from 'kysely'
import { firstTables } from './migrations/0001-first-tables.ts'
import { pacing } from './migrations/0002-pacing.ts'
import type { Database } from './schema.ts'
import type { Store } from './store.ts'

/** All missing migrations in one transaction, one instance at a time: SQLite by its write lock, Postgres by an advisory lock. */
export async function migrateToLatest(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  const provider = { getMigrations: async () => ({ '0001-first-tables': firstTables(kind), '0002-pacing': pacing(kind) }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}
