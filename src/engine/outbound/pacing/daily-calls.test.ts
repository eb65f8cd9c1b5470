import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../../test/store-on.ts'
import type { Store } from '../../../store/store.ts'
import { type DailyCallsOptions, createDailyCalls as open } from './daily-calls.ts'
import { createMemorySlots } from './memory-slots.ts'
import { createPacer } from './pacer.ts'

const hour = 3_600_000

/** A table on the clock of the test. */
function createTable(time: FakeTime): Store['dailyCalls'] & { rows: Map<string, number>; failing: boolean } {
  const rows = new Map<string, number>() // `owner bucket` -> calls
  const parse = (key: string) => ({ owner: key.split(' ')[0] as string, bucket: Number(key.split(' ')[1]) })
  return {
    rows,
    failing: false,
    async add(calls, { bucketMs }) {
      if (this.failing) throw new Error('no database')
      for (const { owner, calls: more } of calls) {
        const key = `${owner} ${time.now - (time.now % bucketMs)}`
        rows.set(key, (rows.get(key) ?? 0) + more)
      }
    },
    async totals(owners, { dayMs, bucketMs }) {
      return owners.flatMap((owner) => {
        const own = [...rows].filter(
          ([key]) => parse(key).owner === owner && parse(key).bucket > time.now - dayMs - bucketMs,
        )
        if (own.length === 0) return []
        const oldest = Math.min(...own.map(([key]) => parse(key).bucket))
        return [
          {
            owner,
            calls: own.reduce((sum, [, calls]) => sum + calls, 0),
            resetMs: oldest + dayMs + bucketMs - time.now,
          },
        ]
      })
    },
    async forget() {},
  }
}
function setUp(options: Partial<DailyCallsOptions> = {}) {
  const time = new FakeTime()
  const table = createTable(time)
  const create = () => open({ table, scale: 1, clock: new FakeProcess(time), ...options })
  const daily = create()
  const call = async (limit: number | undefined = 100, begun = false) => {
    const refused = await daily.admit('a', limit, begun)
    if (!refused) daily.sent('a')
    return refused
  }
  const calls = async (count: number, limit?: number) => {
    for (let made = 0; made < count; made++) expect(await call(limit)).toBeUndefined()
  }
  return { time, table, create, daily, call, calls }
}

describe('the calls of a day', () => {
  it('are limited, except for a reserve of 10 or one percent for writes that have begun', async () => {
    const { call, calls, daily } = setUp()
    await calls(90)
    expect(daily.hasRoom('a', 100)).toBe(false)
    expect(await call(100)).toMatchObject({ dailyLimit: 100 })
    for (let begun = 0; begun < 10; begun++) expect(await call(100, true)).toBeUndefined()
    expect(await call(100, true)).toMatchObject({ dailyLimit: 100 })
    expect(await call(2_000)).toBeUndefined()
    expect((await daily.status('a', 100)).used).toBe(101)
  })
  it('are exact when many are requested at once', async () => {
    const { daily } = setUp()
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => daily.admit('a', 100, false)))
    expect(outcomes.filter((refused) => !refused).length).toBe(90)
    daily.cancel('a') // one of them was not sent
    expect(await daily.admit('a', 100, false)).toBeUndefined()
  })
  it('count until their bucket has left the day, and the refusal says when', async () => {
    const { time, call, calls, daily } = setUp()
    await time.advance(900_000 - (time.now % 900_000)) // the start of a bucket
    await calls(30)
    await time.advance(2 * hour)
    await calls(60)
    await time.advance(1_000)
    const refused = await call()
    expect(refused?.wouldWaitMs).toBe(24 * hour + 900_000 - 2 * hour - 1_000)
    expect(await daily.status('a', 100)).toEqual({ limit: 100, used: 90, resetMs: refused?.wouldWaitMs })
    await time.advance((refused?.wouldWaitMs ?? 0) + 1_000)
    await calls(30)
    expect(await call()).toMatchObject({ dailyLimit: 100 })
  })
  it('of an unknown limit are counted and never refused', async () => {
    const { daily } = setUp()
    for (let call = 0; call < 300; call++) {
      expect(await daily.admit('a', undefined, false)).toBeUndefined()
      daily.sent('a')
    }
    expect(await daily.status('a', undefined)).toMatchObject({ limit: undefined, used: 300 })
  })
  it('follow the platform where it says that fewer are left, and ask it again later', async () => {
    const { time, call, calls, daily } = setUp()
    await calls(1)
    daily.reported('a', 12)
    await calls(2)
    expect(await call()).toEqual({ wouldWaitMs: 900_000, dailyLimit: 100 })
    expect((await daily.status('a', 100)).used).toBe(90)
    await time.advance(900_000)
    expect(await call()).toBeUndefined()
    daily.reported('a', 10_000) // more than is left by our count
    expect((await daily.status('a', 100)).used).toBe(4)
  })
  it('are added later if the database fails', async () => {
    const errors: unknown[] = []
    const { time, table, calls, create } = setUp({ onError: (error) => errors.push(error) })
    await calls(1)
    table.failing = true
    await calls(2)
    await time.advance(3_500)
    await calls(1) // a disk that is full does not stop calls
    expect(errors.length).toBe(1)
    table.failing = false
    await time.advance(1_000)
    expect((await create().status('a', 100)).used).toBe(4)
  })
  it('are added at the shutdown', async () => {
    const { calls, daily, create } = setUp()
    await calls(5)
    await daily.close()
    expect((await create().status('a', 100)).used).toBe(5)
  })
  it('of idle businesses are forgotten, not those of calls under way', async () => {
    const { daily } = setUp()
    await daily.admit('a', 100, false)
    for (let other = 0; other <= 10_000; other++) await daily.status(`other-${other}`, 100)
    daily.sent('a')
    expect((await daily.status('a', 100)).used).toBe(1)
  })
})

