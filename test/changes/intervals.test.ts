// Intervals of polls and walks: as set, or so long that they use at most a tenth of the platform's limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngineReader } from '../../src/changes/engine-reader.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestDatabase, type TestDatabase } from '../store-on.ts'
import { createFakeWorker } from './fake-platform.ts'
import { createWatched } from './watched.ts'

describe('the intervals of a watch', () => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase('sqlite')
    store = await database.open()
    await store.migrate()
  })
  afterAll(() => database.remove())

  /** After a first walk of three pages and a poll of one: the intervals in seconds, and the calls per second. */
  async function intervals(id: string, callsPerSecond: number, watches: ('product' | 'order')[] = ['product']) {
    const made = await createFakeWorker(store, id)
    await store.changes.ensure(made.account, watches)
    made.platform.reader.callsPerSecond = callsPerSecond
    for (let index = 0; index < 25; index++)
      made.platform.records.set(`r${index}`, { name: `Record ${index}`, modified: 1000 })
    const before = Date.now()
    await made.work()
    const { state } = (await store.changes.watches(id)).find(({ entityType }) => entityType === 'product')!
    const { nextPollAt = 0, nextWalkAt = 0, pollCalls = 0, walkCalls = 0 } = state
    expect([pollCalls, walkCalls]).toEqual([1, 3])
    const [poll, walk] = [(nextPollAt - before) / 1000, (nextWalkAt - before) / 1000]
    return { poll, walk, used: pollCalls / poll + walkCalls / walk }
  }

  it('are those of its settings while they use little', async () => {
    const { poll, walk } = await intervals('generous', 10)
    expect([Math.round(poll / 60), Math.round(walk / 3600)]).toEqual([5, 24])
  })
  it('stretch so that polls and walks use at most a tenth of the limit', async () => {
    const { poll, walk, used } = await intervals('scarce', 1e-4)
    expect(poll).toBeGreaterThan(300)
    expect(walk).toBeGreaterThan(24 * 3600)
    expect(used).toBeLessThanOrEqual(1e-5)
    expect(used).toBeGreaterThan(0.99e-5) // and no longer than that takes
  })
  it('leave a share to every other watch of the account', async () => {
    const { used } = await intervals('shared', 1e-4, ['product', 'order'])
    expect(used).toBeLessThanOrEqual(0.5e-5)
    expect(used).toBeGreaterThan(0.49e-5)
  })
})

it.each([
  ['square', 'retail_pos', 'product', 5], // 5 per second, 300 per minute
  ['xero', 'accounting', 'customer', 5000 / 86_400], // 5 per 6 seconds, 5 000 per day
] as const)(
  'the limit of %s is the lowest of its windows and its daily quota',
  async (platform, vertical, entityType, most) => {
    const watched = await createWatched('sqlite', { platform })
    try {
      const { engine, store } = watched.service
      const turn = { signal: new AbortController().signal, check() {} }
      const options = { engine, store, scale: 1, turn }
      const reader = await createEngineReader(options, await watched.accountOf(vertical), { entityType })
      expect(reader.callsPerSecond).toBeCloseTo(most, 9)
    } finally {
      await watched.close()
    }
  },
)
