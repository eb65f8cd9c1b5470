// Payments and refunds: what was paid is what the orders cost, and a new payment is a record, never a charge.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type {
  CreateSimulator,
  Simulator,
  SimulatorOptions,
  WireRequest,
  WireResponse,
} from '../../sandbox/simulator.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator/simulator.ts'

type Handle = Simulator['handle']
let between: (request: WireRequest, pass: Handle) => WireResponse | Promise<WireResponse> = (request, pass) =>
  pass(request)
const watched: CreateSimulator = (options) => {
  const simulator = createCloverSimulator(options)
  return { ...simulator, handle: (request) => between(request, simulator.handle) }
}
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({ connectors: { clover }, simulators: { clover: watched }, platform: 'clover' })
})
afterAll(() => harness?.close())

const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/clover-restaurant/${path}`, body, { prefer: 'wait=60' })
const native = (type: 'order' | 'payment' | 'refund') => harness.tenants[0]!.records[type]!
async function all(type: string): Promise<{ records: AnyRecord[]; warnings: AnyRecord[] }> {
  const [records, warnings]: AnyRecord[][] = [[], []]
  for (let query = 'pageSize=250'; query; ) {
    const { status, body } = await call('GET', `${type}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    records!.push(...body.data)
    warnings!.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { records: records!, warnings: warnings! }
}
async function during<T>(other: typeof between, run: () => Promise<T>): Promise<T> {
  between = other
  try {
    return await run()
  } finally {
    between = (request, pass) => pass(request)
  }
}
const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
const sum = (rows: readonly AnyRecord[], field: string) => rows.reduce((total, row) => total + cents(row[field]), 0)
let serial = 0
const key = () => `P-${++serial}`
async function newOrder(): Promise<AnyRecord> {
  const line = { name: 'Soup', unitPrice: 10, quantity: 1 }
  const { status, body } = await call('POST', 'order', { externalId: key(), lineItems: [line] })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const paying = (orderExternalId: string, more: object) =>
  call('POST', 'payment', { externalId: key(), orderExternalId, methodType: 'CASH', ...more })

describe('the money of seeded and generated orders', () => {
  let orders: AnyRecord[]
  let payments: AnyRecord[]
  let refunds: AnyRecord[]
  beforeAll(async () => {
    native('order').add(caseSeed() === 'all' ? 400 : 60)
    orders = (await all('order')).records
    payments = (await all('payment')).records
    refunds = (await all('refund')).records
  })

  it('is what was paid: the completed payments of a paid order make its total, and their tips those of the order', () => {
    const byOrder = Map.groupBy(payments, ({ orderExternalId }) => orderExternalId)
    let paid = 0
    for (const order of orders) {
      const completed = (byOrder.get(order.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
      expect(sum(completed, 'tip'), order.externalId).toBe(cents(order.tipTotal))
      if (order.state !== 'COMPLETED' || harness.tenants[0]!.unbalanced?.includes(order.externalId)) continue
      paid++
      // A payment of e-commerce does not tell that its tip is inside: it is in both amounts.
      expect(sum(completed, 'amount'), JSON.stringify(order)).toBe(cents(order.total))
    }
    expect(paid).toBeGreaterThan(30)
  })
  it('went back as the orders say: refunds and credits make `refundTotal`', () => {
    const byOrder = Map.groupBy(
      refunds.filter(({ state }) => state === 'COMPLETED'),
      ({ orderExternalId }) => orderExternalId,
    )
    for (const order of orders)
      expect(sum(byOrder.get(order.externalId) ?? [], 'amount'), JSON.stringify(order)).toBe(cents(order.refundTotal))
    expect(orders.filter(({ refundTotal }) => refundTotal > 0).length).toBeGreaterThan(6)
    const byPayment = Map.groupBy(refunds, ({ paymentExternalId }) => paymentExternalId)
    for (const payment of payments) {
      const completed = (byPayment.get(payment.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
      expect(sum(completed, 'amount')).toBe(cents(payment.refundedAmount))
    }
  })
  it('belongs to orders that are served; only a manual refund has an order of its own, which is no sale', () => {
    const served = new Set(orders.map(({ externalId }) => externalId))
    expect(payments.filter(({ orderExternalId }) => !served.has(orderExternalId))).toEqual([])
    const alone = refunds.filter(({ orderExternalId }) => !served.has(orderExternalId))
    expect(alone.map(({ amount, paymentExternalId }) => [amount, paymentExternalId])).toEqual([[15, undefined]])
    const lines = new Set(orders.flatMap(({ lineItems }) => lineItems.map(({ externalId }: AnyRecord) => externalId)))
    const returned = refunds.flatMap(({ lineItems = [] }) => lineItems)
    expect(returned.length).toBeGreaterThan(0)
    for (const { orderLineExternalId } of returned) expect(lines.has(orderLineExternalId)).toBe(true)
  })
  it('has every state, and no discount that is kept as a payment', () => {
    expect([...new Set(payments.map(({ state }) => state))].toSorted()).toEqual([
      ...['AUTHORIZED', 'CANCELED', 'COMPLETED', 'FAILED', 'PENDING'],
    ])
    expect(payments.map(({ externalId }) => externalId).toSorted()).toEqual(native('payment').ids().toSorted())
    expect([...new Set(refunds.map(({ state }) => state))].toSorted()).toEqual(['CANCELED', 'COMPLETED'])
    expect([...new Set(refunds.map(({ kind }) => kind))].toSorted()).toEqual(['REFUND', 'RETURN'])
  })
  it('tells the brand and the last four digits of a card, and never more', async () => {
    const cards = payments.filter(({ methodType }) => methodType === 'CARD')
    expect(cards.length).toBeGreaterThan(5)
    for (const { cardBrand, cardLast4 } of cards)
      expect([cardBrand, cardLast4]).toEqual([
        expect.stringMatching(/^(VISA|MC|AMEX)$/),
        expect.stringMatching(/^\d{4}$/),
      ])
    const { body } = await call('GET', 'payment?pageSize=250&include=native')
    expect(JSON.stringify(body)).not.toMatch(/411111|LOVELACE|tok-/)
  })
  it('in cash has what was handed over and what was given back', () => {
    const cash = payments.filter(({ methodType }) => methodType === 'CASH')
    expect(cash.some(({ changeGiven }) => changeGiven > 0)).toBe(true)
    for (const { amount, tip, cashTendered, changeGiven } of cash)
      if (changeGiven !== undefined) expect(cents(cashTendered) - cents(changeGiven)).toBe(cents(amount) + cents(tip))
  })
})

describe('a payment that moved elsewhere', () => {
  it('completes its order and has the tax of its share, to the last cent', async () => {
    const { externalId: product } = (await call('GET', 'product?pageSize=50')).body.data.find(
      ({ taxable, priceType }: AnyRecord) => taxable && priceType === 'FIXED',
    )
    const line = { productExternalId: product, unitPrice: 9.99, quantity: 3 }
    const order = (await call('POST', 'order', { externalId: key(), lineItems: [line] })).body.data
    expect([order.subtotal, order.state]).toEqual([29.97, 'OPEN'])
    const first = await paying(order.externalId, { amount: 10 })
    expect([first.status, first.body.data.methodName, first.body.data.state]).toEqual([201, 'Cash', 'COMPLETED'])
    const partly = (await call('GET', `order/${order.externalId}`)).body.data
    expect([partly.state, partly.taxTotal]).toEqual(['OPEN', order.taxTotal])
    const rest = Math.round((order.total - 10) * 100) / 100
    expect((await paying(order.externalId, { amount: rest, methodType: 'OTHER', tip: 2 })).status).toBe(201)
    const paid = (await call('GET', `order/${order.externalId}`)).body.data
    expect(paid).toMatchObject({ state: 'COMPLETED', total: order.total, taxTotal: order.taxTotal, tipTotal: 2 })
  })
  it('is there once, whichever response is lost', async () => {
    for (const kind of ['reset_before', 'reset_after'] as const) {
      const { externalId } = await newOrder()
      const before = native('payment').ids().length
      harness.sandbox.fault('clover', { kind, method: 'POST', path: '/payments', times: 1 })
      const { status, body } = await paying(externalId, { amount: 10 })
      expect([kind, status, harness.sandbox.faults('clover').length], JSON.stringify(body)).toEqual([kind, 201, 0])
      expect(native('payment').ids()).toHaveLength(before + 1)
      expect(body.data.reference).toBeUndefined()
    }
  })
  it('is never one of a card, and is refused by name with a tender that Clover does not have', async () => {
    const { externalId } = await newOrder()
    const before = native('payment').ids()
    const tenders = (await call('GET', 'payment_method?pageSize=50')).body.data as AnyRecord[]
    const card = tenders.find(({ type }) => type === 'CARD')!.externalId
    for (const [more, pointer] of [
      [{ methodType: 'CARD' }, '/methodType'],
      [{ methodType: 'WALLET' }, '/methodType'], // Venmo is switched off
      [{ methodType: undefined, paymentMethodExternalId: card }, '/paymentMethodExternalId'],
      [{ state: 'AUTHORIZED' }, '/state'],
      [{ amount: 0 }, '/amount'],
    ] as const) {
      const { status, body } = await paying(externalId, { amount: 10, ...more })
      expect([more, status, body.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([more, 422, pointer])
    }
    expect(native('payment').ids()).toEqual(before)
  })
})

it('has the surcharge of a payment within its amount, but neither a discount for cash nor a delivery fee', async () => {
  const [id] = native('payment').ids()
  const charges = [
    { type: 'CREDIT_SURCHARGE', amount: 30 },
    { type: 'INTERAC_V2', amount: 5 },
    { type: 'CASH_DISCOUNT', amount: 50 },
    { type: 'DELIVERY_FEE', amount: 399 },
  ]
  const { body } = await during(
    async (request, pass) => {
      const response = await pass(request)
      if (!request.path.endsWith(`/payments/${id}`)) return response
      return { ...response, body: { ...(response.body as object), additionalCharges: { elements: charges } } }
    },
    () => call('GET', `payment/${id}`),
  )
  expect(body.data.surcharge).toBe(0.35)
})

it('reads a payment again that changed between its two calls', async () => {
  const [id] = native('payment').ids()
  let touched = false
  const found = await during(
    async (request, pass) => {
      const response = await pass(request)
      if (!touched && request.path.endsWith('/payments')) {
        touched = true
        harness.time.nextSecond()
        native('payment').touch(id!)
      }
      return response
    },
    async () => (await all('payment')).records.find(({ externalId }) => externalId === id),
  )
  expect([touched, found]).toEqual([true, (await call('GET', `payment/${id}`)).body.data])
})

describe('tax rates and tenders', () => {
  it('have percents and fixed amounts, and the kind of money of Clover', async () => {
    const rates = (await call('GET', 'tax_rate')).body.data as AnyRecord[]
    const shown = rates.map(({ name, type, rate, amount, isDefault, included }) => [
      ...[name, type, rate, amount, isDefault, included],
    ])
    expect(shown.toSorted()).toEqual([
      ['Alcohol', 'PERCENT', 10.5, undefined, false, false],
      ['Bottle deposit', 'FIXED', undefined, 0.05, false, false],
      ['Sales', 'PERCENT', 8.25, undefined, true, false],
    ])
    const methods = (await call('GET', 'payment_method')).body.data as AnyRecord[]
    expect(methods.map(({ name, type, active }) => [name, type, active]).toSorted()).toEqual([
      ['Cash', 'CASH', true],
      ['Check', 'CHECK', true],
      ['Credit Card', 'CARD', true],
      ['Debit Card', 'CARD', true],
      ['Delivery app', 'OTHER', true],
      ['External Gift Card', 'GIFT_CARD', true],
      ['External Payment', 'OTHER', true],
      ['Venmo', 'WALLET', false],
    ])
  })
})

it('an app without the permission for payments serves what it served', async () => {
  const permissions = ['customers', 'employees', 'inventory', 'merchant', 'orders']
  const simulators = { clover: (options: SimulatorOptions) => createCloverSimulator(options, permissions) }
  const older = await createHarness({ connectors: { clover }, simulators, platform: 'clover' })
  try {
    const get = (type: string) =>
      older.call('GET', `/unified/clover-restaurant/${type}`, undefined, { prefer: 'wait=60' })
    for (const type of ['payment', 'refund']) {
      const { status, body } = await get(type)
      expect([type, status >= 400, body.downstream?.message]).toEqual([type, true, '401 Unauthorized'])
    }
    for (const type of ['order', 'product', 'tax_rate', 'payment_method'])
      expect([type, (await get(type)).status]).toEqual([type, 200])
  } finally {
    await older.close()
  }
})
