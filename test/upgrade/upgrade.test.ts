// A database of 0.1.0 in which a write is under way: it is recognized by its old names, upgraded once, and goes on.
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { LoggedCall } from '../../src/sandbox/simulator.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres.ts'
import { migrationsOf } from '../../src/store/schema/migrate.ts'
import { createSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { createVault } from '../../src/store/vault.ts'
import { schemaOf } from '../database-schema.ts'
import { inOrder } from '../in-order.ts'
import { freshDatabase } from '../postgres.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { createTestDatabase, storeKinds } from '../store-on.ts'
import { fillOlderDatabase, olderKey, placeOf, runSql } from './older-database.ts'

const account = 'sandbox-square-restaurant'
const adminToken = 'token-of-the-test-of-an-upgrade-of-0.1.0'
const names = ['0001-version-0.1.0', '0002-version-0.2.0']

// The life of one database, from before its upgrade on.
describe.each(storeKinds)('a database of 0.1.0 on %s', inOrder, (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-upgrade-'))
  let place: string
  let service: ServiceProcess | undefined
  const openStore = () => {
    const vault = createVault([olderKey])
    return kind === 'sqlite' ? createSqliteStore({ file: place, vault }) : createPostgresStore({ url: place, vault })
  }

  beforeAll(async () => {
    place = placeOf(kind, dataDir, kind === 'sqlite' ? '' : await freshDatabase(inject('postgresUrl')))
    await fillOlderDatabase(kind, place)
  })
  afterAll(() => service?.kill('SIGKILL'))

  async function call(method: string, path: string, body?: object, token = adminToken) {
    const response = await fetch(`${service?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the tests read responses of any type
    return { status: response.status, body: (await response.json()) as any }
  }

  it('has one migration to run', async () => {
    const store = await openStore()
    expect((await store.inspect()).pendingMigrations).toEqual(names.slice(1))
    await store.close()
  })

  it('is upgraded once, after the open writes of older instances, which do not wait for the upgrade', async () => {
    const older = new pg.Client({ connectionString: kind === 'postgres' ? place : undefined })
    if (kind === 'postgres') {
      await older.connect()
      await older.query("begin; update journal set detail = 'x' where external_id = 'UP-DONE'")
    }
    const starting = startService({
      DATA_DIR: dataDir,
      DATABASE_URL: kind === 'sqlite' ? '' : place,
      ENCRYPTION_KEY: olderKey.toString('base64'),
      ADMIN_TOKEN: adminToken,
      ACTIVITY_DAYS: '0',
    })
    if (kind === 'postgres') {
      const waiting = async () =>
        (await older.query("select from pg_locks where not granted and relation = 'journal'::regclass")).rowCount
      await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 120_000, interval: 20 })
      // It lets go, so that statements behind it do not wait as long as it does.
      await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 120_000, interval: 20 })
      await older.query('commit')
      await older.end()
      const another = await openStore()
      await another.migrate()
      await another.close()
    }
    service = await starting
    expect(await runSql(kind, place, 'select name from kysely_migration order by name')).toEqual(
      names.map((name) => ({ name })),
    )
  })

  it('has the tables of a new one', async () => {
    const fresh = await createTestDatabase(kind)
    await (await fresh.open()).migrate()
    expect(await schemaOf(kind, place)).toEqual(await schemaOf(kind, fresh.place))
    await fresh.remove()
  })

  it('finishes the write that was under way once, and replays the one that was done', async () => {
    const { key } = (await call('POST', '/manage/v1/workspaces/sandbox/api-keys', { name: 'Upgrade' })).body
    const create = (externalId: string, name: string) =>
      call('POST', `/unified/${account}/customer`, { externalId, name }, key)
    const open = await vi.waitFor(
      async () => {
        const reply = await create('UP-OPEN', 'Grace Open')
        expect(reply, JSON.stringify(reply)).toMatchObject({ body: { success: true } })
        return reply
      },
      { timeout: 60_000, interval: 200 },
    )
    const found = await call('GET', `/unified/${account}/customer?pageSize=200`, undefined, key)
    const graces = found.body.data.filter(({ name }: { name: string }) => name === 'Grace Open')
    expect(graces).toEqual([expect.objectContaining({ externalId: open.body.reference.id })])
    expect(await create('UP-DONE', 'Ada Done')).toMatchObject({ status: 200, body: { reference: { replayed: true } } })
    expect(await create('UP-DONE', 'Ada Changed')).toMatchObject({ status: 409 })
    const sandboxUrl = service?.sandboxFile().sandboxUrl
    const { calls } = (await (await fetch(`${sandboxUrl}/_sandbox/square/calls`)).json()) as { calls: LoggedCall[] }
    expect(calls.filter(({ method, path }) => `${method} ${path}` === 'POST /v2/customers')).toHaveLength(1)
  })

  it('keeps mappings, users, sessions, the activity and the audit log', async () => {
    const workspace = '/manage/v1/workspaces/sandbox'
    expect((await call('GET', `${workspace}/accounts/${account}/mappings`)).body.data).toEqual([
      expect.objectContaining({ name: 'Nickname', version: 1, rules: { '/lastName': { from: '/nickname' } } }),
    ])
    const store = await openStore()
    expect(await store.users.get('admin')).toMatchObject({ isAdmin: true })
    const sessions = async () => (await store.sessions.list('admin')).map(({ id }) => id).sort()
    expect(await sessions()).toEqual(['uss_0123456789abcdef'])
    // An instance of 0.1.0 that still runs signs a user in.
    const columns = 'token_hash, user_name, expires_at'
    await runSql(kind, place, `insert into sessions (${columns}) values ('older-session-0001', 'admin', '2099-01-01')`)
    expect(await sessions()).toEqual(['uss_0123456789abcdef', 'uss_older-session-00'])
    expect(await store.sessions.end('uss_older-session-00', 'admin')).toBe(true)
    expect(await sessions()).toEqual(['uss_0123456789abcdef'])
    const [audit] = await store.audit.verify('sandbox')
    expect(audit?.entries).toBeGreaterThan(3)
    expect(audit).not.toHaveProperty('brokenAt')
    await store.close()
    expect(await runSql(kind, place, 'select count(*) as n from activity')).not.toEqual([{ n: 0 }])
  })

  it('is refused by a version that does not know all of its migrations', async () => {
    await runSql(kind, place, "insert into kysely_migration (name, timestamp) values ('0009-version-9.0.0', '')")
    const store = await openStore()
    await expect(store.migrate()).rejects.toThrow('upgraded by a newer version (0009-version-9.0.0)')
    await store.close()
  })
})

it('is upgraded by statements that no later version changes', () => {
  const db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (any) => new PostgresIntrospector(any),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const digest = (kind: 'sqlite' | 'postgres') =>
    migrationsOf(kind).map(({ name, parts }) => {
      const text = parts.map((part) => [part.name, part.statements.map((statement) => statement.compile(db).sql)])
      return `${name} ${createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 16)}`
    })
  // A released migration is never edited: a change is the next migration, and its digest is added here.
  expect({ sqlite: digest('sqlite'), postgres: digest('postgres') }).toEqual({
    sqlite: ['0001-version-0.1.0 196feaa99efd02a2', '0002-version-0.2.0 e541b2ab9bac6ecb'],
    postgres: ['0001-version-0.1.0 a2235917eb5b5820', '0002-version-0.2.0 2a3a91b1c740c96b'],
  })
})
