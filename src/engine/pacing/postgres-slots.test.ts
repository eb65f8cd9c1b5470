import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/postgres.ts'
import type { Rate } from '../../contract/connector.ts'
import type { ReservedSlot as Reserved } from '../../store/pacing-slot.ts'
import { createPostgresStore } from '../../store/postgres/postgres.ts'
import type { Store } from '../../store/store.ts'
import { createVault } from '../../store/vault.ts'
import { createSharedPacer } from './shared-pacer.ts'

const stores: Store[] = []
let url: string
beforeAll(async () => {
  url = await freshDatabase(inject('postgresUrl'))
  for (let instance = 0; instance < 3; instance++) stores.push(await createPostgresStore({ url, vault: createVault([randomBytes(32)]) }))
  await stores[0]?.migrate()
})
afterAll(() => Promise.all(stores.map((store) => store.close())))

const lane = (...rates: Rate[]) => ({
  name: '',
  windows: rates.map(({ requests, seconds }) => [requests, seconds * 1000] as const),
  keep: Math.max(...rates.map(({ requests }) => requests)),
})

describe('slots reserved in the database', () => {
  it.each<[string, Rate[]]>([
    ['1/s', [{ requests: 1, seconds: 1 }]],
    ['5/s', [{ requests: 5, seconds: 1 }]],
    [
      '10/s and 100/min',
      [
        { requests: 10, seconds: 1 },
        { requests: 100, seconds: 60 },
      ],
    ],
    ['5/6 s', [{ requests: 5, seconds: 6 }]],
  ])('never hold more than %s in any window, whoever asks', async (name, rates) => {
    const slots = (await Promise.all(Array.from({ length: 120 }, (_, index) => stores[index % 3]?.pacing?.reserve(name, [lane(...rates)], 1e9))))
      .map((reserved) => reserved?.slot as number)
      .toSorted((left, right) => left - right)
    for (const { requests, seconds } of rates) {
      for (const [index, slot] of slots.entries()) {
        const before = slots[index - requests]
        if (before !== undefined) expect(slot - before).toBeGreaterThanOrEqual(seconds * 1000 - 0.001)
      }
    }
    const span = (slots.at(-1) as number) - (slots[0] as number)
    const least = Math.max(...rates.map(({ requests, seconds }) => Math.floor((slots.length - 1) / requests) * seconds * 1000))
    expect(span, 'all of what is allowed is used').toBeLessThanOrEqual(least + 3000)
  })
  it('are kept as long as a window counts them, however high the limit', async () => {
    const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
    const kept = async () => {
      const client = new pg.Client(url)
      await client.connect()
      const { rows } = await client.query("select cardinality(slots) as kept from pacing where account_id = 'quiet'").finally(() => client.end())
      return rows[0].kept as number
    }
    const many = [lane({ requests: 10_000, seconds: 0.2 }, { requests: 1_000, seconds: 0.1 })]
    for (let call = 0; call < 20; call++) await pacing.reserve('quiet', many, 0)
    expect(await kept()).toBeGreaterThan(1)
    await sleep(400)
    await pacing.reserve('quiet', many, 0)
    expect(await kept()).toBe(1)
  })
  it('too far away are not taken, held ones wait, and one given back is free again', async () => {
    const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
    const one = [lane({ requests: 1, seconds: 10 })]
    const first = await pacing.reserve('x', one, 0)
    expect(first.taken).toBe(true)
    expect((await pacing.reserve('x', one, 5_000)).taken).toBe(false)
    await pacing.giveBack('x', '', first.slot)
    expect((await pacing.reserve('x', one, 0)).taken).toBe(true)
    await pacing.hold('y', 60_000)
    expect((await pacing.reserve('y', one, 1e6)).waitMs).toBeGreaterThan(55_000)
  })
})

it('the clock that is asked for is the one by which slots are given', async () => {
  const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
  const before = await pacing.reserve('clock', [lane({ requests: 1, seconds: 1 })], 5_000)
  const moment = await pacing.moment()
  const after = await pacing.reserve('clock', [lane({ requests: 1, seconds: 1 })], 5_000)
  expect([before.moment, moment, after.moment]).toEqual([before.moment, moment, after.moment].toSorted((left, right) => left - right))
})

