import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtThread } from '../../../../test/built-thread.ts'
import { inOrder } from '../../../../test/in-order.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../../test/store-on.ts'
import { createJournalThread, type JournalThread } from '../../../threads/journal.ts'
import type { EntryKey, Store } from '../../store.ts'
import { createVault } from '../../vault.ts'

const encryptionKeys = [randomBytes(32)]

const kinds = [...storeKinds, 'sqlite with the journal thread'] as const
// The hints of one record are counted through, and the last test takes the key away.
describe.each(kinds)('hints of own writes on %s', inOrder, (kind) => {
  let database: TestDatabase
  let store: Store
  let thread: JournalThread | undefined
  let journal: Pick<Store['journal'], 'begin' | 'done'>
  beforeAll(async () => {
    database = await createTestDatabase(kind === 'postgres' ? kind : 'sqlite')
    store = await database.open(createVault(encryptionKeys))
    await store.migrate()
    await addAccount(store, 'watched')
    await addAccount(store, 'unwatched')
    await store.changes.ensure({ id: 'watched', workspaceId: 'w' }, ['product'])
    if (kind !== 'sqlite' && kind !== 'postgres')
      thread = createJournalThread(builtThread('journal'), { encryptionKeys, dataDir: dirname(database.place) })
    journal = thread?.journal ?? store.journal
  })
  afterAll(async () => {
    await thread?.close()
    await database.remove()
  })

  async function write(key: EntryKey, holder = 'me', record: unknown = { name: 'Tea' }) {
    const writeId = `write ${key.externalId} ${key.operation ?? 'create'}`
    const entry = { ...key, writeId, contentHash: 'h', record: {}, startedAt: '2026-01-01T00:00:00.000Z', holder: 'me' }
    await journal.begin(entry, 60_000)
    const outcome = { writeId, nativeId: 'N1', answer: { data: record }, record, writtenBy: 'key-1' }
    return journal.done(key, holder, outcome)
  }
  const waiting = async (accountId: string) => (await store.changes.hintsOf(accountId, 'product', ['N1'])).get('N1')

  it('stores none for a holder that has lost the write', async () => {
    expect(await write({ accountId: 'watched', entityType: 'product', externalId: 'lost' }, 'another')).toBe(false)
    expect(await waiting('watched')).toBeUndefined()
  })
  it('stores none where nothing is watched', async () => {
    expect(await write({ accountId: 'unwatched', entityType: 'product', externalId: 'P1' })).toBe(true)
    expect(await write({ accountId: 'watched', entityType: 'customer', externalId: 'C1' })).toBe(true)
    expect(await store.changes.waitingHints('unwatched')).toEqual({})
    expect(await store.changes.waitingHints('watched')).toEqual({})
  })
  it('stores the record and the credential of a create, then of an update, and makes the feed due', async () => {
    const feed = await store.changes.takeFeed('watched', 'me', 30_000)
    if (!feed) throw new Error('not taken')
    await store.changes.releaseFeed(feed, { dueInMs: 60_000 })
    expect(await store.changes.due(9)).toEqual([])
    const woken = Promise.withResolvers<void>()
    const stop = store.changes.subscribe(() => woken.resolve())
    expect(await write({ accountId: 'watched', entityType: 'product', externalId: 'P1' })).toBe(true)
    const first = await waiting('watched')
    expect(first).toMatchObject({ counter: 1, origin: 'write', record: { name: 'Tea' }, writtenBy: 'key-1' })
    expect(await store.changes.due(9)).toEqual(['watched'])
    const update: EntryKey = { accountId: 'watched', entityType: 'product', externalId: 'N1', operation: 'update' }
    expect(await write(update, 'me', { name: 'Green tea' })).toBe(true)
    expect(await waiting('watched')).toMatchObject({
      counter: 2,
      record: { name: 'Green tea' },
      firstAt: first?.firstAt,
    })
    // On PostgreSQL the connection may not listen yet when the first ones are written.
    let isWoken = false
    void woken.promise.then(() => {
      isWoken = true
    })
    for (let more = 0; !isWoken; more++)
      await write({ accountId: 'watched', entityType: 'product', externalId: `more ${more}` })
    stop()
  })
  it('adds the event of a settled write once, and to the log of its workspace', async () => {
    const key: EntryKey = { accountId: 'unwatched', entityType: 'product', externalId: 'settled' }
    const entry = { ...key, writeId: 's', contentHash: 'h', record: {}, startedAt: '2026-01-01T00:00:00.000Z' }
    await journal.begin({ ...entry, holder: 'me' }, 60_000)
    const outcome = { writeId: 's', nativeId: 'N3', answer: {}, settledIn: 'w' }
    const told = async () =>
      (await store.webhooks.events.page('w', { sequence: 0 }, 100)).rows.filter(({ type }) => type === 'write.settled')
    expect(await journal.done(key, 'another', outcome)).toBe(false)
    expect(await told()).toEqual([])
    // The second call is what follows a lost response.
    expect([await journal.done(key, 'me', outcome), await journal.done(key, 'me', outcome)]).toEqual([true, true])
    expect(await told()).toMatchObject([
      { accountId: 'unwatched', data: { entityType: 'product', externalId: 'settled' } },
    ])
  })
  it('stores the hint only together with the end of the write', async () => {
    const key: EntryKey = { accountId: 'watched', entityType: 'product', externalId: 'whole' }
    const refused = store.transaction(async (inner) => {
      const entry = { ...key, writeId: 'w', contentHash: 'h', record: {}, startedAt: '', holder: 'me' }
      await inner.journal.begin(entry, 60_000)
      expect(await inner.journal.done(key, 'me', { writeId: 'w', nativeId: 'N2', answer: {} })).toBe(true)
      expect((await inner.changes.hintsOf('watched', 'product', ['N2'])).size).toBe(1)
      throw new Error('undone')
    })
    await expect(refused).rejects.toThrow('undone')
    expect((await store.changes.hintsOf('watched', 'product', ['N2'])).size).toBe(0)
    expect(await store.journal.get(key)).toBeUndefined()
  })
  it('opens states, records and hints with the newest key after a reseal', async () => {
    const feed = await store.changes.takeFeed('watched', 'me', 30_000)
    const watch = feed?.watches[0]
    if (!watch) throw new Error('not taken')
    await store.changes.commit(feed, {
      changes: [{ watch, operation: 'updated', nativeId: 'N1', origin: 'poll', record: { name: 'Tea' } }],
    })
    const fresh = randomBytes(32)
    const both = await database.open(createVault([fresh, ...encryptionKeys]))
    expect(await both.reseal()).toBeGreaterThan(3)
    const newest = await database.open(createVault([fresh]))
    const page = await newest.changes.page('watched', { after: { sequence: 0 }, entityTypes: ['product'], limit: 9 })
    expect(page).toMatchObject({ rows: [{ record: { name: 'Tea' } }], watches: [{ state: { phase: 'first_walk' } }] })
    expect((await newest.changes.hintsOf('watched', 'product', ['N1'])).get('N1')?.record).toBeDefined()
  })
})
