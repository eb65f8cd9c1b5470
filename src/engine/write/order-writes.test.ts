// Fields of orders in writes: those that stay when an update leaves them out, those that only the platform sets, money
// that it cannot take, and totals that must be exact. The platform of this test stores what it takes as it is.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addTillAccount, onTill, orderConnector } from '../../../test/order-platform.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/store-on.ts'
import type { Connector, EntityAdapter, OrderSums } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { orderTables } from '../../kit/orders.ts'
import { createVault } from '../../store/vault.ts'
import { createEngine } from '../engine.ts'
import { createMemorySlots } from '../outbound/pacing/memory-slots.ts'
import { createPacer } from '../outbound/pacing/pacer.ts'
import type { Transport } from '../outbound/transport.ts'

interface Row {
  id: string
  order: Omit<Order, 'externalId'>
}
const sums: OrderSums = { prices: 'without_tax', tips: 'none', refunds: 'beside_total', modifiers: 'in_price' }
const write = orderTables(sums, ['/lineItems/*/modifiers', '/lineItems/*/note', '/guestCount', '/channel', '/closedAt'])
const centsOf = ({ lineItems }: Row['order']) =>
  lineItems.reduce((sum, { quantity, unitPrice = 0 }) => sum + quantity * Math.round(unitPrice * 100), 0)

function createTill() {
  const rows = new Map<string, Row>()
  const bodies: Row['order'][] = []
  const transport: Transport = {
    async exchange({ method, path, body, onSent }) {
      onSent?.()
      const order = body ? (JSON.parse(String(body)) as Row['order']) : undefined
      const id = path.split('/')[2] ?? `N${rows.size + 1}`
      if (order) {
        bodies.push(order)
        rows.set(id, { id, order })
      }
      const row = rows.get(id)
      const bytes = Buffer.from(JSON.stringify(row ?? { message: `no ${method} here` }))
      return { status: row ? 200 : 404, headers: { 'content-type': 'application/json' }, bytes }
    },
    close: async () => {},
  }
  return { rows, bodies, transport }
}
const request = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => ({ method, path, body })
function adapterFor(computes: boolean): EntityAdapter<'order', Row> {
  const kept = ({ externalId: _, total: __, ...order }: Order) => order
  return {
    sums,
    id: ({ id }) => id,
    toUnified: ({ id, order }) => ({
      ...order,
      externalId: id,
      currencyCode: 'USD',
      taxIncluded: false,
      total: centsOf(order) / 100,
      subtotal: centsOf(order) / 100,
      lineItems: order.lineItems.map((line, n) => ({ ...line, externalId: `line-${n}` })),
    }),
    list: { pageLimit: 10, updatedAfter: 'none', page: async () => ({ rows: [] }) },
    get: async (call, id) => (await call.read(request('GET', `/orders/${id}`))).body,
    create: {
      ...write,
      async run(call, order) {
        const read = ({ body }: { body: Row }) => body
        const row = await call.write('order', {
          request: request('POST', '/orders', kept(order)),
          read,
          recovery: 'repeat',
        })
        return { id: row.id, row }
      },
      ...(computes ? { total: async (_, order) => centsOf(order) / 100 } : {}),
    },
    update: {
      ...write,
      async run(call, { id }, order) {
        const read = ({ body }: { body: Row }) => body
        const row = await call.write('order', {
          request: request('PUT', `/orders/${id}`, kept(order)),
          read,
          recovery: 'repeat',
        })
        return { id, row }
      },
    },
  }
}

const line = { name: 'Latte', quantity: 2, unitPrice: 5 }
const modifiers = [{ name: 'Oat milk', quantity: 1, price: 0.5 }]
const order: Order = {
  externalId: 'O-1',
  channel: 'ONLINE',
  guestCount: 2,
  closedAt: '2026-11-10T19:00:00.000Z',
  lineItems: [{ ...line, modifiers, note: 'hot' }],
}

