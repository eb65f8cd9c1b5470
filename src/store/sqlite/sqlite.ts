import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { assembleStore } from '../assemble-store.ts'
import { createLookupCache, noLookupCache } from '../lookup-cache.ts'
import type { Store } from '../store.ts'
import type { Database, Durability } from '../table-types.ts'
import { noBatches } from '../tables/journal-batches.ts'
import type { Vault } from '../vault.ts'
import { Connection, retryWhenBusy } from './connection.ts'
import { DatabaseDamaged, findDamage } from './damaged.ts'
import { createReadDialect, createWriteDialect } from './dialect.ts'
import { createLocalWakes } from './local-wakes.ts'
import { WriteQueue } from './write-queue.ts'

export interface SqliteOptions {
  file: string
  vault: Vault
  background?: boolean
  durability?: Durability | undefined
  exclusive?: boolean
}

export async function createSqliteStore({
  file,
  vault,
  background = false,
  durability = background ? 'normal' : 'full',
  exclusive = false,
}: SqliteOptions): Promise<Store> {
  // Created here and not by SQLite, so that only its owner can read it. SQLite gives its other files the same mode.
  await (await open(file, 'a', 0o600)).close()
  // How long SQLite blocks the thread while another connection writes. Not at all where requests are served:
  // `retryWhenBusy` waits without blocking. In a background thread it prevents starvation.
  const timeout = background ? 1_000 : 0
  const database = new DatabaseSync(file, { timeout, enableForeignKeyConstraints: true })
  let reader: DatabaseSync
  try {
    await retryWhenBusy(() => database.exec('pragma journal_mode = wal'))
    const damage = background ? undefined : await retryWhenBusy(() => findDamage(database, file))
    if (damage) throw new DatabaseDamaged(damage)
    reader = new DatabaseSync(file, { timeout, readOnly: true })
  } catch (error) {
    database.close()
    throw error
  }
  const queue = new WriteQueue(database, durability)
  const reads = new Kysely<Database>({ dialect: createReadDialect(new Connection(reader)) })
  const wakes = createLocalWakes(file)
  return assembleStore(
    {
      reads,
      writes: new Kysely<Database>({ dialect: createWriteDialect(queue) }),
      lookups: exclusive ? createLookupCache() : noLookupCache,
      batches: noBatches,
      wakes,
      vault,
      now: sql<number>`cast(round(unixepoch('now', 'subsec') * 1000) as integer)`,
    },
    {
      kind: 'sqlite',
      ping: async () => {
        await sql`select 1`.execute(reads)
      },
      close: async () => {
        wakes.close()
        if (reader.isOpen) reader.close()
        await queue.close() // last: it writes the log into the file
      },
    },
  )
}
