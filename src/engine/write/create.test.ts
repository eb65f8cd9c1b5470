// The promise of the journal, broken at every point where it can be: a crash before and after each thing it records.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import { sweepOnce } from '../../../test/sweep-once.ts'
import type { Connector, EntityAdapter, NativeRequest } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { Store } from '../../store/store.ts'
import { createVault } from '../../store/vault.ts'
import { createEngine } from '../engine.ts'
import { createMemorySlots } from '../outbound/pacing/memory-slots.ts'
import { createPacer } from '../outbound/pacing/pacer.ts'
import type { Transport, WireCall } from '../outbound/transport.ts'
import { TransportError } from '../outbound/transport.ts'
import { OutcomeUnknown } from './steps.ts'

/** A platform with orders, lines and discounts: one call each, like a till. */
function createPlatform() {
  const orders = new Map<string, { id: string; reference: string; lines: string[]; discounts: string[] }>()
  const faults: ('before' | 'after')[] = []
  const handle = ({ method, path, body }: WireCall): { status: number; body: unknown } => {
    const [, , id, part] = path.split('?')[0]?.split('/') ?? []
    const data = body ? JSON.parse(body) : {}
    if (method === 'GET' && !id)
      return {
        status: 200,
        body: {
          elements: [...orders.values()].filter(
            ({ reference }) => path.includes(`reference=${reference}`) || !path.includes('reference='),
          ),
        },
      }
    const order = id === undefined ? undefined : orders.get(id)
    if (method === 'POST' && !id) {
      const made = { id: `N${orders.size + 1}`, reference: data.reference, lines: [], discounts: [] }
      orders.set(made.id, made)
      return { status: 200, body: made }
    }
    if (!order) return { status: 404, body: { message: 'no such order' } }
    if (method === 'DELETE') {
      orders.delete(order.id)
      return { status: 200, body: {} }
    }
    if (part === 'lines' && data.name === 'poison') return { status: 400, body: { message: 'poison is refused' } }
    if (method === 'POST') order[part as 'lines' | 'discounts'].push(data.name)
    return { status: 200, body: order }
  }
  const transport: Transport = {
    async exchange(call) {
      const fault = call.method === 'GET' ? undefined : faults.shift()
      if (fault === 'before') throw new TransportError('reset', { sent: true, timeout: false })
      const { status, body } = handle(call)
      if (fault === 'after') throw new TransportError('reset', { sent: true, timeout: false })
      return { status, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) }
    },
    close: async () => {},
  }
  return { orders, transport, lose: (...next: ('before' | 'after')[]) => faults.push(...next) }
}
const post = (path: string, body: unknown): NativeRequest => ({ method: 'POST', path, body })
const get = (path: string): NativeRequest => ({ method: 'GET', path })

function tillOrder(undoable: boolean): EntityAdapter<'order', { id: string; lines: string[] }, string> {
  return {
    id: (row) => row.id,
    toUnified: (row) => ({ externalId: row.id, lineItems: row.lines.map((name) => ({ name, quantity: 1 })) }),
    list: {
      pageLimit: 10,
      updatedAfter: 'none',
      page: async (call) => ({ rows: (await call.read(get('/orders'))).body.elements }),
    },
    get: async (call, id) => (await call.read(get(`/orders/${id}`))).body,
    create: {
      notStored: { '/note': true },
      async run(call, record: Order) {
        const id = await call.write('order', {
          request: post('/orders', { reference: call.reference }),
          read: ({ body }) => body.id as string,
          recovery: {
            lagSeconds: 0,
            find: async () => (await call.read(get(`/orders?reference=${call.reference}`))).body.elements[0]?.id,
          },
          ...(undoable ? { undo: (made: string) => ({ method: 'DELETE' as const, path: `/orders/${made}` }) } : {}),
        })
        for (const [n, line] of record.lineItems.entries()) {
          await call.write(`line-${n}`, {
            request: post(`/orders/${id}/lines`, { name: line.name }),
            read: () => true,
            recovery: {
              lagSeconds: 0,
              find: async () => (await call.read(get(`/orders/${id}`))).body.lines.length > n || undefined,
            },
            ...(undoable ? { undo: () => ({ method: 'DELETE' as const, path: `/orders/${id}` }) } : {}),
          })
        }
        await call.write('discount', {
          request: post(`/orders/${id}/discounts`, { name: 'd' }),
          read: () => true,
          recovery: {
            lagSeconds: 0,
            find: async () => (await call.read(get(`/orders/${id}`))).body.discounts.length > 0 || undefined,
          },
        })
        return { id }
      },
    },
  }
}
const till = (undoable = true): Connector => ({
  id: 'till',
  name: 'Till',
  docs: '',
  apiVersion: { name: 'v1', reviewBy: '2099-01-01' },
  verticals: ['restaurant'],
  limit: [{ requests: 1000, seconds: 1 }],
  origins: { api: 'https://till.example' },
  auth: [{ kind: 'static', fields: ['accessToken'] }],
  frame: {},
  readError: ({ status, body }) =>
    status >= 400 ? { kind: status === 404 ? 'not_found' : 'invalid', message: body.message } : undefined,
  entities: { order: tillOrder(undoable) },
})
const record = (externalId: string, ...names: string[]): Order => ({
  externalId,
  lineItems: names.map((name) => ({ name, quantity: 1 })),
})
const context = { requestId: 'r', caller: 'c', maxWaitMs: 1000 }

