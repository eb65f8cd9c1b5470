// What orders cost, through the whole service: every kind of money that the platform has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { bigcommerce } from './connector.ts'
import type { NativeOrder } from './order-row.ts'
import { toUnified } from './order-unified.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

const path = '/unified/bigcommerce-retail_pos/order'
/** The seed of added orders is made of the time. */
const stopped: CreateSimulator = (options) =>
  createBigcommerceSimulator({ ...options, now: () => Date.parse('2026-11-10T12:00:00Z') })
const harnesses: Harness[] = []
async function harnessOf(simulator: CreateSimulator): Promise<Harness> {
  const harness = await createHarness({
    connectors: { bigcommerce },
    simulators: { bigcommerce: simulator },
    platform: 'bigcommerce',
  })
  harnesses.push(harness)
  return harness
}
async function walk(harness: Harness): Promise<{ orders: AnyRecord[]; warnings: AnyRecord[] }> {
  const [orders, warnings]: AnyRecord[][] = [[], []]
  for (let query = '?pageSize=50&include=native'; query; ) {
    const { status, body } = await harness.call('GET', path + query, undefined, { prefer: 'wait=60' })
    expect(status, JSON.stringify(body)).toBe(200)
    for (const [index, order] of body.data.entries()) orders!.push({ ...order, native: body.native?.[index] })
    warnings!.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `?cursor=${body.pagination.cursor}` : ''
  }
  return { orders: orders!, warnings: warnings! }
}
const nativeOf = (harness: Harness) => {
  const { credentials, settings } = harness.tenants[0]!
  return async (address: string, method = 'GET', body?: object) => {
    const response = await fetch(`${harness.sandbox.origin('bigcommerce')}/stores/${settings.storeHash}${address}`, {
      method,
      headers: { 'x-auth-token': credentials.accessToken!, accept: 'application/json' },
      body: body && JSON.stringify(body),
    })
    return response.json() as Promise<AnyRecord>
  }
}

let harness: Harness
let native: ReturnType<typeof nativeOf>
beforeAll(async () => {
  harness = await harnessOf(stopped)
  native = nativeOf(harness)
})
afterAll(() => Promise.all(harnesses.map((one) => one.close())))
const one = async (id: string) =>
  (await harness.call('GET', `${path}/${id}`, undefined, { prefer: 'wait=60' })).body.data
const write = async (method: string, address: string, record: object) =>
  harness.call(method, address, record, { prefer: 'wait=60' })

