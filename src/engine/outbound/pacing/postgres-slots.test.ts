// Only slots that are reserved in the database have these: batches, several instances, late slots.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createPacingDatabase, type PacingDatabase } from '../../../../test/pacing-database.ts'
import { freshDatabase } from '../../../../test/postgres.ts'
import type { Rate } from '../../../contract/connector.ts'
import { createPostgresStore } from '../../../store/postgres/postgres.ts'
import type { Store } from '../../../store/store.ts'
import type { PacingLane, SlotReservation } from '../../../store/tables/pacing-slot.ts'
import { createVault } from '../../../store/vault.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createPostgresSlots } from './postgres-slots.ts'

let database: PacingDatabase
let time: FakeTime
let accounts = 0
let owner: string
beforeAll(async () => {
  database = await createPacingDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  time = new FakeTime()
  owner = `account-${++accounts}`
})

const laneOf = (...rates: Rate[]): PacingLane => ({
  name: '',
  windows: rates.map(({ requests, seconds }) => [requests, seconds * 1000] as const),
})
const reserve = (lanes: readonly PacingLane[], reservation: Partial<SlotReservation> = {}) =>
  database.pacingOf(new FakeProcess(time)).reserve(owner, {
    lanes,
    count: 1,
    maxWaitMs: 1e9,
    horizonMs: 1e9,
    afterMs: 0,
    leewayMs: 0,
    returned: [],
    arrived: [],
    ...reservation,
  })

describe('a reservation', () => {
  it('takes several slots, all but the first only near ones', async () => {
    const limit = [laneOf({ requests: 2, seconds: 1 })]
    const first = await reserve(limit, { count: 16, horizonMs: 250 })
    expect(first.slots.map(({ waitMs }) => waitMs)).toEqual([0, 0])
    expect(first).toMatchObject({ nextMs: 1_000, used: 0, moment: time.now })
    const second = await reserve(limit, { count: 16, horizonMs: 250 })
    expect(second.slots.map(({ waitMs }) => waitMs)).toEqual([1_000])
    expect(second).toMatchObject({ nextMs: 1_000, used: 2 })
    // It is tentative: it keeps a place, and is given back and reserved again when it is near.
    expect(second.slots).toMatchObject([{ tentative: true }])
    const returned = second.slots.map(({ slot }) => slot)
    expect((await reserve(limit, { count: 16, horizonMs: 3_000, returned })).slots).toMatchObject(
      [1_000, 1_000, 2_000, 2_000, 3_000, 3_000].map((waitMs) => ({ waitMs, tentative: false })),
    )
    expect(await reserve(limit, { maxWaitMs: 3_000 })).toMatchObject({ slots: [], nextMs: 4_000 })
  })
  it('can use a slot that was given back, and only that', async () => {
    const limit = [laneOf({ requests: 2, seconds: 10 })]
    const { slots } = await reserve(limit, { count: 3 })
    const [, second, third] = slots.map(({ slot }) => slot) as [number, number, number]
    time.now += 5_000
    // Two calls have left: what waited for the next ten seconds has gone, which changes nothing for the others.
    expect(await reserve(limit, { maxWaitMs: 0, returned: [third] })).toMatchObject({ slots: [], nextMs: 5_000 })
    expect(await reserve(limit, { maxWaitMs: 0, returned: [second] })).toMatchObject({
      slots: [{ waitMs: 0 }],
      nextMs: 5_000,
    })
    expect(await reserve(limit, { count: 0, returned: [12345] }), 'an unknown one').toMatchObject({
      slots: [],
      nextMs: 5_000,
      used: 2,
    })
  })
  it('leaves calls of the account before the slot of an extra lane', async () => {
    const [own, menus] = [
      laneOf({ requests: 5, seconds: 1 }),
      { ...laneOf({ requests: 1, seconds: 1 }), name: 'menus' },
    ]
    expect((await reserve([own, menus], { count: 2 })).slots.map(({ waitMs }) => waitMs)).toEqual([0, 1_000])
    expect((await reserve([own], { count: 4 })).slots.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0, 1_000])
  })
  it('waits for the end of a pause', async () => {
    await database.pacingOf(new FakeProcess(time)).hold(owner, 60_000)
    expect(await reserve([laneOf({ requests: 100, seconds: 1 })], { maxWaitMs: 59_000 })).toMatchObject({
      slots: [],
      nextMs: 60_000,
    })
  })
  it('remembers slots as long as a window counts them, however high the limit', async () => {
    const many = [laneOf({ requests: 10_000, seconds: 0.2 }, { requests: 1_000, seconds: 0.1 })]
    const remembered = async () =>
      (await database.query('select cardinality(slots) as slots from pacing where account_id = $1', [owner], time.now))
        .rows[0].slots as number
    for (let call = 0; call < 20; call++) await reserve(many)
    expect(await remembered()).toBe(20)
    time.now += 400
    await reserve(many)
    expect(await remembered()).toBe(1)
  })
  it('allows a call to leave late while less than half of the limit is used, and counts it from the latest instant', async () => {
    const limit = [laneOf({ requests: 10, seconds: 1 })]
    const { slots } = await reserve(limit, { count: 11 })
    expect(slots.map(({ leewayMs }) => leewayMs)).toEqual([...Array(5).fill(50), ...Array(6).fill(0)])
    expect(slots.map(({ waitMs }) => waitMs)).toEqual([...Array(10).fill(0), 1_000])
    expect((await reserve(limit)).slots[0]).toMatchObject({ waitMs: 1_000 })
    // Five of them count from 50 ms later.
    expect((await reserve(limit, { count: 4 })).slots.map(({ waitMs }) => waitMs)).toEqual([1_000, 1_000, 1_000, 1_050])
  })
  it('allows that on request at any time, and never more than 50 ms', async () => {
    const limit = [laneOf({ requests: 3, seconds: 10 })]
    expect((await reserve(limit)).slots).toMatchObject([{ waitMs: 0, leewayMs: 0 }])
    expect((await reserve(limit, { count: 3, leewayMs: 1_000 })).slots).toMatchObject([
      { waitMs: 0, leewayMs: 50 },
      { waitMs: 0, leewayMs: 50 },
      { waitMs: 10_000, leewayMs: 50 },
    ])
  })
})

