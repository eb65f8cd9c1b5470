import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../../test/store-on.ts'
import type { Feed, IndexRow, NewChange, Position, Watch } from '../../changes.ts'
import { LostLease } from '../../lost-lease.ts'
import type { Store } from '../../store.ts'

const rowOf = (nativeId: string, over: Partial<IndexRow> = {}): IndexRow => ({
  nativeId,
  fingerprint: randomBytes(16),
  revision: 1,
  digest: randomBytes(8),
  modified: 1_700_000_000_000,
  ...over,
})
const changeOf = (watch: Watch, nativeId: string, over: Partial<NewChange> = {}): NewChange => ({
  watch,
  operation: 'created',
  nativeId,
  origin: 'walk',
  record: { externalId: nativeId },
  ...over,
})
const start: Position = { sequence: 0 }
const product = ['product'] as const

describe.each(storeKinds)('the change feed on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
  })
  afterAll(() => database.remove())

  async function watched(id: string, entities: readonly ('product' | 'order')[] = product) {
    await addAccount(store, id)
    await store.changes.ensure({ id, workspaceId: 'w' }, entities)
  }
  async function take(id: string): Promise<Feed & { watch: Watch }> {
    const feed = await store.changes.takeFeed(id, 'me', 30_000)
    if (!feed?.watches[0]) throw new Error(`the feed of ${id} is not free`)
    return { ...feed, watch: feed.watches[0] }
  }
  const pageOf = async (id: string, after = start, limit = 100) => {
    const page = await store.changes.page(id, { after, entityTypes: product, limit })
    if (!page) throw new Error('there is no feed')
    return page
  }

  it('stores settings of a workspace and of an account', async () => {
    await addAccount(store, 'settings')
    const account = { id: 'settings', workspaceId: 'w' }
    const { settings } = store.changes
    expect(await settings.workspace('w')).toEqual({ entities: {}, keepRecords: true })
    const value = { entities: { product: { pollSeconds: 300, walkHours: 24 } }, keepRecords: false }
    await settings.setWorkspace('w', { entities: { order: {} }, keepRecords: true })
    await settings.setWorkspace('w', value)
    await settings.setAccount(account, 'product', 'off')
    await settings.setAccount(account, 'order', { walkHours: 1 })
    await settings.setAccount(account, 'customer', {})
    await settings.setAccount(account, 'customer', undefined)
    expect(await settings.workspace('w')).toEqual(value)
    expect(await settings.account('settings')).toEqual({ product: 'off', order: { walkHours: 1 } })
    await settings.setWorkspace('w', { entities: {}, keepRecords: true })
  })

  it('commits index, log, hints, seen hashes and state together, and reads them back', async () => {
    await watched('whole')
    const feed = await take('whole')
    const rows = [
      rowOf('a', { group: 'g' }),
      rowOf('b', { digest: undefined, modified: undefined, group: 'g' }),
      rowOf('c'),
    ]
    const head = await store.changes.commit(feed, {
      watches: [
        {
          watch: feed.watch,
          put: rows,
          seen: Buffer.alloc(16, 1),
          missing: { put: [{ nativeId: 'm', sinceWalk: 1, since: 2, reads: 3 }] },
          unlisted: { put: [{ nativeId: 'u', nextCheckAt: 5, checks: 1 }] },
          state: { phase: 'ready', records: 3 },
        },
      ],
      changes: [
        changeOf(feed.watch, 'a', { modifiedAt: 7, writtenBy: 'key', origin: 'write' }),
        changeOf(feed.watch, 'b', { operation: 'updated', changed: ['/price'] }),
        changeOf(feed.watch, 'c', { operation: 'deleted', replacedBy: 'a', record: undefined }),
      ],
      newHints: [{ entityType: 'product', nativeId: 'z', origin: 'hint', dueInMs: 60_000 }],
    })
    expect(head).toBe(3)
    const { changes } = store
    expect([...(await changes.records(feed.watch, ['a', 'b', 'x'])).values()]).toEqual(rows.slice(0, 2))
    expect(await changes.group(feed.watch, 'g')).toEqual(rows.slice(0, 2))
    expect(await changes.recordsAfter(feed.watch, 'a', 5)).toEqual(rows.slice(1))
    await changes.commit(feed, { watches: [{ watch: feed.watch, seen: Buffer.alloc(8, 2) }] })
    expect((await changes.seenAfter(feed.watch, 0, 9)).map(({ hashes }) => hashes.length)).toEqual([16, 8])
    expect(await changes.seenAfter(feed.watch, 1, 9)).toEqual([{ piece: 2, hashes: Buffer.alloc(8, 2) }])
    expect(await changes.missingAfter(feed.watch, '', 9)).toEqual([{ nativeId: 'm', sinceWalk: 1, since: 2, reads: 3 }])
    expect(await changes.unlistedDue(feed.watch, 9)).toEqual([{ nativeId: 'u', nextCheckAt: 5, checks: 1 }])
    expect(await changes.hints('whole', 9)).toEqual([])
    expect(await changes.waitingHints('whole')).toEqual({ product: 1 })
    expect((await changes.hintsOf('whole', 'product', ['y', 'z'])).get('z')).toMatchObject({
      counter: 1,
      origin: 'hint',
    })
    const page = await pageOf('whole')
    expect(page.rows).toMatchObject([
      {
        sequence: 1,
        operation: 'created',
        nativeId: 'a',
        modifiedAt: 7,
        writtenBy: 'key',
        record: { externalId: 'a' },
      },
      { sequence: 2, operation: 'updated', changed: ['/price'], epoch: feed.watch.epoch },
      { sequence: 3, operation: 'deleted', replacedBy: 'a', record: undefined },
    ])
    expect(page.head).toEqual({ sequence: 3, tag: page.rows[2]?.tag })
    expect(page.watches).toMatchObject([{ entityType: 'product', state: { phase: 'ready', records: 3 } }])
    expect(page.watches[0]?.oldestHintAt).toBeGreaterThan(0)
    expect((await changes.lastChanges('whole', 'product', ['a', 'q'])).get('a')?.sequence).toBe(1)
    await changes.commit(feed, {
      watches: [{ watch: feed.watch, remove: ['a', 'm', 'u'], clearSeen: true }],
    })
    expect(await changes.recordsAfter(feed.watch, '', 5)).toEqual(rows.slice(1))
    expect(await changes.seenAfter(feed.watch, 0, 9)).toEqual([])
    expect(await changes.missingAfter(feed.watch, '', 9)).toEqual([])
    expect(await changes.unlistedDue(feed.watch, 9)).toEqual([])
  })

  it('changes nothing at all for a worker that has lost its feed', async () => {
    await watched('fenced')
    const lost = await store.changes.takeFeed('fenced', 'me', 0)
    const feed = await take('fenced')
    if (!lost) throw new Error('not taken')
    await store.changes.addHints('fenced', [{ entityType: 'product', nativeId: 'h', origin: 'hint' }])
    const before = await pageOf('fenced')
    const batch = {
      watches: [{ watch: feed.watch, put: [rowOf('a')], seen: Buffer.alloc(8), state: { phase: 'ready' as const } }],
      changes: [changeOf(feed.watch, 'a')],
      doneHints: [{ entityType: 'product' as const, nativeId: 'h', counter: 1 }],
      newHints: [{ entityType: 'product' as const, nativeId: 'n', origin: 'hint' as const }],
    }
    await expect(store.changes.commit(lost, batch)).rejects.toThrow(LostLease)
    const epoch = { state: { phase: 'first_walk' as const }, keepIndex: false }
    await expect(store.changes.beginEpoch(lost, feed.watch, epoch)).rejects.toThrow(LostLease)
    expect(await store.changes.renewFeed(lost, 60_000)).toBe(false)
    await store.changes.releaseFeed(lost, { dueInMs: 0 })
    expect(await store.changes.takeFeed('fenced', 'other', 60_000)).toBeUndefined()
    expect(await pageOf('fenced')).toEqual(before)
    expect(await store.changes.recordsAfter(feed.watch, '', 9)).toEqual([])
    expect(await store.changes.seenAfter(feed.watch, 0, 9)).toEqual([])
    expect((await store.changes.hints('fenced', 9)).map(({ nativeId }) => nativeId)).toEqual(['h'])
    expect(await store.changes.renewFeed(feed, 60_000)).toBe(true)
    expect(await store.changes.commit(feed, batch)).toBe(1)
  })

  it('leaves nothing of a commit that fails in its middle', async () => {
    await watched('crash')
    const feed = await take('crash')
    const broken = { ...changeOf(feed.watch, 'b'), origin: null as never } // the database refuses it
    await expect(
      store.changes.commit(feed, {
        watches: [{ watch: feed.watch, put: [rowOf('a')], seen: Buffer.alloc(8), state: { phase: 'ready' } }],
        changes: [changeOf(feed.watch, 'a'), broken],
      }),
    ).rejects.toThrow()
    const page = await pageOf('crash')
    expect(page).toMatchObject({ rows: [], head: start, watches: [{ state: { phase: 'first_walk' } }] })
    expect(await store.changes.recordsAfter(feed.watch, '', 9)).toEqual([])
    expect(await store.changes.seenAfter(feed.watch, 0, 9)).toEqual([])
    expect(await store.changes.commit(feed, { changes: [changeOf(feed.watch, 'a')] })).toBe(1)
  })

  it('never lets a reader skip a row while workers commit', async () => {
    await watched('order')
    const other = await database.open()
    let written = 0
    let writing = true
    async function write() {
      for (let round = 0; round < 30; round++) {
        const worker = round % 2 ? store : other
        const feed = await worker.changes.takeFeed('order', `w${round}`, 30_000)
        if (!feed?.watches[0]) throw new Error('not free')
        const changes = Array.from({ length: (round % 4) + 1 }, (_, n) =>
          changeOf(feed.watches[0] as Watch, `r${round}-${n}`),
        )
        written = await worker.changes.commit(feed, { changes })
        await worker.changes.releaseFeed(feed, { dueInMs: 0 })
      }
      writing = false
    }
    async function read(from: Store): Promise<number[]> {
      const seen: number[] = []
      let after = start
      for (;;) {
        await nextTurn() // a read of SQLite does not yield
        const last = !writing
        const page = await from.changes.page('order', { after, entityTypes: product, limit: 3 })
        expect(page?.gap).toBeUndefined()
        seen.push(...(page?.rows ?? []).map(({ sequence }) => sequence))
        const row = page?.rows.at(-1)
        if (row) after = { sequence: row.sequence, tag: row.tag }
        else if (last) return seen
      }
    }
    const [, ...readers] = await Promise.all([write(), read(store), read(other)])
    const all = Array.from({ length: written }, (_, n) => n + 1)
    expect(written).toBeGreaterThan(60)
    expect(readers).toEqual([all, all])
  })

  it('keeps a hint that was raised while it was fetched', async () => {
    await watched('race')
    const feed = await take('race')
    const hint = { entityType: 'product' as const, nativeId: 'p', origin: 'hint' as const }
    await store.changes.addHints('race', [{ ...hint, origin: 'write', record: { name: 'A' }, writtenBy: 'key' }])
    const [fetched] = await store.changes.hints('race', 9)
    if (!fetched) throw new Error('no hint')
    await store.changes.addHints('race', [{ ...hint, gone: true }])
    await store.changes.commit(feed, { doneHints: [fetched] })
    const [raised] = await store.changes.hints('race', 9)
    expect(raised).toMatchObject({ counter: 2, origin: 'write', record: { name: 'A' }, writtenBy: 'key', gone: true })
    expect(raised?.firstAt).toBe(fetched.firstAt)
    await store.changes.commit(feed, { laterHints: [{ ...fetched, dueInMs: 60_000 }] })
    expect(await store.changes.hints('race', 9)).toEqual([raised])
    await store.changes.commit(feed, { laterHints: [{ ...hint, counter: 2, dueInMs: 60_000 }] })
    expect(await store.changes.hints('race', 9)).toEqual([])
    expect((await store.changes.hintsOf('race', 'product', ['p'])).get('p')).toMatchObject({
      origin: 'hint',
      record: undefined,
      writtenBy: undefined,
      attempts: 1,
    })
    await store.changes.commit(feed, { doneHints: [{ ...hint, counter: 2 }] })
    expect(await store.changes.waitingHints('race')).toEqual({})
  })

  it('tells a reader when its position is pruned, replaced or of another log', async () => {
    await watched('gaps', ['product', 'order'])
    const feed = await take('gaps')
    expect(await pageOf('gaps')).toMatchObject({ rows: [], hasMore: false, head: start })
    const order = feed.watches.find(({ entityType }) => entityType === 'order') as Watch
    const watch = feed.watches.find(({ entityType }) => entityType === 'product') as Watch
    await store.changes.commit(feed, {
      changes: [changeOf(watch, 'a'), changeOf(order, 'b'), changeOf(watch, 'c'), changeOf(order, 'd')],
    })
    const first = await pageOf('gaps', start, 1)
    expect(first).toMatchObject({ rows: [{ nativeId: 'a' }], hasMore: true })
    const at = { sequence: 1, tag: first.rows[0]?.tag }
    const second = await pageOf('gaps', at, 1)
    expect(second).toMatchObject({ rows: [{ nativeId: 'c' }], hasMore: false })
    expect(second.gap).toBeUndefined()
    // The head belongs to an entity that this reader does not read.
    expect(second.head.sequence).toBe(4)
    expect(await pageOf('gaps', second.head)).toMatchObject({ rows: [], head: second.head })
    expect((await pageOf('gaps', { sequence: 1, tag: '0011223344556677' })).gap).toBe('replaced')
    expect((await pageOf('gaps', { ...at, sequence: 9 })).gap).toBe('replaced')
    expect(await store.changes.start('gaps', 60_000)).toEqual(start)
    expect(await store.changes.start('gaps', -60_000)).toEqual(second.head)
    expect(await store.changes.page('nothing', { after: start, entityTypes: product, limit: 1 })).toBeUndefined()

    while ((await store.changes.prune(-60_000, 2)) > 0) {}
    expect((await pageOf('gaps', at)).gap).toBe('pruned')
    expect((await pageOf('gaps')).gap).toBe('pruned')
    const current = await store.changes.page('gaps', { after: second.head, entityTypes: ['order'], limit: 9 })
    expect(current).toMatchObject({ rows: [], head: second.head })
    expect(current?.gap).toBeUndefined()
    expect([...(await store.changes.lastChanges('gaps', 'order', ['d'])).values()]).toMatchObject([
      { sequence: 4, record: undefined },
    ])
  })

  it('starts a new epoch with an empty index, or with the index that it has', async () => {
    await watched('epochs')
    const feed = await take('epochs')
    await store.changes.commit(feed, { watches: [{ watch: feed.watch, put: [rowOf('a')] }] })
    const kept = await store.changes.beginEpoch(feed, feed.watch, { state: { phase: 'ready' }, keepIndex: true })
    expect(kept.epoch).toBeGreaterThan(feed.watch.epoch)
    expect(await store.changes.recordsAfter(kept, '', 9)).toHaveLength(1)
    const fresh = await store.changes.beginEpoch(feed, kept, { state: { phase: 'first_walk' }, keepIndex: false })
    expect(fresh.epoch).toBeGreaterThan(kept.epoch)
    expect(await store.changes.recordsAfter(fresh, '', 9)).toEqual([])
    expect(await store.changes.watches('epochs')).toEqual([fresh])
    await store.changes.commit(feed, {
      watches: [{ watch: fresh, state: { phase: 'ready', nextWalkAt: 9e12, records: 7 } }],
    })
    await store.changes.raiseEpochs()
    const [raised] = await store.changes.watches('epochs')
    expect(raised).toMatchObject({ id: fresh.id, state: { phase: 'ready', records: 7 } })
    expect(raised?.epoch).toBeGreaterThan(fresh.epoch)
    expect(raised?.state.nextWalkAt).toBeUndefined()
    await expect(store.changes.commit(feed, {})).rejects.toThrow(LostLease)
  })

  it('ends a watch, and gives the next one a new epoch and an empty index', async () => {
    await watched('again', ['product', 'order'])
    const feed = await take('again')
    await store.changes.commit(feed, {
      watches: [{ watch: feed.watch, put: [rowOf('a')], seen: Buffer.alloc(8) }],
      newHints: [{ entityType: feed.watch.entityType, nativeId: 'a', origin: 'hint' }],
    })
    const account = { id: 'again', workspaceId: 'w' }
    await store.changes.ensure(account, ['order', 'product'])
    expect(await store.changes.renewFeed(feed, 30_000)).toBe(true) // nothing has changed
    const rest = feed.watches.filter(({ id }) => id !== feed.watch.id)
    await store.changes.ensure(
      account,
      rest.map(({ entityType }) => entityType),
    )
    await expect(store.changes.commit(feed, {})).rejects.toThrow(LostLease)
    expect(await store.changes.watches('again')).toEqual(rest)
    expect(await store.changes.waitingHints('again')).toEqual({})
    await store.changes.addHints('again', [{ entityType: feed.watch.entityType, nativeId: 'b', origin: 'hint' }])
    expect(await store.changes.waitingHints('again')).toEqual({})
    await store.changes.ensure(account, ['order', 'product'])
    const now = (await store.changes.watches('again')).find(({ entityType }) => entityType === feed.watch.entityType)
    expect(now?.epoch).toBeGreaterThan(feed.watch.epoch)
    expect(await store.changes.recordsAfter(now as Watch, '', 9)).toEqual([])
    while ((await store.changes.prune(86_400_000, 1)) > 0) {}
    expect(await store.changes.recordsAfter(feed.watch, '', 9)).toEqual([])
    expect(await store.changes.seenAfter(feed.watch, 0, 9)).toEqual([])
  })

  it('lists feeds that are due: released, woken, hinted, resting', async () => {
    await watched('due')
    const isDue = async () => (await store.changes.due(1_000)).includes('due')
    expect(await isDue()).toBe(true)
    const first = await take('due')
    expect(await isDue()).toBe(false)
    await store.changes.releaseFeed(first, { dueInMs: 60_000 })
    expect(await isDue()).toBe(false)
    await store.changes.addHints('due', [{ entityType: 'product', nativeId: 'p', origin: 'hint' }])
    expect(await isDue()).toBe(true)
    const second = await take('due')
    await store.changes.releaseFeed(second, { dueInMs: 0, restMs: 60_000 })
    expect(await isDue()).toBe(false)
    await store.changes.wake('due')
    expect(await isDue()).toBe(true)
    const third = await take('due')
    await store.changes.wake('due') // while it is held
    await store.changes.releaseFeed(third, { dueInMs: 60_000, restMs: 60_000 })
    expect(await isDue()).toBe(true)
    const dead = await store.changes.takeFeed('due', 'dead', 0)
    expect(dead?.fence).toBe(third.fence + 1)
    expect(await isDue()).toBe(true)
  })

  it('does not take the feed from its holder when a walk is requested again', async () => {
    await watched('walk-again')
    const before = await take('walk-again')
    expect(await store.changes.requestWalk('walk-again', 'product')).toBe(true)
    await expect(store.changes.commit(before, {})).rejects.toThrow(LostLease)
    const feed = await take('walk-again')
    expect(feed.watch.state.nextWalkAt).toBe(0)
    expect(await store.changes.requestWalk('walk-again', 'product')).toBe(true)
    await store.changes.commit(feed, { watches: [{ watch: feed.watch, state: { phase: 'ready', nextWalkAt: 5 } }] })
    await store.changes.releaseFeed(feed, { dueInMs: 60_000 })
    expect(await store.changes.due(1000)).toContain('walk-again')
    expect(await store.changes.requestWalk('walk-again', 'product')).toBe(true)
    expect((await store.changes.watches('walk-again'))[0]?.state.nextWalkAt).toBe(0)
    expect(await store.changes.requestWalk('walk-again', 'order')).toBe(false)
  })

  it('tells listeners of every store about changes and hints', async () => {
    await watched('wakes')
    const feed = await take('wakes')
    const other = await database.open()
    const woken = Promise.withResolvers<string>()
    const stop = other.changes.subscribe((accountId) => accountId === 'wakes' && woken.resolve(accountId))
    let isWoken = false
    void woken.promise.then(() => {
      isWoken = true
    })
    // A notification is sent to connections that listen by then, so the first ones can be lost.
    for (let hint = 0; !isWoken; hint++)
      await store.changes.addHints('wakes', [{ entityType: 'product', nativeId: `n${hint}`, origin: 'hint' }])
    const logged = Promise.withResolvers<void>()
    const stopLogged = other.changes.subscribe((accountId) => accountId === 'wakes' && logged.resolve())
    await store.changes.commit(feed, { changes: [changeOf(feed.watch, 'a')] })
    await logged.promise
    stop()
    stopLogged()
  })

  it('deletes everything of an account', async () => {
    await watched('deleted')
    const feed = await take('deleted')
    await store.changes.settings.setAccount({ id: 'deleted', workspaceId: 'w' }, 'product', { walkHours: 2 })
    await store.changes.commit(feed, {
      watches: [
        {
          watch: feed.watch,
          put: [rowOf('a')],
          seen: Buffer.alloc(8),
          missing: { put: [{ nativeId: 'a', sinceWalk: 1, since: 1, reads: 0 }] },
        },
      ],
      changes: [changeOf(feed.watch, 'a')],
      newHints: [{ entityType: 'product', nativeId: 'a', origin: 'hint' }],
    })
    expect(await store.accounts.delete('deleted')).toBe(true)
    await expect(store.changes.commit(feed, {})).rejects.toThrow(LostLease)
    expect(await store.changes.page('deleted', { after: start, entityTypes: product, limit: 1 })).toBeUndefined()
    expect(await store.changes.settings.account('deleted')).toEqual({})
    expect(await store.changes.watches('deleted')).toEqual([])
    expect(await store.changes.waitingHints('deleted')).toEqual({})
    expect((await store.changes.lastChanges('deleted', 'product', ['a'])).size).toBe(0)
    while ((await store.changes.prune(86_400_000, 100)) > 0) {}
    expect(await store.changes.recordsAfter(feed.watch, '', 9)).toEqual([])
    expect(await store.changes.missingAfter(feed.watch, '', 9)).toEqual([])
  })

  it('counts what is stored', async () => {
    const before = await store.changes.sizes()
    await watched('sizes')
    const feed = await take('sizes')
    await store.changes.commit(feed, {
      watches: [{ watch: feed.watch, state: { phase: 'ready', records: 5 } }],
      changes: [changeOf(feed.watch, 'a'), changeOf(feed.watch, 'b')],
      newHints: [{ entityType: 'product', nativeId: 'a', origin: 'hint' }],
    })
    const after = await store.changes.sizes()
    const { lagMs: _, due: __, ...counts } = after
    const grown = Object.entries(counts).map(([name, count]) => [name, count - before[name as keyof typeof before]])
    expect(Object.fromEntries(grown)).toEqual({ feeds: 1, watches: 1, records: 5, log: 2, hints: 1 })
  })
})
