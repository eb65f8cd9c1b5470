// The disk is full or read-only: reads continue, writes are rejected before the platform is called, the instance is not
// ready, and the service recovers without a restart.
// For a damaged file, see src/store/sqlite/backup.test.ts and test/e2e/cli.test.ts.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'
import { createLedger, type Ledger, unavailable } from './ledger.ts'

let harness: Harness
let ledger: Ledger
let fill: () => Promise<void>
let empty: () => Promise<void>
let closeDatabase = async () => {}
afterEach(async () => {
  await closeDatabase()
  closeDatabase = async () => {}
  await harness.close()
})
const options = { connectors, simulators, platform: 'square', callTimeoutMs: 30_000 }

/** On the service's own connection: both settings belong to a connection. */
async function startOnSqlite(how: 'full' | 'read-only'): Promise<void> {
  let database: DatabaseSync | undefined
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
    database = this
    return exec.call(this, text)
  }
  try {
    harness = await createHarness({ ...options, ownDisk: true })
  } finally {
    DatabaseSync.prototype.exec = exec
  }
  const set = async (text: string) => database?.exec(`pragma ${text}`)
  const pages = () => Number(Object.values(database?.prepare('pragma page_count').get() ?? {})[0])
  fill = () => set(how === 'full' ? `max_page_count = ${pages()}` : 'query_only = on').then(() => {})
  empty = () => set(how === 'full' ? 'max_page_count = 1073741823' : 'query_only = off').then(() => {})
}
/** Every insert fails as it does when a file cannot grow, or on a server that has become a replica. */
async function startOnPostgres(how: 'full' | 'read-only'): Promise<void> {
  const databaseUrl = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  harness = await createHarness({ ...options, databaseUrl, instances: 1 })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  closeDatabase = () => client.end()
  const tables = ['journal', 'journal_steps', 'links', 'leases']
  const failure =
    how === 'full'
      ? `'could not extend file "base/16384/16385": No space left on device' using errcode = '53100'`
      : `'cannot execute INSERT in a read-only transaction' using errcode = '25006'`
  await client.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception ${failure}; end $$`,
  )
  const onAll = async (statement: (table: string) => string) => {
    await client.query(tables.map(statement).join('; '))
  }
  fill = () => onAll((table) => `create trigger refuse before insert on ${table} execute function refuse()`)
  empty = () => onAll((table) => `drop trigger refuse on ${table}`)
}
const cases = [
  ['SQLite', 'full', 'its disk is full', startOnSqlite],
  ['SQLite', 'read-only', 'it is read-only', startOnSqlite],
  ['PostgreSQL', 'full', 'its disk is full', startOnPostgres],
  ['PostgreSQL', 'read-only', 'it is read-only', startOnPostgres],
] as const

async function ready(): Promise<{ status: number; detail?: string; retryAfter: string | null }> {
  const response = await fetch(`${harness.url}/readyz`)
  const { detail } = (await response.json()) as { detail?: string }
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ...(detail ? { detail } : {}) }
}
const polled = { interval: 200 }

it.each(cases)('%s on a disk that becomes %s', async (_, how, reason, start) => {
  await start(how)
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'house' })).body as { key: string }
  ledger = createLedger({
    url: () => harness.url,
    apiKey: () => key,
    accountId: 'square-restaurant',
    ids: () => harness.tenants[0]?.records.customer?.ids() ?? [],
  })
  const notReady = { status: 503, detail: `The database cannot store anything: ${reason}.`, retryAfter: '5' }
  for (let number = 0; number < 5; number++) expect((await ledger.write(`BEFORE-${number}`)).status).toBe(201)
  expect((await ready()).status).toBe(200)
  await fill()
  const meanwhile = await refusedWrites(reason)
  expect(meanwhile.refused).toBeGreaterThan(0)
  expect(await ready()).toEqual(notReady)
  expect((await harness.call('GET', '/unified/square-restaurant/customer?pageSize=5')).body.data).toHaveLength(5)
  expect((await harness.call('GET', '/unified/square-restaurant')).status).toBe(200)
  expect((await fetch(`${harness.url}/healthz`)).status).toBe(200)
  expect(await ready()).toEqual(notReady)
  await empty()
  for (let number = 0; number < 5; number++) expect((await ledger.write(`AFTER-${number}`)).status).toBe(201)
  expect(ledger.acknowledged.size).toBe(10 + meanwhile.taken)
  await ledger.verify()
  await expect.poll(ready, polled).toMatchObject({ status: 200 })
  if (how === 'full') return
  // No request writes now, so only the instance itself can find out.
  await fill()
  await expect.poll(ready, polled).toEqual(notReady)
  await empty()
  await expect.poll(ready, polled).toMatchObject({ status: 200 })
})

/** A full disk still has room in existing pages, so writes continue until it is used up. */
async function refusedWrites(reason: string): Promise<{ refused: number; taken: number }> {
  const counts = { refused: 0, taken: 0 }
  for (let number = 0; number < 400 && counts.refused < 3; number++) {
    const written = await ledger.write(`MEANWHILE-${number}`)
    if (written.status === 201) counts.taken++
    else {
      expect(written).toMatchObject({ ...unavailable, detail: expect.stringContaining(reason) })
      counts.refused++
    }
  }
  return counts
}
