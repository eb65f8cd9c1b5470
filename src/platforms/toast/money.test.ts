// Money at the till, as callers read it: payments and refunds agree with the orders that they belong to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { toast } from './connector.ts'
import { createToastSimulator } from './simulator/simulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: records and native rows of any shape
type Json = any
const at = '/unified/toast-restaurant'
const patient = { prefer: 'wait=60' }
const open = () =>
  createHarness({ connectors: { toast }, simulators: { toast: createToastSimulator }, platform: 'toast' })
let harness: Harness
beforeAll(async () => {
  harness = await open()
})
afterAll(() => harness.close())

async function walk(entity: string, { call }: Pick<Harness, 'call'> = harness): Promise<Json[]> {
  const rows: Json[] = []
  for (let query: string | undefined = 'pageSize=100'; query; ) {
    const { status, body } = await call('GET', `${at}/${entity}?${query}`, undefined, patient)
    expect(status, JSON.stringify(body)).toBe(200)
    rows.push(...body.data)
    query = body.pagination.cursor && `cursor=${body.pagination.cursor}`
  }
  return rows
}
const read = async (entity: string, id: string) =>
  (await harness.call('GET', `${at}/${entity}/${encodeURIComponent(id)}`, undefined, patient)).body.data
const guid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
/** The platform answers with this payment of an order. */
function answer(payment: Json, check: Json = {}, order: Json = {}): void {
  const native = { guid: guid(1), checks: [{ guid: guid(2), payments: [payment], ...check }], ...order }
  const placed = { ...payment, orderGuid: guid(1), checkGuid: guid(2) }
  const once = (path: string, body: Json) =>
    harness.sandbox.fault('toast', { kind: 'foreign_before', path, times: 1, body })
  once(`/orders/v2/payments/${payment.guid}`, placed)
  once(`/orders/v2/orders/${guid(1)}`, native)
}
const cents = (amount = 0) => Math.round(amount * 100)
const sumOf = (rows: Json[], field: string) => rows.reduce((total, row) => total + cents(row[field]), 0)