describe('where less than half of a limit is used', () => {
  it('a call may leave a little late, and what comes after counts from the last instant at which it may', async () => {
    const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
    const limit = [lane({ requests: 10, seconds: 1 })]
    const reserved = []
    for (let call = 0; call < 11; call++) reserved.push(await pacing.reserve('roomy', limit, 5_000))
    expect(reserved.map(({ leewayMs }) => leewayMs > 0)).toEqual([...Array(5).fill(true), ...Array(6).fill(false)])
    const [first, sixth, last] = [reserved[0], reserved[5], reserved[10]].map((one) => one as NonNullable<typeof one>) as [Reserved, Reserved, Reserved]
    expect(first.waitMs).toBe(0)
    expect(first.slot - first.moment).toBeCloseTo(50, 0)
    expect(sixth.waitMs).toBeLessThanOrEqual(50)
    expect(last.moment + last.waitMs, 'the eleventh').toBeGreaterThanOrEqual(first.slot + 1_000)
  })
  it('not of one that has fewer than four calls', async () => {
    const pacing = stores[0]?.pacing as NonNullable<Store['pacing']>
    expect(await pacing.reserve('narrow', [lane({ requests: 3, seconds: 10 })], 0)).toMatchObject({ waitMs: 0, leewayMs: 0 })
  })
})

describe('a slot whose caller is late', () => {
  const pacing = () => stores[0]?.pacing as NonNullable<Store['pacing']>
  it('moves to now, and what comes after it keeps its distance from there', async () => {
    const limit = [lane({ requests: 2, seconds: 10 })]
    const first = await pacing().reserve('late', limit, 0)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await pacing().late('late', limit, first.slot)).toBe(true)
    const second = await pacing().reserve('late', limit, 0)
    expect(second.slot).toBeGreaterThanOrEqual(first.slot + 29)
    const third = await pacing().reserve('late', limit, 60_000)
    expect(third.slot - first.slot, 'counted from when the first one left').toBeGreaterThanOrEqual(10_029)
    expect(await pacing().late('late', limit, first.slot), 'the old instant is gone').toBe(false)
  })
  it('is lost where a later one was reserved on the strength of it', async () => {
    const limit = [lane({ requests: 1, seconds: 1 })]
    const first = await pacing().reserve('strict', limit, 0)
    const second = await pacing().reserve('strict', limit, 5_000)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await pacing().late('strict', limit, first.slot)).toBe(false)
    expect((await pacing().reserve('strict', limit, 5_000)).slot).toBeCloseTo(second.slot + 1000, 0)
  })
})

it('callers of several instances share one limit, and one that has gone gives its slot back', async () => {
  const pacers = stores.map((store) => createSharedPacer(store.pacing as NonNullable<Store['pacing']>, 1))
  const slot = { accountId: 'shared', rates: [{ requests: 20, seconds: 1 }] }
  const began = performance.now()
  await Promise.all(Array.from({ length: 60 }, (_, index) => pacers[index % 3]?.take({ ...slot, caller: `c${index % 2}`, maxWaitMs: 60_000 })))
  expect(performance.now() - began).toBeGreaterThan(1_900)
  const hour = { accountId: 'slow', rates: [{ requests: 1, seconds: 3600 }], caller: 'c' }
  expect(await pacers[0]?.take({ ...hour, maxWaitMs: 0 })).toMatchObject({ waitedMs: expect.any(Number) })
  const gone = new AbortController()
  const waiting = pacers[0]?.take({ ...hour, maxWaitMs: 1e9, signal: gone.signal })
  setTimeout(() => gone.abort(), 100)
  expect(await waiting).toEqual({ wouldWaitMs: 0 })
  const next = await stores[1]?.pacing?.reserve('slow', [lane({ requests: 1, seconds: 3600 })], 0)
  expect(next?.waitMs, 'only the first slot counts').toBeLessThan(3_700_000)
})
