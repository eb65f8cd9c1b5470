import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/postgres.ts'
import { addAccount } from '../../../test/store-on.ts'
import { prepareOnce } from '../prepared.ts'
import { createVault } from '../vault.ts'
import { guardPool } from './guarded-pool.ts'
import { createPostgresStore } from './postgres.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const count = "select count(*)::int as count from pg_prepared_statements where name like 'unified_records%'"

async function openPool(prepared: boolean) {
  const pool = new pg.Pool({ connectionString: await freshDatabase(inject('postgresUrl')), max: 1 })
  closing.push(() => pool.end())
  await pool.query('create table notes (text text)')
  await pool.query("insert into notes values ('one')")
  const guarded = guardPool(pool, { prepared })
  const query = async (text: string) => {
    const client = await guarded.connect()
    try {
      return (await client.query(text, [])).rows
    } finally {
      client.release()
    }
  }
  return { pool, query }
}
const select = prepareOnce('select * from notes')

it('prepares the statements of every request once per connection, and no others', async () => {
  const { query } = await openPool(true)
  for (let n = 0; n < 3; n++) expect(await query(select)).toEqual([{ text: 'one' }])
  await query('select text from notes')
  expect(await query(count)).toEqual([{ count: 1 }])
})
it('reads a table that another instance has migrated meanwhile', async () => {
  const { pool, query } = await openPool(true)
  await query(select)
  await pool.query("alter table notes add column author text default 'Ada'")
  expect(await query(select)).toEqual([{ text: 'one', author: 'Ada' }])
  expect(await query(select)).toEqual([{ text: 'one', author: 'Ada' }])
  expect(await query(count)).toEqual([{ count: 1 }]) // on a new connection
})
it('prepares nothing where the database URL says so', async () => {
  const { query } = await openPool(false)
  await query(select)
  expect(await query(count)).toEqual([{ count: 0 }])
})
it.each([
  ['', true],
  ['?prepared_statements=off', false],
  ['?application_name=x&prepared_statements=off', false],
  ['?prepared_statements=on', true],
])('of a store whose URL ends with "%s": %s', async (ending, prepared) => {
  const names: unknown[] = []
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function query(this: pg.Client, ...parameters: unknown[]) {
    names.push((parameters[0] as { name?: string })?.name)
    return (original as (...all: unknown[]) => unknown).apply(this, parameters)
  } as typeof original
  closing.push(async () => {
    pg.Client.prototype.query = original
  })
  const url = `${await freshDatabase(inject('postgresUrl'))}${ending}`
  const store = await createPostgresStore({ url, vault: createVault([randomBytes(32)]) })
  closing.push(() => store.close())
  await store.migrate()
  await addAccount(store, 'a')
  expect((await store.accounts.get('a'))?.id).toBe('a')
  expect(names.some((name) => name !== undefined)).toBe(prepared)
})
