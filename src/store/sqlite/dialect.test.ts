// Writes that share a commit are still each their own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSqliteDialect } from './dialect.ts'

let directory: string
let database: DatabaseSync
let reader: DatabaseSync
let db: Kysely<{ notes: { id: number; text: string } }>
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'unified-records-dialect-'))
  const file = join(directory, 'x.sqlite')
  database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; create table notes (id integer primary key, text text not null)')
  reader = new DatabaseSync(file, { readOnly: true })
  db = new Kysely({ dialect: createSqliteDialect({ database, reader }) })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.destroy()
  reader.close()
  rmSync(directory, { recursive: true, force: true })
})
const insert = (id: number, text: string | null = 'x') =>
  db
    .insertInto('notes')
    .values({ id, text: text as string })
    .execute()
const ids = async () => (await db.selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id)
const count = (wanted: string) => {
  let found = 0
  const run = StatementSync.prototype.run
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    if (this.sourceSQL === wanted) found++
    return run.apply(this, values)
  })
  return () => found
}

it('those of one turn are committed together, and every one is there when its promise says so', async () => {
  const commits = count('commit')
  await Promise.all(
    Array.from({ length: 50 }, async (_, id) => {
      await insert(id)
      expect(reader.prepare('select count(*) as found from notes where id = ?').get(id)).toEqual({ found: 1 })
    }),
  )
  expect(commits()).toBeLessThan(5)
})

it('one that fails takes no other with it, and a transaction that is given up leaves nothing', async () => {
  await insert(1)
  const given = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 10, text: 'gone' }).execute()
    throw new Error('given up')
  })
  const kept = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 11, text: 'kept' }).execute()
    await transaction.insertInto('notes').values({ id: 12, text: 'kept' }).execute()
  })
  const outcomes = await Promise.allSettled([insert(2), insert(1), given, insert(3, null), kept, insert(4)])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(await ids()).toEqual([1, 2, 4, 11, 12])
})

it('nobody reads what is not committed yet, and a transaction reads its own', async () => {
  const seen = await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 1, text: 'x' }).execute()
    return [await ids(), (await transaction.selectFrom('notes').select('id').execute()).length]
  })
  expect(seen).toEqual([[], 1])
  expect(await ids()).toEqual([1])
})

it('what ends the whole transaction is the failure of all in it; afterwards all is as before', async () => {
  await insert(1)
  await sql`pragma max_page_count = 4`.execute(db)
  const long = 'x'.repeat(20_000)
  const outcomes = await Promise.allSettled([
    insert(2),
    insert(3, long),
    db.transaction().execute((transaction) => transaction.insertInto('notes').values({ id: 4, text: long }).execute()),
  ])
  const written = await ids()
  expect(outcomes.map(({ status }, index) => (status === 'fulfilled') === written.includes(index + 2))).toEqual([
    true,
    true,
    true,
  ])
  await sql`pragma max_page_count = 1000`.execute(db)
  await insert(5, long)
  expect(await ids()).toEqual([...written, 5])
})
