// The journal and the links on hash partitions, made by the script of docs/scale.md.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { createPostgresStore } from '../../src/store/postgres/postgres.ts'
import type { EntryKey, Store } from '../../src/store/store.ts'
import { createVault } from '../../src/store/vault.ts'
import { freshDatabase } from '../postgres.ts'
import { addAccount, partitionTables } from '../store-on.ts'

const stores: Store[] = []
afterAll(() => Promise.all(stores.map((store) => store.close())))
async function open(url: string): Promise<Store> {
  const store = await createPostgresStore({ url, vault: createVault([key]) })
  stores.push(store)
  return store
}
const key = randomBytes(32)
async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const result = await client.query<unknown[]>({ text, rowMode: 'array' })
  await client.end()
  return result.rows
}
const tables = `('journal', 'journal_steps', 'links')`
/** Columns, keys and indexes, without the order of columns that a migration has added. */
const schemaOf = async (url: string) => [
  ...(await query(
    url,
    `select table_name, column_name, data_type, is_nullable, collation_name from information_schema.columns
     where table_name in ${tables} order by 1, 2`,
  )),
  ...(await query(
    url,
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
     where conrelid::regclass::text in ${tables} and contype in ('p', 'f') order by 1, 2`,
  )),
  ...(await query(
    url,
    `select tablename, indexname, replace(indexdef, ' ON ONLY ', ' ON ') from pg_indexes where tablename in ${tables} order by 1, 2`,
  )),
]
const accounts = Array.from({ length: 24 }, (_, n) => `account ${n}`)
const keyOf = (accountId: string, externalId: string): EntryKey => ({ accountId, entityType: 'product', externalId })
const entryOf = (accountId: string, externalId: string, holder: string) => ({
  ...keyOf(accountId, externalId),
  writeId: randomBytes(8).toString('hex'),
  contentHash: 'hash',
  record: { name: 'Tea' },
  startedAt: '2026-01-01T00:00:00.000Z',
  holder,
})
async function write(store: Store, accountId: string, externalId: string): Promise<boolean> {
  const entry = entryOf(accountId, externalId, 'me')
  if (!(await store.journal.begin(entry, 60_000)).begun) return false
  await store.journal.stepSent(entry, entry.writeId, 'create', '{}', 'me')
  const answer = { name: externalId }
  return store.journal.done(entry, 'me', { writeId: entry.writeId, nativeId: `native ${externalId}`, answer })
}

it('what was written before is replayed, finished, found and deleted on partitions', async () => {
  const url = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  const schema = await schemaOf(url)
  const before = await open(url)
  for (const id of accounts) await addAccount(before, id)
  for (const id of accounts) expect(await write(before, id, 'done')).toBe(true)
  for (const id of accounts) await before.journal.begin(entryOf(id, 'open', 'gone'), 0)
  for (const id of accounts) await before.journal.begin({ ...entryOf(id, 'N1', 'me'), operation: 'update' }, 0)
  await partitionTables(url)
  expect(await schemaOf(url)).toEqual(schema)
  const used = await query(url, 'select distinct tableoid::regclass::text from journal')
  expect(used.length).toBeGreaterThan(4)

  const store = await open(url)
  await store.migrate()
  for (const id of accounts) expect(await write(store, id, 'done')).toBe(false)
  expect(await store.journal.get(keyOf('account 7', 'done'))).toMatchObject({ state: 'done', answer: { name: 'done' } })
  expect(await store.journal.abandoned(100, 100)).toHaveLength(2 * accounts.length)
  for (const id of accounts) expect(await store.journal.takeOver(keyOf(id, 'open'), 'me', 60_000)).toBeDefined()
  // Together, so that the statements for several writes run, too.
  const racing = accounts.flatMap((id) => [write(store, id, 'new'), write(store, id, 'new')])
  expect((await Promise.all(racing)).filter(Boolean)).toHaveLength(accounts.length)
  const asked = ['new', 'done', 'other'].map((sourceId) => ({ entityType: 'product' as const, sourceId }))
  expect(Object.fromEntries(await store.links.find('account 3', asked))).toEqual({
    'product new': 'native new',
    'product done': 'native done',
  })
  await query(url, "update journal set lease_until = 0, state = 'done' where entity_type = 'product.update'")
  await store.journal.forgetUpdates(1000)
  expect(await query(url, "select count(*)::int from journal where entity_type = 'product.update'")).toEqual([[0]])
  await store.accounts.delete('account 3')
  for (const table of ['journal', 'journal_steps', 'links'])
    expect(await query(url, `select count(*)::int from ${table} where account_id = 'account 3'`)).toEqual([[0]])
  expect(await store.journal.get(keyOf('account 7', 'new'))).toMatchObject({ state: 'done' })
})

it('a database of 0.1.0 with partitions is upgraded to the same tables', async () => {
  const url = await freshDatabase(inject('postgresUrl'))
  for (const part of ['postgres', 'rows'])
    await query(url, readFileSync(join(import.meta.dirname, `../upgrade/0.1.0-${part}.sql`), 'utf8'))
  const rows = () => query(url, 'select account_id, external_id, state from journal order by 1, 2')
  const stored = await rows()
  expect(stored.length).toBeGreaterThan(0)
  await partitionTables(url)
  const store = await open(url)
  await store.migrate()
  expect((await store.inspect()).pendingMigrations).toEqual([])
  expect(await rows()).toEqual(stored)
  const copy = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  expect(await schemaOf(url)).toEqual(await schemaOf(copy))
  await addAccount(store, 'a')
  expect([await write(store, 'a', '1'), await write(store, 'a', '1')]).toEqual([true, false])
})
