// Money at the till: payments, refunds and the orders that they are of agree.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { Vertical } from '../../contract/entity.ts'
import { simulators } from '../simulators.ts'
import { square } from './connector.ts'
import { payment } from './payment.ts'
import { refund } from './refund.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const account = { id: 'a', vertical: 'restaurant' as const, settings: { businessDayStart: '04:00' } }
const read = (row: object) =>
  payment.toUnified({ id: 'P1', amount_money: usd(555), ...row } as never, { account, warn: () => {} })

describe('a payment of Square', () => {
  it('is without its tip, with its fees, and nothing of its card but brand and last digits', () => {
    const card = {
      card_brand: 'VISA',
      last_4: '1111',
      exp_month: 11,
      exp_year: 2029,
      fingerprint: 'sq-1',
      bin: '411111',
    }
    const unified = read({
      created_at: '2026-10-13T07:34:33.524Z',
      location_timezone: 'America/New_York',
      tip_money: usd(100),
      total_money: usd(655),
      processing_fee: [
        { type: 'INITIAL', amount_money: usd(34) },
        { type: 'ADJUSTMENT', amount_money: usd(-4) },
      ],
      refunded_money: usd(200),
      status: 'APPROVED',
      source_type: 'CARD',
      card_details: { card, applied_card_surcharge_details: { card_surcharge_money: usd(15) } },
      order_id: 'O1',
    })
    expect(unified).toMatchObject({
      amount: 5.55,
      tip: 1,
      surcharge: 0.15,
      fee: 0.3,
      refundedAmount: 2,
      state: 'AUTHORIZED',
      methodType: 'CARD',
      cardBrand: 'VISA',
      cardLast4: '1111',
      businessDate: '2026-10-12', // 03:34 in New York, before the day begins
    })
    expect(JSON.stringify(unified)).not.toMatch(/411111|sq-1|2029/)
    expect(read({ source_type: 'CARD' })).not.toHaveProperty('fee', 0)
  })
  it.each([
    ['CARD', { card_details: { card: { card_brand: 'SQUARE_GIFT_CARD' } } }, 'GIFT_CARD', 'SQUARE_GIFT_CARD'],
    ['BUY_NOW_PAY_LATER', {}, 'BNPL', 'BUY_NOW_PAY_LATER'],
    ['BANK_ACCOUNT', {}, 'BANK_TRANSFER', 'BANK_ACCOUNT'],
    ['EXTERNAL', { external_details: { type: 'FOOD_VOUCHER' } }, 'VOUCHER', 'EXTERNAL_FOOD_VOUCHER'],
    ['EXTERNAL', { external_details: { type: 'STORED_BALANCE' } }, 'STORE_CREDIT', 'EXTERNAL_STORED_BALANCE'],
    ['PIX', {}, 'OTHER', undefined],
  ])('from %s %o is a %s', (source_type, more, methodType, method) => {
    expect(read({ source_type, ...more })).toMatchObject({ methodType })
    expect(read({ source_type, ...more }).paymentMethodExternalId).toBe(method)
  })
})

it("a refund names the order that was sold, and its part of a return's taxes and tip", () => {
  const back = (id: string, amount: number) => ({ id, amount_money: usd(amount), status: 'APPROVED' })
  const line = { uid: 'l', source_line_item_uid: 's', catalog_object_id: 'V1', name: 'Tea', quantity: '1' }
  const return_order = {
    returns: [
      { source_order_id: 'SALE', return_line_items: [{ ...line, total_money: usd(1100), total_tax_money: usd(100) }] },
    ],
    return_amounts: { total_money: usd(1100), tax_money: usd(100), tip_money: usd(0) },
  }
  const of = (id: string, amount: number, refunds: object[]) =>
    refund.toUnified(
      {
        id,
        amount_money: usd(amount),
        order_id: 'RETURN',
        status: 'REJECTED',
        return_order: { ...return_order, refunds },
      } as never,
      { account, warn: () => {} },
    )
  expect(of('P_a', 1100, [back('a', 1100)])).toMatchObject({
    orderExternalId: 'SALE',
    amount: 11,
    taxAmount: 1,
    tip: 0,
    kind: 'RETURN',
    state: 'FAILED',
    lineItems: [{ orderLineExternalId: 's', productExternalId: 'V1', quantity: 1, amount: 11, tax: 1 }],
  })
  const split = [back('a', 367), back('b', 733)]
  expect([of('P_a', 367, split).taxAmount, of('Q_b', 733, split).taxAmount]).toEqual([0.33, 0.67])
  // An exchange: less goes back than the goods cost.
  const exchanged = of('P_a', 100, [back('a', 100)])
  expect([exchanged.amount, exchanged.taxAmount, exchanged.lineItems]).toEqual([1, undefined, undefined])
})

