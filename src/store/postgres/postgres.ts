import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { assembleStore } from '../assemble-store.ts'
import { createVersionedLookupCache } from '../lookup-cache.ts'
import { prepareOnce } from '../prepared.ts'
import type { Store } from '../store.ts'
import type { Database } from '../table-types.ts'
import { createPacing } from '../tables/pacing.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import type { Vault } from '../vault.ts'
import { guardPool } from './guarded-pool.ts'
import { inBatches } from './in-batches.ts'
import { createJournalBatches } from './journal-batches.ts'
import { createNotifiedWakes } from './notified-wakes.ts'
import { noticeRestore } from './restored.ts'

const timeoutMs = 5_000
const pooledWarning =
  'the database is behind a connection pooler, so instances do not notify each other of changes, and long polls and webhooks take seconds longer: set DATABASE_DIRECT_URL to the address of the database itself'
const int8 = 20 // the type's number in Postgres

/** By default a bigint is parsed as text. All of ours (milliseconds, counts) are exact as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === int8 ? Number : pg.types.getTypeParser(id, format as 'text'),
}

/** The server cancels a statement; if there is no response at all, the client gives up a second later. */
const bounded: pg.PoolConfig = { statement_timeout: timeoutMs, query_timeout: timeoutMs + 1_000 }

/** How long it may take to get a connection: the parameter of libpq, in seconds. */
function connectMs(url: string): number {
  const seconds = Number(/[?&]connect_timeout=(\d+)(?:&|$)/.exec(url)?.[1] ?? 0)
  return seconds > 0 ? seconds * 1000 : timeoutMs
}

function createPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    connectionTimeoutMillis: connectMs(url),
    keepAlive: true,
    // A process that hangs in a transaction must not hold its locks forever.
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'unified-records',
    ...options,
  })
  // A lost connection fails its query and is replaced. Without a listener the event would end the process. Idle
  // connections emit it on the pool, busy ones on the client.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function ping(db: Kysely<Database>, limitMs = timeoutMs): Promise<void> {
  const done = new AbortController()
  const timeout = sleep(limitMs, undefined, { signal: done.signal }).then(() =>
    Promise.reject(new DatabaseUnavailable(new Error('it does not answer'))),
  )
  try {
    await Promise.race([sql`select 1`.execute(db), timeout])
  } finally {
    timeout.catch(() => {})
    done.abort()
  }
}

/** Read once for all lookups that begin together. */
function versionOf(db: Kysely<Database>): () => Promise<number> {
  const query = CompiledQuery.raw(prepareOnce('select version from lookup_version'))
  const read = async () => (await db.executeQuery<{ version: number }>(query)).rows[0]?.version ?? 0
  const shared = inBatches<undefined, number>({
    one: read,
    async many(lookups) {
      const version = await read()
      return lookups.map(() => version)
    },
  })
  return () => shared(undefined)
}

export interface PostgresOptions {
  url: string
  /** Around a connection pooler, for migrations and notifications. */
  directUrl?: string | undefined
  vault: Vault
  poolSize?: number | undefined
  warn?: ((message: string) => void) | undefined
}

export async function createPostgresStore({
  url,
  directUrl = url,
  vault,
  poolSize = 10,
  warn = () => {},
}: PostgresOptions): Promise<Store> {
  const open = (address: string, options: pg.PoolConfig) => {
    // A connection pooler that gives each transaction another connection may not know prepared statements.
    const prepared = !/[?&]prepared_statements=off(&|$)/.test(address)
    return new Kysely<Database>({
      dialect: new PostgresDialect({ pool: guardPool(createPool(address, options), { prepared }) }),
    })
  }
  const db = open(url, { max: poolSize, ...bounded })
  try {
    await ping(db, connectMs(url))
  } catch (error) {
    await db.destroy()
    throw error
  }
  const wakes = createNotifiedWakes(
    {
      connectionString: directUrl,
      connectionTimeoutMillis: connectMs(directUrl),
      keepAlive: true,
      application_name: 'unified-records',
    },
    () => warn(pooledWarning),
  )
  return assembleStore(
    {
      reads: db,
      writes: db,
      lookups: createVersionedLookupCache(versionOf(db)),
      batches: createJournalBatches(db, vault),
      wakes,
      vault,
      now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    },
    {
      kind: 'postgres',
      ping: () => ping(db),
      close: async () => {
        await wakes.close()
        await db.destroy()
      },
      pacing: createPacing(db),
      // A migration may take long, and waits for the one of another instance.
      forMigrations: () => open(directUrl, { max: 1 }),
      noticeRestore,
    },
  )
}
