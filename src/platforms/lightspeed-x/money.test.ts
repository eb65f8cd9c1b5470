// Payments, refunds, taxes and payment types, through the whole service: what was paid and what went back agrees with the
// orders, for every kind of sale and for generated ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { lightspeedX } from './connector.ts'
import { methodTypeOf } from './payment-method.ts'
import { createLightspeedXSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-x': lightspeedX },
    simulators: { 'lightspeed-x': createLightspeedXSimulator },
    platform: 'lightspeed-x',
  })
})
afterAll(() => harness?.close())

const patient = { prefer: 'wait=60' }
async function all(
  entity: string,
  account = 'lightspeed-x-retail_pos',
): Promise<{ found: AnyRecord[]; warnings: AnyRecord[] }> {
  const found: AnyRecord[] = []
  const warnings: AnyRecord[] = []
  for (let query = 'pageSize=100'; query; ) {
    const { status, body } = await harness.call('GET', `/unified/${account}/${entity}?${query}`, undefined, patient)
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { found, warnings }
}
async function sales(): Promise<AnyRecord[]> {
  const answer = await harness.sandbox.simulator('lightspeed-x').handle({
    method: 'GET',
    path: '/api/2026-07/sales',
    query: new URLSearchParams({ page_size: '5000' }),
    headers: { authorization: `Bearer ${harness.tenants[0]!.credentials.accessToken}` },
    body: '',
  })
  return (answer.body as AnyRecord).data
}
const cents = (amount = 0): number => Number(amount.toFixed(2).replace('.', ''))
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

async function expectSettled(): Promise<void> {
  const { found: orders, warnings } = await all('order')
  const [{ found: payments, warnings: leftOut }, { found: refunds }] = [await all('payment'), await all('refund')]
  const byId = new Map(orders.map((order) => [order.externalId, order]))
  const paymentsOf = Map.groupBy(payments, ({ orderExternalId }) => orderExternalId)
  const refundsOf = Map.groupBy(refunds, ({ orderExternalId }) => orderExternalId)
  for (const { amount, orderExternalId, externalId } of payments) {
    expect([externalId, amount > 0]).toEqual([externalId, true])
    expect(byId.has(orderExternalId), externalId).toBe(true)
  }
  for (const order of orders.filter(({ state }) => state === 'COMPLETED')) {
    const own = (paymentsOf.get(order.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
    const paid = sum(own.map(({ amount, tip }) => cents(amount) + (order.tipIncluded ? cents(tip) : 0)))
    // What an exchange gives back is not a payment: a warning names it.
    const isBack = cents(order.total) < 0
    expect([order.externalId, paid]).toEqual([order.externalId, isBack ? 0 : cents(order.total)])
    const back = (refundsOf.get(order.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
    expect([order.externalId, sum(back.map(({ amount }) => cents(amount)))]).toEqual([
      order.externalId,
      cents(order.refundTotal),
    ])
  }
  const given = orders.filter(({ total }) => total < 0)
  expect(leftOut.map(({ code }) => code)).toEqual(given.map(() => 'refund_left_out'))
  // Every sale is an order or a refund.
  const refundIds = refunds.map(({ externalId }) => externalId).toSorted()
  const named = warnings.filter(({ code }) => code === 'refund_left_out').map(({ id }) => id)
  expect(named.toSorted()).toEqual(refundIds)
  expect((await sales()).filter(({ deleted_at }) => !deleted_at)).toHaveLength(orders.length + refunds.length)
  for (const { amount, taxAmount, lineItems } of refunds) {
    expect(cents(amount)).toBe(sum(lineItems.map((line: AnyRecord) => cents(line.amount))))
    expect(cents(taxAmount)).toBe(sum(lineItems.map((line: AnyRecord) => cents(line.tax))))
    for (const line of lineItems) expect(line.quantity).toBeGreaterThan(0)
  }
}

describe('what was paid and what went back', () => {
  it('makes what the orders cost, for every kind of sale', () => expectSettled())
  it('makes what the orders cost, over generated sales', async () => {
    harness.tenants[0]!.records.order!.add(caseSeed() === 'all' ? 1000 : 75)
    await expectSettled()
  }, 120_000)
})

describe('a payment', () => {
  const paid = async (fits: (sale: AnyRecord) => boolean) => {
    const sale = (await sales()).find(fits)!
    const { found } = await all('payment')
    return { sale, payments: found.filter(({ orderExternalId }) => orderExternalId === sale.id) }
  }
  const hasType = (name: string) => (sale: AnyRecord) => sale.payments.some(({ type }: AnyRecord) => type.name === name)
  it('in cash has what was handed over and given back', async () => {
    const { sale, payments } = await paid(
      ({ payments: [, second, ...more], return: { is_return } }) =>
        !is_return && second?.amount < 0 && second.type.name === 'Cash' && more.length === 0,
    )
    const [tendered, change] = sale.payments.map(({ amount }: AnyRecord) => amount)
    expect(payments).toMatchObject([
      {
        externalId: `${sale.id}:${sale.payments[0].id}`,
        amount: (cents(tendered) + cents(change)) / 100,
        cashTendered: tendered,
        changeGiven: -change,
        methodType: 'CASH',
        methodName: 'Cash',
        state: 'COMPLETED',
        locationExternalId: sale.source.outlet_id,
        businessDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    ])
  })
  it('has no record of how much was rounded, and none of what was removed', async () => {
    const rounded = await paid(hasType('Cash Rounding'))
    expect(rounded.sale.payments).toHaveLength(2)
    expect(rounded.payments.map(({ methodType }) => methodType)).toEqual(['CASH'])
    const split = await paid(({ payments }) => payments.some(({ deleted_at }: AnyRecord) => deleted_at))
    expect(split.sale.payments).toHaveLength(3)
    expect(split.payments.map(({ methodType }) => methodType).toSorted()).toEqual(['CARD', 'GIFT_CARD'])
  })
  it('has the tip of its sale beside its amount if there is no other payment', async () => {
    const { sale, payments } = await paid(({ adjustments }) => adjustments[0]?.adjustment_type === 'TIP')
    const [native] = sale.payments
    const tip = sale.adjustments[0].total
    expect(payments).toMatchObject([{ tip, amount: (cents(native.amount) - cents(tip)) / 100 }])
  })
  it('has its surcharge and the end of the number of its card, and no more of it', async () => {
    const { sale, payments } = await paid(({ payments: [first] }) => first?.surcharge.amount > 0)
    const [{ external_attributes, surcharge }] = sale.payments
    expect(payments).toMatchObject([
      {
        surcharge: Math.round(surcharge.amount * 100) / 100,
        cardLast4: external_attributes[0].card_last_four_digits,
        reference: external_attributes[0].transaction_id,
        methodType: 'CARD',
      },
    ])
  })
  it('is read by the id of its sale and its own, and by nothing else', async () => {
    const [first] = (await all('payment')).found as [AnyRecord]
    const get = (id: string) =>
      harness.call('GET', `/unified/lightspeed-x-retail_pos/payment/${id}`, undefined, patient)
    expect((await get(first.externalId)).body.data).toEqual(first)
    for (const id of [first.orderExternalId, first.externalId.split(':')[1], `${first.orderExternalId}:x`])
      expect([id, (await get(id)).status]).toEqual([id, 404])
  })
  it('cannot be written', async () => {
    const { status, body } = await harness.call('POST', '/unified/lightspeed-x-retail_pos/payment', {
      externalId: 'P-1',
      amount: 1,
    })
    expect([status >= 400, body.code]).toEqual([true, expect.stringMatching(/not_/)])
  })
})

describe('a refund', () => {
  it('has the goods that came back, its own day, and the kind of money', async () => {
    const back = (await sales()).find(
      ({ return: { is_return, original_sale_id }, state, line_items }) =>
        is_return && original_sale_id && state === 'closed' && line_items.length === 1,
    )!
    const { found } = await all('refund')
    const refund = found.find(({ externalId }) => externalId === back.id)!
    const [line] = back.line_items
    expect(refund).toMatchObject({
      orderExternalId: back.return.original_sale_id,
      kind: 'RETURN',
      state: 'COMPLETED',
      amount: -back.payments[0].amount,
      paymentMethodExternalId: back.payments[0].type.config_id,
      processedAt: new Date(back.date).toISOString(),
      lineItems: [{ productExternalId: line.product.id, quantity: 1, amount: -back.payments[0].amount }],
    })
  })
  it('is pending or canceled as its sale is, and may have no order', async () => {
    const { found } = await all('refund')
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['COMPLETED', 'PENDING', 'CANCELED']))
    expect(found.some(({ orderExternalId }) => orderExternalId === undefined)).toBe(true)
  })
})

it('names the parts of a tax that is a group, and the kinds of payment types', async () => {
  const { found: taxes } = await all('tax_rate')
  expect(taxes.find(({ name }) => name === 'GST + levy')).toMatchObject({
    rate: 17.75,
    included: true,
    isDefault: false,
    active: true,
    components: [
      { name: 'GST', rate: 15 },
      { name: 'Container levy', rate: 2.75 },
    ],
  })
  const { found: methods } = await all('payment_method')
  expect(methods.map(({ name, type, active }) => [name, type, active])).toEqual([
    ['Cash', 'CASH', true],
    ['Credit Card', 'CARD', true],
    ['Old Voucher', 'LOYALTY', false],
    ['Gift Card', 'GIFT_CARD', true],
    ['Cash Rounding', 'OTHER', true],
  ])
  // The vendor's examples have only the global ids, and a shop names its types as it likes.
  expect([1, 3, 106, 118, 7].map((type_id) => methodTypeOf({ id: 'x', name: 'Cash', type_id }))).toEqual([
    'CASH',
    'CARD',
    'LOYALTY',
    'GIFT_CARD',
    'OTHER',
  ])
})

it('serves payments without their kinds to an account that may not read payment types, and says so', async () => {
  const { credentials, settings } = harness.tenants[0]!
  const connect = (id: string, scope: string) =>
    harness.manage('POST', '/accounts?test=false', {
      id,
      platform: 'lightspeed-x',
      vertical: 'retail_pos',
      auth: 'oauth2',
      credentials: { ...credentials, scope },
      settings,
    })
  expect((await connect('few', 'sales:read retailer:read products:read')).status).toBe(201)
  const { found, warnings } = await all('payment', 'few')
  expect(found.filter((row) => 'methodType' in row)).toEqual([])
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'scope_missing', pointer: '/methodType' }))
  expect((await all('order', 'few')).found.length).toBeGreaterThan(0)
  const refused = await harness.call('GET', '/unified/few/tax_rate', undefined, patient)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    403,
    expect.any(String),
    expect.stringContaining('taxes:read'),
  ])
})