describe('generated orders', () => {
  it('add up, of every kind, and have the totals and refunds of the store', async () => {
    harness.tenants[0]!.records.order!.add(caseSeed() === 'all' ? 2000 : 80)
    const { orders, warnings } = await walk(harness)
    const planted = harness.tenants[0]!.unbalanced!
    expect(planted).toHaveLength(1)
    expect(warnings.filter(({ code }) => code === 'does_not_add_up').map(({ id }) => id)).toEqual(planted)
    const refunds = (await native('/v3/orders/payment_actions/refunds?limit=250')).data as AnyRecord[]
    for (const order of orders) {
      const back = refunds.filter(
        ({ order_id, payments }) => String(order_id) === order.externalId && !payments[0].is_declined,
      )
      const sum = back.reduce((cents, { total_amount }) => cents + Math.round(total_amount * 100), 0)
      if (refunds.length < 250) expect(Math.round((order.refundTotal ?? 0) * 100), JSON.stringify(order)).toBe(sum)
      const { total, discountTotal, lineItems } = order
      expect(discountTotal).toBeCloseTo(
        lineItems.reduce((cents: number, line: AnyRecord) => cents + line.lineDiscount, 0),
        6,
      )
      expect(typeof total).toBe('number')
    }
    const lines = orders.flatMap(({ lineItems }) => lineItems as AnyRecord[])
    const seen = {
      taxIncluded: new Set(orders.map(({ taxIncluded }) => taxIncluded)),
      channel: new Set(orders.map(({ channel }) => channel)),
      fulfillment: new Set(orders.map(({ fulfillment }) => fulfillment?.type)),
      currency: new Set(orders.map(({ currencyCode }) => currencyCode)),
      kind: new Set(lines.map(({ kind }) => kind)),
      scope: new Set(orders.flatMap(({ discounts = [] }) => discounts.map(({ scope }: AnyRecord) => scope))),
    }
    expect(seen).toEqual({
      taxIncluded: new Set([true, false]),
      channel: new Set(['ONLINE', 'Amazon', 'MANUAL', 'POS (Corner till)']),
      fulfillment: new Set(['SHIPPING', 'TAKEOUT', undefined]),
      currency: new Set(['USD', 'JPY']),
      kind: new Set(['ITEM', 'GIFT_CARD']),
      scope: new Set(['ORDER', 'LINE']),
    })
    for (const has of [
      (order: AnyRecord) => order.serviceCharges,
      (order: AnyRecord) => order.shippingTotal > 0,
      (order: AnyRecord) => order.refundTotal > 0 && order.refundTotal < order.total,
      (order: AnyRecord) => order.refundTotal === order.total,
      (order: AnyRecord) => order.lineItems.some(({ modifiers }: AnyRecord) => modifiers),
    ])
      expect(orders.filter(has).length).toBeGreaterThan(0)
  })
  it('say the day of the store that they count for, which begins when the account says', async () => {
    const { orders } = await walk(harness)
    const { externalId, processedAt } = orders[0]!
    const { currencyCode: _, ...order } = await native(`/v2/orders/${externalId}?include=fees`)
    const on = (settings: object) => {
      const account = { id: 'a', vertical: 'retail_pos' as const, settings: { ...settings } }
      const row = { ...order, date_created: 'Tue, 10 Nov 2026 08:30:00 +0000' } as unknown as NativeOrder
      return toUnified(row, { warn: () => {}, account }).businessDate
    }
    expect(orders[0]!.businessDate, processedAt).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(on({})).toBeUndefined()
    expect(on({ timezone: 'America/Chicago' })).toBe('2026-11-10')
    expect(on({ timezone: 'America/Los_Angeles' })).toBe('2026-11-10')
    expect(on({ timezone: 'America/Los_Angeles', businessDayStart: '04:00' })).toBe('2026-11-09')
  })
})