describe('through the service', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({ connectors: { square }, simulators, platform: 'square' })
  })
  afterAll(() => harness.close())
  afterEach(() => harness.sandbox.clearFaults('square'))
  const patient = { prefer: 'wait=60' }
  const call = (method: string, path: string, body?: unknown, vertical: Vertical = 'restaurant') =>
    harness.call(method, `/unified/${harness.accountId(vertical)}${path}`, body, patient)
  const tenant = (vertical: Vertical) => harness.tenants.find((one) => one.vertical === vertical)!
  // biome-ignore lint/suspicious/noExplicitAny: records of the service
  async function all(vertical: Vertical, type: string): Promise<any[]> {
    const records: unknown[] = []
    for (let query: string | undefined = '?pageSize=100'; query !== undefined; ) {
      const { body } = await call('GET', `/${type}${query}`, undefined, vertical)
      records.push(...body.data)
      query = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
    }
    return records as never
  }
  const cents = (amount = 0) => Math.round(amount * 100)
  const sum = (records: readonly object[], of: (record: never) => number | undefined) =>
    records.reduce((total, record) => total + cents(of(record as never)), 0)

  it('the payments of each order are what was paid, and refunds are what payments gave back', async () => {
    for (const vertical of ['restaurant', 'retail_pos'] as const) {
      tenant(vertical).records.order!.add(caseSeed() === 'all' ? 300 : 70)
      tenant(vertical).records.refund!.add(8)
      const [orders, payments, refunds] = [
        await all(vertical, 'order'),
        await all(vertical, 'payment'),
        await all(vertical, 'refund'),
      ]
      const served = new Map(orders.map((order) => [order.externalId, order]))
      expect(payments.filter(({ orderExternalId }) => !served.has(orderExternalId))).toEqual([])
      expect(new Set(payments.map(({ locationExternalId }) => locationExternalId)).size).toBeGreaterThan(2)
      expect(new Set(payments.map(({ state }) => state))).toEqual(
        new Set(['COMPLETED', 'AUTHORIZED', 'CANCELED', 'FAILED']),
      )
      const moved = payments.filter(({ state }) => state === 'COMPLETED')
      for (const order of orders) {
        const own = moved.filter(({ orderExternalId }) => orderExternalId === order.externalId)
        const paid = sum(own, ({ amount }: { amount: number }) => amount) + sum(own, ({ tip }: { tip: number }) => tip)
        // What comes back in an exchange is a part of the price; the rest of it is a refund.
        const due = Math.max(0, cents(order.total) - cents(order.refundTotal))
        expect([order.externalId, paid], JSON.stringify(order)).toEqual([order.externalId, own.length > 0 ? due : 0])
        if (order.state === 'COMPLETED') expect(paid).toBe(due)
      }
      for (const one of refunds) {
        expect(served.has(one.orderExternalId), JSON.stringify(one)).toBe(true)
        expect(one.orderExternalId).toBe(
          payments.find(({ externalId }) => externalId === one.paymentExternalId)?.orderExternalId,
        )
      }
      for (const { externalId, refundedAmount } of payments) {
        const own = refunds.filter((one) => one.paymentExternalId === externalId && one.state === 'COMPLETED')
        expect([externalId, sum(own, ({ amount }: { amount: number }) => amount)]).toEqual([
          externalId,
          cents(refundedAmount),
        ])
      }
      expect(refunds.some(({ lineItems, taxAmount }) => lineItems?.length === 1 && taxAmount >= 0)).toBe(true)
      expect(refunds.some(({ kind, state }) => kind === 'REFUND' && state === 'PENDING')).toBe(true)
    }
  })
  it('a payment whose fee becomes known is read again', async () => {
    const [id] = tenant('restaurant').records.payment!.add(1)
    const { data } = (await call('GET', `/payment/${id}`)).body
    expect(data.fee).toBeUndefined()
    const after = new Date(Date.now() - 1000).toISOString()
    tenant('restaurant').records.payment!.touch(id!)
    const { body } = await call('GET', `/payment?updatedAfter=${after}&pageSize=100`)
    expect(body.data.find(({ externalId }: { externalId: string }) => externalId === id)).toMatchObject({ fee: 0.01 })
  })
  it('cash is recorded once, although its response is lost, and completes the order with the tip in its total', async () => {
    const orderExternalId = tenant('restaurant').payable!(11.2)
    harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', path: '/v2/payments', times: 1 })
    const record = {
      externalId: 'CASH-1',
      orderExternalId,
      amount: 11.2,
      tip: 1.8,
      methodType: 'CASH',
      cashTendered: 20,
    }
    const { status, body } = await call('POST', '/payment', record)
    expect([status, body.data], JSON.stringify(body)).toMatchObject([
      201,
      {
        amount: 11.2,
        tip: 1.8,
        cashTendered: 20,
        changeGiven: 7,
        methodType: 'CASH',
        paymentMethodExternalId: 'CASH',
        state: 'COMPLETED',
      },
    ])
    const { data } = (await call('GET', `/order/${orderExternalId}`)).body
    expect(data).toMatchObject({ state: 'COMPLETED', total: 13, tipTotal: 1.8, subtotal: 11.2 })
    expect((await all('restaurant', 'payment')).filter((one) => one.orderExternalId === orderExternalId)).toHaveLength(
      1,
    )
  })
  it.each([
    ['/amount', { amount: 4 }],
    ['/methodType', { methodType: 'CARD', methodName: 'Terminal' }],
    ['/methodType', { methodType: 'WALLET', methodName: 'Pay' }],
    ['/methodName', { methodType: 'CHECK' }],
    ['/cashTendered', { methodType: 'CHECK', methodName: 'Check 7', cashTendered: 20 }],
    ['/surcharge', { surcharge: 0.1 }],
    ['/state', { state: 'AUTHORIZED' }],
    ['/orderExternalId', { orderExternalId: 'nowhere' }],
    ['/currencyCode', { currencyCode: 'EUR' }],
  ])('money that Square would not record is refused at %s: %o', async (pointer, change) => {
    harness.sandbox.clearCalls('square')
    const order = tenant('restaurant').payable!(5)
    const record = {
      externalId: `NO-${JSON.stringify(change)}`,
      orderExternalId: order,
      amount: 5,
      methodType: 'CASH',
      ...change,
    }
    const { status, body } = await call('POST', '/payment', record)
    expect([status, body.errors?.map((error: { pointer: string }) => error.pointer)], JSON.stringify(body)).toEqual([
      422,
      [pointer],
    ])
    expect((await call('GET', `/order/${order}`)).body.data.state).toBe('OPEN')
  })
  it('only CASH and EXTERNAL are ever sent as the source of money', async () => {
    harness.sandbox.clearCalls('square')
    const { only } = payment.create!.values!['/methodType']!
    for (const methodType of only) {
      const orderExternalId = tenant('restaurant').payable!(5)
      const name = methodType === 'CASH' ? {} : { methodName: 'Elsewhere' }
      const { status } = await call('POST', '/payment', {
        externalId: `S-${methodType}`,
        orderExternalId,
        amount: 5,
        methodType,
        ...name,
      })
      expect([methodType, status]).toEqual([methodType, 201])
    }
    const sent = harness.sandbox
      .calls('square')
      .filter(({ method, path }) => method === 'POST' && path === '/v2/payments')
    expect(new Set(sent.map(({ body }) => (body as { source_id: string }).source_id))).toEqual(
      new Set(['CASH', 'EXTERNAL']),
    )
    expect(new Set(sent.map(({ body }) => typeof (body as { location_id: string }).location_id))).toEqual(
      new Set(['string']),
    )
  })
  it('cash that no coins make is refused with the words of Square', async () => {
    const orderExternalId = tenant('retail_pos').payable!(149.97)
    const record = { externalId: 'CAD-1', orderExternalId, amount: 149.97, methodType: 'CASH' }
    const { status, body } = await call('POST', '/payment', record, 'retail_pos')
    expect([status, body.detail]).toEqual([
      422,
      expect.stringContaining('not divisible by CAD currency base cash unit'),
    ])
  })
  it('an account without the permission is served as before, and told what is missing', async () => {
    const error = { category: 'AUTHENTICATION_ERROR', code: 'INSUFFICIENT_SCOPES', detail: 'It lacks PAYMENTS_READ.' }
    for (const path of ['/v2/payments', '/v2/refunds'])
      harness.sandbox.fault('square', { kind: 'foreign_before', status: 403, body: { errors: [error] }, path })
    const { status, body } = await call('GET', '/payment?pageSize=5')
    expect([status, body.detail]).toEqual([403, expect.stringContaining('PAYMENTS_READ')])
    expect((await call('GET', '/refund?pageSize=5')).status).toBe(403)
    expect((await call('GET', '/order?pageSize=5')).status).toBe(200)
    expect((await call('GET', '/payment_method?pageSize=5')).body.data).toHaveLength(5)
  })
})
