import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { addAccount, createTestDatabase } from '../../test/store-on.ts'
import { LostEntry } from '../store/lost-entry.ts'
import type { EntryKey } from '../store/store.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import { createVault } from '../store/vault.ts'
import { createJournalThread } from './journal.ts'
import { mostUnderWay } from './worker.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const encryptionKeys = [randomBytes(32)]
const record = { name: 'Tea', price: 2.5 }
const keyOf = (externalId: string): EntryKey => ({ accountId: 'a', entityType: 'product', externalId })
const entryOf = (externalId: string) => ({
  ...keyOf(externalId),
  writeId: `write-${externalId}`,
  contentHash: 'hash',
  record,
  startedAt: '2026-01-01T00:00:00.000Z',
  holder: 'me',
})

async function begin(file = join(import.meta.dirname, 'journal-worker.ts')) {
  const database = await createTestDatabase('sqlite')
  closing.push(() => database.remove())
  const store = await database.open(createVault(encryptionKeys))
  await store.migrate()
  await addAccount(store, 'a')
  const thread = createJournalThread(file, { encryptionKeys, dataDir: dirname(database.place) })
  closing.push(() => thread.close())
  return { store, thread: { ...thread.journal, close: thread.close }, file: database.place }
}
const unavailable = { status: 'rejected', reason: expect.any(DatabaseUnavailable) }

it('writes a hundred entries at once, and the store reads each of them', async () => {
  const { store, thread } = await begin()
  const names = Array.from({ length: 100 }, (_, number) => `P-${number}`)
  await Promise.all(
    names.map(async (name) => {
      const key = keyOf(name)
      const writeId = `write-${name}`
      expect(await thread.begin(entryOf(name), 60_000)).toEqual({ begun: true })
      await thread.stepSent(key, writeId, 'create', '{"path":"/items"}', 'me')
      expect(await store.journal.steps(key, writeId)).toMatchObject([
        { name: 'create', request: '{"path":"/items"}', done: false },
      ]) // committed before the response
      expect(await thread.done(key, 'me', { writeId, nativeId: `N-${name}`, answer: { data: record } })).toBe(true)
      expect(await store.journal.get(key)).toMatchObject({
        state: 'done',
        nativeId: `N-${name}`,
        answer: { data: record },
        record,
      })
      expect(await store.links.get('a', 'product', name)).toMatchObject({ nativeId: `N-${name}` })
    }),
  )
  expect(await thread.begin(entryOf('P-1'), 60_000)).toMatchObject({ begun: false, entry: { state: 'done', record } })
})

it('rejects with the same errors as the store', async () => {
  const { thread } = await begin()
  await thread.begin(entryOf('P-1'), 60_000)
  const other = thread.stepSent(keyOf('P-1'), 'write-P-1', 'create', '{}', 'another holder')
  await expect(other).rejects.toThrow(LostEntry)
  await thread.park(keyOf('P-1'), 'me', { state: 'partial', detail: 'half done' })
  expect(await thread.takeOver(keyOf('P-1'), 'other', 60_000)).toMatchObject({
    state: 'partial',
    detail: 'half done',
    holder: 'other',
    nativeId: undefined,
  })
})

it('writes at the same time as the process', async () => {
  const { store, thread } = await begin()
  const inThread = Array.from({ length: 50 }, (_, number) => thread.begin(entryOf(`T-${number}`), 60_000))
  const inProcess = Array.from({ length: 50 }, (_, number) => store.journal.begin(entryOf(`S-${number}`), 60_000))
  for (const result of await Promise.all([...inThread, ...inProcess])) expect(result).toEqual({ begun: true })
  expect(await store.journal.open()).toEqual({ inFlight: 100, unknown: 0 })
})

it('a thread that cannot start is an unavailable database', async () => {
  const { thread } = await begin(join(import.meta.dirname, 'no-such-file.ts'))
  await expect(thread.begin(entryOf('P-1'), 60_000)).rejects.toThrow(DatabaseUnavailable)
  await expect(thread.begin(entryOf('P-1'), 60_000)).rejects.toThrow(/Cannot find module/) // started again
})

