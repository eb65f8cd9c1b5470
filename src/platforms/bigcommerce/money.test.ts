// Payments, refunds, tax rates and payment methods, through the whole service: they agree with the orders.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { bigcommerce } from './connector.ts'
import { payment } from './payment.ts'
import { kindOfMethod } from './payment-method.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

const base = '/unified/bigcommerce-retail_pos'
/** The seed of added orders is made of the time. */
const stopped: CreateSimulator = (options) =>
  createBigcommerceSimulator({ ...options, now: () => Date.parse('2026-11-10T12:00:00Z') })
const opened: Harness[] = []
async function open(): Promise<Harness> {
  const store = await createHarness({
    connectors: { bigcommerce },
    simulators: { bigcommerce: stopped },
    platform: 'bigcommerce',
  })
  opened.push(store)
  return store
}
let harness: Harness
let changed: Harness // whose orders are archived and moved
beforeAll(async () => {
  ;[harness, changed] = [await open(), await open()]
})
afterAll(() => Promise.all(opened.map((store) => store.close())))
const ask = (address: string, store = harness) => store.call('GET', base + address, undefined, { prefer: 'wait=60' })
const nativeOf = (store: Harness) => {
  const { credentials, settings } = store.tenants[0]!
  return (address: string, body: object) =>
    fetch(`${store.sandbox.origin('bigcommerce')}/stores/${settings.storeHash}${address}`, {
      method: 'PUT',
      headers: { 'x-auth-token': credentials.accessToken!, accept: 'application/json' },
      body: JSON.stringify(body),
    })
}
async function all(entity: string, store = harness): Promise<AnyRecord[]> {
  const records: AnyRecord[] = []
  for (let query = '?pageSize=50'; query; ) {
    const { status, body } = await ask(`/${entity}${query}`, store)
    expect(status, JSON.stringify(body)).toBe(200)
    records.push(...body.data)
    query = body.pagination.cursor ? `?cursor=${body.pagination.cursor}` : ''
  }
  return records
}
async function callsOf(address: string): Promise<{ data: AnyRecord[]; paths: string[] }> {
  harness.sandbox.clearCalls('bigcommerce')
  const { status, body } = await ask(address)
  expect(status, JSON.stringify(body)).toBe(200)
  const paths = harness.sandbox.calls('bigcommerce').map((call) => call.path.replace(/^.*\/(v[23])/, '$1'))
  return { data: body.data, paths }
}
const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
const sum = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((all, one) => all + cents(one), 0)

it('payments and refunds agree with generated orders, to the cent', async () => {
  const [left] = harness.tenants[0]!.records.order!.add(caseSeed() === 'all' ? 600 : 64)
  await nativeOf(harness)(`/v2/orders/${left}`, { status_id: 0 })
  const [orders, payments, refunds] = [await all('order'), await all('payment'), await all('refund')]
  const byOrder = (records: AnyRecord[]) => Map.groupBy(records, ({ orderExternalId }) => orderExternalId as string)
  const [paid, back] = [byOrder(payments), byOrder(refunds)]
  // Only an order that was left at the checkout (PENDING, status 0) has no payment.
  const unpaid = orders.filter(({ externalId }) => !paid.has(externalId))
  expect(unpaid.map(({ externalId }) => externalId)).toContain(left)
  expect(new Set(unpaid.map(({ state }) => state))).toEqual(new Set(['PENDING']))
  for (const order of orders.filter(({ externalId }) => paid.has(externalId))) {
    const own = paid.get(order.externalId)!
    const what = JSON.stringify([order, own])
    expect(sum(own.map(({ amount }) => amount)), what).toBe(cents(order.total))
    for (const { amount, currencyCode, customerExternalId, processedAt } of own)
      expect([amount > 0, currencyCode, customerExternalId, processedAt], what).toEqual([
        true,
        order.currencyCode,
        order.customerExternalId,
        order.processedAt,
      ])
    if (own.length === 1) expect(cents(own[0]!.refundedAmount), what).toBe(cents(order.refundTotal))
    const moved = (back.get(order.externalId) ?? []).filter(({ state }) => state === 'COMPLETED')
    expect(sum(moved.map(({ amount }) => amount)), what).toBe(cents(order.refundTotal))
  }
  const ids = new Set(orders.map(({ externalId }) => externalId))
  expect([...paid.keys(), ...back.keys()].filter((id) => !ids.has(id))).toEqual([])
  for (const refund of refunds) {
    const order = orders.find(({ externalId }) => externalId === refund.orderExternalId)!
    expect(refund.currencyCode).toBe(order.currencyCode)
    for (const { orderLineExternalId, productExternalId, quantity } of refund.lineItems ?? []) {
      const line = order.lineItems.find(({ externalId }: AnyRecord) => externalId === orderLineExternalId)
      expect([line.productExternalId, line.quantity >= quantity]).toEqual([productExternalId, true])
    }
    expect(payments.some(({ externalId }) => externalId === refund.paymentExternalId)).toBe(true)
  }
  expect(new Set(refunds.map(({ state }) => state))).toEqual(new Set(['COMPLETED', 'FAILED']))
  expect(new Set(payments.map(({ methodType }) => methodType))).toEqual(
    new Set(['BANK_TRANSFER', 'CARD', 'CASH', 'GIFT_CARD', 'STORE_CREDIT', 'WALLET']),
  )
})