describe('the pacer', () => {
  const limits = { owner: 'a', rates: [{ requests: 1_000, seconds: 1 }], daily: { limit: 100 } }
  function setUpPacer() {
    const { daily, time } = setUp()
    const pacer = createPacer(createMemorySlots({ scale: 1 }), new FakeProcess(time), daily)
    return { pacer, time, take: (call?: object) => pacer.take({ ...limits, caller: 'x', maxWaitMs: 0, call }) }
  }
  it('counts a call when it leaves, and not if it never does', async () => {
    const { pacer, take } = setUpPacer()
    const [left, stayed] = [{}, {}]
    await take(left)
    await take(stayed)
    pacer.sent(limits, left)
    expect(await pacer.daily(limits)).toMatchObject({ used: 1 })
    for (const call of [left, stayed]) pacer.release(limits, call)
    expect(await pacer.daily(limits)).toMatchObject({ used: 1 })
    expect(await pacer.daily({ ...limits, daily: undefined })).toBeUndefined()
  })
  it('has no free slot when the day is used up, and stops background work a tenth before', async () => {
    const { pacer, take } = setUpPacer()
    for (let call = 0; call < 90; call++) {
      expect(await pacer.allowsBackground(limits)).toBe(true)
      expect(pacer.freeNow(limits)).toBe(true)
      await take()
    }
    expect(pacer.freeNow(limits)).toBe(false)
    const large = { ...limits, daily: { limit: 101 } } // 11 are left
    expect(await pacer.allowsBackground(large)).toBe(true)
    await pacer.take({ ...large, caller: 'x', maxWaitMs: 0 })
    expect(await pacer.allowsBackground(large)).toBe(false)
  })
  it('makes a background call wait until a tenth of the day is left again, or until its deadline', async () => {
    const { time, daily, calls } = setUp()
    const pacer = createPacer(createMemorySlots({ scale: 1 }), new FakeProcess(time), daily)
    const ask = { owner: 'a', rates: [{ requests: 1_000, seconds: 1 }], daily: { limit: 1_000 }, caller: 'x' }
    await calls(901, 1_000)
    const outcomes: unknown[] = []
    const take = (maxWaitMs: number) =>
      void pacer.take({ ...ask, background: true, maxWaitMs }).then((outcome) => outcomes.push(outcome))
    take(hour)
    take(100 * hour)
    await time.advance(hour - 1_000)
    expect(outcomes).toEqual([])
    await time.advance(2_000)
    expect(outcomes).toEqual([{ wouldWaitMs: expect.any(Number), dailyLimit: 1_000 }])
    await time.advance(22 * hour)
    expect(outcomes).toHaveLength(1)
    await time.advance(2 * hour)
    expect(outcomes[1]).toEqual({ waitedMs: expect.any(Number) })
    expect(await pacer.take({ ...ask, maxWaitMs: 0 }), 'a caller').toEqual({ waitedMs: 0 })
  })
})

describe.each(storeKinds)('the table of daily calls on %s', (kind) => {
  const day = { dayMs: 86_400_000, bucketMs: 900_000 }
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
  })
  afterAll(() => database.remove())
  let owners = 0
  let owner: string
  beforeEach(() => {
    owner = `business-${++owners}`
  })
  it('adds up the calls of all instances', async () => {
    const other = await database.open()
    const entries = [
      { owner: `${owner} b`, calls: 2 },
      { owner, calls: 1 },
    ]
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) => (turn % 2 ? store : other).dailyCalls.add(entries.toReversed(), day)),
    )
    const totals = await store.dailyCalls.totals([owner, `${owner} b`, 'unknown'], day)
    expect(Object.fromEntries(totals.map(({ owner, calls }) => [owner, calls]))).toEqual({
      [owner]: 20,
      [`${owner} b`]: 40,
    })
    for (const { resetMs } of totals) {
      expect(resetMs).toBeGreaterThan(day.dayMs - 60_000)
      expect(resetMs).toBeLessThanOrEqual(day.dayMs + day.bucketMs)
    }
  })
  it('counts more owners than one statement takes', async () => {
    const entries = Array.from({ length: 1_201 }, (_, index) => ({ owner: `${owner} ${index}`, calls: 1 }))
    await store.dailyCalls.add(entries, day)
    const totals = await store.dailyCalls.totals(
      entries.map((entry) => entry.owner),
      day,
    )
    expect(totals.length).toBe(1_201)
  })
  it('does not count what has left the day, and deletes it an hour later', async () => {
    await store.dailyCalls.add([{ owner, calls: 3 }], day)
    const future = { dayMs: -1_000, bucketMs: 1 } // as if a day had passed
    expect(await store.dailyCalls.totals([owner], { ...future, dayMs: -900_000 - 1 })).toEqual([])
    await store.dailyCalls.forget(day)
    expect((await store.dailyCalls.totals([owner], day)).length).toBe(1)
    await store.dailyCalls.forget({ ...future, dayMs: -3_600_000 })
    expect(await store.dailyCalls.totals([owner], day)).toEqual([])
  })
})
