// What the worker of a feed makes of hints of the platform, on real databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '../../src/contract/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestDatabase, storeKindsFor, type TestDatabase } from '../store-on.ts'
import { createFakeWorker, type FakeWorker } from './fake-platform.ts'

const hour = 3_600_000

describe.each(storeKindsFor('changes/hints'))('hints of a platform on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  let count = 0
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
  })
  afterAll(() => database.remove())
  async function worker(records: number): Promise<FakeWorker> {
    const made = await createFakeWorker(store, `account-${++count}`)
    for (let index = 0; index < records; index++)
      made.platform.records.set(`r${String(index).padStart(4, '0')}`, { name: `Record ${index}`, modified: 1000 })
    await made.work()
    made.platform.reads.length = 0
    return made
  }
  /** A product with two variants, and others. */
  async function grouped(): Promise<FakeWorker> {
    const made = await worker(3)
    made.platform.reader.groups = true
    for (const id of ['g:1', 'g:2']) made.platform.records.set(id, { name: id, group: 'g', modified: 1000 })
    await made.walk()
    made.platform.reads.length = 0
    return made
  }
  const hint = (made: FakeWorker, nativeId: string, over = {}) =>
    store.changes.addHints(made.account.id, [{ entityType: 'product', nativeId, origin: 'hint', ...over }])
  const waiting = (made: FakeWorker) => store.changes.waitingHints(made.account.id)
  const news = async (made: FakeWorker, before: number) => (await made.changes()).slice(before)

  it('about a group read all of its rows', async () => {
    const made = await grouped()
    const before = (await made.changes()).length
    made.platform.records.set('g:2', { name: 'changed', group: 'g', modified: 2000 })
    made.platform.records.set('g:3', { name: 'added', group: 'g', modified: 2000 })
    made.platform.records.delete('g:1')
    await hint(made, 'g')
    await made.work()
    expect((await news(made, before)).sort()).toEqual(['created g:3 hint', 'deleted g:1 hint', 'updated g:2 hint'])
    expect(made.platform.reads).toEqual(['members g'])
    expect(await waiting(made)).toEqual({})
  })

  it('come from a poll that names deleted records, which are read before they count', async () => {
    const made = await grouped()
    const before = (await made.changes()).length
    for (const id of ['g:1', 'g:2', 'r0000']) made.platform.records.delete(id)
    made.platform.gone = ['g', 'r0000', 'r0001', 'unknown']
    await made.setState((state) => ({ ...state, nextPollAt: 0, nextWalkAt: Date.now() + hour }))
    made.platform.reads.length = 0
    await made.work()
    expect((await news(made, before)).sort()).toEqual(['deleted g:1 hint', 'deleted g:2 hint', 'deleted r0000 hint'])
    expect(made.platform.reads.filter((read) => read.endsWith('unknown') || read.startsWith('walk'))).toEqual([])
    expect(made.errors).toEqual([])
  })

  it('about a new group read it', async () => {
    const made = await grouped()
    const before = (await made.changes()).length
    made.platform.records.set('h:1', { name: 'new', group: 'h', modified: 2000 })
    await hint(made, 'h')
    await made.work()
    expect(await news(made, before)).toEqual(['created h:1 hint'])
  })

  it('about a group that is gone delete its rows once, after a control read', async () => {
    const made = await grouped()
    const before = (await made.changes()).length
    for (const id of ['g:1', 'g:2']) made.platform.records.delete(id)
    await hint(made, 'g', { gone: true })
    await hint(made, 'g:1', { gone: true })
    await made.work()
    expect((await news(made, before)).sort()).toEqual(['deleted g:1 hint', 'deleted g:2 hint'])
    expect(made.platform.reads.some((read) => read.startsWith('get r'))).toBe(true)
    expect(await waiting(made)).toEqual({})
  })

  it('about a group that cannot be read during an outage delete nothing', async () => {
    const made = await grouped()
    const before = (await made.changes()).length
    const { get, members, page } = made.platform.reader
    // Everything looks empty, as with a revoked scope.
    made.platform.reader.get = async () => undefined
    made.platform.reader.members = async () => []
    await hint(made, 'g', { gone: true })
    await made.work()
    expect(await news(made, before)).toEqual([])
    expect(await waiting(made)).toEqual({ product: 1 })
    Object.assign(made.platform.reader, { get, members, page })
    await made.setState(({ retryAt: _, ...state }) => ({ ...state, nextWalkAt: Date.now() + hour }))
    await made.work()
    expect(await news(made, before)).toEqual([])
    expect(await waiting(made)).toEqual({})
  })

  it('about a record that is not there yet look again once', async () => {
    const made = await worker(3)
    const { get } = made.platform.reader
    let reads = 0
    made.platform.reader.get = (id) => (id === 'late' && reads++ === 0 ? Promise.resolve(undefined) : get(id))
    made.platform.records.set('late', { name: 'late', modified: 1000 })
    await hint(made, 'late')
    await made.work()
    expect(await made.changes()).toEqual(['created late hint'])
    await hint(made, 'never')
    await made.work()
    expect(made.platform.reads.filter((read) => read === 'get never')).toHaveLength(2)
    expect(await waiting(made)).toEqual({})
  })

  it('without an id make a poll due, and one more after the settle time', async () => {
    const made = await worker(3)
    made.platform.reader.settleMs = 30_000
    await made.setState((state) => ({ ...state, nextWalkAt: Date.now() + hour, lastPollAt: 0 }))
    await hint(made, '')
    await made.work()
    expect(made.platform.reads.filter((read) => read.startsWith('poll'))).toHaveLength(1)
    expect(await waiting(made)).toEqual({})
    const { state } = await made.watch()
    expect(state.nextPollAt).toBe(state.pollAgainAt)
    expect(state.nextPollAt).toBeLessThan(Date.now() + 31_000)
    // The platform lists it only now.
    made.platform.records.set('new', { name: 'new', modified: Date.now() })
    await made.setState((before) => ({ ...before, nextWalkAt: Date.now() + hour, nextPollAt: 0, pollAgainAt: 1 }))
    await made.work()
    expect(await made.changes()).toEqual(['created new poll'])
    expect((await made.watch()).state.pollAgainAt).toBeUndefined()
    expect((await made.watch()).state.nextPollAt).toBeGreaterThan(Date.now() + 200_000)
  })

  it('without an id let a poll that runs come to its end, and poll again', async () => {
    const made = await worker(3)
    for (let index = 0; index < 25; index++)
      made.platform.records.set(`p${String(index).padStart(2, '0')}`, {
        name: `p${index}`,
        modified: Date.now() + hour,
      })
    let hints = 0
    made.platform.before = async (read) => {
      // A flood: there is always a new one.
      if (read.startsWith('poll') && hints++ < 20) await hint(made, '')
    }
    await made.setState((state) => ({ ...state, nextPollAt: 0, nextWalkAt: Date.now() + hour }))
    await made.work()
    expect(await made.changes()).toHaveLength(25)
    expect(made.platform.reads.filter((read) => read.startsWith('poll'))).toHaveLength(3)
    expect((await made.watch()).state.nextPollAt).toBeLessThan(Date.now() + 2000)
  })

  it('without an id make a walk due where nothing is polled, within the limit', async () => {
    const made = await worker(3)
    made.platform.reader.polls = false
    made.platform.records.set('r0001', { name: 'changed', modified: 1000 })
    for (let flood = 0; flood < 20; flood++) {
      await hint(made, '')
      await made.work()
    }
    // The last walk is not a minute ago.
    expect(made.platform.reads).toEqual([])
    const { state } = await made.watch()
    expect(state.nextWalkAt).toBe((state.lastWalk?.end ?? 0) + 60_000)
    await made.setState((before) => ({ ...before, nextWalkAt: 0 }))
    await made.work()
    expect(await made.changes()).toEqual(['updated r0001 walk'])
    const after = (await made.watch()).state
    expect(after.walkAgainAt).toBeUndefined()
    expect(after.nextWalkAt).toBeGreaterThan(Date.now() + hour)
  })

  it('without an id about a delete, or about an entity that cannot be read by id, walk or poll', async () => {
    const made = await worker(3)
    await hint(made, '', { gone: true })
    await made.work()
    expect((await made.watch()).state.nextWalkAt).toBeLessThan(Date.now() + 61_000)
    const unread = await worker(3)
    unread.platform.reader.gets = false
    unread.platform.records.set('r0001', { name: 'changed', modified: Date.now() })
    await unread.setState((state) => ({ ...state, lastPollAt: 0, nextWalkAt: Date.now() + hour }))
    await hint(unread, 'r0001')
    await unread.work()
    expect(await unread.changes()).toEqual(['updated r0001 poll'])
    expect(unread.platform.reads.every((read) => read.startsWith('poll'))).toBe(true)
  })

  it('that come very often about one record cost one read', async () => {
    const made = await worker(3)
    made.platform.records.set('r0001', { name: 'changed', modified: 2000 })
    await Promise.all(Array.from({ length: 200 }, () => hint(made, 'r0001')))
    await made.work()
    expect(made.platform.reads).toEqual(['get r0001'])
    expect(await made.changes()).toEqual(['updated r0001 hint'])
  })

  it('that come during the read of their record cause another one', async () => {
    const made = await worker(3)
    made.platform.records.set('r0001', { name: 'changed', modified: 2000 })
    made.platform.before = async (read) => {
      if (read !== 'get r0001') return
      made.platform.before = () => {}
      await hint(made, 'r0001')
    }
    await hint(made, 'r0001')
    await made.work()
    expect(made.platform.reads.filter((read) => read === 'get r0001').length).toBeGreaterThan(1)
    expect(await waiting(made)).toEqual({})
  })

  it('are kept while the platform fails', async () => {
    const made = await worker(3)
    made.platform.before = () => {
      throw new Problem('downstream_error', 'The platform is down.')
    }
    await hint(made, 'r0001')
    await made.work()
    expect(await waiting(made)).toEqual({ product: 1 })
  })
})