describe('orders in writes', () => {
  let database: TestDatabase
  let till: ReturnType<typeof createTill>
  beforeEach(async () => {
    till = createTill()
    database = await createTestDatabase('sqlite')
  })
  afterEach(() => database.remove())

  async function open(computes = false) {
    const vault = createVault([randomBytes(32)])
    const store = await database.open(vault)
    await addTillAccount(store)
    const connector: Connector = { ...orderConnector, entities: { order: adapterFor(computes) } }
    const engine = createEngine({
      connectors: { till: connector },
      store: onTill(store),
      vault,
      pacer: createPacer(createMemorySlots({ scale: 0.001 })),
      transport: till.transport,
      instance: randomUUID(),
      paceScale: 0.001,
      callTimeoutMs: 1000,
    })
    const target = engine.target((await onTill(store).accounts.get('acc'))!, 'order')
    const context = () => ({ requestId: randomUUID(), caller: 'c', maxWaitMs: 1000 })
    return {
      create: (body: unknown, exactTotals = false) => engine.create({ target, body, context: context(), exactTotals }),
      update: (id: string, body: unknown, exactTotals = false) =>
        engine.update({ target, id, body, context: context(), exactTotals }),
    }
  }

  it('keep the fields that were added later when an update leaves them out, without a warning', async () => {
    const { create, update } = await open()
    const { id } = await create(order)
    const { data, warnings } = await update(id, { externalId: id, lineItems: [line] })
    expect(data).toMatchObject({ channel: 'ONLINE', guestCount: 2, lineItems: [{ modifiers, note: 'hot' }] })
    expect(warnings).toEqual([])
  })
  it('clear them with null or an empty list', async () => {
    const { create, update } = await open()
    const { id } = await create(order)
    const cleared = {
      externalId: id,
      channel: null,
      guestCount: null,
      lineItems: [{ ...line, modifiers: [], note: null }],
    }
    const { data } = await update(id, cleared)
    expect(data).not.toHaveProperty('channel')
    expect(data).not.toHaveProperty('guestCount')
    expect((data as Order).closedAt).toBe(order.closedAt)
    const [kept] = (data as Order).lineItems
    expect([kept?.modifiers, kept?.note]).toEqual([[], undefined])
  })
  it('refuse null where it clears nothing', async () => {
    const { create, update } = await open()
    await expect(create({ ...order, channel: null })).rejects.toMatchObject({
      errors: [{ pointer: '/channel', message: expect.stringContaining('must not be null') }],
    })
    const { id } = await create(order)
    await expect(update(id, { ...order, note: null })).rejects.toMatchObject({ errors: [{ pointer: '/note' }] })
  })
  it('do not give modifiers to a line of another product', async () => {
    const { create, update } = await open()
    const named = { ...order, lineItems: [{ ...line, productExternalId: 'P-1', modifiers }] }
    const { id } = await create(named)
    const { data } = await update(id, { externalId: id, lineItems: [{ ...line, productExternalId: 'P-2' }] })
    expect((data as Order).lineItems[0]).not.toHaveProperty('modifiers')
  })
  it('never send what only the platform sets, and name a total that differs', async () => {
    const { create } = await open()
    const body = { ...order, subtotal: 11, lineItems: [{ ...line, externalId: 'mine', lineTotal: 10 }] }
    const { warnings } = await create(body)
    expect(till.bodies).toEqual([expect.not.objectContaining({ subtotal: 11 })])
    expect(till.bodies[0]?.lineItems[0]).toEqual(line)
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['not_stored', '/lineItems/0/lineTotal'],
      ['derived', '/subtotal'],
    ])
  })
  it('refuse money that the platform cannot take, and leave what it has as it is', async () => {
    const { create, update } = await open()
    await expect(create({ ...order, tipTotal: 1 })).rejects.toMatchObject({
      code: 'target_refuses',
      errors: [{ pointer: '/tipTotal', message: 'cannot be stored: record it with the payment' }],
    })
    expect(till.bodies).toEqual([])
    const { id } = await create({ ...order, tipTotal: 0, serviceCharges: [] })
    ;(till.rows.get(id) as Row).order.tipTotal = 3
    expect((await update(id, { ...order, externalId: id, tipTotal: 3 })).id).toBe(id)
    await expect(update(id, { ...order, externalId: id, tipTotal: 2 })).rejects.toMatchObject({
      code: 'target_refuses',
    })
  })
  it('are refused before anything is sent if the platform computes another total and totals must be exact', async () => {
    const { create } = await open(true)
    await expect(create({ ...order, total: 11 }, true)).rejects.toMatchObject({
      code: 'totals_differ',
      status: 422,
      errors: [{ pointer: '/total', message: 'is 11, and Till computes 10' }],
    })
    expect(till.bodies).toEqual([])
    expect((await create({ ...order, total: 10 }, true)).warnings).toEqual([])
  })
  it('name another total if the platform cannot compute it first', async () => {
    const { create, update } = await open()
    const differs = [expect.objectContaining({ code: 'totals_differ', pointer: '/total' })]
    const { id, warnings } = await create({ ...order, total: 11 }, true)
    expect(warnings).toEqual(differs)
    expect((await create({ ...order, total: 11 }, true)).warnings, 'a replay').toEqual(differs)
    expect((await update(id, { ...order, externalId: id, total: 12 }, true)).warnings).toEqual(differs)
  })
})
