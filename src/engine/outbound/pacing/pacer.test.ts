// These tests hold for both sources of slots, on a clock that the test moves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createPacingDatabase, type PacingDatabase } from '../../../../test/pacing-database.ts'
import type { Rate } from '../../../contract/connector.ts'
import { maxQueue } from './account-queue.ts'
import { createMemorySlots } from './memory-slots.ts'
import { createPacer } from './pacer.ts'
import { createPostgresSlots } from './postgres-slots.ts'
import type { PacedCall } from './slot-source.ts'

const limits: [string, Rate[]][] = [
  ['1/s', [{ requests: 1, seconds: 1 }]],
  ['5/s', [{ requests: 5, seconds: 1 }]],
  [
    '5/s and 300/min',
    [
      { requests: 5, seconds: 1 },
      { requests: 300, seconds: 60 },
    ],
  ],
  [
    '10/s and 100/min',
    [
      { requests: 10, seconds: 1 },
      { requests: 100, seconds: 60 },
    ],
  ],
  ['100/60 s', [{ requests: 100, seconds: 60 }]],
  ['1/10 s', [{ requests: 1, seconds: 10 }]],
  ['5/6 s', [{ requests: 5, seconds: 6 }]],
]

describe.each(['memory', 'postgres'] as const)('with slots from %s', (kind) => {
  let database: PacingDatabase | undefined
  let accounts = 0
  beforeAll(async () => {
    if (kind === 'postgres') database = await createPacingDatabase()
  })
  afterAll(() => database?.close())

  function setUp() {
    const time = new FakeTime()
    const process = new FakeProcess(time)
    const source = database
      ? createPostgresSlots({ pacing: database.pacingOf(process), scale: 1, clock: process })
      : createMemorySlots({ scale: 1 })
    const pacer = createPacer(source, process)
    /** The outcome of a request that needs no time to pass. */
    async function settled<T>(asked: Promise<T>): Promise<T> {
      await time.advance(0)
      return Promise.race([asked, Promise.reject(new Error('still waiting'))])
    }
    return { time, pacer, settled, owner: `account-${++accounts}` }
  }

  it.each(limits)('the limit %s is used to at least 98 % and never exceeded in any window', async (_, rates) => {
    const { time, pacer, owner } = setUp()
    const left: number[] = []
    const span = Math.max(...rates.map(({ seconds }) => seconds)) * (kind === 'memory' ? 5_000 : 3_000)
    const allowed = Math.min(...rates.map(({ requests, seconds }) => (span / 1000 / seconds) * requests))
    for (let call = 0; call < allowed * 1.2; call++)
      void pacer.take({ owner, rates, caller: 'x', maxWaitMs: 1e9 }).then(() => left.push(time.now))
    await time.advance(span)
    for (const { requests, seconds } of rates) {
      for (const [index, at] of left.entries()) {
        const before = left[index - requests]
        if (before !== undefined)
          expect(at - before, `${requests + 1} calls within ${seconds} s`).toBeGreaterThan(seconds * 1000)
      }
    }
    expect(left.length / allowed).toBeGreaterThanOrEqual(0.98)
  })

  describe('a request', () => {
    const rates = [{ requests: 1, seconds: 1 }]

    it('is refused at once when it would wait too long, with the time it would wait', async () => {
      const { pacer, settled, owner } = setUp()
      const request = { owner, rates, caller: 'x', maxWaitMs: 1500 }
      expect(await settled(pacer.take(request))).toEqual({ waitedMs: 0 })
      void pacer.take(request)
      expect(await settled(pacer.take(request))).toEqual({ wouldWaitMs: 2020 })
    })
    it('takes turns with those of other callers; those of one caller go in order', async () => {
      const { time, pacer, owner } = setUp()
      const order: string[] = []
      const ask = (caller: string, name: string) =>
        void pacer.take({ owner, rates, caller, maxWaitMs: 1e6 }).then(() => order.push(name))
      for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
      for (const name of ['b1', 'b2']) ask('b', name)
      ask('c', 'c1')
      await time.advance(20_000)
      expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
    })
    it('waits for a call under way to end where only so many may be, and no longer than it wants', async () => {
      const { time, pacer, owner } = setUp()
      const limits = { owner, rates: [{ requests: 100, seconds: 1 }], concurrency: 2 }
      const outcomes: unknown[] = []
      const calls: object[] = []
      function ask(maxWaitMs: number) {
        const call = {}
        void pacer.take({ ...limits, caller: 'x', maxWaitMs, call }).then((outcome) => {
          outcomes.push('waitedMs' in outcome ? 'sent' : 'refused')
          if ('waitedMs' in outcome) calls.push(call)
        })
      }
      const end = () => pacer.release(limits, calls.shift() as object)
      for (let call = 0; call < 4; call++) ask(60_000)
      await time.advance(500)
      ask(1_000)
      await time.advance(500)
      expect(outcomes).toEqual(['sent', 'sent'])
      await time.advance(1_000)
      expect(outcomes).toEqual(['sent', 'sent', 'refused'])
      end()
      await time.advance(1_000)
      expect(outcomes).toEqual(['sent', 'sent', 'refused', 'sent'])
      end()
      end()
      await time.advance(1_000)
      expect(outcomes).toEqual(['sent', 'sent', 'refused', 'sent', 'sent'])
    })
    it('is not refused because another caller has filled the queue', async () => {
      const { time, pacer, settled, owner } = setUp()
      const request = { owner, rates, maxWaitMs: 5_000 }
      await settled(pacer.take({ ...request, caller: 'greedy' }))
      for (let call = 0; call < 50; call++) void pacer.take({ ...request, caller: 'greedy' })
      const modest = pacer.take({ ...request, caller: 'modest' })
      await time.advance(3_000)
      expect(await settled(modest)).toMatchObject({ waitedMs: expect.any(Number) })
    })
    it('waits as long as the platform asks for a pause, or is refused at once when it cannot', async () => {
      const { time, pacer, settled, owner } = setUp()
      const limit = { owner, rates }
      await settled(pacer.take({ ...limit, caller: 'x', maxWaitMs: 0 }))
      const patient = pacer.take({ ...limit, caller: 'x', maxWaitMs: 60_000 })
      const hasty = pacer.take({ ...limit, caller: 'x', maxWaitMs: 5_000 })
      await time.advance(0)
      void pacer.hold(limit, 30_000)
      expect(await settled(hasty)).toEqual({ wouldWaitMs: 30_000 })
      expect(await settled(pacer.take({ ...limit, caller: 'y', maxWaitMs: 5_000 }))).toEqual({ wouldWaitMs: 31_010 })
      await time.advance(31_000)
      expect(await settled(patient)).toEqual({ waitedMs: 30_000 })
    })
    it('leaves the queue when its caller has gone, and the next one moves up', async () => {
      const { time, pacer, settled, owner } = setUp()
      const gone = new AbortController()
      const request = { owner, rates, caller: 'x', maxWaitMs: 1e6 }
      await settled(pacer.take(request))
      const left = pacer.take({ ...request, signal: gone.signal })
      const next = pacer.take(request)
      gone.abort()
      expect(await settled(left)).toEqual({ wouldWaitMs: 0 })
      await time.advance(1100)
      expect(await settled(next)).toEqual({ waitedMs: 1010 })
    })
    it('that no request waits for uses no slot, and does not free one that was used', async () => {
      const { time, pacer, settled, owner } = setUp()
      const gone = new AbortController()
      const request = { owner, rates: [{ requests: 2, seconds: 10 }], caller: 'x', maxWaitMs: 1e6 }
      await settled(pacer.take(request))
      await time.advance(1_000)
      await settled(pacer.take(request))
      const left = pacer.take({ ...request, signal: gone.signal })
      await time.advance(1_000) // by now a slot may be reserved
      gone.abort()
      expect(await settled(left)).toEqual({ wouldWaitMs: 0 })
      expect(await settled(pacer.take({ ...request, signal: gone.signal }))).toEqual({ wouldWaitMs: 0 })
      expect(pacer.waiting()).toBe(0)
      const next = pacer.take(request)
      await time.advance(20_000)
      expect(await settled(next)).toEqual({ waitedMs: 8_100 })
    })
    it('for an extra lane delays no other call of the account', async () => {
      const { time, pacer, owner } = setUp()
      const account = { owner, rates: [{ requests: 5, seconds: 1 }], caller: 'x', maxWaitMs: 1e6 }
      const lane = { ...account, lane: { name: 'menus', rates } }
      const gone: string[] = []
      const ask = (name: string, request: typeof account) => void pacer.take(request).then(() => gone.push(name))
      ask('menu 1', lane)
      ask('menu 2', lane)
      await time.advance(0)
      ask('order', account)
      await time.advance(500)
      expect(gone).toEqual(['menu 1', 'order'])
      await time.advance(1000)
      expect(gone).toEqual(['menu 1', 'order', 'menu 2'])
    })
    it('for an extra lane is not refused for the calls of the account before it', async () => {
      const { time, pacer, settled, owner } = setUp()
      const account = { owner, rates: [{ requests: 5, seconds: 1 }], maxWaitMs: 10_000 }
      for (let caller = 0; caller < 25; caller++) void pacer.take({ ...account, caller: `c${caller}` })
      await time.advance(0)
      const menu = pacer.take({ ...account, caller: 'x', lane: { name: 'menus', rates } })
      await time.advance(8_000)
      expect(await settled(menu)).toMatchObject({ waitedMs: expect.any(Number) })
    })
    it('is refused when the queue of its account is full', async () => {
      const { pacer, settled, owner } = setUp()
      const signals: AbortController[] = []
      function ask() {
        const gone = new AbortController()
        signals.push(gone)
        return pacer.take({
          owner,
          rates,
          caller: `c${Math.floor(signals.length / 100)}`,
          maxWaitMs: 1e12,
          signal: gone.signal,
        })
      }
      await settled(ask())
      const asked = Array.from({ length: maxQueue }, ask)
      expect(pacer.waiting()).toBe(maxQueue)
      expect(await settled(ask())).toMatchObject({ wouldWaitMs: expect.any(Number) })
      for (const gone of signals) gone.abort()
      await settled(Promise.all(asked))
      expect(pacer.waiting()).toBe(0)
    })
  })

  it('says how much of the limit is left, and whether a call may leave now', async () => {
    const { time, pacer, settled, owner } = setUp()
    const limit = { owner, rates: [{ requests: 2, seconds: 10 }] }
    expect([pacer.status(limit), pacer.freeNow(limit)]).toEqual([{ limit: 2, left: 2, seconds: 10, resetMs: 0 }, true])
    await settled(pacer.take({ ...limit, caller: 'x', maxWaitMs: 0 }))
    await time.advance(100)
    expect([pacer.status(limit).left, pacer.freeNow(limit)]).toEqual([1, true])
    await settled(pacer.take({ ...limit, caller: 'x', maxWaitMs: 0 }))
    expect([pacer.status(limit).left, pacer.freeNow(limit)]).toEqual([0, false])
    await time.advance(10_200)
    expect([pacer.status(limit).left, pacer.freeNow(limit)]).toEqual([2, true])
  })
  it('forgets an account only when no window counts its calls', async () => {
    const { time, pacer, settled, owner } = setUp()
    const request = { owner, rates: [{ requests: 1, seconds: 3600 }], caller: 'x', maxWaitMs: 0 }
    await settled(pacer.take(request))
    await time.advance(1_800_000)
    for (let other = 0; other <= 10_000; other++) pacer.status({ owner: `other-${other}`, rates: request.rates })
    expect(await settled(pacer.take(request))).toMatchObject({ wouldWaitMs: 1_836_000 })
  })
})