/** A journal that fails like a killed process at the n-th thing it is asked: before it happens, or after. */
function crashing(store: Store, at: number, when: 'before' | 'after'): Store {
  let count = 0
  let dead = false
  const journal = new Proxy(store.journal, {
    get:
      (journal, name: keyof Store['journal']) =>
      async (...values: unknown[]) => {
        const strike = ++count === at
        if (dead || (strike && when === 'before')) {
          dead = true
          throw new Error('killed')
        }
        const result = await (journal[name] as (...all: unknown[]) => unknown)(...values)
        if (strike) {
          dead = true
          throw new Error('killed')
        }
        return result
      },
  })
  return { ...store, journal }
}

describe.each(storeKinds)('a write of several steps on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  const vault = createVault([randomBytes(32)])
  beforeEach(async () => {
    database = await createTestDatabase(kind)
    store = await database.open(vault)
    await store.migrate()
    await addAccount(store, 'acc')
    await store.accounts.update('acc', { auth: 'static', credentials: { accessToken: 'x' } })
  })
  afterEach(() => database.remove())

  const engineOn = (over: Store, transport: Transport, connector: Connector) =>
    createEngine({
      connectors: { [connector.id]: connector },
      store: over,
      vault,
      pacer: createPacer(createMemorySlots({ scale: 0.001 })),
      transport,
      instance: randomUUID(),
      paceScale: 0.001,
      callTimeoutMs: 1000,
    })
  async function create(over: Store, transport: Transport, order: Order, connector = till()) {
    const engine = engineOn(over, transport, connector)
    const account = await store.accounts.get('acc')
    const target = engine.target(
      { ...(account as NonNullable<typeof account>), platform: 'till', vertical: 'restaurant' },
      'order',
    )
    return engine.create({ target, body: order, context })
  }

  it('is written once, whole, wherever the process is killed', async () => {
    let crashes = 0
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; ; at++) {
        const platform = createPlatform()
        const order = record(`${when}-${at}`, 'a', 'b')
        const died = await create(crashing(store, at, when), platform.transport, order).then(
          () => false,
          () => true,
        )
        if (!died) break
        crashes++
        await store.endLeases()
        const again = await create(store, platform.transport, order)
        expect([...platform.orders.values()], `killed ${when} ${at}`).toEqual([
          { id: again.id, reference: expect.any(String), lines: ['a', 'b'], discounts: ['d'] },
        ])
        expect((await create(store, platform.transport, order)).replayed).toBe(true)
      }
    }
    expect(crashes, 'before and after each of nine things that are asked of the journal').toBeGreaterThanOrEqual(18)
  })

  it('is written once when any answer is lost, before or after the work', async () => {
    for (const kindOfLoss of ['before', 'after'] as const) {
      for (let skip = 0; skip < 4; skip++) {
        const platform = createPlatform()
        platform.lose(...(Array(skip).fill(undefined) as never[]), kindOfLoss)
        const { id } = await create(store, platform.transport, record(`lost-${kindOfLoss}-${skip}`, 'a', 'b'))
        expect([...platform.orders.values()]).toEqual([
          { id, reference: expect.any(String), lines: ['a', 'b'], discounts: ['d'] },
        ])
      }
    }
  })

  it('that is refused half-way is undone, and its key is free for the corrected record', async () => {
    const platform = createPlatform()
    await expect(create(store, platform.transport, record('U', 'a', 'poison'))).rejects.toMatchObject({
      code: 'downstream_rejected',
    })
    expect([...platform.orders.values()]).toEqual([])
    expect((await create(store, platform.transport, record('U', 'a', 'b'))).replayed).toBe(false)
  })

  it('that is refused half-way is undone, even if the platform confirms a deletion that it did not make', async () => {
    const platform = createPlatform()
    const { exchange } = platform.transport
    let confirmed = 0
    platform.transport.exchange = async (wire) =>
      wire.method === 'DELETE' && ++confirmed < 3
        ? { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from('{}') }
        : exchange(wire)
    await expect(create(store, platform.transport, record('D', 'a', 'poison'))).rejects.toMatchObject({
      code: 'downstream_rejected',
    })
    expect([...platform.orders.values()]).toEqual([])
    confirmed = -100
    await expect(create(store, platform.transport, record('E', 'a', 'poison'))).rejects.toMatchObject({
      code: 'partially_written',
    })
    expect(platform.orders.size).toBe(1)
  })

  it('that is refused half-way stays in doubt while nothing can tell whether it was undone', async () => {
    const platform = createPlatform()
    const connector = till()
    const { create: written, ...order } = connector.entities.order!
    const doubt = new OutcomeUnknown('lookup', true, 'Another write is not settled yet.', { retryInMs: 5000 })
    const find = () => Promise.reject(doubt)
    const run: typeof written & {} = {
      ...written,
      run: (call, sent) =>
        written!.run(
          {
            ...call,
            write: (name, step) => call.write(name, name === 'line-0' ? { ...step, recovery: { find } } : step),
          },
          sent,
        ),
    }
    const doubtful = { ...connector, entities: { order: { ...order, create: run } } }
    await expect(create(store, platform.transport, record('J', 'a', 'poison'), doubtful)).rejects.toMatchObject({
      code: 'write_in_progress',
      headers: { 'retry-after': '5' },
    })
    expect(await store.journal.get({ accountId: 'acc', entityType: 'order', externalId: 'J' })).toMatchObject({
      state: 'unknown',
    })
  })

  it('that is refused half-way and cannot be undone is 409 with the platform id, for other content too', async () => {
    const platform = createPlatform()
    await expect(create(store, platform.transport, record('H', 'a', 'poison'), till(false))).rejects.toMatchObject({
      code: 'partially_written',
    })
    const problem = await create(store, platform.transport, record('H', 'a', 'b'), till(false)).catch((error) => error)
    expect(problem.code).toBe('partially_written')
    expect(problem.detail).toMatch(
      /^\w+ took only a part of this record and refused the rest: .*\. Correct the record with PUT/,
    )
    expect(problem.detail).not.toContain('same key')
    expect(platform.orders.size).toBe(1)
  })

  it('stays in doubt when the lookup itself is refused: nothing is freed, nothing sent twice', async () => {
    const platform = createPlatform()
    const { exchange } = platform.transport
    let forbidden = false
    platform.transport.exchange = async (wire) =>
      forbidden && wire.method === 'GET'
        ? { status: 403, headers: { 'content-type': 'application/json' }, bytes: Buffer.from('{"message":"no"}') }
        : exchange(wire)
    platform.lose('after')
    forbidden = true
    await expect(create(store, platform.transport, record('F', 'a'))).rejects.toMatchObject({
      code: 'outcome_unknown',
      detail: expect.stringContaining('no'),
    })
    expect([...platform.orders.values()].map(({ lines }) => lines)).toEqual([[]])
    forbidden = false
    expect(await create(store, platform.transport, record('F', 'a'))).toMatchObject({ id: 'N1', replayed: false })
    expect([...platform.orders.values()]).toEqual([
      { id: 'N1', reference: expect.any(String), lines: ['a'], discounts: ['d'] },
    ])
  })

  it('is finished by the sweep after a crash, without its caller', async () => {
    const platform = createPlatform()
    await create(crashing(store, 6, 'after'), platform.transport, record('S', 'a', 'b')).catch(() => undefined)
    await store.endLeases()
    await store.accounts.update('acc', { state: 'active' })
    const engine = engineOn(
      {
        ...store,
        accounts: {
          ...store.accounts,
          get: async (id) => ({ ...(await store.accounts.get(id))!, platform: 'till', vertical: 'restaurant' }),
        },
      },
      platform.transport,
      till(),
    )
    expect(await sweepOnce(engine)).toBe(1)
    expect([...platform.orders.values()]).toEqual([
      { id: 'N1', reference: expect.any(String), lines: ['a', 'b'], discounts: ['d'] },
    ])
    expect((await create(store, platform.transport, record('S', 'a', 'b'))).replayed).toBe(true)
  })

  it('in doubt under one content and asked with another is settled first, then a conflict', async () => {
    const platform = createPlatform()
    await create(crashing(store, 5, 'after'), platform.transport, record('D', 'a', 'b')).catch(() => undefined)
    await store.endLeases()
    await expect(create(store, platform.transport, record('D', 'other'))).rejects.toMatchObject({
      code: 'idempotency_conflict',
      extra: { id: 'N1' },
    })
    expect([...platform.orders.values()].map(({ lines }) => lines)).toEqual([['a', 'b']])
  })
})