/** Whatever each call makes of its slot: is there a window that more than `requests` of them could leave in? */
function fullest(used: readonly { leaves: number; slot: number }[], milliseconds: number): number {
  return Math.max(
    0,
    ...used.map(
      ({ slot: start }) => used.filter(({ leaves, slot }) => slot >= start && leaves < start + milliseconds).length,
    ),
  )
}
/** The same numbers in every run. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

it.each([1, 2, 3, 4])(
  'no sequence of reservations breaks a window, also not with instances of the version before (%i)',
  async (seed) => {
    interface Taken {
      leaves: number
      slot: number
      lane: string
      left?: boolean // for certain
    }
    const random = createRandom(seed)
    const own = laneOf(
      ...(seed % 2
        ? [{ requests: 5, seconds: 0.5 }]
        : [
            { requests: 4, seconds: 0.4 },
            { requests: 12, seconds: 2 },
          ]),
    )
    const menus = { ...laneOf({ requests: 2, seconds: 1 }), name: 'menus' }
    const lanesOf = (lane: string) => (lane ? [own, menus] : [own])
    const old = async (call: string, ...values: unknown[]) =>
      (await database.query(`select * from ${call}`, [owner, ...values], time.now)).rows[0]
    const taken: Taken[] = []
    const tentative: number[] = [] // never used, and given back with the next reservation
    let heldUntil = 0
    /** A slot that its call did not use, or none. */
    function unused(lane: string): Taken | undefined {
      const open = taken.filter((one) => one.slot > time.now - 200 && !one.left && one.lane === lane)
      const one = random(4) === 0 ? open[random(open.length)] : undefined
      if (one) taken.splice(taken.indexOf(one), 1)
      return one
    }
    for (let step = 0; step < 300; step++) {
      time.now += random(3) === 0 ? random(400) : random(20)
      const lane = random(3) === 0 ? 'menus' : ''
      const lanes = JSON.stringify(lanesOf(lane))
      const returned = unused(lane)
      const what = random(10)
      if (what < 6) {
        const reservation = {
          count: random(7),
          maxWaitMs: random(3) * 700,
          horizonMs: 100 + random(200),
          afterMs: random(4) === 0 ? random(120) : 0,
          leewayMs: random(4) === 0 ? random(80) : 0,
        }
        const { slots, moment } = await reserve(lanesOf(lane), {
          ...reservation,
          returned: [...(returned ? [returned.slot] : []), ...tentative.splice(0)],
        })
        for (const { slot, waitMs, tentative: isTentative } of slots) {
          if (isTentative) {
            tentative.push(slot)
            continue
          }
          expect(waitMs).toBeLessThanOrEqual(reservation.maxWaitMs + reservation.afterMs)
          expect(moment + waitMs).toBeGreaterThanOrEqual(heldUntil)
          taken.push({ leaves: moment + waitMs, slot, lane })
        }
      } else if (what < 8) {
        if (returned) await old('pace_give_back($1, $2, $3)', lane, returned.slot)
        const row = await old('pace_slot($1, $2, $3)', lanes, 700)
        if (row.taken) taken.push({ leaves: row.leaves, slot: row.slot, lane })
      } else if (returned) {
        const { moved } = await old('pace_late($1, $2, $3) as moved', lanes, returned.slot)
        if (moved) taken.push({ leaves: time.now, slot: time.now, lane, left: true })
      } else if (random(10) === 0) {
        heldUntil = Math.max(heldUntil, time.now + random(500))
        await old('pace_hold($1, $2)', heldUntil - time.now)
      }
    }
    expect(taken.length).toBeGreaterThan(100)
    for (const { name, windows } of [own, menus]) {
      const used = taken.filter(({ lane }) => name === '' || lane === name)
      for (const [requests, milliseconds] of windows)
        expect(fullest(used, milliseconds), `${name} ${requests} in ${milliseconds} ms`).toBeLessThanOrEqual(requests)
    }
  },
)

