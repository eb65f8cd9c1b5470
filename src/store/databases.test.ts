import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../test/store-on.ts'
import type { Delivery, HeldEndpoint } from './deliveries.ts'
import { openStore } from './open-store.ts'
import { createPostgresStore } from './postgres/postgres.ts'
import type { Store } from './store.ts'
import { createVault } from './vault.ts'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove()
})
async function fresh(kind: Store['kind']): Promise<TestDatabase> {
  const database = await createTestDatabase(kind)
  databases.push(database)
  return database
}

const key = { accountId: 'a', entityType: 'product', externalId: 'P' } as const
async function fillWithSecrets(store: Store): Promise<void> {
  await store.migrate()
  await addAccount(store, 'a')
  await store.journal.begin(
    { ...key, writeId: 'W', contentHash: 'h', record: { name: 'record-secret' }, startedAt: 'now', holder: 'me' },
    60_000,
  )
  await store.journal.stepSent(key, 'W', 'create', 'request-secret', 'me')
  await store.journal.stepDone(key, 'W', 'create', 'value-secret', 'me')
  const other = { ...key, externalId: 'Q' }
  await store.journal.begin(
    { ...other, writeId: 'V', contentHash: 'h', record: {}, startedAt: 'now', holder: 'me' },
    60_000,
  )
  await store.journal.done(other, 'me', { writeId: 'V', nativeId: 'N', answer: 'answer-secret' })
  const workspaceId = (await store.accounts.get('a'))?.workspaceId as string
  const accounts = { from: 'a', to: 'a', options: {}, progress: {}, createdBy: 'me' }
  await store.migrations.create({ workspaceId, id: 'M', ...accounts })
  await store.migrations.change({ workspaceId, id: 'M' }, { plan: 'plan-secret' }, ['planning'])
  await store.migrations.putRecord({ workspaceId, id: 'M' }, 'product', 'P', {
    written: { targetId: 'T', sourceHash: 'h', more: 'more-secret' },
    failed: { kind: 'outdated', reason: 'reason-secret' },
  })
  const settings = { events: ['*'], data: 'full', format: 'standard', coalesce: false, concurrency: 1 } as const
  const endpoint = { workspaceId, id: 'E', url: 'https://example.com', secrets: [], ...settings, events: ['*'] }
  await store.webhooks.create(endpoint)
  const delivery = { id: 'D', sequence: 0, subject: 's', type: 'test', body: 'body-secret' }
  await store.webhooks.add('E', delivery)
  const held = (await store.webhooks.take('E', 'me', 60_000)) as HeldEndpoint
  const { place, id } = (await store.webhooks.delivery('E', 'D')) as Delivery
  await store.webhooks.settle(held, [{ place, id, log: attempts, outcome: 'delivered' }], () => ({ events: [] }))
}
const attempts = [{ at: 1, durationMs: 2, status: 200, response: 'response-secret' }]

describe.each(storeKinds)('a database of kind %s', (kind) => {
  test('can be migrated by several instances at once, and again', async () => {
    const database = await fresh(kind)
    const stores = await Promise.all([database.open(), database.open(), database.open()])
    await Promise.all(stores.map((store) => store.migrate()))
    await addAccount(stores[0] as Store, 'a')
    await Promise.all(stores.map((store) => store.migrate()))
    for (const store of stores) expect(await store.accounts.get('a')).toBeDefined()
  })

  test('is encrypted with a new key, and then no longer needs the old one', async () => {
    const database = await fresh(kind)
    const [old, young] = [randomBytes(32), randomBytes(32)]
    await fillWithSecrets(await database.open(createVault([old])))
    const both = await database.open(createVault([young, old]))
    expect(await both.reseal()).toBe(13) // one account's credentials and its event, two records, an answer, a request and a value, three of a migration, three of a webhook
    expect(await both.reseal()).toBe(0)
    const store = await database.open(createVault([young]))
    expect((await store.accounts.get('a'))?.credentials).toEqual({ accessToken: 'token-of-a' })
    expect(await store.journal.get(key)).toMatchObject({ record: { name: 'record-secret' } })
    expect(await store.journal.steps(key, 'W')).toMatchObject([{ request: 'request-secret', value: 'value-secret' }])
    expect(await store.journal.get({ ...key, externalId: 'Q' })).toMatchObject({ answer: 'answer-secret' })
    const migration = { workspaceId: (await store.accounts.get('a'))?.workspaceId as string, id: 'M' }
    expect(await store.migrations.get(migration)).toMatchObject({ plan: 'plan-secret' })
    expect(await store.migrations.record(migration, 'product', 'P')).toEqual({
      written: { targetId: 'T', sourceHash: 'h', more: 'more-secret' },
      failed: { kind: 'outdated', reason: 'reason-secret' },
    })
    expect(await store.webhooks.delivery('E', 'D')).toMatchObject({ body: 'body-secret', log: attempts })
  })

  test('is encrypted again in more than one batch', async () => {
    const database = await fresh(kind)
    const [old, young] = [randomBytes(32), randomBytes(32)]
    const store = await database.open(createVault([old]))
    await store.migrate()
    await addAccount(store, 'a')
    for (let index = 0; index < 450; index++)
      await store.journal.begin(
        {
          ...key,
          externalId: `P${index}`,
          writeId: `W${index}`,
          contentHash: 'h',
          record: index,
          startedAt: 'now',
          holder: 'me',
        },
        1,
      )
    expect(await (await database.open(createVault([young, old]))).reseal()).toBe(452)
  })

  test('does not open sealed values without their key', async () => {
    const database = await fresh(kind)
    await fillWithSecrets(await database.open())
    const stranger = await database.open(createVault([randomBytes(32)]))
    await expect(stranger.accounts.get('a')).rejects.toThrow('key that is not configured')
  })
})