describe('a payment', () => {
  const account = { id: 'a', vertical: 'retail_pos' as const, settings: { timezone: 'America/Chicago' } }
  const read = (order: object) =>
    payment.toUnified(
      { order: { id: 100, total_inc_tax: '20.0000', default_currency_code: 'USD', ...order }, tender: 'payment' },
      { account, warn: () => {} },
    )
  it('has the state of its order’s payment, or of the order if it was entered by hand', () => {
    const states = Object.fromEntries(
      ['captured', 'paid', 'refunded', 'authorized', 'capture pending', 'void pending', 'declined', 'void'].map(
        (payment_status) => [payment_status, read({ payment_status, status_id: 1 }).state],
      ),
    )
    expect(states).toEqual({
      captured: 'COMPLETED',
      paid: 'COMPLETED',
      refunded: 'COMPLETED',
      authorized: 'AUTHORIZED',
      'capture pending': 'PENDING',
      'void pending': 'PENDING',
      declined: 'FAILED',
      void: 'CANCELED',
    })
    const byStatus = [1, 5, 6, 7, 10, 11, 14].map((status_id) => read({ payment_status: '', status_id }).state)
    expect(byStatus).toEqual(['PENDING', 'CANCELED', 'FAILED', 'PENDING', 'COMPLETED', 'COMPLETED', 'COMPLETED'])
  })
  it('counts for the day of the store, and has the reference of its provider', () => {
    const order = { date_created: 'Tue, 10 Nov 2026 03:00:00 +0000', payment_provider_id: '8xn3k2', customer_id: 0 }
    expect(read(order)).toMatchObject({
      businessDate: '2026-11-09',
      reference: '8xn3k2',
      customerExternalId: undefined,
    })
  })
  it('is of the kind that its name says', () => {
    const names = {
      'Credit Card': 'CARD',
      'Authorize.net': 'CARD',
      'Cash on Delivery': 'CASH',
      'Bank Deposit': 'BANK_TRANSFER',
      Cheque: 'CHECK',
      'PayPal powered by Braintree': 'WALLET',
      Klarna: 'BNPL',
      'Purchase Order': 'HOUSE_ACCOUNT',
      storecredit: 'STORE_CREDIT',
      'Gift Certificate': 'GIFT_CARD',
      Manual: 'OTHER',
      'Test Payment Gateway': 'OTHER',
    }
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, kindOfMethod(name)]))).toEqual(names)
  })
  it('is read with its order alone, and names the method of the store', async () => {
    const { data, paths } = await callsOf('/payment?pageSize=50')
    const own = paths.filter((path) => path !== 'v2/payments/methods') // cached
    expect(own).toEqual(['v2/orders', 'v3/orders/payment_actions/refunds'])
    const card = data.find(({ methodType }) => methodType === 'CARD')!
    expect(card.paymentMethodExternalId).toBe('braintree')
    expect((await ask('/payment_method/braintree')).body.data).toMatchObject({ name: 'Credit Card', type: 'CARD' })
    expect((await ask(`/payment/${card.externalId}`)).body.data).toEqual(card)
    expect((await ask(`/payment/${card.orderExternalId}:store_credit`)).status).toBe(404)
  })
  it('is served without its method if the account may not read the methods', async () => {
    const store = await open()
    const message = "You don't have a required scope to access the endpoint"
    const refused = { kind: 'foreign_before', path: '/payments/methods', status: 403 } as const
    store.sandbox.fault('bigcommerce', { ...refused, body: [{ status: 403, message }] })
    const payments = await ask('/payment?pageSize=50', store)
    expect([payments.status, payments.body.data.length > 10]).toEqual([200, true])
    expect(payments.body.data.some((one: AnyRecord) => one.paymentMethodExternalId)).toBe(false)
    const methods = await ask('/payment_method', store)
    expect([methods.status, methods.body.detail]).toEqual([403, expect.stringContaining(message)])
  })
})

