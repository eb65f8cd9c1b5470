// Writes where the ordinary storm does not reach: a process that stands still, a call whose effect is late, two updates
// at once, an update that is killed in the middle.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  addTillAccount,
  createOrderPlatform,
  onTill,
  orderConnector,
  orderConnectorByContent,
  orderOf,
} from '../../../test/order-platform.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import { sweepOnce } from '../../../test/sweep-once.ts'
import type { Connector } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Store } from '../../store/store.ts'
import { createVault } from '../../store/vault.ts'
import { createEngine } from '../engine.ts'
import { createMemorySlots } from '../outbound/pacing/memory-slots.ts'
import { createPacer, type Pacer } from '../outbound/pacing/pacer.ts'
import { TransportError } from '../outbound/transport.ts'

const context = () => ({ requestId: randomUUID(), caller: 'c', maxWaitMs: 1000 })

describe.each(storeKinds)('a write on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  let platform: ReturnType<typeof createOrderPlatform>
  const vault = createVault([randomBytes(32)])
  beforeEach(async () => {
    platform = createOrderPlatform()
    database = await createTestDatabase(kind)
    store = await database.open(vault)
    await addTillAccount(store)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await database.remove()
  })

  interface Instance {
    over?: Store
    pacer?: Pacer
    paceScale?: number
    callTimeoutMs?: number
    connector?: Connector
  }
  /** One instance of the service. */
  async function instance({
    over = store,
    pacer,
    paceScale = 0.001,
    callTimeoutMs = 1000,
    connector = orderConnector,
  }: Instance = {}) {
    const engine = createEngine({
      connectors: { till: connector },
      store: onTill(over),
      vault,
      pacer: pacer ?? createPacer(createMemorySlots({ scale: 0.001 })),
      transport: platform.transport,
      instance: randomUUID(),
      paceScale,
      callTimeoutMs,
    })
    const account = await onTill(store).accounts.get('acc')
    const target = engine.target(account!, 'order')
    return {
      engine,
      create: (order: Order) => engine.create({ target, body: order, context: context() }),
      update: (id: string, ...lines: string[]) =>
        engine.update({ target, id, body: orderOf(id, ...lines), context: context() }),
      sweep: () => sweepOnce(engine),
    }
  }
  /** A pacer that holds back the n-th writing call until it is let go. */
  function stopAt(nth: number) {
    const pacer = createPacer(createMemorySlots({ scale: 0.001 }))
    let calls = 0
    const stopped = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    return {
      stopped: stopped.promise,
      goOn: goOn.resolve,
      pacer: {
        ...pacer,
        async take(request: Parameters<Pacer['take']>[0]) {
          const taken = await pacer.take(request)
          if (++calls === nth) {
            stopped.resolve()
            await goOn.promise
          }
          return taken
        },
      } satisfies Pacer,
    }
  }
  /** The lease of the stopped process runs out, and its clocks show it when it wakes up. */
  async function standStill(): Promise<void> {
    await store.endLeases()
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 20_000)
  }
  const problem = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it succeeded'),
      (error) => error as { code: string; headers?: Record<string, string> },
    )
  /** A journal that fails like a killed process at the n-th call. */
  function crashing(at: number): Store {
    let count = 0
    const journal = new Proxy(store.journal, {
      get:
        (journal, name: keyof Store['journal']) =>
        async (...values: unknown[]) => {
          if (++count >= at) throw new Error('killed')
          return (journal[name] as (...all: unknown[]) => unknown)(...values)
        },
    })
    return { ...store, journal }
  }

  it('is not sent by a process that stood still beyond its lease', async () => {
    const stop = stopAt(1)
    const paused = problem((await instance({ pacer: stop.pacer })).create(orderOf('P', 'a')))
    await stop.stopped
    await standStill()
    const { id } = await (await instance()).create(orderOf('P', 'a'))
    stop.goOn()
    expect(await paused).toMatchObject({ code: 'write_in_progress' })
    expect([...platform.orders.values()]).toEqual([expect.objectContaining({ id, lines: ['a'] })])
    expect(platform.writes).toHaveLength(2)
  })

  it('goes on after standing still when no other instance took it over', async () => {
    const stop = stopAt(1)
    const paused = (await instance({ pacer: stop.pacer })).create(orderOf('P', 'a'))
    await stop.stopped
    await standStill()
    stop.goOn()
    expect(await paused).toMatchObject({ id: 'N1' })
    expect(platform.linesOf('N1')).toEqual(['a'])
  })

  it('is not undone by a process that stood still, when another instance has acknowledged it', async () => {
    platform.fail(undefined, 'refused') // the order is taken, its line is refused
    const stop = stopAt(3) // the undo
    const paused = problem((await instance({ pacer: stop.pacer })).create(orderOf('U', 'a')))
    await stop.stopped
    await standStill()
    const { id } = await (await instance()).create(orderOf('U', 'a'))
    stop.goOn()
    expect(await paused).toMatchObject({ code: 'write_in_progress' })
    expect(platform.linesOf(id)).toEqual(['a'])
    expect(platform.writes.filter((call) => call.startsWith('DELETE'))).toEqual([])
  })

  it('is written once when its effect comes after its response was lost, inside the time that a call can take', async () => {
    platform.fail({ late: 700 })
    const { id } = await (await instance({ paceScale: 1 })).create(orderOf('L', 'a'))
    expect([...platform.orders.values()]).toEqual([expect.objectContaining({ id, lines: ['a'] })])
  })

  it('is 409 with Retry-After while a lost call may still take effect', async () => {
    platform.fail('before')
    const { create } = await instance({ paceScale: 1, callTimeoutMs: 35_000 })
    const refused = await problem(create(orderOf('W', 'a')))
    expect(refused).toMatchObject({ code: 'write_in_progress', headers: { 'retry-after': '35' } })
    expect(await problem(create(orderOf('W', 'a')))).toMatchObject({ code: 'write_in_progress' })
    expect(platform.orders.size).toBe(0)
    expect(platform.writes).toHaveLength(1)
  })

  it('leaves the key free when the call provably never left', async () => {
    const { create } = await instance()
    const refused = new TransportError('ECONNREFUSED', { sent: false, timeout: false })
    vi.spyOn(platform.transport, 'exchange').mockRejectedValue(refused)
    expect(await problem(create(orderOf('N', 'a')))).toMatchObject({ code: 'downstream_error' })
    expect(await store.journal.get({ accountId: 'acc', entityType: 'order', externalId: 'N' })).toBeUndefined()
  })

  it.each(['in flight', 'in doubt'])(
    'does not take the record of another key with equal content that is %s',
    async (state) => {
      const connector = orderConnectorByContent
      const [one, two] = [await instance({ connector }), await instance({ connector })]
      platform.fail('held', 'before')
      const exchange = vi.spyOn(platform.transport, 'exchange')
      const first = one.create(orderOf('A', 'tea'))
      first.catch(() => {})
      await expect.poll(() => platform.orders.size).toBe(1)
      const second = two.create(orderOf('B', 'tea')) // its first call is lost, and the lookup finds the order of A
      second.catch(() => {})
      await expect.poll(() => exchange.mock.calls.map(([{ method }]) => method)).toContain('GET')
      if (state === 'in flight') platform.letGo()
      else await store.endLeases()
      const ids = new Map<string, string>()
      for (const [key, asked] of [
        ['A', first],
        ['B', second],
      ] as const) {
        const created = await (state === 'in flight'
          ? asked
          : (await instance({ connector })).create(orderOf(key, 'tea')))
        ids.set(key, created.id)
      }
      expect(new Set(ids.values()).size).toBe(2)
      expect([...platform.orders.keys()].toSorted()).toEqual([...ids.values()].toSorted())
      platform.letGo()
    },
  )

  it('does not share a record with a key of equal content whose process stood still beyond its lease', async () => {
    const connector = orderConnectorByContent
    platform.fail('before', 'held')
    const waiting = await instance({ connector, paceScale: 1, callTimeoutMs: 35_000 })
    expect(await problem(waiting.create(orderOf('B', 'tea')))).toMatchObject({ code: 'write_in_progress' })
    const paused = problem((await instance({ connector })).create(orderOf('A', 'tea')))
    await expect.poll(() => platform.orders.size).toBe(1)
    await store.endLeases()
    // B is older and in doubt, so it may take what it finds: the order of A, whose response has not been read yet.
    const { id } = await (await instance({ connector })).create(orderOf('B', 'tea'))
    platform.letGo()
    expect(await paused).toMatchObject({ code: 'write_in_progress' })
    const other = await (await instance({ connector })).create(orderOf('A', 'tea'))
    expect([...platform.orders.keys()].toSorted()).toEqual([id, other.id].toSorted())
    expect(other.id).not.toBe(id)
  })

  it('that refers to a key in doubt is 409 reference_pending, and nothing is sent', async () => {
    const key = { accountId: 'acc', entityType: 'customer' as const, externalId: 'C-1' }
    const entry = { ...key, writeId: 'w', contentHash: 'h', record: {}, startedAt: 'now', holder: 'me' }
    await store.journal.begin(entry, 60_000)
    await store.journal.park(key, 'me', { state: 'unknown', detail: 'recoverable' })
    const { create } = await instance()
    expect(await problem(create({ ...orderOf('R', 'a'), customerExternalId: 'C-1' }))).toMatchObject({
      code: 'reference_pending',
      headers: { 'retry-after': expect.any(String) },
      errors: [{ pointer: '/customerExternalId', message: expect.stringContaining('C-1') }],
    })
    expect(platform.writes).toEqual([])
    // A key that the journal does not know is the platform's own id.
    await create({ ...orderOf('R', 'a'), customerExternalId: 'C-2' })
    expect(platform.orders.get('N1')).toMatchObject({ customer: 'C-2' })
  })

  it('is replayed when its record was journaled in another spelling', async () => {
    const key = { accountId: 'acc', entityType: 'order' as const, externalId: 'S' }
    const record = { ...orderOf('S', 'a'), processedAt: '2026-01-01T01:00:00+01:00', note: '' }
    const answer = { id: 'N9', data: { externalId: 'N9' }, warnings: [] }
    await store.journal.begin(
      { ...key, writeId: 'w', contentHash: 'of that spelling', record, startedAt: 'now', holder: 'me' },
      60_000,
    )
    await store.journal.done(key, 'me', { writeId: 'w', nativeId: 'N9', answer })
    const { create } = await instance()
    const same = { ...orderOf('S', 'a'), processedAt: '2026-01-01T00:00:00Z' }
    expect(await create(same)).toEqual({ ...answer, replayed: true })
    expect(await problem(create({ ...same, note: 'x' }))).toMatchObject({ code: 'idempotency_conflict' })
    expect(platform.writes).toEqual([])
  })

  describe('that updates a record', () => {
    beforeEach(() => void platform.add('O', 'a', 'b'))

    it('runs once for the same content at once, on one instance and on two', async () => {
      const [one, two] = [await instance(), await instance()]
      const answers = await Promise.all([one, one, two, two, one].map(({ update }) => update('O', 'b', 'c', 'd')))
      expect(platform.linesOf('O')).toEqual(['b', 'c', 'd'])
      expect(platform.writes).toHaveLength(3)
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    })

    it('is never mixed with another one at once', async () => {
      const instances = [await instance(), await instance(), await instance()]
      const contents = Array.from({ length: 6 }, (_, n) => [`${n}-x`, `${n}-y`, `${n}-z`])
      await Promise.all(contents.map((lines, n) => instances[n % 3]!.update('O', ...lines)))
      expect(contents).toContainEqual(platform.linesOf('O'))
    })

    it('is never replayed: A, B, A ends at A', async () => {
      const { update } = await instance()
      await update('O', 'a')
      await update('O', 'b')
      expect((await update('O', 'a')).data).toMatchObject({ lineItems: [{ name: 'a' }] })
      expect(platform.linesOf('O')).toEqual(['a'])
    })

    it('is finished by the sweep, whole and once, wherever the process is killed', async () => {
      let crashes = 0
      for (let at = 2; ; at++) {
        platform.add('O', 'a', 'b')
        const killed = (await instance({ over: crashing(at) })).update('O', 'b', 'c', 'd')
        const died = await killed.then(
          () => false,
          () => true,
        )
        if (!died) break
        crashes++
        await store.endLeases()
        expect(await (await instance()).sweep(), `killed at ${at}`).toBe(1)
        expect(platform.linesOf('O'), `killed at ${at}`).toEqual(['b', 'c', 'd'])
      }
      expect(crashes).toBeGreaterThanOrEqual(6)
    })

    it('keeps nothing that it set itself, when it is finished after it was killed in the middle', async () => {
      // The note is made of the lines: a half-written row already shows the note that the update leads to.
      const priced = (lines: readonly string[]) => lines.map((name) => ({ name, quantity: 1, unitPrice: name.length }))
      const connector: Connector = {
        ...orderConnector,
        entities: {
          order: {
            ...orderConnector.entities.order!,
            toUnified: (row) => ({ externalId: row.id, note: row.lines.join(), lineItems: priced(row.lines) }),
          },
        },
      }
      let finished = 0
      for (let at = 2; ; at++) {
        platform.add('O', 'a', 'b')
        const update = async (over?: Store) => {
          const { engine } = await instance({ over, connector })
          const target = engine.target((await onTill(store).accounts.get('acc'))!, 'order')
          return engine.update({ target, id: 'O', body: orderOf('O', 'b', 'c'), context: context() })
        }
        const died = await update(crashing(at)).then(
          () => false,
          () => true,
        )
        if (!died) break
        await store.endLeases()
        const { warnings } = await update()
        expect(
          warnings.map(({ code, pointer }) => `${code} ${pointer}`),
          `killed at ${at}`,
        ).toEqual(['derived /note', 'kept /lineItems/0/unitPrice', 'kept /lineItems/1/unitPrice'])
        finished++
      }
      expect(finished).toBeGreaterThanOrEqual(5)
    })

    it('is superseded by the next one when it was killed in the middle', async () => {
      await problem((await instance({ over: crashing(4) })).update('O', 'b', 'c', 'd'))
      await store.endLeases()
      await (await instance()).update('O', 'x', 'y')
      expect(platform.linesOf('O')).toEqual(['x', 'y'])
      expect(await (await instance()).sweep()).toBe(0)
    })

    it('waits until a call of an interrupted one can no longer take effect', async () => {
      platform.fail({ late: 600 })
      const { update } = await instance({ over: crashing(3), paceScale: 1, callTimeoutMs: 35_000 })
      await problem(update('O', 'a', 'b', 'late'))
      await store.endLeases()
      await (await instance({ paceScale: 0.02 })).update('O', 'a')
      expect(platform.linesOf('O')).toEqual(['a'])
    })

    it('is 409 with Retry-After while a call of an interrupted one may still take effect', async () => {
      await problem((await instance({ over: crashing(3) })).update('O', 'a', 'b', 'c'))
      await store.endLeases()
      const { update } = await instance({ paceScale: 1, callTimeoutMs: 35_000 })
      const refused = await problem(update('O', 'x'))
      expect(refused.code).toBe('write_in_progress')
      expect(Number(refused.headers?.['retry-after'])).toBeGreaterThan(60)
    })

    it('is not sent by a process that stood still beyond its lease', async () => {
      const stop = stopAt(2) // the first writing call, after the read
      const paused = problem((await instance({ pacer: stop.pacer })).update('O', 'a', 'b', 'old'))
      await stop.stopped
      await standStill()
      await (await instance()).update('O', 'new')
      stop.goOn()
      expect(await paused).toMatchObject({ code: 'write_in_progress' })
      expect(platform.linesOf('O')).toEqual(['new'])
    })

    it('that is refused half-way says so', async () => {
      platform.fail(undefined, 'refused')
      const { update } = await instance()
      expect(await problem(update('O', 'x'))).toMatchObject({ code: 'partially_written', extra: { id: 'O' } })
      await update('O', 'x')
      expect(platform.linesOf('O')).toEqual(['x'])
    })

    it('stays open when the platform does not do what it confirmed, and is finished by the sweep', async () => {
      let confirmedOnly = true
      const { update } = orderConnector.entities.order as NonNullable<typeof orderConnector.entities.order>
      const connector: Connector = {
        ...orderConnector,
        entities: {
          order: {
            ...(orderConnector.entities.order as object),
            update: {
              ...update,
              async run(call: never, current: never, record: never) {
                const written = await update?.run(call, current, record)
                if (confirmedOnly) throw new NativeFailure({ kind: 'unavailable', message: 'did not remove a line' })
                return written
              },
            },
          } as never,
        },
      }
      const { update: put } = await instance({ connector })
      expect(await problem(put('O', 'x'))).toMatchObject({ code: 'downstream_error' })
      confirmedOnly = false
      await store.endLeases()
      expect(await (await instance({ connector })).sweep()).toBe(1)
      expect(platform.linesOf('O')).toEqual(['x'])
    })

    it('keeps a reference that equals what the record holds, even where a source id has the same text', async () => {
      platform.orders.set('O', { id: 'O', reference: '', customer: '218', lines: ['a'] })
      await store.links.put({
        accountId: 'acc',
        entityType: 'customer',
        sourceId: '218',
        nativeId: '489',
        origin: 'written',
      })
      const { engine } = await instance()
      const target = engine.target((await onTill(store).accounts.get('acc'))!, 'order')
      const back = { ...orderOf('O', 'a', 'b'), customerExternalId: '218' }
      await engine.update({ target, id: 'O', body: back, context: context() })
      expect(platform.orders.get('O')).toMatchObject({ customer: '218', lines: ['a', 'b'] })
    })
  })
})
