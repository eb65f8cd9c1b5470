import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { changeOnce } from '../compiled-once.ts'
import type { Database } from '../table-types.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { Connection } from './connection.ts'
import { createReadDialect, createWriteDialect } from './dialect.ts'
import { WriteQueue } from './write-queue.ts'

interface Tables {
  notes: { id: number; text: string }
  parents: { id: number }
  children: { id: number; parent: number }
}
let directory: string
let database: DatabaseSync
let reader: DatabaseSync
let queue: WriteQueue
let reads: Kysely<Tables>
let writes: Kysely<Tables>
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'unified-records-write-queue-'))
  const file = join(directory, 'x.sqlite')
  database = new DatabaseSync(file, { enableForeignKeyConstraints: true })
  database.exec(`pragma journal_mode = wal;
    create table notes (id integer primary key, text text not null);
    create table parents (id integer primary key);
    create table children (id integer primary key, parent integer not null references parents (id) deferrable initially deferred)`)
  reader = new DatabaseSync(file, { readOnly: true })
  queue = new WriteQueue(database)
  reads = new Kysely({ dialect: createReadDialect(new Connection(reader)) })
  writes = new Kysely({ dialect: createWriteDialect(queue) })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await queue.close()
  reader.close()
  rmSync(directory, { recursive: true, force: true })
})
const insert = (id: number, text: string | null = 'x') =>
  writes
    .insertInto('notes')
    .values({ id, text: text as string })
    .execute()
const ids = async () => (await reads.selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id)
/** The durability of each commit from now on. */
function watchCommits(): string[] {
  const commits: string[] = []
  const run = StatementSync.prototype.run
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    if (this.sourceSQL === 'commit') {
      const { synchronous } = database.prepare('pragma synchronous').get() as { synchronous: number }
      commits.push(synchronous === 2 ? 'full' : 'normal')
    }
    return run.apply(this, values)
  })
  return commits
}

it('commits the writes of one turn together, and each is visible when its promise resolves', async () => {
  const commits = watchCommits()
  await Promise.all(
    Array.from({ length: 50 }, async (_, id) => {
      await insert(id)
      expect(reader.prepare('select count(*) as found from notes where id = ?').get(id)).toEqual({ found: 1 })
    }),
  )
  expect(commits).toEqual(['full'])
})

it('undoes only the write that fails, and all of a transaction that is rolled back', async () => {
  await insert(1)
  const rolledBack = writes.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 10, text: 'undone' }).execute()
    throw new Error('rolled back by its caller')
  })
  const committed = writes.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 11, text: 'committed' }).execute()
    await transaction.insertInto('notes').values({ id: 12, text: 'committed' }).execute()
  })
  const outcomes = await Promise.allSettled([insert(2), insert(1), rolledBack, insert(3, null), committed, insert(4)])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { message: expect.stringContaining('UNIQUE') } },
    { reason: { message: 'rolled back by its caller' } },
    { reason: { message: expect.stringContaining('NOT NULL') } },
    { status: 'fulfilled' },
    { status: 'fulfilled' },
  ])
  expect(await ids()).toEqual([1, 2, 4, 11, 12])
})

it('shows a write to other readers only after the commit; a transaction reads its own writes', async () => {
  const seen = await writes.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 1, text: 'x' }).execute()
    return [await ids(), (await transaction.selectFrom('notes').select('id').execute()).length]
  })
  expect(seen).toEqual([[], 1])
  expect(await ids()).toEqual([1])
})

it('fails every write of a batch as unavailable when the commit fails, and none of them is visible', async () => {
  const orphan = writes.insertInto('children').values({ id: 1, parent: 99 }).execute()
  const transaction = writes
    .transaction()
    .execute((inner) => inner.insertInto('notes').values({ id: 2, text: 'x' }).execute())
  const outcomes = await Promise.allSettled([insert(1), orphan, transaction, insert(3, null)])
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
  expect(outcomes[0]).toMatchObject({ reason: { reason: 'FOREIGN KEY constraint failed' } })
  expect(await ids()).toEqual([])
  await Promise.all([insert(1), insert(2)])
  expect(await ids()).toEqual([1, 2])
})

it('fails every write of a batch as unavailable when the disk is full, and recovers with more space', async () => {
  await insert(1)
  const pages = Number((await sql<{ page_count: number }>`pragma page_count`.execute(reads)).rows[0]?.page_count)
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(writes)
  const long = 'x'.repeat(20_000)
  const outcomes = await Promise.allSettled([
    insert(2),
    insert(3, long),
    writes
      .transaction()
      .execute((transaction) => transaction.insertInto('notes').values({ id: 4, text: long }).execute()),
    insert(5),
  ])
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
  expect(await ids()).toEqual([1])
  await sql`pragma max_page_count = 1000`.execute(writes)
  await insert(6, long)
  expect(await ids()).toEqual([1, 6])
})

it('says that the disk is full to the other writes when a transaction has found out', async () => {
  await insert(1)
  const pages = Number(Object.values(database.prepare('pragma page_count').get() ?? {})[0])
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(writes)
  const transaction = writes.transaction().execute(async (inner) => {
    await inner
      .insertInto('notes')
      .values({ id: 2, text: 'x'.repeat(100_000) })
      .execute()
  })
  const results = await Promise.allSettled([transaction, insert(3)])
  for (const result of results) expect(result).toMatchObject({ status: 'rejected' })
  expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ name: 'DatabaseUnavailable', fault: 'full' })
  expect(await ids()).toEqual([1])
})

it('waits for the disk unless every write of the batch has normal durability', async () => {
  const normal = changeOnce(({ id }: { id: number }) => writes.insertInto('notes').values({ id, text: 'x' }), {
    durability: 'normal',
  })
  const write = (id: number) => normal(writes as unknown as Kysely<Database>, { id })
  const commits = watchCommits()
  await Promise.all([write(1), write(2)])
  await Promise.all([write(3), insert(4), write(5)])
  await write(6)
  await insert(7)
  expect(commits).toEqual(['normal', 'full', 'normal', 'full'])
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 6, 7])
})
