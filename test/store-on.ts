// An empty database of either kind for one test file. Any number of stores can be opened on it.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { sqliteFileIn } from '../src/store/open-store.ts'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import { createSqliteStore } from '../src/store/sqlite/sqlite.ts'
import type { Account, Store } from '../src/store/store.ts'
import { createVault, type Vault } from '../src/store/vault.ts'
import { chooseCases } from './case-choice.ts'
import { copyMigrated } from './migrated-sqlite.ts'
import { freshDatabase } from './postgres.ts'

export const storeKinds: readonly Store['kind'][] = ['sqlite', 'postgres']
/**
 * One of them in `npm test`, both in the nightly run. For files about what is above the store: what its tables do is
 * tried on both, in src/store and src/engine.
 */
export const storeKindsFor = (file: string): readonly Store['kind'][] =>
  chooseCases(storeKinds, { oneIn: 2, group: () => file })

/** A database whose tables exist, to copy: that takes a fifth of the time of all migrations. */
export async function createTemplate(url: string): Promise<string> {
  const template = await freshDatabase(url)
  const store = await createPostgresStore({ url: template, vault: createVault([randomBytes(32)]) })
  await store.migrate()
  await store.close()
  return new URL(template).pathname.slice(1)
}

export interface TestDatabase {
  /** The file or the URL. */
  readonly place: string
  open(vault?: Vault): Promise<Store>
  /** Closes every store that was opened. */
  remove(): Promise<void>
}

/** Runs the script of docs/scale.md. */
export async function partitionTables(databaseUrl: string): Promise<void> {
  const page = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8')
  const script = /```sql\n(do \$\$.*?)```/s.exec(page)?.[1]
  if (!script) throw new Error('docs/scale.md has no script for partitions')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(script)
  } finally {
    await client.end()
  }
}

/** With POOLER=1, the store reaches its database through PgBouncer. */
export function throughPooler(database: string): string {
  const pooler = inject('poolerUrl')
  if (pooler === undefined) return database
  const url = new URL(pooler)
  url.pathname = new URL(database).pathname
  return url.href
}

/** Its tables exist already. */
export async function createTestDatabase(kind: Store['kind']): Promise<TestDatabase> {
  const ownVault = createVault([randomBytes(32)])
  const opened: Store[] = []
  const directory = await mkdtemp(join(tmpdir(), 'unified-records-store-'))
  if (kind === 'sqlite') await copyMigrated(directory)
  const direct =
    kind === 'sqlite' ? sqliteFileIn(directory) : await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  if (kind === 'postgres' && process.env.PARTITIONED) await partitionTables(direct)
  const place = kind === 'postgres' ? throughPooler(direct) : direct
  return {
    place,
    async open(vault = ownVault) {
      const store =
        kind === 'sqlite'
          ? await createSqliteStore({ file: place, vault })
          : await createPostgresStore({ url: place, directUrl: direct, vault })
      opened.push(store)
      return store
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Creates a workspace `w` and an account with this id, for links and journal entries. */
export async function addAccount(store: Store, id: string): Promise<Account> {
  if (!(await store.workspaces.get('w'))) await store.workspaces.create({ id: 'w', name: 'Workspace' })
  const account = await store.accounts.create({
    id,
    workspaceId: 'w',
    platform: 'square',
    vertical: 'restaurant',
    name: 'Main street',
    state: 'active',
    settings: { locationId: 'L1' },
    auth: 'oauth2',
    credentials: { accessToken: `token-of-${id}` },
  })
  if (account === 'exists') throw new Error(`account ${id} exists`)
  return account
}