it('a free slot in memory is handed out in the same event-loop turn', async () => {
  const pacer = createPacer(createMemorySlots({ scale: 1 }))
  let turns = 0
  const counting = setImmediate(() => turns++)
  for (let account = 0; account < 100; account++)
    await pacer.take({ owner: `a${account}`, rates: [{ requests: 1, seconds: 1 }], caller: 'x', maxWaitMs: 0 })
  expect(turns).toBe(0)
  clearImmediate(counting)
})

describe('a call in memory', () => {
  const limits = { owner: 'a', rates: [{ requests: 2, seconds: 1 }] }
  function setUp() {
    const time = new FakeTime()
    const pacer = createPacer(createMemorySlots({ scale: 1 }), new FakeProcess(time))
    const began = time.now
    const slots: number[] = []
    const take = (call?: PacedCall) =>
      pacer
        .take({ ...limits, caller: 'x', maxWaitMs: 60_000, ...(call ? { call } : {}) })
        .then(() => slots.push(time.now - began))
    return { time, pacer, take, slots }
  }

  it('counts from its response', async () => {
    const { time, pacer, take, slots } = setUp()
    const [first, second] = [{}, {}]
    await take(first)
    pacer.sent(limits, first)
    await time.advance(10)
    await take(second)
    pacer.sent(limits, second)
    await time.advance(20)
    pacer.responded(limits, second)
    await time.advance(70)
    pacer.responded(limits, first)
    for (let call = 0; call < 2; call++) void take()
    await time.advance(5_000)
    expect(slots).toEqual([0, 10, 1_040, 1_110])
  })
  it('has arrived after 15 % of the window, also without a response', async () => {
    const { time, pacer, take, slots } = setUp()
    const [first, second] = [{}, {}]
    await take(first)
    pacer.sent(limits, first)
    await time.advance(10)
    await take(second)
    pacer.sent(limits, second)
    for (let call = 0; call < 2; call++) void take()
    await time.advance(5_000)
    pacer.responded(limits, first)
    expect(slots).toEqual([0, 10, 1_160, 1_170])
  })
  it('keeps its slot until it leaves, however late', async () => {
    const { time, pacer, take, slots } = setUp()
    const [late, never] = [{}, {}]
    await take(late)
    await time.advance(10)
    await take(never)
    for (let call = 0; call < 2; call++) void take()
    await time.advance(2_990)
    pacer.release(limits, never)
    await time.advance(1_000)
    pacer.sent(limits, late)
    pacer.responded(limits, late)
    expect(slots).toEqual([0, 10])
    await time.advance(5_000)
    expect(slots).toEqual([0, 10, 4_010, 5_010])
  })
  it('adds its response time to the expected wait and to the reset of the limit', async () => {
    const { time, pacer } = setUp()
    const one = { owner: 'b', rates: [{ requests: 1, seconds: 1 }] }
    for (let index = 0; index < 30; index++) {
      const call = {}
      const taken = pacer.take({ ...one, caller: 'x', maxWaitMs: 60_000, call })
      await time.advance(2_000)
      await taken
      pacer.sent(one, call)
      await time.advance(100)
      pacer.responded(one, call)
      pacer.release(one, call)
    }
    expect(pacer.status(one)).toEqual({ limit: 1, left: 0, seconds: 1, resetMs: 1_010 })
    for (let ahead = 0; ahead < 3; ahead++) void pacer.take({ ...one, caller: 'x', maxWaitMs: 60_000, call: {} })
    expect(await pacer.take({ ...one, caller: 'x', maxWaitMs: 1 })).toEqual({ wouldWaitMs: 4 * 1_010 + 3 * 100 })
  })
})