describe('several instances', () => {
  interface Instance {
    process: FakeProcess
    pacer: Pacer
    left: number // calls
  }
  const departures: number[] = []
  const reservations: SlotReservation[] = []
  beforeEach(() => {
    departures.length = 0
    reservations.length = 0
  })
  function start(instances: number): Instance[] {
    return Array.from({ length: instances }, () => {
      const process = new FakeProcess(time)
      const pacing = database.pacingOf(process, (reservation) => reservations.push(reservation))
      return {
        process,
        pacer: createPacer(createPostgresSlots({ pacing, scale: 1, clock: process }), process),
        left: 0,
      }
    })
  }
  /** Callers that always want one more call, at one instance. */
  function keepAsking(instance: Instance, rates: readonly Rate[], callers: number): void {
    for (let caller = 0; caller < callers; caller++) {
      void (async () => {
        for (;;) {
          await instance.pacer.take({ owner, rates, caller: `c${caller}`, maxWaitMs: 1e9 })
          instance.left++
          departures.push(time.now)
        }
      })()
    }
  }
  function expectExact(rates: readonly Rate[]): void {
    for (const { requests, seconds } of rates) {
      for (const [index, at] of departures.entries()) {
        const before = departures[index - requests]
        if (before !== undefined)
          expect(at - before, `${requests + 1} calls within ${seconds} s`).toBeGreaterThan(seconds * 1000)
      }
    }
  }
  const allowedIn = (milliseconds: number, rates: readonly Rate[]) =>
    Math.min(...rates.map(({ requests, seconds }) => (milliseconds / 1000 / seconds) * requests))

  it.each<[string, Rate[]]>([
    ['1/s', [{ requests: 1, seconds: 1 }]],
    ['5/s', [{ requests: 5, seconds: 1 }]],
    ['20/s', [{ requests: 20, seconds: 1 }]],
    [
      '10/s and 100/min',
      [
        { requests: 10, seconds: 1 },
        { requests: 100, seconds: 60 },
      ],
    ],
    ['5/6 s', [{ requests: 5, seconds: 6 }]],
  ])('use at least 98 % of %s together, and never more', async (_, rates) => {
    const instances = start(3)
    for (const instance of instances) keepAsking(instance, rates, 8)
    const span = Math.max(...rates.map(({ seconds }) => seconds)) * (rates.length > 1 ? 2_000 : 12_000)
    await time.advance(span)
    expectExact(rates)
    expect(departures.length / allowedIn(span, rates)).toBeGreaterThanOrEqual(0.98)
    const share = departures.length / instances.length
    for (const { left } of instances) expect(left).toBeGreaterThanOrEqual(Math.floor(share * 0.5))
  })
  it('exceed no limit when one of them stands still, and use what it did not', async () => {
    const rates = [{ requests: 10, seconds: 1 }]
    const instances = start(3)
    for (const instance of instances) keepAsking(instance, rates, 8)
    const random = createRandom(7)
    for (let pause = 0; pause < 30; pause++) {
      const { process } = instances[pause % 3] as Instance
      await time.advance(100 + random(300))
      process.paused = true
      await time.advance(20 + random(600))
      process.paused = false
    }
    expectExact(rates)
    expect(departures.length / allowedIn(time.now - (departures[0] as number), rates)).toBeGreaterThan(0.85)
  })
  it('exceed no limit when one of them is always late, and it gets its turns', async () => {
    const rates = [{ requests: 5, seconds: 1 }]
    const [late, ...others] = start(3) as [Instance, Instance, Instance]
    late.process.lateMs = 30
    for (const instance of [late, ...others]) keepAsking(instance, rates, 4)
    await time.advance(20_000)
    expectExact(rates)
    expect(late.left).toBeGreaterThan(5)
  })
  it('exceed no limit when the database is far away, and use it all the same', async () => {
    const rates = [{ requests: 3, seconds: 1 }]
    const instances = start(2)
    for (const instance of instances) {
      instance.process.answerMs = 150
      keepAsking(instance, rates, 3)
    }
    await time.advance(20_000)
    expectExact(rates)
    expect(departures.length / allowedIn(20_000, rates)).toBeGreaterThanOrEqual(0.9)
    const [{ pacer }] = instances as [Instance]
    void Promise.all(instances.map((instance) => instance.pacer.hold({ owner, rates }, 1e6)))
    await time.advance(1_000)
    const before = reservations.length
    for (let call = 0; call < 3; call++) {
      const asked = pacer.take({ owner: `${owner}-quiet`, rates, caller: 'x', maxWaitMs: 1_000 })
      await time.advance(1_000)
      expect(await asked).toMatchObject({ waitedMs: expect.any(Number) })
    }
    expect(reservations.length - before).toBeLessThanOrEqual(6)
  })
  it('refuse a request at its deadline when they are too slow to use any slot', async () => {
    const [{ process, pacer }] = start(1) as [Instance]
    process.lateMs = 2_000
    const asked = pacer.take({ owner, rates: [{ requests: 1, seconds: 1 }], caller: 'x', maxWaitMs: 5_000 })
    await time.advance(60_000)
    expect(pacer.waiting()).toBe(0)
    expect(await asked).toMatchObject({ wouldWaitMs: expect.any(Number) })
  })
  it('reserve up to 32 slots in a round trip, and give back what no request waits for', async () => {
    const [{ pacer }] = start(1) as [Instance]
    const rates = [{ requests: 100, seconds: 60 }]
    const gone = new AbortController()
    const askAll = (requests: number, signal?: AbortSignal) =>
      Array.from({ length: requests }, (_, number) =>
        pacer.take({ owner, rates, caller: `c${number % 5}`, maxWaitMs: 10_000, ...(signal ? { signal } : {}) }),
      )
    const asked = askAll(65)
    await time.advance(1_000)
    expect((await Promise.all(asked)).filter((outcome) => 'waitedMs' in outcome)).toHaveLength(65)
    expect(reservations.map(({ count }) => count)).toEqual([1, 32, 32])
    const left = askAll(20, gone.signal)
    gone.abort()
    await time.advance(1_000)
    expect((await Promise.all(left)).filter((outcome) => 'wouldWaitMs' in outcome)).toHaveLength(20)
    expect(pacer.status({ owner, rates }).left).toBe(100 - 65)
  })
  it('send nothing during a pause that the platform asks for, but what others have reserved', async () => {
    const rates = [{ requests: 10, seconds: 1 }]
    const [first, second] = start(2) as [Instance, Instance]
    for (const instance of [first, second]) keepAsking(instance, rates, 30)
    await time.advance(1_500)
    void first.pacer.hold({ owner, rates }, 10_000)
    const before = [first.left, second.left] as const
    await time.advance(1_000)
    expect([first.left - before[0], second.left - before[1] <= 2]).toEqual([0, true])
    const reserved = departures.length
    await time.advance(8_900)
    expect(departures.length).toBe(reserved)
    await time.advance(1_100)
    expect(departures.length).toBeGreaterThanOrEqual(reserved + 10)
    expectExact(rates)
  })
  it('refuse the requests that a failing database was asked for, and serve the next ones', async () => {
    const [{ pacer }] = start(1) as [Instance]
    const ask = (caller: string) =>
      pacer.take({ owner, rates: [{ requests: 100, seconds: 1 }], caller, maxWaitMs: 1_000 }).catch(() => 'failed')
    await database.query('alter table pacing rename to pacing_away', [], time.now)
    const asked = [ask('a'), ...Array.from({ length: 5 }, () => ask('b'))]
    await time.advance(0)
    expect(await Promise.all(asked)).toEqual(Array(6).fill('failed'))
    expect(pacer.waiting()).toBe(0)
    await database.query('alter table pacing_away rename to pacing', [], time.now)
    const next = ask('a')
    await time.advance(10)
    expect(await next).toEqual({ waitedMs: 0 })
  })
})

