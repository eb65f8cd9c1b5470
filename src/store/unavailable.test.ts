import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../../test/postgres.ts'
import { guardPool } from './postgres/guarded-pool.ts'
import { createWriteDialect } from './sqlite/dialect.ts'
import { WriteQueue } from './sqlite/write-queue.ts'
import { DatabaseUnavailable } from './unavailable.ts'

it('a full SQLite file rejects writes as unavailable, is still readable, and recovers with more space', async () => {
  const database = new DatabaseSync(':memory:')
  const queue = new WriteQueue(database)
  const db = new Kysely<unknown>({ dialect: createWriteDialect(queue) })
  await sql`create table notes (text text)`.execute(db)
  await sql`pragma max_page_count = 10`.execute(db)
  const write = () => sql`insert into notes values (${'x'.repeat(3_000)})`.execute(db)
  let failure: unknown
  for (let count = 0; count < 50 && !failure; count++) await write().catch((error: unknown) => (failure = error))
  expect(failure).toBeInstanceOf(DatabaseUnavailable)
  expect((failure as DatabaseUnavailable).problem()).toMatchObject({
    code: 'unavailable',
    status: 503,
    headers: { 'retry-after': '5' },
  })
  expect((await sql`select count(*) from notes`.execute(db)).rows).toHaveLength(1)
  await sql`pragma max_page_count = 100`.execute(db)
  await write()
  await expect(sql`select nothing from nowhere`.execute(db)).rejects.not.toBeInstanceOf(DatabaseUnavailable)
  await queue.close()
})

it('a failure of the PostgreSQL server or the network is unavailable; a bug is not', async () => {
  const pool = new pg.Pool({ connectionString: await freshDatabase(inject('postgresUrl')), statement_timeout: 2_000 })
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  const guarded = guardPool(pool)
  const client = await guarded.connect()
  await expect(client.query('select nothing', [])).rejects.toThrow(pg.DatabaseError)
  // 57014; the connection stays good.
  await expect(client.query('select pg_sleep(300)', [])).rejects.toThrow(DatabaseUnavailable)
  expect((await client.query('select 1 as one', [])).rows).toEqual([{ one: 1 }])
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())', [])).rejects.toThrow(DatabaseUnavailable)
  await expect(client.query('select 1', [])).rejects.toThrow(DatabaseUnavailable)
  const removed = once(pool, 'remove')
  client.release()
  await removed
  const next = await guarded.connect()
  expect((await next.query('select 1 as one', [])).rows).toEqual([{ one: 1 }])
  next.release()
  await guarded.end()
  await expect(guarded.connect()).rejects.toThrow(DatabaseUnavailable)
})
