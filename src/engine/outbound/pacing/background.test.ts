// Background calls: callers go first, half of every limit stays free, and no limit is exceeded by both together.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createPacingDatabase, type PacingDatabase } from '../../../../test/pacing-database.ts'
import type { Rate } from '../../../contract/connector.ts'
import { createReferee } from '../../../sandbox/referee.ts'
import { createMemorySlots } from './memory-slots.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createPostgresSlots } from './postgres-slots.ts'
import type { CallLimits } from './slot-source.ts'

const limits: [string, Rate[]][] = [
  ['5/s', [{ requests: 5, seconds: 1 }]],
  ['90 of 100/10 s', [{ requests: 100, usable: 90, seconds: 10 }]],
  [
    '10/s and 60/30 s',
    [
      { requests: 10, seconds: 1 },
      { requests: 60, seconds: 30 },
    ],
  ],
  ['5/6 s', [{ requests: 5, seconds: 6 }]],
]
interface Sent {
  at: number
  background: boolean
}
/** The most calls in any window. */
const fullest = (calls: readonly { at: number }[], milliseconds: number): number =>
  Math.max(0, ...calls.map(({ at }) => calls.filter((other) => other.at >= at && other.at < at + milliseconds).length))

describe.each(['memory', 'postgres'] as const)('with slots from %s', (kind) => {
  let database: PacingDatabase | undefined
  let accounts = 0
  beforeAll(async () => {
    if (kind === 'postgres') database = await createPacingDatabase()
  })
  afterAll(() => database?.close())

  /** One instance in memory, three over a database. */
  function setUp(asked: Omit<CallLimits, 'owner'>) {
    const time = new FakeTime()
    const own: CallLimits = { ...asked, owner: `account-${++accounts}` }
    const referee = createReferee({ limit: own.rates, concurrency: own.concurrency, now: () => time.now })
    const sent: Sent[] = []
    const state = { underWay: 0, most: 0, stopped: false }
    const instances = Array.from({ length: database ? 3 : 1 }, () => {
      const process = new FakeProcess(time)
      const source = database
        ? createPostgresSlots({ pacing: database.pacingOf(process), scale: 1, clock: process })
        : createMemorySlots({ scale: 1 })
      return { process, pacer: createPacer(source, process) }
    })
    type Instance = (typeof instances)[number]
    const pass = (process: FakeProcess, milliseconds: number) =>
      new Promise<void>((resolve) => process.after(milliseconds, resolve))
    async function callOnce(
      { process, pacer }: { process: FakeProcess; pacer: Pacer },
      { background = false, responseMs = 4, of = own }: { background?: boolean; responseMs?: number; of?: CallLimits },
    ): Promise<void> {
      const call = {}
      const ask = { ...of, caller: 'x', maxWaitMs: 1e9, call }
      await pacer.take(background ? { ...ask, background } : ask)
      await pass(process, 1)
      pacer.sent(of, call)
      sent.push({ at: time.now, background })
      state.most = Math.max(state.most, ++state.underWay)
      referee.call('tenant')
      await pass(process, responseMs)
      state.underWay--
      referee.ended('tenant')
      pacer.responded(of, call)
      pacer.release(of, call)
    }
    async function keepCalling(instance: Instance, options: Parameters<typeof callOnce>[1]) {
      while (!state.stopped) await callOnce(instance, options)
    }
    /** Several at every instance. */
    const start = (count: number, options: Parameters<typeof callOnce>[1]) => {
      for (const instance of instances)
        for (let worker = 0; worker < count; worker++) void keepCalling(instance, options)
    }
    const counted = (background: boolean) => sent.filter((call) => call.background === background)
    return { time, own, referee, sent, state, instances, pass, callOnce, start, counted }
  }
  const longestOf = (rates: readonly Rate[]) => Math.max(...rates.map(({ seconds }) => seconds)) * 1000

  it.each(limits)(
    'callers that use all of %s get as much as without background work, which gets nothing',
    async (_, rates) => {
      const span = 3 * longestOf(rates)
      const run = async (background: number) => {
        const { time, start, counted, referee } = setUp({ rates })
        start(8, {})
        await time.advance(longestOf(rates) / 2) // now they wait
        start(background, { background: true })
        await time.advance(span)
        return { callers: counted(false).length, background: counted(true).length, over: referee.violations() }
      }
      const [without, beside] = [await run(0), await run(2)]
      expect(beside).toEqual({ callers: without.callers, background: 0, over: 0 })
      expect(without.callers).toBeGreaterThan(0)
    },
  )

  it.each(limits)('background work alone uses half of %s and never more', async (_, rates) => {
    const { time, start, counted } = setUp({ rates })
    start(2, { background: true })
    const span = 3 * longestOf(rates)
    await time.advance(span)
    const calls = counted(true)
    for (const { requests, usable = requests, seconds } of rates)
      expect(fullest(calls, seconds * 1000), `calls in ${seconds} s`).toBe(Math.floor(usable / 2))
    expect(counted(false)).toEqual([])
  })

  it.each(limits)('both together are never over %s', async (_, rates) => {
    const { time, referee, start, counted, instances, pass, callOnce } = setUp({ rates })
    start(2, { background: true, responseMs: 30 })
    // Bursts of callers, with pauses of up to two windows.
    let state = 11
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    for (const instance of instances)
      void (async () => {
        for (;;) {
          await pass(instance.process, random(2 * longestOf(rates)))
          await Promise.all(Array.from({ length: random(8) }, () => callOnce(instance, { responseMs: random(50) })))
        }
      })()
    await time.advance(6 * longestOf(rates))
    expect(referee.violations()).toBe(0)
    expect(counted(true).length).toBeGreaterThan(0)
    expect(counted(false).length).toBeGreaterThan(0)
  })

  it('the half of a lane stays free as well', async () => {
    const rates = [{ requests: 20, seconds: 1 }]
    const { time, own, start, counted } = setUp({ rates })
    start(2, { background: true, of: { ...own, lane: { name: 'menus', rates: [{ requests: 4, seconds: 1 }] } } })
    await time.advance(5_000)
    expect(fullest(counted(true), 1_000)).toBe(2)
  })

  it('callers that wait for a lane stop background calls of the whole account', async () => {
    const { time, own, start, counted } = setUp({ rates: [{ requests: 20, seconds: 1 }] })
    start(4, { of: { ...own, lane: { name: 'menus', rates: [{ requests: 1, seconds: 1 }] } } })
    await time.advance(500)
    start(1, { background: true })
    await time.advance(5_000)
    expect(counted(true)).toEqual([])
    expect(counted(false).length).toBeGreaterThan(3)
  })

  it('a window of one slot is used when no caller has asked for two windows', async () => {
    const rates = [{ requests: 1, seconds: 10 }]
    const { time, instances, callOnce, start, counted, referee } = setUp({ rates })
    void callOnce(instances[0] as (typeof instances)[number], {})
    await time.advance(1)
    const began = time.now
    start(1, { background: true })
    await time.advance(19_900)
    expect(counted(true)).toEqual([])
    await time.advance(60_000)
    const first = counted(true)[0] as Sent
    expect(first.at - began).toBeGreaterThan(19_900)
    expect(counted(true).length).toBeGreaterThanOrEqual(4)
    // A caller waits for the window at most, and the next background call for two.
    void callOnce(instances.at(-1) as (typeof instances)[number], {})
    const asked = time.now
    await time.advance(29_000)
    expect(counted(false)).toHaveLength(2)
    expect(counted(true).filter(({ at }) => at > asked && at < asked + 20_000)).toEqual([])
    expect(referee.violations()).toBe(0)
  })

  it('at least half of the concurrent calls are left to callers, at all instances together', async () => {
    const concurrency = 5
    const { time, state, start, referee, counted } = setUp({ rates: [{ requests: 1_000, seconds: 1 }], concurrency })
    start(3, { background: true, responseMs: 100 })
    await time.advance(5_000)
    expect(state.most).toBe(2)
    const alone = counted(true).length
    expect(alone).toBeGreaterThan(20)
    start(6, { responseMs: 100 })
    await time.advance(1_000)
    const before = counted(true).length
    await time.advance(5_000)
    expect(state.most).toBe(concurrency)
    expect(counted(true).length - before, 'while callers wait').toBe(0)
    expect(referee.violations()).toBe(0)
  })

  if (kind === 'postgres')
    it('no background call begins while an instance of the version before lacks permits', async () => {
      const { time, own, start, counted } = setUp({ rates: [{ requests: 1_000, seconds: 1 }], concurrency: 5 })
      const report = (wanted: number) =>
        database?.query('select share_call_permits($1, $2, 5, 0, $3, 10000)', [own.owner, 'before', wanted], time.now)
      await report(6)
      start(1, { background: true, responseMs: 100 })
      await time.advance(3_000)
      expect(counted(true)).toEqual([])
      await report(0)
      await time.advance(3_000)
      expect(counted(true).length).toBeGreaterThan(0)
    })

  it('a background call waits until its deadline and leaves the queue when it is aborted', async () => {
    const rates = [{ requests: 2, seconds: 60 }]
    const { time, own, instances, callOnce } = setUp({ rates })
    const [instance] = instances as [(typeof instances)[number]]
    await Promise.all([callOnce(instance, {}), time.advance(10)])
    const outcomes: unknown[] = []
    const abort = new AbortController()
    const ask = { ...own, caller: 'x', background: true as const }
    void instance.pacer.take({ ...ask, maxWaitMs: 30_000 }).then((outcome) => outcomes.push(['late', outcome]))
    void instance.pacer
      .take({ ...ask, maxWaitMs: 1e9, signal: abort.signal })
      .then((outcome) => outcomes.push(['aborted', outcome]))
    await time.advance(29_000)
    expect(outcomes).toEqual([])
    abort.abort()
    await time.advance(0)
    expect(outcomes).toEqual([['aborted', { wouldWaitMs: 0 }]])
    await time.advance(2_000)
    expect(outcomes[1]).toMatchObject(['late', { wouldWaitMs: expect.any(Number) }])
  })

  it('a pause that the platform asked for holds background calls as well', async () => {
    const { time, own, instances, start, counted } = setUp({ rates: [{ requests: 10, seconds: 1 }] })
    await (instances[0] as (typeof instances)[number]).pacer.hold(own, 5_000)
    start(1, { background: true })
    await time.advance(4_900)
    expect(counted(true)).toEqual([])
    await time.advance(10_000)
    expect(counted(true).length).toBeGreaterThan(0)
  })
})