describe('on the real clock', () => {
  const stores: Store[] = []
  beforeAll(async () => {
    const url = await freshDatabase(inject('postgresUrl'))
    for (let instance = 0; instance < 3; instance++)
      stores.push(await createPostgresStore({ url, vault: createVault([randomBytes(32)]) }))
    await stores[0]?.migrate()
  })
  afterAll(() => Promise.all(stores.map((store) => store.close())))

  it('the clock that is asked for is the one by which slots are given', async () => {
    const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
    const one = {
      lanes: [laneOf({ requests: 1, seconds: 1 })],
      count: 1,
      maxWaitMs: 5_000,
      horizonMs: 0,
      afterMs: 0,
      leewayMs: 0,
      returned: [],
      arrived: [],
    }
    const moments = [
      (await pacing.reserve('clock', one)).moment,
      await pacing.moment(),
      (await pacing.reserve('clock', one)).moment,
    ]
    expect(moments).toEqual(moments.toSorted((left, right) => left - right))
  })
  it('callers of several instances share one limit', async () => {
    const pacers = stores.map((store) =>
      createPacer(createPostgresSlots({ pacing: store.pacing as NonNullable<Store['pacing']>, scale: 1 })),
    )
    const began = performance.now()
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await pacers[index % 3]?.take({
          owner: 'shared',
          rates: [{ requests: 20, seconds: 1 }],
          caller: `c${index % 2}`,
          maxWaitMs: 60_000,
        })
      }),
    )
    // So many calls need three windows. A busy machine only adds to that; what happens inside of a window is tested above.
    expect(performance.now() - began).toBeGreaterThanOrEqual(2_000)
  })
})