describe('a SQLite file', () => {
  test('contains no sealed value in plain text, and only its owner can read it', async () => {
    const database = await fresh('sqlite')
    await fillWithSecrets(await database.open())
    const folder = dirname(database.place)
    const files = await readdir(folder)
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name))))).toString('latin1')
    expect(bytes).toContain('Main street')
    const secrets = ['token-of-a', 'record-secret', 'answer-secret', 'request-secret', 'value-secret']
    for (const secret of [...secrets, 'plan-secret', 'more-secret', 'reason-secret', 'response-secret'])
      expect(bytes).not.toContain(secret)
    for (const name of files) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  test('with answers of webhook receivers in plain text is read, and sealed with the rest', async () => {
    const database = await fresh('sqlite')
    const store = await database.open()
    await fillWithSecrets(store)
    const direct = new DatabaseSync(database.place)
    direct.prepare('update webhook_deliveries set log = ?').run(JSON.stringify(attempts))
    expect(await store.webhooks.delivery('E', 'D')).toMatchObject({ log: attempts })
    expect(await store.reseal()).toBe(1)
    expect(direct.prepare('select log from webhook_deliveries').get()?.log).not.toContain('response-secret')
    direct.close()
    expect(await store.webhooks.delivery('E', 'D')).toMatchObject({ log: attempts })
  })

  test('is migrated and written by several processes at once without losing a row', async () => {
    const database = await fresh('sqlite')
    const script = `
      const { createSqliteStore } = await import(${JSON.stringify(new URL('./sqlite/sqlite.ts', import.meta.url).href)})
      const { createVault } = await import(${JSON.stringify(new URL('./vault.ts', import.meta.url).href)})
      const [file, name] = process.argv.slice(1)
      const store = await createSqliteStore({ file, vault: createVault([Buffer.alloc(32, 1)]) })
      await store.migrate()
      for (let index = 0; index < 100; index++) await store.workspaces.create({ id: name + index, name })
      await store.close()`
    const children = ['x', 'y', 'z'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '-e', script, database.place, name], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    )
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
    expect(codes).toEqual([0, 0, 0])
    const store = await database.open()
    expect((await store.workspaces.list({ limit: 1_000 })).data).toHaveLength(300)
  })

  test('rolls a failed transaction back and continues', async () => {
    const database = await fresh('sqlite')
    const store = await database.open()
    await store.migrate()
    await addAccount(store, 'a')
    await store.journal.begin(
      { ...key, writeId: 'W', contentHash: 'h', record: {}, startedAt: 'now', holder: 'me' },
      60_000,
    )
    // Waited for, and on the disk with what came before it: that is what others read.
    await store.journal.renew(key, 'me', 60_000)
    // The link needs its native id: the second statement of the transaction fails.
    await expect(
      store.journal.done(key, 'me', { writeId: 'W', nativeId: null as unknown as string, answer: {} }),
    ).rejects.toThrow()
    expect(await store.journal.get(key)).toMatchObject({ state: 'in_flight' })
    expect(await store.journal.done(key, 'me', { writeId: 'W', nativeId: 'N', answer: {} })).toBe(true)
  })
})

