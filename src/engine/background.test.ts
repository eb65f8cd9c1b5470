// Reads in the background, on a platform whose clock is known.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addTillAccount, createOrderPlatform, onTill, orderConnector } from '../../test/order-platform.ts'
import { createTestDatabase, type TestDatabase } from '../../test/store-on.ts'
import type { EntityAdapter, ReadCall } from '../contract/connector.ts'
import type { Warning } from '../contract/errors.ts'
import type { Store } from '../store/store.ts'
import { createVault } from '../store/vault.ts'
import type { BackgroundPosition } from './background.ts'
import { createEngine } from './engine.ts'
import type { SlotRequest } from './outbound/pacing/account-queue.ts'
import { createMemorySlots } from './outbound/pacing/memory-slots.ts'
import { createPacer } from './outbound/pacing/pacer.ts'
import { createPlatformClocks } from './outbound/platform-clock.ts'
import type { WireAnswer, WireCall } from './outbound/transport.ts'

const context = () => ({ requestId: randomUUID(), caller: 'changes', maxWaitMs: 60_000, background: true as const })
const aheadMs = 300_000

describe('background reads', () => {
  let database: TestDatabase
  let store: Store
  let platform: ReturnType<typeof createOrderPlatform>
  const vault = createVault([randomBytes(32)])
  beforeEach(async () => {
    platform = createOrderPlatform()
    database = await createTestDatabase('sqlite')
    store = await database.open(vault)
    await addTillAccount(store)
  })
  afterEach(() => database.remove())

  async function setUp(respond: (call: WireCall, answer: WireAnswer) => WireAnswer = (_, answer) => answer) {
    const slots: SlotRequest[] = []
    const pacer = createPacer(createMemorySlots({ scale: 0.001 }))
    const order = orderConnector.entities.order as EntityAdapter<'order', unknown, string>
    let loads = 0
    const engine = createEngine({
      connectors: {
        till: {
          ...orderConnector,
          entities: {
            order: {
              ...order,
              get: async (call, id) => {
                await call.cached('shop', async () => ++loads)
                return order.get?.(call, id)
              },
            },
          },
        },
      },
      store: onTill(store),
      vault,
      pacer: {
        ...pacer,
        take(request) {
          slots.push(request)
          return pacer.take(request)
        },
      },
      transport: {
        ...platform.transport,
        exchange: async (call) => respond(call, await platform.transport.exchange(call)),
      },
      instance: randomUUID(),
      paceScale: 0.001,
      callTimeoutMs: 1000,
    })
    const account = (await onTill(store).accounts.get('acc'))!
    return { engine, slots, account, target: engine.target(account, 'order'), loads: () => loads }
  }
  const dated = (_: WireCall, answer: WireAnswer): WireAnswer => ({
    ...answer,
    headers: { ...answer.headers, date: new Date(Date.now() + aheadMs).toUTCString() },
  })

  it('walk a list in pages, each call in the background class with its full wait', async () => {
    for (let n = 0; n < 12; n++) platform.add(`N${n}`, 'soup')
    const { engine, slots, target } = await setUp()
    const rows: unknown[] = []
    let position: BackgroundPosition | undefined = { size: 500, place: {} }
    const sizes: number[] = []
    const one = context()
    while (position) {
      const page = await engine.background.page(target, position, one)
      expect(page.readBegan).toBeLessThanOrEqual(page.readEnded)
      expect(page.platformDate, 'without a Date header').toBeUndefined()
      sizes.push(page.rows.length)
      rows.push(...page.rows)
      position = page.next && (JSON.parse(JSON.stringify(page.next)) as BackgroundPosition) // it can be stored
    }
    expect(sizes).toEqual([10, 2])
    const warnings: Warning[] = []
    const unify = engine.background.unify(target)
    expect(rows.map((row) => unify(row, warnings)?.externalId)).toEqual(Array.from({ length: 12 }, (_, n) => `N${n}`))
    expect(slots.map(({ background, maxWaitMs }) => ({ background, maxWaitMs }))).toEqual(
      Array(2).fill({ background: true, maxWaitMs: 60_000 }),
    )
    expect(engine.background.date(target)).toBeUndefined()
    await engine.list(target, { pageSize: 1 }, undefined, { requestId: 'r', caller: 'c', maxWaitMs: 1000 })
    expect(slots.at(-1)?.background).toBeUndefined()
  })

  it('of one record are undefined only if the platform says that it does not exist', async () => {
    platform.add('N1', 'soup')
    let status: number | undefined
    const { engine, target, account } = await setUp((_, answer) => ({ ...answer, status: status ?? answer.status }))
    expect(await engine.background.get(target, 'N1', context())).toMatchObject({ id: 'N1' })
    expect(await engine.background.get(target, 'N2', context())).toBeUndefined()
    for (status of [400, 403, 500])
      await expect(engine.background.get(target, 'N1', context()), `${status}`).rejects.toThrow()
    const disabled = engine.target({ ...account, state: 'disabled' }, 'order')
    await expect(engine.background.get(disabled, 'N1', context())).rejects.toMatchObject({ code: 'account_disabled' })
    await expect(
      engine.background.page(target, { size: 10, updatedAfter: '2026-01-01T00:00:00Z', place: {} }, context()),
    ).rejects.toMatchObject({ code: 'filter_unsupported' })
  })

  it('of one record reject if only a part of it is not found', async () => {
    platform.add('N1', 'soup')
    const { engine, target } = await setUp()
    const { get } = target.adapter
    const absent = { method: 'GET', path: '/orders/N2' } as const
    const isNotFound = (call: ReadCall) => call.read(absent).catch(() => undefined)
    const asCaller = { requestId: 'r', caller: 'c', maxWaitMs: 1000 }
    const reads: [string, NonNullable<typeof get>][] = [
      ['a part', async (call, id) => (await get?.(call, id)) && call.read(absent)],
      ['a part that the adapter looks for', async (call, id) => (await get?.(call, id)) && isNotFound(call)],
      ['a fact', (call) => call.cached('till', () => call.read(absent))],
    ]
    for (const [what, read] of reads) {
      const reading = { ...target, adapter: { ...target.adapter, get: read } }
      const failure = { code: 'downstream_error', detail: expect.stringContaining('a part of the record') }
      await expect(engine.background.get(reading, 'N1', context()), what).rejects.toMatchObject(failure)
      await expect(engine.get(reading, 'N1', undefined, asCaller), what).rejects.toMatchObject(failure)
    }
    const elsewhere: typeof get = async (call, id) => (await isNotFound(call)) ?? get?.(call, id)
    const reading = { ...target, adapter: { ...target.adapter, get: elsewhere } }
    expect(await engine.background.get(reading, 'N1', context())).toMatchObject({ id: 'N1' })
    expect(await engine.background.get(reading, 'N3', context())).toBeUndefined()
  })

  it('have facts of their own, which can be loaded again', async () => {
    platform.add('N1', 'soup')
    const { engine, target, loads } = await setUp()
    const read = () => engine.background.get(target, 'N1', context())
    await engine.get(target, 'N1', undefined, { requestId: 'r', caller: 'c', maxWaitMs: 1000 })
    expect(loads()).toBe(1)
    await read()
    expect(loads(), 'a caller waits for no load in the background').toBe(2)
    engine.background.forgetFacts(target.account.id)
    await read()
    expect(loads()).toBe(3)
  })

  it("give bounds of the platform's clock", async () => {
    const { engine, target } = await setUp(dated)
    const page = await engine.background.page(target, { size: 10, place: {} }, context())
    const { before, at } = page.platformDate!
    expect(at % 1000).toBe(0)
    expect(before).toBeLessThanOrEqual(at)
    expect(before).toBeLessThanOrEqual(page.readEnded + aheadMs)
    const { least, most } = engine.background.date(target)!
    expect(least).toBeLessThanOrEqual(aheadMs)
    expect(most).toBeGreaterThanOrEqual(aheadMs)
  })
})

