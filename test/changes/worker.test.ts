// The worker of a feed on real databases, in front of a platform in memory that fails on command.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { revisionOf } from '../../src/changes/fingerprint.ts'
import { isConfirmed } from '../../src/changes/step.ts'
import { Problem } from '../../src/contract/errors.ts'
import { EndedEarly } from '../../src/engine/read/page.ts'
import type { Watch } from '../../src/store/changes.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestDatabase, storeKindsFor, type TestDatabase } from '../store-on.ts'
import { createFakeWorker, type FakeWorker } from './fake-platform.ts'

const hour = 3_600_000
const outage = () => new Problem('downstream_error', 'The platform is down.')

describe.each(storeKindsFor('changes/worker'))('a worker on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  let count = 0
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
  })
  afterAll(() => database.remove())
  async function worker(records: number, stamp: number | undefined = 1000): Promise<FakeWorker> {
    const made = await createFakeWorker(store, `account-${++count}`)
    for (let index = 0; index < records; index++)
      made.platform.records.set(`r${String(index).padStart(4, '0')}`, { name: `Record ${index}`, modified: stamp })
    await made.work()
    return made
  }
  /** As if the last walks had been an hour earlier. */
  const later = async (made: FakeWorker) => {
    const { id } = await made.watch()
    const rows = await store.changes.missingAfter({ id }, '', 10_000)
    const feed = await store.changes.takeFeed(made.account.id, 'test', 60_000)
    if (!feed?.watches[0]) throw new Error('the feed is not free')
    const put = rows.map((row) => ({ ...row, sinceWalk: row.sinceWalk - hour }))
    await store.changes.commit(feed, { watches: [{ watch: feed.watches[0], missing: { put } }] })
    await store.changes.releaseFeed(feed, { dueInMs: 0 })
  }
  const hint = (made: FakeWorker, nativeId: string, over = {}) =>
    store.changes.addHints(made.account.id, [{ entityType: 'product', nativeId, origin: 'hint', ...over }])

  it('indexes all pages silently, then polls', async () => {
    const made = await worker(25)
    const { state } = await made.watch()
    expect(state).toMatchObject({ phase: 'ready', records: 25, lastWalk: { records: 25 }, heldDeletes: 0 })
    expect(made.platform.reads).toEqual(['walk ', 'walk r0009', 'walk r0019', 'poll '])
    expect(await made.changes()).toEqual([])
  })

  it('goes on where a walk was interrupted, and sees what came before', async () => {
    const made = await worker(25)
    let pages = 0
    made.platform.before = () => {
      if (++pages === 3) throw outage()
    }
    await made.walk()
    const interrupted = await made.watch()
    expect(interrupted.state).toMatchObject({
      walk: { pages: 2 },
      errorsInARow: 1,
      lastError: { detail: outage().detail },
    })
    made.platform.reads.length = 0
    made.platform.before = () => {}
    await made.setState(({ retryAt: _, ...state }) => state)
    await made.work()
    expect(made.platform.reads).toEqual(['walk r0019'])
    expect((await made.watch()).state).toMatchObject({ records: 25, heldDeletes: 0 })
    expect((await made.watch()).state.errorsInARow).toBeUndefined()
    expect(await made.changes()).toEqual([])
  })

  it('tells callers once that records look different, and reports none of them', async () => {
    const made = await worker(12)
    const events = async () => {
      const { rows } = await store.webhooks.events.page(made.account.workspaceId, { sequence: 0 }, 1000)
      return rows.filter(({ accountId, type }) => accountId === made.account.id && type === 'watch.remapped')
    }
    expect(await events()).toEqual([])
    made.platform.reader.revision = revisionOf(2, [])
    await made.walk()
    await made.walk()
    expect(await events()).toMatchObject([{ data: { entityType: 'product' } }])
    expect(await made.changes()).toEqual([])
  })

  it('tries a first walk that failed again after a few seconds', async () => {
    const made = await createFakeWorker(store, `account-${++count}`)
    made.platform.before = () => {
      throw outage()
    }
    const released = vi.spyOn(store.changes, 'releaseFeed')
    await made.work()
    expect(released.mock.lastCall?.[1].dueInMs).toBeLessThanOrEqual(5_000)
    released.mockRestore()
  })

  it.each([
    new Problem('invalid_cursor', 'The position is no longer valid.'),
    new Problem('downstream_error', 'The list ended early.', { cause: new EndedEarly() }),
  ])('begins a walk again after $detail', async (problem) => {
    const made = await worker(25)
    made.platform.records.delete('r0003')
    let expired = false
    made.platform.before = (read) => {
      if (read !== 'walk r0010' || expired) return
      expired = true
      made.platform.records.delete('r0001')
      throw problem
    }
    await made.walk()
    expect((await made.watch()).state.walk).toBeUndefined()
    await made.setState(({ retryAt: _, ...state }) => state)
    await made.work()
    expect(await made.changes()).toEqual(['deleted r0001 walk', 'deleted r0003 walk'])
  })

  it('changes nothing once another worker has the feed', async () => {
    const made = await worker(12)
    made.platform.records.set('r0001', { name: 'changed', modified: 2000 })
    made.platform.records.delete('r0002')
    const before = await made.watch()
    made.platform.before = async () => {
      made.platform.before = () => {}
      // The process stood still: its lease is taken over while its read is under way.
      await store.endLeases()
      const other = await store.changes.takeFeed(made.account.id, 'other', 30_000)
      if (other) await store.changes.releaseFeed(other, { dueInMs: 0 })
    }
    await made.walk()
    expect(made.errors).toEqual([])
    expect(await made.changes()).toEqual([])
    expect((await made.watch()).state.walk).toBeUndefined()
    expect((await made.watch()).state.lastWalk).toEqual(before.state.lastWalk)
    await made.work()
    expect(await made.changes()).toEqual(['updated r0001 walk', 'deleted r0002 walk'])
  })

  it('reports a delete only if control reads succeed before and after it', async () => {
    for (const broken of ['first', 'last'] as const) {
      const made = await worker(12)
      made.platform.records.delete('r0005')
      let isBroken = broken === 'first'
      const get = made.platform.reader.get
      made.platform.reader.get = async (id) => {
        if (id === 'r0005') isBroken = broken === 'last'
        return isBroken ? undefined : get(id)
      }
      await made.walk()
      expect(await made.changes(), broken).toEqual([])
      expect((await made.watch()).state).toMatchObject({ errorsInARow: 1, heldDeletes: 1 })
      made.platform.reader.get = get
      await made.setState(({ retryAt: _, ...state }) => state)
      await made.work()
      expect(await made.changes()).toEqual(['deleted r0005 walk'])
    }
  })

  it('takes no error for a proof', async () => {
    const made = await worker(12)
    made.platform.records.delete('r0005')
    for (const code of ['forbidden', 'downstream_error', 'downstream_timeout', 'reconnect_required'] as const) {
      made.platform.before = (read) => {
        if (read === 'get r0005') throw new Problem(code, 'no')
      }
      await made.setState(({ retryAt: _, ...state }) => state)
      await made.walk()
      expect(await made.changes(), code).toEqual([])
    }
  })

  it('holds back many deletes until a second walk misses the records too', async () => {
    const made = await worker(200)
    for (let index = 0; index < 60; index++) made.platform.records.delete(`r${String(index).padStart(4, '0')}`)
    await made.walk()
    expect(await made.changes()).toEqual([])
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 60, massHeld: true, records: 200 })
    made.platform.records.set('r0007', { name: 'Record 7', modified: 1000 })
    await made.walk()
    expect(await made.changes()).toHaveLength(59)
    expect(new Set((await made.log()).map(({ operation }) => operation))).toEqual(new Set(['deleted']))
    const { state } = await made.watch()
    expect(state).toMatchObject({ heldDeletes: 0, records: 141 })
    expect(state.massHeld).toBeUndefined()
  })

  it('needs two walks an hour apart where records cannot be read by id', async () => {
    const made = await worker(12)
    made.platform.reader.gets = false
    made.platform.records.delete('r0005')
    await made.walk()
    await made.walk()
    expect(await made.changes()).toEqual([])
    await later(made)
    await made.walk()
    expect(await made.changes()).toEqual(['deleted r0005 walk'])
    expect(made.platform.reads.some((read) => read.startsWith('get'))).toBe(false)
  })

  it('needs two walks an hour apart where no other record can be read', async () => {
    const made = await worker(1)
    made.platform.records.clear()
    await made.walk()
    expect(await made.changes()).toEqual([])
    await later(made)
    await made.walk()
    expect(await made.changes()).toEqual(['deleted r0000 walk'])
  })

  it('keeps a record that is no longer listed and still there', async () => {
    const made = await worker(12)
    made.platform.records.set('r0005', { name: 'archived', modified: 2000, unlisted: true })
    await made.walk()
    expect(await made.changes()).toEqual(['updated r0005 walk'])
    await made.walk()
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 0, records: 12 })
    const marks = async () => (await store.changes.marks(await made.watch(), ['r0005'])).unlisted.has('r0005')
    expect(await marks()).toBe(true)
    made.platform.records.set('r0005', { name: 'archived', modified: 2000 })
    await made.walk()
    expect(await marks()).toBe(false)
    expect(await made.changes()).toHaveLength(1)
  })

  it('is complete up to a walk only when it has read what the walk did not list', async () => {
    const made = await worker(12)
    const unlisted = { name: 'Record 5', modified: 1000, unlisted: true }
    made.platform.records.set('r0005', unlisted)
    await made.walk()
    const allOf = ({ state }: Watch) => state.candidate?.all ?? state.complete?.all
    const before = allOf(await made.watch())
    made.platform.records.delete('r0005')
    made.platform.before = (read) => {
      if (read.startsWith('get')) throw outage()
    }
    await made.walk()
    expect(allOf(await made.watch())).toBe(before)
    made.platform.before = () => {}
    await made.setState(({ retryAt: _, ...state }) => state)
    await made.work()
    expect(await made.changes()).toEqual(['deleted r0005 walk'])
    expect(allOf(await made.watch())).toBeGreaterThan(before as number)
  })

  it('does not hold back deletes because many other records are not listed', async () => {
    const made = await worker(200)
    const idOf = (index: number) => `r${String(index).padStart(4, '0')}`
    for (let index = 0; index < 60; index++)
      made.platform.records.set(idOf(index), { name: `Record ${index}`, modified: 1000, unlisted: true })
    await made.walk()
    await made.walk()
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 0, records: 200 })
    made.platform.records.delete(idOf(3))
    await made.walk()
    expect((await made.changes()).filter((change) => change.startsWith('deleted'))).toEqual([`deleted ${idOf(3)} walk`])
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 0, records: 199 })
  })

  it('proves deletes although the records of the control reads are deleted as well', async () => {
    const made = await worker(40)
    made.platform.records.delete('r0020')
    made.platform.before = (read) => {
      if (!read.startsWith('get')) return
      // After the walk, before the first proof: what was listed last, and the first records of the index.
      for (const id of ['r0000', 'r0001', 'r0002', 'r0037', 'r0038', 'r0039']) made.platform.records.delete(id)
    }
    await made.walk()
    expect(await made.changes()).toEqual(['deleted r0020 walk'])
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 0 })
    await made.walk()
    expect(await made.changes()).toHaveLength(7)
  })

  it('walks in turns with polls that are always due', async () => {
    const reads: string[] = []
    const made = await createFakeWorker(store, `busy ${kind}`, { pollSeconds: 0, stop: () => reads.length > 40 })
    made.platform.before = (read) => void reads.push(read)
    for (let index = 0; index < 25; index++) made.platform.records.set(`r${100 + index}`, { name: 'x', modified: 1 })
    await made.work()
    await made.setState((state) => ({ ...state, nextWalkAt: 0 }))
    reads.length = 0
    await made.work()
    expect(reads.filter((read) => read.startsWith('walk'))).toEqual(['walk ', 'walk r109', 'walk r119'])
  })

  it('forgets records beyond the horizon silently, and reports younger ones', async () => {
    const made = await worker(0)
    made.platform.reader.horizonMs = 60 * 24 * hour
    const day = (days: number) => Date.now() - days * 24 * hour
    const order = (days: number, modified: number) => ({
      name: 'order',
      modified: day(modified),
      group: new Date(day(days)).toISOString().slice(0, 10),
    })
    made.platform.records.set('old', order(61, 61)).set('touched', order(61, 3)).set('young', order(5, 5))
    for (let index = 0; index < 5; index++) made.platform.records.set(`r${index}`, order(1, 1))
    await made.walk()
    const before = (await made.changes()).length
    for (const id of ['old', 'touched', 'young']) made.platform.records.delete(id)
    await made.walk()
    expect((await made.changes()).slice(before)).toEqual(['deleted young walk'])
    expect((await made.watch()).state).toMatchObject({ records: 5, heldDeletes: 0 })
    expect(made.platform.reads).not.toContain('get old')
  })

  it('treats a record that cannot be normalized as seen', async () => {
    const made = await worker(12)
    made.platform.records.set('r0005', { name: 'x', broken: true })
    await made.walk()
    expect(await made.changes()).toEqual([])
    expect((await made.watch()).state).toMatchObject({ unreadable: 1, heldDeletes: 0, records: 12 })
  })

  it('draws no conclusion from a walk with a row that has no id', async () => {
    const made = await worker(12)
    const { page } = made.platform.reader
    made.platform.reader.page = async (query) => ({ ...(await page(query)), unidentified: 1 })
    made.platform.records.delete('r0005')
    await made.walk()
    expect(await made.changes()).toEqual([])
    expect((await made.watch()).state).toMatchObject({ heldDeletes: 0 })
  })

  it('reads a hinted record, and looks again once if nothing has changed', async () => {
    const made = await worker(12)
    made.platform.records.set('r0003', { name: 'hinted', modified: 2000 })
    made.platform.reads.length = 0
    await hint(made, 'r0003')
    await made.work()
    expect(await made.changes()).toEqual(['updated r0003 hint'])
    expect(made.platform.reads).toEqual(['get r0003'])
    await hint(made, 'r0004')
    await made.work()
    expect(made.platform.reads).toEqual(['get r0003', 'get r0004', 'get r0004'])
    expect(await store.changes.waitingHints(made.account.id)).toEqual({})
  })

  it('reports a delete that a hint points to, after a control read', async () => {
    const made = await worker(12)
    made.platform.records.delete('r0003')
    await hint(made, 'r0003', { gone: true })
    await hint(made, 'never-known', { gone: true })
    await made.work()
    expect(await made.changes()).toEqual(['deleted r0003 hint'])
    await made.walk()
    expect(await made.changes()).toHaveLength(1)
  })

  it('reports the survivor of a merge before the record that it replaces', async () => {
    const made = await worker(12)
    made.platform.records.delete('r0003')
    made.platform.records.set('r0004', { name: 'merged', modified: 2000 })
    made.platform.merged.set('r0003', 'r0004')
    await hint(made, 'r0003')
    await made.work()
    expect(await made.changes()).toEqual(['updated r0004 hint', 'deleted r0003 hint'])
    expect((await made.log())[1]).toMatchObject({ replacedBy: 'r0004' })
    const walked = await worker(12)
    walked.platform.records.delete('r0003')
    walked.platform.merged.set('r0003', 'r0004')
    await walked.walk()
    expect(await walked.log()).toMatchObject([{ operation: 'deleted', nativeId: 'r0003', replacedBy: 'r0004' }])
  })

  it('deletes a row that left its group together with what came, found by a poll or a hint', async () => {
    for (const origin of ['poll', 'hint'] as const) {
      const made = await worker(3)
      made.platform.reader.groups = true
      const group = 'g'
      made.platform.records.set('g1', { name: 'one', group, modified: 1000 })
      made.platform.records.set('g2', { name: 'two', group, modified: 1000 })
      await made.walk()
      const before = (await made.changes()).length
      made.platform.records.delete('g1')
      made.platform.records.set('g2', { name: 'new name', group, modified: Date.now() + 1000 })
      made.platform.records.set('g1:a', { name: 'one a', group, modified: Date.now() + 1000 })
      if (origin === 'hint') await hint(made, 'g1')
      await made.setState((state) => ({ ...state, nextPollAt: 0, nextWalkAt: Date.now() + hour }))
      await made.work()
      expect((await made.changes()).slice(before).sort(), origin).toEqual(
        ['created g1:a', 'deleted g1', 'updated g2'].map((change) => `${change} ${origin}`),
      )
    }
  })

  it('never reports an older state after a newer one', async () => {
    const made = await worker(12, 5000)
    const { get } = made.platform.reader
    made.platform.reader.get = async (id) => {
      const row = await get(id)
      return id === 'r0003' && row ? { ...row, modified: 6000, fingerprint: Buffer.alloc(16, 1) } : row
    }
    await hint(made, 'r0003')
    await made.work()
    made.platform.reader.get = get
    expect(await made.changes()).toEqual(['updated r0003 hint'])
    // The list comes from a copy that lags behind.
    made.platform.before = (read) => {
      if (read.startsWith('get')) throw outage()
    }
    await made.walk()
    expect(await made.changes()).toHaveLength(1)
    expect(await store.changes.waitingHints(made.account.id)).toEqual({ product: 1 })
  })

  it('turns very many hints into one read of the list', async () => {
    const made = await worker(12)
    made.platform.reads.length = 0
    const hints = Array.from({ length: 1001 }, (_, index) => `x${index}`)
    await store.changes.addHints(
      made.account.id,
      hints.map((nativeId) => ({ entityType: 'product', nativeId, origin: 'hint' })),
    )
    await made.work()
    expect(made.platform.reads.every((read) => read.startsWith('poll'))).toBe(true)
    expect(made.platform.reads.length).toBeGreaterThan(0)
    expect(await store.changes.waitingHints(made.account.id)).toEqual({})
  })

  it('starts over without deletes when the account belongs to another business', async () => {
    const made = await worker(12)
    await store.accounts.update(made.account.id, { business: 'first' })
    await made.walk()
    const before = await made.watch()
    await store.accounts.update(made.account.id, { business: 'second' })
    made.platform.records.clear()
    made.platform.records.set('other', { name: 'Another', modified: 1 })
    await made.walk()
    const after = await made.watch()
    expect(after.epoch).toBeGreaterThan(before.epoch)
    expect(after.state).toMatchObject({ phase: 'ready', records: 1, business: 'second' })
    expect(await made.changes()).toEqual([])
  })

  it('counts a change that polls should have read, and reads further back from then on', async () => {
    const made = await worker(12)
    made.platform.reader.settleMs = 1000
    const { lowWater = 0 } = (await made.watch()).state
    made.platform.records.set('r0003', { name: 'late', modified: lowWater - 10_000 })
    await made.walk()
    expect((await made.watch()).state).toMatchObject({ breaches: 1, overlapFactor: 2 })
    made.platform.records.set('r0004', { name: 'in time', modified: Date.now() })
    await made.walk()
    expect((await made.watch()).state).toMatchObject({ breaches: 1, overlapFactor: 2 })
  })

  describe('an own write', () => {
    const entry = (made: FakeWorker, operation?: 'update') => ({
      accountId: made.account.id,
      entityType: 'product' as const,
      externalId: operation ? 'r0003' : 'source',
      ...(operation ? { operation } : {}),
      writeId: `write of ${made.account.id}`,
      contentHash: 'hash',
      record: {},
      startedAt: new Date().toISOString(),
      holder: 'me',
    })
    const done = (made: FakeWorker, nativeId: string, name: string, operation?: 'update') => {
      const { writeId, ...key } = entry(made, operation)
      const record = { externalId: nativeId, name }
      return store.journal.done(key, 'me', { writeId, nativeId, answer: {}, record, writtenBy: 'key' })
    }
    const settleHints = (made: FakeWorker) => {
      made.platform.reader.settleMs = 0
    }

    it.each(['update', undefined] as const)(
      'that is under way keeps its record from being foreign (%s)',
      async (operation) => {
        const made = await worker(12)
        const id = operation ? 'r0003' : 'zzz'
        made.platform.reader.settleMs = 60_000
        await store.journal.begin(entry(made, operation), 60_000)
        made.platform.records.set(id, { name: 'written', modified: 2000 })
        await made.walk()
        expect(await made.changes()).toEqual([])
        expect(await store.changes.waitingHints(made.account.id)).toEqual({ product: 1 })
        await done(made, id, 'written', operation)
        await made.work()
        expect(await made.log()).toMatchObject([
          { operation: operation ? 'updated' : 'created', nativeId: id, origin: 'write', writtenBy: 'key' },
        ])
        await made.walk()
        expect(await made.log()).toHaveLength(1)
      },
    )

    it('is reported, and then what another user made of it', async () => {
      const made = await worker(12)
      settleHints(made)
      await store.journal.begin(entry(made, 'update'), 60_000)
      made.platform.records.set('r0003', { name: 'of another user', modified: 2000 })
      await done(made, 'r0003', 'written', 'update')
      await made.work()
      expect(await made.log()).toMatchObject([
        { origin: 'write', writtenBy: 'key', record: { data: { name: 'written' } } },
        { origin: 'hint', writtenBy: undefined, record: { data: { name: 'of another user' } }, changed: ['/name'] },
      ])
    })

    it('is not undone by a read that still shows the state before', async () => {
      const made = await worker(12)
      made.platform.reader.settleMs = 60_000
      await store.journal.begin(entry(made, 'update'), 60_000)
      await done(made, 'r0003', 'written', 'update')
      await made.work()
      expect(await made.log()).toMatchObject([{ origin: 'write', record: { data: { name: 'written' } } }])
      made.platform.records.set('r0003', { name: 'written', modified: 2000 })
      await made.walk()
      expect(await made.log()).toHaveLength(1)
    })

    it('waits for its read when the platform is down', async () => {
      const made = await worker(12)
      await store.journal.begin(entry(made, 'update'), 60_000)
      made.platform.records.set('r0003', { name: 'written', modified: 2000 })
      await done(made, 'r0003', 'written', 'update')
      made.platform.before = () => {
        throw outage()
      }
      await made.work()
      expect(await made.changes()).toEqual([])
      made.platform.before = () => {}
      await made.setState(({ retryAt: _, ...state }) => state)
      await made.work()
      expect(await made.log()).toMatchObject([{ origin: 'write', writtenBy: 'key' }])
    })
  })

  it('is complete up to a poll only when the hints that came before it are done', async () => {
    const made = await worker(12)
    const confirmed = async () => {
      const page = await store.changes.page(made.account.id, {
        after: { sequence: 0 },
        entityTypes: ['product'],
        limit: 1,
      })
      const [watch] = page?.watches ?? []
      const { complete, candidate } = watch?.state ?? {}
      return candidate && isConfirmed(candidate, watch?.oldestHintAt) ? candidate : complete
    }
    const repoll = async () => {
      await made.setState((state) => ({ ...state, nextPollAt: 0, nextWalkAt: Date.now() + hour }))
      await made.work()
    }
    const first = await confirmed()
    expect(first).toMatchObject({ modified: expect.any(Number), all: expect.any(Number) })
    const { modified = Infinity, all } = first ?? {}
    while (Date.now() <= modified + 2) await sleep(1)
    await hint(made, 'r0003', { dueInMs: 60_000 })
    await repoll()
    expect((await made.watch()).state.lowWater).toBeGreaterThan(modified)
    expect(await confirmed()).toMatchObject({ modified, all })
    await hint(made, 'r0003')
    await made.work()
    expect((await confirmed())?.modified).toBeGreaterThan(modified)
  })
})
