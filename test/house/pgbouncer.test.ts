// What a session of PostgreSQL would keep must not be needed: PgBouncer gives every transaction another session.
// @module-tag pgbouncer
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { createVault } from '../../src/store/vault.ts'
import { type PgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { freshDatabase } from '../postgres.ts'
import { addAccount } from '../store-on.ts'
import { quiet } from '../until.ts'

const vault = createVault([randomBytes(32)])
const stores: Store[] = []
const warnings: string[] = []
let pooler: PgBouncer
let direct: string
async function open(directUrl?: string): Promise<Store> {
  const store = await createPostgresStore({
    url: pooler.pooled(direct),
    directUrl,
    vault,
    warn: (message) => warnings.push(message),
  })
  stores.push(store)
  return store
}

beforeAll(async () => {
  direct = await freshDatabase(inject('postgresUrl'))
  pooler = await startPgBouncer(direct, 2)
})
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await pooler.stop()
})

it('instances that start together migrate once, through the pooler if it is the only way', async () => {
  const [first, second] = await Promise.all([open(), open()])
  await Promise.all([first, second].map((store) => store?.migrate()))
  for (const store of [first, second]) expect((await store?.inspect())?.pendingMigrations).toEqual([])
})

it('migrations go around the pooler, whose limit for a statement is not theirs', async () => {
  const query = async (connectionString: string, text: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return Object.values(rows[0] ?? {})[0]
  }
  expect(await query(pooler.pooled(direct), 'show statement_timeout')).toBe('5s')
  const other = await freshDatabase(inject('postgresUrl'))
  await (await open(other)).migrate()
  expect(await query(other, "select to_regclass('journal')::text")).toBe('journal')
})

it('instances notify each other around the pooler, and say so where they cannot', async () => {
  const [writer, listener, pooled] = await Promise.all([open(direct), open(direct), open()])
  await writer?.migrate()
  await addAccount(writer as Store, 'a')
  await writer?.changes.ensure({ id: 'a', workspaceId: 'w' }, ['product'])
  const heard: string[] = []
  const stops = [listener?.changes.subscribe((accountId) => heard.push(accountId)), pooled?.changes.subscribe(() => {})]
  // A notification is sent to connections that listen by then, so the first ones can be lost.
  for (let n = 0; heard.length === 0; n++) {
    await writer?.changes.addHints('a', [{ entityType: 'product', nativeId: `n${n}`, origin: 'hint' }])
    await quiet(20)
  }
  expect(new Set(heard)).toEqual(new Set(['a']))
  await expect.poll(() => warnings).toEqual([expect.stringContaining('set DATABASE_DIRECT_URL')])
  for (const stop of stops) stop?.()
})

it('the direct address needs the other one', () => {
  const environment = { ENCRYPTION_KEY: '0'.repeat(64), DATABASE_DIRECT_URL: direct }
  expect(() => readConfig(environment)).toThrow('DATABASE_DIRECT_URL has no effect without DATABASE_URL')
  expect(readConfig({ ...environment, DATABASE_URL: 'postgres://a/b' }).databaseDirectUrl).toBe(direct)
})
