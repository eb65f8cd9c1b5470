import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createPostgresStore } from './postgres/postgres.ts'
import type { Durability } from './schema.ts'
import { createSqliteStore } from './sqlite/sqlite.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

/** Where the data directory holds its database. */
export const sqliteFileIn = (dataDir: string) => join(dataDir, 'unified-records.sqlite')

export interface OpenOptions {
  databaseUrl?: string
  dataDir: string
  vault: Vault
  /** For work beside the requests, in a thread. */
  background?: boolean
  /** SQLite only, for changes that do not set their own. By default `full`, and in the background `normal`. */
  durability?: Durability
  /** SQLite only: no other process writes to the file, so lookups are cached. */
  exclusive?: boolean
}
/** Postgres when a URL is given, otherwise a file in the data directory. Its tables come with `migrate()`. */
export async function openStore({
  databaseUrl,
  dataDir,
  vault,
  background = false,
  durability,
  exclusive = false,
}: OpenOptions): Promise<Store> {
  if (databaseUrl) {
    // The value itself stays out of the message: it carries a password.
    if (!/^postgres(ql)?:\/\//.test(databaseUrl))
      throw new Error('the database URL must begin with postgres:// or postgresql://')
    return createPostgresStore({ url: databaseUrl, vault, ...(background ? { poolSize: 1 } : {}) })
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return createSqliteStore({ file: sqliteFileIn(dataDir), vault, background, durability, exclusive })
}