// Numbers of orders of real stores and of the vendor's documentation.
describe('an order of the vendor', () => {
  const read = (row: object) => {
    const order = toUnified({ id: 1, default_currency_code: 'USD', fees: [], ...row } as NativeOrder, {
      warn: () => {},
    })
    return { order, flaw: orderFlaw(order as never) }
  }
  it('has discounts without tax where prices have none, and the tax of what remains', () => {
    const { order, flaw } = read({
      is_tax_inclusive_pricing: false,
      ...{ discount_amount: '35.9000', coupon_discount: '0.0000', total_tax: '4.8900', total_inc_tax: '66.9900' },
      ...{ shipping_cost_ex_tax: '9.0000', shipping_cost_inc_tax: '10.1700' },
      lines: [
        {
          ...{ id: 18, quantity: 1, price_ex_tax: '89.0000', price_inc_tax: '95.2350', total_tax: '3.7200' },
          ...{ total_ex_tax: '89.0000', total_inc_tax: '95.2350', discounted_total_inc_tax: '56.8200' },
          applied_discounts: [{ id: 'manual-discount', amount: '35.9000', name: 'Manual Discount', target: 'order' }],
        },
      ],
    })
    expect(flaw).toBeUndefined()
    expect(order).toMatchObject({ taxIncluded: false, subtotal: 53.1, discountTotal: 35.9, shippingTotal: 9 })
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 89, lineDiscount: 35.9, lineTotal: 53.1, lineTax: 3.72 })
    expect(order.discounts).toEqual([{ name: 'Manual Discount', scope: 'ORDER', amount: 35.9 }])
  })
  it('has discounts with tax where prices have it', () => {
    const { order, flaw } = read({
      is_tax_inclusive_pricing: true,
      ...{ discount_amount: '100.0000', total_tax: '125.1200', total_ex_tax: '2274.8800', total_inc_tax: '2400.0000' },
      lines: [
        {
          ...{ id: 537, quantity: 10, price_ex_tax: '236.9667', price_inc_tax: '250.0000', total_tax: '125.1200' },
          ...{ total_ex_tax: '2369.6667', total_inc_tax: '2500.0000', discounted_total_inc_tax: '2400.0000' },
          applied_discounts: [{ id: 'manual-discount', amount: '100.0000', name: 'Manual Discount', target: 'order' }],
        },
      ],
    })
    expect(flaw).toBeUndefined()
    expect(order).toMatchObject({ taxIncluded: true, subtotal: 2400, total: 2400, taxTotal: 125.12 })
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 250, lineDiscount: 100, lineTotal: 2400, lineTax: 125.12 })
  })
  it('has a pick list as a line without a price, and what was chosen as modifiers without prices', () => {
    const { order } = read({
      is_tax_inclusive_pricing: false,
      ...{ total_tax: '9.2400', total_inc_tax: '65.2300' },
      lines: [
        {
          ...{ id: 65, quantity: 1, price_ex_tax: '55.9900', total_ex_tax: '55.9900', total_tax: '9.2400' },
          product_options: [
            { product_option_id: 120, display_name: 'Size', display_value: 'S', value: '69', type: 'Multiple choice' },
            { product_option_id: 122, display_name: 'Letters', display_value: 'Ada', value: 'Ada', type: 'Text field' },
          ],
        },
        { id: 66, quantity: 1, price_ex_tax: '0.0000', total_ex_tax: '0.0000', total_tax: '0.0000' },
      ],
    })
    expect(order.lineItems.map(({ lineTotal }) => lineTotal)).toEqual([55.99, 0])
    expect(order.lineItems[0]!.modifiers).toEqual([
      { modifierExternalId: '69', modifierGroupExternalId: '120', name: 'Size: S' },
      { modifierExternalId: undefined, modifierGroupExternalId: '122', name: 'Letters: Ada' },
    ])
  })
  it('gives the remainders of finer amounts to single lines, so that they make the total', () => {
    const line = (id: number) => ({
      id,
      quantity: 3,
      price_ex_tax: '1.1117',
      total_ex_tax: '3.3351',
      total_tax: '0.0000',
    })
    const { order, flaw } = read({ total_tax: '0.0000', total_inc_tax: '10.0100', lines: [line(1), line(2), line(3)] })
    expect(flaw).toBeUndefined()
    expect(order.lineItems.map(({ lineTotal }) => lineTotal)).toEqual([3.34, 3.34, 3.33])
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 1.11, lineDiscount: 0 })
  })
  it('takes a discount that no line has off the shipping, and the rest off the lines by price', () => {
    const line = (id: number, price: string) => ({ id, quantity: 1, price_ex_tax: price, total_ex_tax: price })
    const { order, flaw } = read({
      ...{ coupon_discount: '8.0000', total_tax: '0.0000', total_inc_tax: '30.0000' },
      ...{ shipping_cost_ex_tax: '5.0000', shipping_cost_inc_tax: '5.0000' },
      lines: [line(1, '10.0000'), line(2, '23.0000')],
    })
    expect(flaw).toBeUndefined()
    expect([order.shippingTotal, order.lineItems.map(({ lineDiscount }) => lineDiscount)]).toEqual([0, [0.91, 2.09]])
  })
  it('has its fees in all the forms that the vendor shows', () => {
    const fee = {
      id: 1,
      display_name_customer: 'A Fee',
      cost_exc_tax: '12.3000',
      cost_inc_tax: '12.3000',
      cost_tax: '0',
    }
    const other = { id: 2, display_name_merchant: 'B Fee', cost_ex_tax: 4, cost_inc_tax: 12, cost_tax: 8 }
    for (const fees of [[fee, other], { fees: [fee, other] }]) {
      const { order } = read({ fees, total_tax: '8.0000', total_inc_tax: '24.3000', lines: [] })
      expect([order.serviceChargeTotal, order.serviceCharges]).toEqual([
        16.3,
        [
          { name: 'A Fee', kind: 'OTHER', amount: 12.3, taxAmount: 0 },
          { name: 'B Fee', kind: 'OTHER', amount: 4, taxAmount: 8 },
        ],
      ])
    }
    expect(
      read({ fees: { url: 'https://x', resource: '/orders/1/fees' }, lines: [] }).order.serviceCharges,
    ).toBeUndefined()
  })
})