describe("the platform's clock", () => {
  const headers = (milliseconds: number) => ({ date: new Date(milliseconds).toUTCString() })
  it('is narrowed by further responses, and follows a clock that was set', () => {
    const clocks = createPlatformClocks()
    clocks.learn('a', headers(100_000), { sent: 50_000, received: 50_900 })
    expect(clocks.bounds('a')).toEqual({ least: 49_100, most: 51_000, at: 50_900 })
    clocks.learn('a', headers(102_000), { sent: 52_400, received: 52_500 })
    expect(clocks.bounds('a')).toEqual({ least: 49_500, most: 50_600, at: 52_500 })
    clocks.learn('a', headers(60_000), { sent: 60_000, received: 60_100 })
    expect(clocks.bounds('a')).toEqual({ least: -100, most: 1_000, at: 60_100 })
    expect(clocks.bounds('b')).toBeUndefined()
  })
  it('is not learned from a response without a date or from a cache', () => {
    const clocks = createPlatformClocks()
    const times = { sent: 0, received: 1 }
    expect(clocks.learn('a', {}, times)).toBeUndefined()
    expect(clocks.learn('a', { date: 'soon' }, times)).toBeUndefined()
    expect(clocks.learn('a', { ...headers(1_000), age: '30' }, times)).toBeUndefined()
    expect(clocks.bounds('a')).toBeUndefined()
  })
})
