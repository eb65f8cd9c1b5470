import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Store } from '../store.ts'
import type { Database } from '../table-types.ts'
import { release010 } from './0.1.0/migration.ts'
import { release020 } from './0.2.0/migration.ts'
import type { ReleaseMigration } from './part.ts'

/** One per release, in this order. See docs/versioning.md. */
export const migrationsOf = (kind: Store['kind']): ReleaseMigration[] => [release010(kind), release020(kind)]

interface Applied {
  kysely_migration: { name: string; timestamp: string }
}
const ofApplied = (db: Kysely<Database>): Kysely<Applied> => db as unknown as Kysely<Applied>

/** The lock that Kysely takes in versions before 0.2.0. */
const lockId = 3853314791062309107n
/** Deadlock, or a lock that could not be had in time. */
const passing = new Set(['40P01', '55P03'])
const attempts = 30

/**
 * All missing migrations in one transaction, one instance at a time: SQLite by its write lock, PostgreSQL by an
 * advisory lock. Instances that run meanwhile go on. If one of their transactions holds a table for long, the migration
 * lets go and tries again: while it waits for a table, every other statement on that table waits behind it.
 */
export async function migrateToLatest(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((transaction) => migrate(transaction, kind))
    } catch (error) {
      const { code } = error as { code?: string }
      if (!passing.has(code ?? '')) throw error
      if (attempt === attempts)
        throw new Error(
          'The database could not be upgraded, because another session holds a lock on its tables. End long transactions, such as a backup, and start again.',
          { cause: error },
        )
      await sleep(1000)
    }
  }
}

/** Asks again and again: a statement that waits would end at the limit that a pooler sets for statements. */
async function lock(transaction: Transaction<Database>): Promise<void> {
  const question = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as locked`
  while (!(await question.execute(transaction)).rows[0]?.locked) await sleep(100)
}

async function migrate(transaction: Transaction<Database>, kind: Store['kind']): Promise<void> {
  if (kind === 'postgres') {
    await lock(transaction)
    await sql`set local lock_timeout = '2s'`.execute(transaction)
  }
  await sql`create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`.execute(
    transaction,
  )
  const applied = await namesIn(transaction)
  const migrations = migrationsOf(kind)
  refuseUnknown(applied, migrations)
  for (const { name, parts } of migrations) {
    if (applied.has(name)) continue
    const missing = parts.filter((part) => part.name === undefined || !applied.has(part.name))
    for (const { statements } of missing) for (const statement of statements) await statement.execute(transaction)
    const older = parts.flatMap((part) => part.name ?? [])
    await ofApplied(transaction).deleteFrom('kysely_migration').where('name', 'in', older).execute()
    const row = { name, timestamp: new Date().toISOString() }
    await ofApplied(transaction).insertInto('kysely_migration').values(row).execute()
  }
}

async function namesIn(db: Kysely<Database>): Promise<Set<string>> {
  const rows = await ofApplied(db).selectFrom('kysely_migration').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

function refuseUnknown(applied: ReadonlySet<string>, migrations: readonly ReleaseMigration[]): void {
  const knownNames = new Set(migrations.flatMap(({ name, parts }) => [name, ...parts.map((part) => part.name)]))
  const unknown = [...applied].filter((name) => !knownNames.has(name))
  if (unknown.length > 0)
    throw new Error(
      `The database was upgraded by a newer version (${unknown.sort().join(', ')}). Start that version, or restore a backup from before the upgrade.`,
    )
}

/** Names of those that have not run yet. */
export async function pendingMigrations(db: Kysely<Database>, kind: Store['kind']): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const applied = tables.some(({ name }) => name === 'kysely_migration') ? await namesIn(db) : new Set<string>()
  return migrationsOf(kind)
    .filter(({ name, parts }) => !applied.has(name) && !parts.every((part) => part.name && applied.has(part.name)))
    .map(({ name }) => name)
}