describe('each tax', () => {
  it('is read with one more call for each order if the account wants it', async () => {
    const wanted = await harnessOf(stopped)
    const ask = async () => {
      wanted.sandbox.clearCalls('bigcommerce')
      const { body } = await wanted.call('GET', `${path}?pageSize=50`, undefined, { prefer: 'wait=60' })
      return { orders: body.data as AnyRecord[], calls: wanted.sandbox.calls('bigcommerce').length }
    }
    const plain = await ask()
    expect([plain.calls, plain.orders.some(({ taxes }) => taxes)]).toEqual([2, false])
    const { settings } = wanted.tenants[0]!
    const changed = await wanted.manage('PATCH', '/accounts/bigcommerce-retail_pos', {
      settings: { ...settings, orderTaxes: 'yes' },
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const full = await ask()
    expect(full.calls).toBe(plain.calls + full.orders.length)
    const taxed = full.orders.filter(({ taxes, serviceCharges }) => taxes && !serviceCharges)
    expect(taxed.length).toBeGreaterThan(5)
    for (const { taxes, taxTotal, taxIncluded, lineItems } of taxed) {
      expect(taxes.reduce((sum: number, { amount }: AnyRecord) => sum + amount, 0)).toBeCloseTo(taxTotal, 6)
      expect(new Set(taxes.map(({ included }: AnyRecord) => included))).toEqual(new Set([taxIncluded]))
      for (const { taxes: own = [], lineTax } of lineItems)
        expect(own.reduce((sum: number, { amount }: AnyRecord) => sum + amount, 0)).toBeCloseTo(lineTax, 6)
    }
    const two = full.orders.flatMap(({ lineItems }) => lineItems).find(({ taxes = [] }) => taxes.length === 2)
    expect(two.taxes).toMatchObject([
      { taxRateExternalId: '1:0', name: 'State tax', rate: 6.25 },
      { taxRateExternalId: '2:0', name: 'City tax', rate: 2 },
    ])
    const single = await wanted.call('GET', `${path}/${taxed[0]!.externalId}`, undefined, { prefer: 'wait=60' })
    expect(single.body.data).toEqual(taxed[0])
  })
})

describe('a written order', () => {
  const line = { name: 'Tea', quantity: 2, unitPrice: 10, lineTax: 1.65 }
  it('has its shipping, its charges and their taxes at the store', async () => {
    const { status, body } = await write('POST', path, {
      externalId: 'money-1',
      taxIncluded: false,
      lineItems: [line],
      shippingTotal: 8,
      serviceCharges: [{ name: 'Eco fee', amount: 2, taxAmount: 0.16 }],
      taxTotal: 2.47,
      total: 32.47,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toMatchObject({ shippingTotal: 8, serviceChargeTotal: 2, taxTotal: 2.47, total: 32.47 })
    const id = body.data.externalId
    expect(await native(`/v2/orders/${id}?include=fees`)).toMatchObject({
      ...{ shipping_cost_ex_tax: '8.0000', shipping_cost_inc_tax: '8.6600' },
      fees: [{ display_name_customer: 'Eco fee', cost_ex_tax: '2.0000', cost_inc_tax: '2.1600' }],
    })
    const sent = async (record: object) => {
      harness.sandbox.clearCalls('bigcommerce')
      const reply = await write('PUT', `${path}/${id}`, record)
      const puts = harness.sandbox.calls('bigcommerce').filter(({ method }) => method === 'PUT')
      return { status: reply.status, body: reply.body, puts: puts.map((call) => call.body as AnyRecord) }
    }
    const more = await sent({ ...body.data, shippingTotal: 9, total: 33.47 })
    expect(more.puts).toEqual([
      {
        ...{ shipping_cost_ex_tax: '9.00', shipping_cost_inc_tax: '9.66' },
        ...{ total_inc_tax: '33.47', total_ex_tax: '31.00' },
      },
    ])
    const fee = (await native(`/v2/orders/${id}?include=fees`)).fees[0].id
    const charges = [{ name: 'Eco fee', amount: 3, taxAmount: 0.16 }]
    const dearer = await sent({ ...more.body.data, serviceCharges: charges, serviceChargeTotal: 3, total: 34.47 })
    expect(dearer.puts[0]!.fees).toMatchObject([{ id: fee, cost_ex_tax: '3.00', cost_inc_tax: '3.16' }])
    const without = await sent({
      ...dearer.body.data,
      serviceCharges: null,
      serviceChargeTotal: null,
      total: undefined,
    })
    expect(without.status, JSON.stringify(without.body)).toBe(200)
    expect([without.puts[0]!.fees, without.body.data.serviceCharges]).toEqual([[], undefined])
    const other = await sent({ ...without.body.data, taxIncluded: true })
    expect([other.status, other.body.errors[0].pointer, other.puts]).toEqual([422, '/taxIncluded', []])
  })
  it('is converted at its own rates if its prices have the taxes and those of the store have not', async () => {
    const { status, body } = await write('POST', path, {
      externalId: 'money-2',
      taxIncluded: true,
      lineItems: [{ name: 'Tea', quantity: 2, unitPrice: 11, lineTax: 2 }],
      shippingTotal: 5.5,
      taxTotal: 2.5,
      total: 27.5,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toMatchObject({ taxIncluded: false, subtotal: 20, shippingTotal: 5, taxTotal: 2.5, total: 27.5 })
    expect(body.warnings?.some(({ code }: AnyRecord) => code === 'does_not_add_up')).not.toBe(true)
  })
  it('keeps the four decimals of a price that an update leaves as it is', async () => {
    const { body } = await write('POST', path, { externalId: 'money-3', lineItems: [line] })
    const { externalId: id, lineItems } = body.data
    const products = [{ id: Number(lineItems[0].externalId), price_ex_tax: 4.4916, price_inc_tax: 4.4916 }]
    await native(`/v2/orders/${id}`, 'PUT', { products })
    const fine = await one(id)
    expect(fine.lineItems[0]).toMatchObject({ unitPrice: 4.49, lineTotal: 8.98 })
    await write('PUT', `${path}/${id}`, {
      ...fine,
      total: undefined,
      lineItems: [{ ...fine.lineItems[0], quantity: 12 }],
    })
    expect((await one(id)).lineItems[0]).toMatchObject({ unitPrice: 4.49, lineTotal: 53.9 })
  })
  it('may cost less: the discount is added to what staff and promotions have taken off, and a coupon stays', async () => {
    const { orders } = await walk(harness)
    const { native: _, ...coupon } = orders.find(
      ({ discounts = [], currencyCode, shippingTotal }) =>
        discounts.length === 2 && currencyCode === 'USD' && shippingTotal > 8,
    )!
    const [first, ...rest] = coupon.lineItems
    const lineItems = [{ ...first, lineDiscount: Math.round((first.lineDiscount + 0.01) * 100) / 100 }, ...rest]
    const { status, body } = await write('PUT', `${path}/${coupon.externalId}`, {
      ...coupon,
      total: undefined,
      lineItems,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data.discountTotal).toBeCloseTo(coupon.discountTotal + 0.01, 6)
    const none = coupon.lineItems.map((one: AnyRecord) => ({ ...one, lineDiscount: 0 }))
    const refused = await write('PUT', `${path}/${coupon.externalId}`, { ...coupon, lineItems: none })
    expect([refused.status, refused.body.errors?.[0].pointer], JSON.stringify(refused.body)).toEqual([
      422,
      '/lineItems',
    ])
  })
})