it('when a thread ends, the calls it was sent fail, and calls that were not sent yet go to the next thread', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unified-records-thread-'))
  closing.push(() => rm(folder, { recursive: true }))
  const worker = pathToFileURL(join(import.meta.dirname, 'journal-worker.ts'))
  // The first thread ends when it receives its first message.
  await writeFile(
    join(folder, 'thread.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs'
     import { parentPort } from 'node:worker_threads'
     const mark = new URL('mark', import.meta.url)
     if (existsSync(mark)) await import(${JSON.stringify(worker.href)})
     else parentPort.once('message', () => { writeFileSync(mark, ''); process.exit(3) })`,
  )
  const { store, thread } = await begin(join(folder, 'thread.mjs'))
  const sent: Promise<unknown>[] = []
  for (let number = 0; number < mostUnderWay; number++) {
    sent.push(thread.begin(entryOf(`P-${number}`), 60_000))
    await turn()
  }
  const waiting = thread.begin(entryOf('P-waiting'), 60_000)
  expect(await Promise.allSettled(sent)).toMatchObject(sent.map(() => unavailable))
  expect(await waiting).toEqual({ begun: true })
  expect(await thread.renew(keyOf('P-waiting'), 'me', 60_000)).toBe(true)
  expect(await store.journal.open()).toEqual({ inFlight: 1, unknown: 0 })
})

it('stores the value of a step as JSON, and a value that is not JSON fails only its own call', async () => {
  const { store, thread } = await begin()
  const key = keyOf('P-1')
  await thread.begin(entryOf('P-1'), 60_000)
  await thread.stepSent(key, 'write-P-1', 'create', '{}', 'me')
  const circular: Record<string, unknown> = {}
  circular.self = circular
  await expect(thread.stepDone(key, 'write-P-1', 'create', circular, 'me')).rejects.toThrow(/circular/)
  await thread.stepDone(key, 'write-P-1', 'create', { id: 'N1', at: new Date(0), toText: () => 'nothing' }, 'me')
  expect(await store.journal.steps(key, 'write-P-1')).toMatchObject([
    { done: true, value: { id: 'N1', at: '1970-01-01T00:00:00.000Z' } },
  ])
})

it('a closed thread has committed its calls and rejects new ones', async () => {
  const { store, thread } = await begin()
  await thread.begin(entryOf('P-1'), 60_000)
  await thread.close()
  expect(await store.journal.open()).toEqual({ inFlight: 1, unknown: 0 })
  await expect(thread.begin(entryOf('late'), 60_000)).rejects.toThrow(/closed/)
})

it('a call that fails in a batch undoes only itself', async () => {
  const { store, thread } = await begin()
  await thread.begin(entryOf('P-0'), 60_000)
  const unknownAccount = { ...entryOf('P-2'), accountId: 'no such account' }
  const outcomes = await Promise.allSettled([
    thread.begin(entryOf('P-1'), 60_000),
    thread.begin(unknownAccount, 60_000),
    thread.stepSent(keyOf('P-0'), 'write-P-0', 'create', '{}', 'another holder'),
    thread.stepSent(keyOf('P-0'), 'write-P-0', 'create', '{}', 'me'),
    thread.done(keyOf('P-0'), 'me', { writeId: 'another', nativeId: 'N', answer: {} }),
    thread.renew(keyOf('P-1'), 'me', 60_000),
  ])
  expect(outcomes).toMatchObject([
    { value: { begun: true } },
    { status: 'rejected', reason: { message: expect.stringContaining('FOREIGN KEY') } },
    { status: 'rejected', reason: expect.any(LostEntry) },
    { status: 'fulfilled' },
    { value: false },
    { value: true },
  ])
  expect(await store.journal.open()).toEqual({ inFlight: 2, unknown: 0 })
  expect(await store.journal.steps(keyOf('P-0'), 'write-P-0')).toMatchObject([{ name: 'create', done: false }])
})

it('a commit that fails fails every call of its batch as unavailable, and none of them is visible', async () => {
  const { store, thread, file } = await begin()
  await thread.begin(entryOf('P-0'), 60_000)
  const other = new DatabaseSync(file, { timeout: 5_000 })
  // Checked by the commit, not by the statement.
  other.exec(`create table parents (id text primary key);
    create table children (parent text references parents (id) deferrable initially deferred);
    create trigger orphan after insert on journal when new.external_id = 'P-orphan' begin insert into children values ('none'); end`)
  other.close()
  const outcomes = await Promise.allSettled([
    thread.begin(entryOf('P-1'), 60_000),
    thread.stepSent(keyOf('P-0'), 'write-P-0', 'create', '{}', 'me'),
    thread.begin(entryOf('P-orphan'), 60_000),
    thread.done(keyOf('P-0'), 'me', { writeId: 'write-P-0', nativeId: 'N', answer: {} }),
    thread.stepSent(keyOf('P-0'), 'write-P-0', 'create', '{}', 'another holder'),
  ])
  expect(outcomes).toMatchObject(outcomes.map(() => unavailable))
  expect(await store.journal.open()).toEqual({ inFlight: 1, unknown: 0 })
  expect(await store.journal.steps(keyOf('P-0'), 'write-P-0')).toEqual([])
  expect(await store.links.get('a', 'product', 'P-0')).toBeUndefined()
  expect(await thread.begin(entryOf('P-1'), 60_000)).toEqual({ begun: true })
})

it('a thread that is killed before the commit fails every call of its batch, leaves no change, and is started again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unified-records-thread-'))
  closing.push(() => rm(folder, { recursive: true }))
  // The first thread ends when it is about to commit.
  await writeFile(
    join(folder, 'thread.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs'
     import { StatementSync } from 'node:sqlite'
     const mark = new URL('mark', import.meta.url)
     const run = StatementSync.prototype.run
     if (!existsSync(mark))
       StatementSync.prototype.run = function (...values) {
         if (this.sourceSQL === 'commit') { writeFileSync(mark, ''); process.exit(3) }
         return run.apply(this, values)
       }
     await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'journal-worker.ts')).href)})`,
  )
  const { store, thread } = await begin(join(folder, 'thread.mjs'))
  const names = Array.from({ length: 10 }, (_, number) => `P-${number}`)
  const outcomes = await Promise.allSettled(names.map((name) => thread.begin(entryOf(name), 60_000)))
  expect(outcomes).toMatchObject(names.map(() => unavailable))
  expect(await store.journal.open()).toEqual({ inFlight: 0, unknown: 0 })
  for (const begun of await Promise.all(names.map((name) => thread.begin(entryOf(name), 60_000))))
    expect(begun).toEqual({ begun: true })
  expect(await store.journal.open()).toEqual({ inFlight: 10, unknown: 0 })
})