describe('a Postgres server', () => {
  const vault = createVault([randomBytes(32)])

  test('that does not exist is an error', async () => {
    await expect(createPostgresStore({ url: 'postgres://postgres@127.0.0.1:1/none', vault })).rejects.toThrow()
  })

  test('that accepts connections and does not respond is an error after a time', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const url = `postgres://postgres@127.0.0.1:${port}/none?connect_timeout=1`
    await expect(createPostgresStore({ url, vault })).rejects.toThrow()
    silent.close()
  })

  test('is migrated by one instance at a time, and no statement waits until a pooler cancels it', async () => {
    const database = await fresh('postgres')
    const [other, witness] = [database.place, inject('postgresUrl')].map((url) => new pg.Client(url)) as [
      pg.Client,
      pg.Client,
    ]
    await Promise.all([other.connect(), witness.connect()])
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(3853314791062309107)')
    const store = await openStore({ databaseUrl: database.place, dataDir: 'unused', vault })
    const migration = store.migrate()
    const asked = `select state, wait_event from pg_stat_activity
      where datname = $1 and query like '%pg_try_advisory%'`
    const asking = async () => (await witness.query(asked, [new URL(database.place).pathname.slice(1)])).rows
    await expect.poll(asking).toEqual([{ state: 'idle in transaction', wait_event: 'ClientRead' }])
    await other.query('commit')
    await migration
    expect((await store.inspect()).pendingMigrations).toEqual([])
    await Promise.all([store.close(), other.end(), witness.end()])
  })

  test('lets a request wait for a connection as long as connect_timeout says', async () => {
    const { place } = await fresh('postgres')
    const url = new URL(place)
    for (const [name, value] of Object.entries({
      connect_timeout: 1,
      statement_timeout: 240_000,
      query_timeout: 240_000,
    }))
      url.searchParams.set(name, String(value))
    const store = await createPostgresStore({ url: url.href, vault, poolSize: 1 })
    const locker = new pg.Client({ connectionString: place })
    await locker.connect()
    await locker.query('begin; lock table journal in access exclusive mode')
    const first = store.journal.get(key)
    await expect(store.journal.get(key)).rejects.toThrow('timeout exceeded when trying to connect')
    await locker.query('rollback')
    expect(await first).toBeUndefined()
    await locker.end()
    await store.close()
  })

  test('that drops its connections fails their queries, and the store reconnects', async () => {
    const database = await fresh('postgres')
    const store = await openStore({ databaseUrl: database.place, dataDir: 'unused', vault })
    await store.migrate()
    await addAccount(store, 'a')
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    const place = new URL(database.place)
    const locker = new pg.Client({ connectionString: database.place })
    await locker.connect()
    const { rows } = await locker.query('select pg_backend_pid() as pid')
    const others = 'datname = $1 and pid <> $2'
    const values = [place.pathname.slice(1), rows[0].pid]
    const waiting = async () =>
      (await client.query(`select from pg_stat_activity where ${others} and wait_event_type = 'Lock'`, values)).rowCount
    let dropped = 0
    for (let round = 0; round < 5; round++) {
      await locker.query('begin; lock table journal in access exclusive mode')
      const writes = Promise.allSettled(
        Array.from({ length: 30 }, async (_, index) => {
          const own = { ...key, externalId: `${round}-${index}` }
          await store.journal.begin(
            { ...own, writeId: own.externalId, contentHash: 'h', record: {}, startedAt: 'now', holder: 'me' },
            60_000,
          )
          return store.journal.done(own, 'me', { writeId: own.externalId, nativeId: 'N', answer: {} })
        }),
      )
      await expect.poll(waiting).toBeGreaterThan(0)
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`, values)
      await locker.query('rollback')
      dropped += (await writes).filter(({ status }) => status === 'rejected').length
    }
    await Promise.all([client.end(), locker.end()])
    expect(dropped).toBeGreaterThan(0)
    await store.ping()
    const links = await store.links.list('a', 'product', { limit: 1_000 })
    for (const { sourceId } of links.data)
      expect(await store.journal.get({ ...key, externalId: sourceId })).toMatchObject({ state: 'done' })
    await store.close()
  })
})