describe('a refund', () => {
  it('is read with the orders of its page in a few calls, and none for fields that it has itself', async () => {
    const many = await callsOf('/refund?pageSize=50')
    expect(many.data.length).toBeGreaterThan(10)
    expect(many.paths.filter((path) => path === 'v3/orders/payment_actions/refunds')).toHaveLength(1)
    expect(many.paths.length).toBeLessThanOrEqual(4)
    const few = await callsOf('/refund?pageSize=50&fields=state,processedAt,orderExternalId')
    expect(few.paths).toEqual(['v3/orders/payment_actions/refunds'])
  })
  it('has its own day, its kind of money, and the lines that it is for', async () => {
    const refunds = await all('refund')
    for (const { processedAt, businessDate, kind, amount } of refunds)
      expect([Date.parse(processedAt) > 0, /^\d{4}-\d\d-\d\d$/.test(businessDate), kind, amount > 0]).toEqual([
        true,
        true,
        'REFUND',
        true,
      ])
    expect(refunds.filter(({ lineItems }) => lineItems).length).toBeGreaterThan(0)
    const [shipping] = refunds.filter(({ lineItems }) => !lineItems)
    expect(shipping).toMatchObject({ methodType: 'CARD', currencyCode: 'USD' })
  })
  it('of an archived order is still there, and its payment is not', async () => {
    const [refund] = await all('refund', changed)
    const { orderExternalId: order, externalId: id } = refund as AnyRecord
    changed.tenants[0]!.records.order!.remove!(order)
    expect((await ask(`/refund/${id}`, changed)).body.data).toEqual(refund)
    expect((await ask(`/payment/${order}:payment`, changed)).status).toBe(404)
  })
  it('is not made by a status that was set by hand', async () => {
    const orders = await all('order', changed)
    const { externalId: id } = orders.find(({ refundTotal, state }) => refundTotal === undefined && state === 'OPEN')!
    await nativeOf(changed)(`/v2/orders/${id}`, { status_id: 4 })
    const { body } = await ask(`/order/${id}`, changed)
    expect([body.data.state, body.data.refundTotal]).toEqual(['COMPLETED', undefined])
  })
})

it('a tax rate is the rate of one class, with the place of its zone', async () => {
  const rates = await all('tax_rate')
  expect(rates).toContainEqual({
    externalId: '1:0',
    ...{ name: 'State tax', rate: 6.25, type: 'PERCENT', included: false, isDefault: true },
    ...{ active: true, appliesTo: 'SALES' },
  })
  expect(rates).toContainEqual(
    expect.objectContaining({ externalId: '1:1', name: 'State tax (Non-Taxable Products)', rate: 0, isDefault: false }),
  )
  expect(rates).toContainEqual(
    expect.objectContaining({
      externalId: '3:0',
      name: 'HST',
      rate: 13,
      country: 'CA',
      region: 'ON',
      isDefault: false,
    }),
  )
  const { body } = await ask('/tax_rate/2:0')
  expect(body.data).toMatchObject({ name: 'City tax', rate: 2 })
})
