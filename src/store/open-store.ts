import { join } from 'node:path'
import { createPostgresStore } from './postgres/postgres.ts'
import { createSqliteStore } from './sqlite/sqlite.ts'
import type { Store } from './store.ts'
import type { Durability } from './table-types.ts'
import type { Vault } from './vault.ts'

/** The database file of a data directory. */
export const sqliteFileIn = (dataDir: string) => join(dataDir, 'unified-records.sqlite')

export interface OpenOptions {
  databaseUrl?: string
  /** PostgreSQL only: around a connection pooler. */
  directUrl?: string | undefined
  warn?(message: string): void
  dataDir: string
  vault: Vault
  /** For background work in a thread. */
  background?: boolean
  /** SQLite only, for changes that do not set their own. By default `full`, and in the background `normal`. */
  durability?: Durability
  /** SQLite only: no other process writes to the file, so lookups are cached. */
  exclusive?: boolean
}
/** PostgreSQL if there is a URL, otherwise a file in the data directory, which must exist. `migrate()` creates the tables. */
export async function openStore({
  databaseUrl,
  directUrl,
  warn,
  dataDir,
  vault,
  background = false,
  durability,
  exclusive = false,
}: OpenOptions): Promise<Store> {
  if (databaseUrl)
    return createPostgresStore({ url: databaseUrl, directUrl, vault, poolSize: background ? 1 : undefined, warn })
  return createSqliteStore({ file: sqliteFileIn(dataDir), vault, background, durability, exclusive })
}