describe('payments and refunds', () => {
  it('make what the orders say, on the seed and on generated orders of every kind', async () => {
    const own = await open()
    try {
      const { order, payment, refund } = own.tenants[0]!.records
      order!.add(caseSeed() === 'all' ? 1000 : 60)
      const [orders, payments, refunds] = [
        await walk('order', own),
        await walk('payment', own),
        await walk('refund', own),
      ]
      expect(new Set(payments.map(({ externalId }) => externalId))).toEqual(new Set(payment!.ids()))
      expect(new Set(refunds.map(({ externalId }) => externalId))).toEqual(new Set(refund!.ids()))
      const served = new Set(orders.map(({ externalId }) => externalId))
      for (const one of [...payments, ...refunds]) expect(served, JSON.stringify(one)).toContain(one.orderExternalId)
      const paid = Map.groupBy(payments, ({ orderExternalId }) => orderExternalId)
      const back = Map.groupBy(refunds, ({ orderExternalId }) => orderExternalId)
      let checked = 0
      for (const one of orders.filter(({ state }) => state === 'COMPLETED')) {
        const moved = (paid.get(one.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
        expect(sumOf(moved, 'amount'), JSON.stringify(one)).toBe(cents(one.total))
        expect(sumOf(moved, 'tip'), JSON.stringify(one)).toBe(cents(one.tipTotal))
        expect(sumOf(moved, 'refundedAmount')).toBe(cents(one.refundTotal))
        expect(sumOf(back.get(one.externalId) ?? [], 'amount')).toBe(cents(one.refundTotal))
        checked += 1
      }
      expect(checked).toBeGreaterThan(30)
      const states = new Set(payments.map(({ state }) => state))
      expect([...states].toSorted()).toEqual(['CANCELED', 'COMPLETED', 'FAILED'])
      const kinds = new Set(payments.map(({ methodType }) => methodType))
      expect([...kinds].toSorted()).toEqual(['CARD', 'CASH', 'GIFT_CARD', 'HOUSE_ACCOUNT', 'OTHER'])
    } finally {
      await own.close()
    }
  })

  it('of a delivery service have its name, and a surcharge is told apart', async () => {
    const payments = await walk('payment')
    const [other] = payments.filter(({ methodType }) => methodType === 'OTHER')
    const [method] = (await walk('payment_method')).filter(({ name }) => name === 'Courier')
    expect(other).toMatchObject({ methodName: 'Courier', paymentMethodExternalId: method.externalId })
    const surcharged = payments.filter(({ surcharge }) => surcharge > 0)
    expect(surcharged).toHaveLength(1)
    expect(surcharged[0]).toMatchObject({ methodType: 'CARD', cardLast4: expect.stringMatching(/^\d{4}$/) })
    expect(surcharged[0].fee).toBeGreaterThan(0)
    expect(JSON.stringify(payments)).not.toContain('411111') // the first digits of a card
  })

  it('count for their own business days', async () => {
    const [refund] = (await walk('refund')).filter(({ lineItems }) => !lineItems)
    const payment = await read('payment', refund.paymentExternalId)
    expect(refund.businessDate > payment.businessDate).toBe(true)
    expect(refund.externalId).toBe(`${payment.externalId}:refund`)
  })

  it('of a test order and of a deleted check are none', async () => {
    answer({ guid: guid(5), type: 'CASH', amount: 1 }, {}, { createdInTestMode: true })
    expect(await read('payment', guid(5))).toBeUndefined()
    answer({ guid: guid(5), type: 'CASH', amount: 1 }, { deleted: true })
    expect(await read('payment', guid(5))).toBeUndefined()
  })
})

describe('a payment of Toast', () => {
  it('in cash has what was handed over and given back', async () => {
    answer({
      guid: guid(5),
      type: 'CASH',
      paidDate: '2019-04-08T19:21:09.000+0000',
      paidBusinessDate: 20190408,
      amount: 8.69,
      tipAmount: 0,
      amountTendered: 9,
      refundStatus: 'NONE',
      paymentStatus: 'CAPTURED',
    })
    expect(await read('payment', guid(5))).toMatchObject({
      amount: 8.69,
      tip: 0,
      cashTendered: 9,
      changeGiven: 0.31,
      refundedAmount: 0,
      orderExternalId: guid(1),
      methodType: 'CASH',
      methodName: 'Cash',
      paymentMethodExternalId: 'CASH',
      state: 'COMPLETED',
      processedAt: '2019-04-08T19:21:09.000Z',
      businessDate: '2019-04-08',
    })
  })
  it('that was voided keeps its amount, is canceled, and is no refund', async () => {
    const voidInfo = { voidDate: '2020-02-18T19:40:00.000+0000', voidBusinessDate: 20200218 }
    const payment = { guid: guid(5), type: 'CASH', amount: 42.8, paymentStatus: 'VOIDED', voidInfo, refund: null }
    answer(payment)
    expect(await read('payment', guid(5))).toMatchObject({ amount: 42.8, state: 'CANCELED' })
    answer(payment)
    expect(await read('refund', `${guid(5)}:refund`)).toBeUndefined()
  })
  it.each([
    ['AUTHORIZED', 'AUTHORIZED'],
    ['PROCESSING', 'PENDING'],
    ['CAPTURE_IN_PROGRESS', 'COMPLETED'],
    ['CANCELLED', 'CANCELED'],
    ['ERROR_NETWORK', 'FAILED'],
    ['LATER', undefined],
  ])('with the status %s has the state %s', async (paymentStatus, state) => {
    answer({ guid: guid(5), type: 'CREDIT', amount: 1, paymentStatus })
    const { body } = await harness.call('GET', `${at}/payment/${guid(5)}`, undefined, patient)
    expect([body.data.state, (body.warnings ?? []).map(({ pointer }: Json) => pointer)]).toEqual([
      state,
      state === undefined ? ['/state'] : [],
    ])
  })
  it('cannot be written: Toast takes only authorized cards for a check', async () => {
    const { status, body } = await harness.call('POST', `${at}/payment`, { externalId: 'p', amount: 1 }, patient)
    expect([status, body.code]).toEqual([405, 'method_not_allowed'])
  })
})

describe('a refund of Toast', () => {
  const refund = {
    refundAmount: 6.36,
    tipRefundAmount: 0,
    refundDate: '2020-02-19T19:48:31.828+0000',
    refundBusinessDate: 20200219,
    refundTransaction: { guid: guid(9), entityType: 'RefundTransaction' },
  }
  const payment = {
    guid: guid(5),
    type: 'CREDIT',
    amount: 6.36,
    paymentStatus: 'CAPTURED',
    refundStatus: 'FULL',
    refund,
  }
  it('is an amount with taxes and a day of its own', async () => {
    answer(payment)
    expect(await read('refund', `${guid(5)}:refund`)).toMatchObject({
      amount: 6.36,
      tip: 0,
      kind: 'REFUND',
      state: 'COMPLETED',
      orderExternalId: guid(1),
      paymentExternalId: guid(5),
      processedAt: '2020-02-19T19:48:31.828Z',
      businessDate: '2020-02-19',
      methodType: 'CARD',
      paymentMethodExternalId: 'CREDIT',
    })
  })
  it('has the lines of its transaction, where the amounts make whole units', async () => {
    const details = (refundAmount: number, taxRefundAmount: number, transaction = guid(9)) => ({
      refundDetails: { refundAmount, taxRefundAmount, refundTransaction: { guid: transaction } },
    })
    const selections = [
      { guid: guid(20), item: { guid: guid(30) }, displayName: 'Soup', quantity: 3, price: 9, ...details(3, 0.2) },
      { guid: guid(21), displayName: 'Bread', quantity: 1, price: 2.5, ...details(2.5, 0.16) },
      { guid: guid(22), displayName: 'Tea', quantity: 1, price: 4, ...details(0.5, 0) },
      { guid: guid(23), displayName: 'Cake', quantity: 1, price: 4, ...details(4, 0.25, guid(8)) },
    ]
    answer(payment, { selections })
    const { taxAmount, lineItems } = await read('refund', `${guid(5)}:refund`)
    expect(taxAmount).toBe(0.36)
    expect(lineItems).toEqual([
      { orderLineExternalId: guid(20), productExternalId: guid(30), name: 'Soup', quantity: 1, amount: 3.2, tax: 0.2 },
      { orderLineExternalId: guid(21), name: 'Bread', quantity: 1, amount: 2.66, tax: 0.16 },
    ])
  })
})

describe('the configuration', () => {
  it('has tax rates in percent or as an amount, also on later pages and after it was published again', async () => {
    const own = await open()
    try {
      const added = own.tenants[0]!.records.tax_rate!.add(45)
      const error = { status: 409, code: 40925, message: 'The restaurant was published', requestId: guid(1) }
      const path = '/config/v2/taxRates'
      own.sandbox.fault('toast', { kind: 'foreign_before', path, skip: 1, times: 1, status: 409, body: error })
      const rates = await walk('tax_rate', own)
      expect(rates).toHaveLength(6 + added.length)
      const named = (name: string) => rates.find((one) => one.name === name)
      expect(named('Meals')).toMatchObject({ rate: 6.25, type: 'PERCENT', isDefault: true, appliesTo: 'SALES' })
      expect(named('Bottle deposit')).toMatchObject({ amount: 0.05, type: 'FIXED' })
      expect(named('Bottle deposit').rate).toBeUndefined()
      expect(named('By price')).toMatchObject({ type: 'TABLE' })
      expect(named('Untaxed').type).toBeUndefined()
      const taxed = (await walk('order', own)).flatMap(({ taxes = [] }) => taxes)
      for (const { taxRateExternalId, rate } of taxed)
        expect(rates.find(({ externalId }) => externalId === taxRateExternalId)?.rate).toBe(rate)
    } finally {
      await own.close()
    }
  })
  it("has Toast's fixed payment types and those of the restaurant", async () => {
    const methods = await walk('payment_method')
    expect(methods.map(({ name, type }) => [name, type]).toSorted()).toEqual([
      ['Cash', 'CASH'],
      ['Courier', 'OTHER'],
      ['Credit card', 'CARD'],
      ['Employee meal', 'OTHER'],
      ['Gift card', 'GIFT_CARD'],
      ['House account', 'HOUSE_ACCOUNT'],
      ['LevelUp', 'LOYALTY'],
      ['Rewards card', 'LOYALTY'],
      ['Toast Cash', 'GIFT_CARD'],
    ])
  })
})

describe('with totals=exact', () => {
  it('an order is compared with the price that Toast computes, before it is sent', async () => {
    const products = await walk('product')
    const product = products.find(({ priceType, price }) => priceType === 'FIXED' && price > 0)
    const post = (externalId: string, total: number) => {
      const record = { externalId, total, lineItems: [{ productExternalId: product.externalId, quantity: 1 }] }
      return harness.call('POST', `${at}/order?totals=exact`, record, patient)
    }
    const sent = () =>
      harness.sandbox.calls('toast').filter(({ method, path }) => method === 'POST' && path === '/orders/v2/orders')
        .length
    const before = sent()
    const { status, body } = await post('wrong total', 1_000)
    expect([status, body.code, sent() - before]).toEqual([422, 'totals_differ', 0])
    const [, computed] = /computes the total ([\d.]+)/.exec(body.detail) ?? []
    const right = await post('right total', Number(computed))
    expect([right.status, right.body.data.total, sent() - before]).toEqual([201, Number(computed), 1])
  })
})