describe('a background reservation in the database', () => {
  let database: PacingDatabase
  let accounts = 0
  beforeAll(async () => {
    database = await createPacingDatabase()
  })
  afterAll(() => database.close())

  const own = { name: '', windows: [[20, 1_000]] as const }
  const menus = { name: 'menus', windows: [[1, 1_000]] as const }
  const none = { afterMs: 0, leewayMs: 0, returned: [], arrived: [] }
  function setUp() {
    const time = new FakeTime()
    const owner = `own-${++accounts}`
    const pacing = database.pacingOf(new FakeProcess(time))
    const ofCaller = (horizonMs: number) =>
      pacing.reserve(owner, { ...none, lanes: [own, menus], count: 1, maxWaitMs: 1e9, horizonMs })
    const inBackground = () => pacing.reserveInBackground(owner, { ...none, lanes: [own] })
    return { time, owner, pacing, ofCaller, inBackground }
  }

  it.each([
    ['tentative', 0],
    ['in the future', 5_000],
  ])('finds a waiting caller of another lane by its slot, %s', async (_, horizonMs) => {
    const { time, owner, pacing, ofCaller, inBackground } = setUp()
    await ofCaller(horizonMs)
    expect(await inBackground()).toMatchObject({ slot: { waitMs: 0 }, waiting: false })
    time.now += 100
    const { slots } = await ofCaller(horizonMs)
    expect(slots).toMatchObject([{ tentative: horizonMs === 0 }])
    expect(await inBackground()).toMatchObject({ slot: undefined, waiting: true })
    const returned = slots.map(({ slot }) => slot)
    await pacing.reserve(owner, { ...none, lanes: [own, menus], count: 0, maxWaitMs: 0, horizonMs, returned })
    expect(await inBackground()).toMatchObject({ slot: { waitMs: 0 }, waiting: false })
  })
  it('finds a caller that waits for a permit', async () => {
    const { owner, pacing, inBackground } = setUp()
    const share = (instance: string, wanted: number) =>
      pacing.sharePermits(owner, { instance, concurrency: 2, used: 0, wanted, expiryMs: 10_000 })
    expect([await share('a', 2), await share('b', 1)]).toEqual([2, 0])
    expect(await inBackground()).toMatchObject({ slot: undefined, waiting: true })
    await share('a', 0)
    await share('b', 1)
    expect(await inBackground()).toMatchObject({ slot: { waitMs: 0 }, waiting: false })
  })
})
