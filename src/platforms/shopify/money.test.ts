// Payments and refunds, through the whole service: they make what was paid for an order, and nothing is charged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseCases } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { shopify } from './connector.ts'
import { payment as payments } from './payment.ts'
import { type NativePaidOrder, type NativeTransaction, paymentsOf } from './payment-row.ts'
import { refund as refunds } from './refund.ts'
import { plans } from './simulator/cost.ts'
import { createShopifySimulator, shopifySimulatorOn } from './simulator/simulator.ts'

const start = (simulator: CreateSimulator) =>
  createHarness({ connectors: { shopify }, simulators: { shopify: simulator }, platform: 'shopify' })
let harness: Harness
beforeAll(async () => {
  harness = await start(createShopifySimulator)
})
afterAll(() => harness?.close())

const unified = (method: string, path: string, body?: unknown, on = harness) =>
  on.call(method, `/unified/${on.accountId('retail_pos')}${path}`, body, { prefer: 'wait=60' })
async function walk(type: string, query = ''): Promise<AnyRecord[]> {
  const records: AnyRecord[] = []
  for (let next: string | undefined = `?pageSize=100${query}`; next !== undefined; ) {
    const { status, body } = await unified('GET', `/${type}${next}`)
    expect(status, JSON.stringify(body)).toBe(200)
    records.push(...body.data)
    next = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
  }
  return records
}
/** Calls the shop directly, as another client. */
async function admin(query: string, variables: object = {}, on = harness) {
  const { accessToken } = on.tenants[0]!.credentials
  const { body } = await on.sandbox.simulator('shopify').handle({
    method: 'POST',
    path: '/admin/api/2026-07/graphql.json',
    query: new URLSearchParams(),
    headers: { 'x-shopify-access-token': accessToken! },
    body: JSON.stringify({ query, variables }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the response has the shape of the query
  return (body as any).data
}
const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const money = '{ shopMoney { amount } }'
const paidOf = async (id: string, on = harness) =>
  (
    await admin(
      `query Paid($id: ID!) { order(id: $id) { displayFinancialStatus totalReceivedSet ${money} totalRefundedSet ${money} totalOutstandingSet ${money} transactions(first: 50) { id } } }`,
      { id: `gid://shopify/Order/${id}` },
      on,
    )
  ).order
const amount = (bag: { shopMoney: { amount: string } }) => cents(Number(bag.shopMoney.amount))

describe('generated orders', () => {
  const rounds = chooseCases(
    Array.from({ length: 10 }, (_, round) => ({ round })),
    { oneIn: 10 },
  )
  it.each(rounds)('have payments and refunds that make what moved: round $round', async () => {
    const since = `&updatedAfter=${new Date(harness.time.now() - 1000).toISOString()}`
    harness.tenants[0]!.records.order!.add(80)
    const [orders, paid, back] = [await walk('order', since), await walk('payment', since), await walk('refund', since)]
    expect([orders.length >= 80, paid.length > 60, back.length > 10]).toEqual([true, true, true])
    const served = new Set(orders.map(({ externalId }) => externalId))
    for (const one of [...paid, ...back])
      expect([one.externalId, served.has(one.orderExternalId)]).toEqual([one.externalId, true])
    const known = new Map(paid.map((one) => [one.externalId, one]))
    for (const order of orders) {
      const shop = await paidOf(order.externalId)
      const own = paid.filter((one) => one.orderExternalId === order.externalId)
      const done = own.filter(({ state }) => state === 'COMPLETED')
      const what = JSON.stringify([order, own])
      expect(sum(done.map((one) => cents(one.amount) + cents(one.tip))), what).toBe(amount(shop.totalReceivedSet))
      expect(
        own.every((one) => one.amount >= 0 && (one.cashTendered ?? 0) >= (one.changeGiven ?? 0)),
        what,
      ).toBe(true)
      const returned = back.filter((one) => one.orderExternalId === order.externalId)
      expect(sum(returned.map((one) => cents(one.amount))), what).toBe(cents(order.refundTotal))
      expect(cents(order.refundTotal), what).toBe(amount(shop.totalRefundedSet))
      expect(sum(done.map((one) => cents(one.refundedAmount))), what).toBe(cents(order.refundTotal))
      for (const { paymentExternalId } of returned)
        if (paymentExternalId) expect(known.get(paymentExternalId)?.orderExternalId).toBe(order.externalId)
    }
    const has = {
      tip: (one: AnyRecord) => one.tip > 0,
      change: (one: AnyRecord) => one.changeGiven > 0,
      fee: (one: AnyRecord) => one.fee > 0,
      'gift card': (one: AnyRecord) => one.methodType === 'GIFT_CARD',
      'declined card': (one: AnyRecord) => one.state === 'FAILED' && one.cardBrand && one.cardLast4?.length === 4,
      refunded: (one: AnyRecord) => one.refundedAmount > 0,
    }
    for (const [kind, is] of Object.entries(has)) expect([kind, paid.some(is)]).toEqual([kind, true])
    expect(JSON.stringify(paid)).not.toMatch(/••••/)
  })
})

describe('a recorded payment', () => {
  let serial = 0
  const record = (orderExternalId: string, more: object = {}) => ({
    externalId: `PAID-${++serial}`,
    orderExternalId,
    amount: 10,
    ...more,
  })
  const payable = (on = harness) => on.tenants[0]!.payable!(1000)
  const post = (body: object, on = harness) => unified('POST', '/payment', body, on)

  it('is of a part or of all that is owed, in the name of a method of the shop', async () => {
    const order = payable()
    const part = await post(
      record(order, { amount: 11.25, methodName: 'Bank Deposit', processedAt: '2026-11-01T10:00:00Z' }),
    )
    expect(part.status, JSON.stringify(part.body)).toBe(201)
    expect(part.body.data).toMatchObject({
      amount: 11.25,
      tip: 0,
      state: 'COMPLETED',
      orderExternalId: order,
      methodName: 'Bank Deposit',
      methodType: 'BANK_TRANSFER',
      processedAt: '2026-11-01T10:00:00.000Z',
      businessDate: '2026-11-01',
    })
    expect((await paidOf(order)).displayFinancialStatus).toBe('PARTIALLY_PAID')
    const rest = await post(record(order, { amount: 988.75 }))
    expect(rest.body.data).toMatchObject({ amount: 988.75, methodType: 'OTHER', paymentMethodExternalId: 'manual' })
    expect((await paidOf(order)).displayFinancialStatus).toBe('PAID')
    const more = await post(record(order))
    expect([more.status, more.body.errors?.[0]?.pointer]).toEqual([422, '/amount'])
  })
  it('of a part is refused on a plan that cannot record it, and nothing changes', async () => {
    const standard = await start(shopifySimulatorOn(plans.standard))
    try {
      const order = payable(standard)
      const part = await post(record(order), standard)
      expect([part.status, part.body.code, part.body.errors?.[0]?.pointer], JSON.stringify(part.body)).toEqual([
        422,
        'target_refuses',
        '/amount',
      ])
      expect((await paidOf(order, standard)).transactions).toEqual([])
      const whole = await post(record(order, { amount: 1000 }), standard)
      expect([whole.status, whole.body.data?.amount], JSON.stringify(whole.body)).toEqual([201, 1000])
    } finally {
      await standard.close()
    }
  })
  it.each(['CARD', 'GIFT_CARD', 'STORE_CREDIT', 'WALLET', 'BNPL'])(
    'never moves money: %s is refused before a call',
    async (methodType) => {
      const order = payable()
      harness.sandbox.clearCalls('shopify')
      const { status, body } = await post(record(order, { methodType }))
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'target_refuses', '/methodType'])
      expect(harness.sandbox.calls('shopify')).toEqual([])
    },
  )
  it('names what the shop refuses', async () => {
    const refused = async (more: object) => {
      const { status, body } = await post(record(payable(), more))
      return [status, body.errors?.[0]?.pointer]
    }
    expect(await refused({ methodName: 'Beads' })).toEqual([422, '/methodName'])
    expect(await refused({ currencyCode: 'USD' })).toEqual([422, '/currencyCode'])
    expect(await refused({ tip: 2 })).toEqual([422, '/tip'])
    expect(await refused({ amount: 0 })).toEqual([422, '/amount'])
    expect(await refused({ processedAt: '2999-01-01T00:00:00Z' })).toEqual([422, '/processedAt'])
    expect(await refused({ orderExternalId: '404404' })).toEqual([422, '/orderExternalId'])
  })
  it('is not taken for another one of the same amount when its response is lost', async () => {
    const order = payable()
    const same = { amount: 7, processedAt: '2026-11-02T10:00:00Z' }
    expect((await post(record(order, same))).status).toBe(201)
    const body = record(order, same)
    harness.sandbox.fault('shopify', { kind: 'reset_after', skip: 1, times: 1 })
    const answers = [await post(body)]
    for (let again = 0; again < 5 && answers.at(-1)!.status !== 201 && answers.at(-1)!.status !== 200; again++)
      answers.push(await post(body))
    harness.sandbox.clearFaults('shopify')
    expect(answers.at(-1)!.body.data?.amount, JSON.stringify(answers.at(-1)!.body)).toBe(7)
    expect((await paidOf(order)).transactions).toHaveLength(2)
  })
})

/* Transactions as shops have reported them. */

const bag = (value: string) => ({ shopMoney: { amount: value } })
const moved = (id: number, kind: string, value: string, more: object = {}): NativeTransaction => ({
  id: `gid://shopify/OrderTransaction/${id}`,
  kind,
  status: 'SUCCESS',
  gateway: 'shopify_payments',
  formattedGateway: 'Shopify Payments',
  manualPaymentGateway: false,
  createdAt: '2026-11-02T09:00:01Z',
  processedAt: '2026-11-02T09:00:00Z',
  paymentId: '#1001.1',
  amountSet: bag(value),
  fees: [],
  parentTransaction: null,
  location: null,
  paymentDetails: null,
  ...more,
})
const of = (id: number) => ({ parentTransaction: { id: `gid://shopify/OrderTransaction/${id}` } })
const order = {
  id: 'gid://shopify/Order/1',
  updatedAt: '2026-11-02T09:00:01Z',
  test: false,
  currencyCode: 'USD',
  customer: null,
  totalTipReceivedSet: bag('0.0'),
  totalOutstandingSet: bag('0.0'),
}
function read(transactions: NativeTransaction[], more: Partial<NativePaidOrder> = {}) {
  const warned: string[] = []
  const mapping = {
    warn: (pointer: string) => void warned.push(pointer),
    account: { id: 'a', vertical: 'retail_pos' as const, settings: {} },
  }
  const rows = paymentsOf({ ...order, ...more, transactions }, { ianaTimezone: 'America/New_York' })
  return { found: rows.map((row): AnyRecord => payments.toUnified(row, mapping)), warned }
}

describe('a reported transaction', () => {
  it('that reserves money is a payment until it is captured or given up', () => {
    const held = moved(1, 'AUTHORIZATION', '20.0')
    const stateOf = (...more: NativeTransaction[]) =>
      read([held, ...more]).found.map(({ externalId, state }) => [externalId, state])
    expect(stateOf()).toEqual([['1', 'AUTHORIZED']])
    expect(stateOf(moved(2, 'CAPTURE', '20.0', of(1)))).toEqual([['2', 'COMPLETED']])
    expect(stateOf(moved(2, 'CAPTURE', '20.0', { ...of(1), status: 'FAILURE' }))).toEqual([
      ['1', 'AUTHORIZED'],
      ['2', 'FAILED'],
    ])
    expect(stateOf(moved(2, 'VOID', '20.0', of(1)))).toEqual([['1', 'CANCELED']])
  })
  it('in cash has what was handed over and given back', () => {
    const cash = { gateway: 'cash', formattedGateway: 'Cash' }
    const { found } = read([moved(1, 'SALE', '20.0', cash), moved(2, 'CHANGE', '4.55', { ...cash, ...of(1) })])
    expect(found).toMatchObject([
      { amount: 15.45, cashTendered: 20, changeGiven: 4.55, methodType: 'CASH', paymentMethodExternalId: 'cash' },
    ])
  })
  it('has the tip if it is the only one; among several, the tip stays within their amounts, with a warning', () => {
    const tipped = { totalTipReceivedSet: bag('3.0') }
    expect(read([moved(1, 'SALE', '18.0')], tipped)).toMatchObject({ found: [{ amount: 15, tip: 3 }], warned: [] })
    const declined = moved(2, 'SALE', '18.0', { status: 'FAILURE' })
    expect(read([moved(1, 'SALE', '18.0'), declined], tipped).found).toMatchObject([
      { amount: 15, tip: 3 },
      { amount: 18 },
    ])
    const two = read([moved(1, 'SALE', '10.0'), moved(2, 'SALE', '8.0')], tipped)
    expect(two.found.map(({ amount, tip }) => [amount, tip])).toEqual([
      [10, undefined],
      [8, undefined],
    ])
    expect(two.warned).toEqual(['/tip', '/tip'])
  })
  it('has its fee with the tax on it, what was refunded, and no more of a card than its brand and last digits', () => {
    const fees = [{ amount: { amount: '0.59' }, taxAmount: { amount: '0.08' } }]
    const paymentDetails = { __typename: 'CardPaymentDetails', company: 'Visa', number: '•••• •••• •••• 4242' }
    const { found } = read([moved(1, 'SALE', '10.0', { fees, paymentDetails }), moved(2, 'REFUND', '4.0', of(1))])
    expect(found).toMatchObject([
      { amount: 10, fee: 0.67, refundedAmount: 4, cardBrand: 'Visa', cardLast4: '4242', methodType: 'CARD' },
    ])
  })
  it('through a gateway of another provider has its name, and no payment method of Shopify', () => {
    const foreign = { gateway: 'klarna_app', formattedGateway: 'Klarna' }
    expect(read([moved(1, 'SALE', '10.0', foreign)]).found).toMatchObject([
      { methodType: 'OTHER', methodName: 'Klarna' },
    ])
    expect(read([moved(1, 'SALE', '10.0', foreign)]).found[0]!.paymentMethodExternalId).toBeUndefined()
  })
})

describe('a reported refund', () => {
  const line = (subtotal: string, tax: string, restocked: boolean) => ({
    quantity: 1,
    restocked,
    subtotalSet: bag(subtotal),
    totalTaxSet: bag(tax),
    lineItem: { id: 'gid://shopify/LineItem/2', name: 'Tee', variant: { id: 'gid://shopify/ProductVariant/3' } },
  })
  const row = (lines: object[], transactions: NativeTransaction[], shipping: object[] = []) => ({
    id: 'gid://shopify/Refund/9',
    createdAt: '2026-11-03T10:00:00Z',
    processedAt: '2026-11-03T03:00:00Z',
    note: 'Wrong size',
    refundLineItems: { nodes: lines },
    refundShippingLines: { nodes: shipping },
    transactions: { nodes: transactions },
    order: { ...order, taxesIncluded: false },
    shop: { ianaTimezone: 'America/New_York' },
  })
  const unifiedOf = (native: object): AnyRecord =>
    refunds.toUnified(native as never, { warn: () => {}, account: { id: 'a', vertical: 'retail_pos', settings: {} } })

  it('has the money of its transactions, and its own day', () => {
    const shipping = [{ subtotalAmountSet: bag('5.0'), taxAmountSet: bag('0.0') }]
    expect(unifiedOf(row([line('10.0', '0.72', true)], [moved(4, 'REFUND', '15.72', of(1))], shipping))).toMatchObject({
      amount: 15.72,
      taxAmount: 0.72,
      kind: 'RETURN',
      state: 'COMPLETED',
      paymentExternalId: '1',
      businessDate: '2026-11-02',
      note: 'Wrong size',
      lineItems: [
        { orderLineExternalId: '2', productExternalId: '3', quantity: 1, amount: 10.72, tax: 0.72, restocked: true },
      ],
    })
  })
  it('has no amount of a line that is not restocked: Shopify reports 0 for it', () => {
    const found = unifiedOf(row([line('0.0', '0.0', false)], [moved(4, 'REFUND', '15.0', of(1))]))
    expect([found.amount, found.taxAmount, found.lineItems[0].amount]).toEqual([15, undefined, undefined])
  })
  it('is of goods alone, of money alone, still under way, or failed', () => {
    const back = (status: string) => [moved(4, 'REFUND', '15.0', { ...of(1), status })]
    const stateOf = (native: object) => {
      const { kind, state, amount: paid } = unifiedOf(native)
      return [kind, state, paid]
    }
    expect(stateOf(row([line('10.0', '0.0', true)], []))).toEqual(['RETURN', 'COMPLETED', 0])
    expect(stateOf(row([], back('SUCCESS')))).toEqual(['REFUND', 'COMPLETED', 15])
    expect(stateOf(row([], back('PENDING')))).toEqual(['REFUND', 'PENDING', 15])
    expect(stateOf(row([], back('FAILURE')))).toEqual(['REFUND', 'FAILED', 15])
  })
})
