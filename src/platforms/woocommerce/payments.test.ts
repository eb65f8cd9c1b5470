import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { EntityType } from '../../contract/entity.ts'
import { woocommerce } from './connector.ts'
import { orderKinds } from './simulator/seed-orders.ts'
import { createWoocommerceSimulator, readOnlyKey } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { woocommerce },
    simulators: { woocommerce: createWoocommerceSimulator },
    platform: 'woocommerce',
  })
})
afterAll(() => harness?.close())

const native = (entity: EntityType) => harness.tenants[0]!.records[entity]!
/** A call of the shop's own API, as a client of the shop makes it. */
async function shop(method: string, path: string, body?: object): Promise<AnyRecord> {
  const { consumerKey, consumerSecret } = harness.tenants[0]!.credentials
  const response = await fetch(`${harness.sandbox.origin('woocommerce')}/wp-json/wc/v3/${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as AnyRecord
}
const call = (path: string, account = 'woocommerce-retail_pos') =>
  harness.call('GET', `/unified/${account}${path}`, undefined, { prefer: 'wait=60' })
const read = async (path: string) => (await call(path)).body.data as AnyRecord
async function walk(entity: EntityType): Promise<AnyRecord[]> {
  const found: AnyRecord[] = []
  for (let query: string | undefined = '?pageSize=100'; query; ) {
    const { body } = await call(`/${entity}${query}`)
    found.push(...body.data)
    query = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
  }
  return found
}
const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
const sum = (records: readonly AnyRecord[], amount: (record: AnyRecord) => number | undefined) =>
  records.reduce((total, record) => total + cents(amount(record)), 0)
/** The seeded orders are one of each kind, in their order. */
const idOf = (kind: (typeof orderKinds)[number]) => native('order').ids()[orderKinds.indexOf(kind)]!

describe('payments and refunds', () => {
  it('explain what was paid for every order and what went back, and name orders that are served', async () => {
    native('order').add(caseSeed() === 'all' ? 1000 : 2 * orderKinds.length)
    native('refund').add(8)
    const [orders, payments, refunds] = [await walk('order'), await walk('payment'), await walk('refund')]
    expect(payments.map(({ externalId }) => externalId).toSorted()).toEqual(native('payment').ids().toSorted())
    expect(refunds.map(({ externalId }) => externalId).toSorted()).toEqual(native('refund').ids().toSorted())
    const served = new Set(orders.map(({ externalId }) => externalId))
    for (const { orderExternalId } of [...payments, ...refunds]) expect(served).toContain(orderExternalId)
    const paymentIds = new Set(payments.map(({ externalId }) => externalId))
    for (const { paymentExternalId } of refunds)
      if (paymentExternalId !== undefined) expect(paymentIds).toContain(paymentExternalId)
    const [paymentsOf, refundsOf] = [payments, refunds].map((all) =>
      Map.groupBy(all, ({ orderExternalId }) => orderExternalId),
    )
    let paid = 0
    for (const { externalId: id, total, tipTotal, refundTotal } of orders) {
      const completed = (paymentsOf!.get(id) ?? []).filter(({ state }) => state === 'COMPLETED')
      const isPaid = completed.length > 0
      if (isPaid) paid++
      const amounts = [sum(completed, ({ amount, tip }) => amount + tip), sum(completed, ({ tip }) => tip)]
      expect([id, ...amounts]).toEqual([id, ...(isPaid ? [cents(total), cents(tipTotal)] : [0, 0])])
      const back = sum(refundsOf!.get(id) ?? [], ({ amount, tip }) => amount + tip)
      expect([id, back]).toEqual([id, cents(refundTotal)])
      for (const { amount } of paymentsOf!.get(id) ?? []) expect(amount).toBeGreaterThan(0)
    }
    expect([paid > orders.length / 3, paid < orders.length]).toEqual([true, true])
  })
})

describe('payments', () => {
  it('are derived from orders: a list needs no call more than that of orders', async () => {
    const before = harness.sandbox.calls('woocommerce').length
    await call('/payment?pageSize=50')
    const calls = harness.sandbox.calls('woocommerce').slice(before)
    expect(new Set(calls.map(({ path }) => path))).toEqual(new Set(['/wp-json/wc/v3/orders']))
    expect(calls.length).toBeLessThan(4)
  })
  it('are completed when money came in: goods that are paid on delivery are sent before', async () => {
    const { id: product } = await shop('POST', 'products', { name: 'Mug', regular_price: '20.00' })
    const order = await shop('POST', 'orders', {
      line_items: [{ product_id: product, quantity: 1 }],
      payment_method: 'stripe',
      payment_method_title: 'Visa •••• 4242',
      transaction_id: 'ch_1',
    })
    const payment = () => read(`/payment/${order.id}`)
    const { processedAt, businessDate, ...pending } = await payment()
    expect([processedAt, businessDate]).toEqual([undefined, undefined])
    expect(pending).toMatchObject({
      externalId: String(order.id),
      orderExternalId: String(order.id),
      amount: 22.6,
      tip: 0,
      currencyCode: 'CAD',
      refundedAmount: 0,
      paymentMethodExternalId: 'stripe',
      methodType: 'OTHER',
      methodName: 'Visa •••• 4242',
      reference: 'ch_1',
      state: 'PENDING',
    })
    await shop('PUT', `orders/${order.id}`, { status: 'failed' })
    expect((await payment()).state).toBe('FAILED')
    const { date_paid, date_paid_gmt } = await shop('PUT', `orders/${order.id}`, {
      set_paid: true,
      meta_data: [
        { key: '_stripe_fee', value: '0.96' },
        { key: '_stripe_currency', value: 'CAD' },
      ],
    })
    expect(await payment()).toMatchObject({
      state: 'COMPLETED',
      processedAt: `${date_paid_gmt}.000Z`,
      businessDate: date_paid.slice(0, 10),
      fee: 0.96,
    })
    await shop('PUT', `orders/${order.id}`, { meta_data: [{ key: '_stripe_currency', value: 'EUR' }] })
    expect((await payment()).fee, 'of another currency').toBeUndefined()
    await shop('PUT', `orders/${order.id}`, { status: 'cancelled' })
    expect((await payment()).state, 'money that came in stays').toBe('COMPLETED')
  })
  it('do not exist for an order that costs nothing, or that has neither a gateway nor a date of payment', async () => {
    const open = await shop('POST', 'orders', { fee_lines: [{ name: 'Bag', total: '1.00' }] })
    const free = await shop('POST', 'orders', { payment_method: 'cod', set_paid: true })
    expect([(await call(`/payment/${open.id}`)).status, (await call(`/payment/${free.id}`)).status]).toEqual([404, 404])
    const other = await shop('PUT', `orders/${open.id}`, { payment_method: 'other', payment_method_title: 'Barter' })
    expect(await read(`/payment/${other.id}`)).toMatchObject({ methodType: 'OTHER', methodName: 'Barter' })
    expect((await read(`/payment/${other.id}`)).paymentMethodExternalId).toBeUndefined()
  })
  it('of gift cards are beside that of the rest, without the code of the card', async () => {
    const theirs = await shop('GET', `orders/${idOf('gift card')}`)
    const [card] = theirs.gift_cards
    const gift = await read(`/payment/${theirs.id}:${card.id}`)
    expect(gift).toMatchObject({ amount: card.amount, methodType: 'GIFT_CARD', orderExternalId: String(theirs.id) })
    expect(JSON.stringify(gift)).not.toContain(card.code)
    const rest = await call(`/payment/${theirs.id}`)
    if (theirs.payment_method !== '' || theirs.date_paid) expect(rest.body.data.amount).toBe(Number(theirs.total))
    expect((await call(`/payment/${theirs.id}:99`)).status).toBe(404)
  })
  it('without the tip are what the goods cost', async () => {
    const id = idOf('tip')
    const [order, theirs] = [await read(`/order/${id}`), await shop('PUT', `orders/${id}`, { payment_method: 'cod' })]
    const payment = await read(`/payment/${id}`)
    expect([cents(payment.amount), payment.tip]).toEqual([
      cents(Number(theirs.total)) - cents(order.tipTotal),
      order.tipTotal,
    ])
    expect([payment.methodType, payment.paymentMethodExternalId]).toEqual(['CASH', 'cod'])
  })
})

describe('refunds', () => {
  const refundsOf = async (kind: (typeof orderKinds)[number]) => {
    const all = await shop('GET', `orders/${idOf(kind)}/refunds`)
    return (all as AnyRecord[]).map((theirs) => ({ theirs, id: String(theirs.id) }))
  }
  it('have the lines that came back, as positive numbers, and their own day', async () => {
    const [{ theirs, id }] = (await refundsOf('partial refund')) as [{ theirs: AnyRecord; id: string }]
    const [line] = theirs.line_items
    expect(line.quantity).toBe(-1)
    const refund = await read(`/refund/${id}`)
    expect(refund).toMatchObject({
      amount: Number(theirs.amount),
      orderExternalId: idOf('partial refund'),
      currencyCode: 'CAD',
      kind: 'RETURN',
      reason: 'Damaged',
      state: 'COMPLETED',
      processedAt: `${theirs.date_created_gmt}.000Z`,
      businessDate: theirs.date_created.slice(0, 10),
    })
    const { lineItems } = await read(`/order/${idOf('partial refund')}`)
    expect(refund.lineItems).toHaveLength(1)
    expect(refund.lineItems[0]).toMatchObject({ orderLineExternalId: lineItems[0].externalId, quantity: 1 })
    expect(cents(refund.lineItems[0].amount)).toBe(cents(refund.amount))
    expect(cents(refund.taxAmount)).toBe(-cents(Number(line.total_tax)))
  })
  it('of an amount have no lines, and no tax that anyone knows', async () => {
    const [{ theirs, id }] = (await refundsOf('free amount refund')) as [{ theirs: AnyRecord; id: string }]
    const refund = await read(`/refund/${id}`)
    expect([refund.amount, refund.kind, refund.lineItems, refund.taxAmount]).toEqual([
      Number(theirs.amount),
      'REFUND',
      undefined,
      undefined,
    ])
  })
  it('that the gateway did not pay have no method: they were only booked', async () => {
    for (const kind of ['partial refund', 'full refund', 'two refunds'] as const)
      for (const { theirs, id } of await refundsOf(kind)) {
        const { methodType } = await read(`/refund/${id}`)
        expect([kind, methodType !== undefined]).toEqual([kind, theirs.refunded_payment])
      }
  })
  it('of an order in the trash are not served, as the order is not', async () => {
    const id = native('refund').add(1)[0]!
    const { orderExternalId } = await read(`/refund/${id}`)
    await shop('DELETE', `orders/${orderExternalId}`)
    expect((await call(`/refund/${id}`)).status).toBe(404)
    expect((await call(`/payment/${orderExternalId}`)).status).toBe(404)
    expect((await walk('refund')).map(({ externalId }) => externalId)).not.toContain(id)
  })
  it('are read with the orders of a page, not one by one', async () => {
    native('refund').add(6)
    const before = harness.sandbox.calls('woocommerce').length
    expect((await call('/refund?pageSize=100')).body.data.length).toBeGreaterThan(6)
    expect(
      harness.sandbox
        .calls('woocommerce')
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/wp-json/wc/v3/refunds', '/wp-json/wc/v3/orders'])
  })
})

describe('tax rates and payment methods', () => {
  it('are what orders and payments name', async () => {
    const { taxes } = await read(`/order/${idOf('compound tax')}`)
    const rates = await Promise.all(taxes.map((tax: AnyRecord) => read(`/tax_rate/${tax.taxRateExternalId}`)))
    expect(rates).toMatchObject([
      { name: 'GST', rate: 5, type: 'PERCENT', country: 'CA', region: 'QC' },
      { name: 'QST', rate: 9.975, components: [{ name: 'QST', rate: 9.975, compound: true }] },
    ])
    expect(await read('/payment_method/cod')).toEqual({
      externalId: 'cod',
      name: 'Cash on delivery',
      type: 'CASH',
      active: true,
    })
    expect((await call('/payment_method/gone')).status).toBe(404)
  })
  it('are read without the settings of gateways, which have their secrets', async () => {
    expect(JSON.stringify(await shop('GET', 'payment_gateways/stripe'))).toContain('sk_live_')
    const listed = await call('/payment_method?include=native')
    const single = await call('/payment_method/stripe?include=native')
    expect([listed.status, single.status]).toEqual([200, 200])
    expect(JSON.stringify([listed.body, single.body])).not.toContain('sk_live_')
  })
  it('are refused to a key that may not manage the shop, and orders are not', async () => {
    const { status } = await harness.manage('POST', '/accounts', {
      id: 'clerk',
      platform: 'woocommerce',
      vertical: 'retail_pos',
      credentials: readOnlyKey,
      settings: { shop: 'maple-goods.example.com' },
    })
    expect(status).toBe(201)
    harness.sandbox.fault('woocommerce', {
      kind: 'foreign_before',
      path: '/taxes',
      status: 403,
      body: {
        code: 'woocommerce_rest_cannot_view',
        message: 'Sorry, you cannot list resources.',
        data: { status: 403 },
      },
    })
    const refused = await call('/tax_rate', 'clerk')
    const orders = await call('/order', 'clerk')
    harness.sandbox.clearFaults('woocommerce')
    expect([refused.status, refused.body.code, orders.status]).toEqual([403, 'forbidden', 200])
  })
})
