import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import { woocommerce } from './connector.ts'
import { toUnified } from './order-row.ts'
import { orderKinds } from './simulator/seed-orders.ts'
import { createWoocommerceSimulator } from './simulator/simulator.ts'

let harness: Harness
let product: string
beforeAll(async () => {
  harness = await createHarness({
    connectors: { woocommerce },
    simulators: { woocommerce: createWoocommerceSimulator },
    platform: 'woocommerce',
  })
  product = String((await shop('POST', 'products', { name: 'Mug', regular_price: '20.00' })).id)
})
afterAll(() => harness?.close())

const native = () => harness.tenants[0]!.records.order!
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
const call = (method: string, path: string, body?: unknown, account = 'woocommerce-retail_pos') =>
  harness.call(method, `/unified/${account}${path}`, body, { prefer: 'wait=60' })
const read = async (id: string | number) => (await call('GET', `/order/${id}`)).body.data as AnyRecord
async function walk(account?: string): Promise<{ orders: AnyRecord[]; warnings: AnyRecord[] }> {
  const [orders, warnings] = [[] as AnyRecord[], [] as AnyRecord[]]
  for (let query: string | undefined = '?pageSize=100'; query; ) {
    const { body } = await call('GET', `/order${query}`, undefined, account)
    orders.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
  }
  return { orders, warnings }
}
const sent = (method: string) =>
  harness.sandbox
    .calls('woocommerce')
    .filter((logged) => logged.method === method && logged.path.includes('/orders'))
    .at(-1)?.body
/** The seeded orders are one of each kind, in their order. */
async function seeded(kind: (typeof orderKinds)[number]): Promise<{ order: AnyRecord; theirs: AnyRecord }> {
  const id = native().ids()[orderKinds.indexOf(kind)]!
  return { order: await read(id), theirs: await shop('GET', `orders/${id}`) }
}
const line = (more: object = {}) => ({ product_id: Number(product), quantity: 1, ...more })
let counter = 0
async function made(record: AnyRecord): Promise<AnyRecord> {
  const { status, body } = await call('POST', '/order', {
    externalId: `M-${++counter}`,
    currencyCode: 'CAD',
    lineItems: [{ productExternalId: product, quantity: 1, unitPrice: 20 }],
    ...record,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const put = (order: AnyRecord, changes: object) => call('PUT', `/order/${order.externalId}`, { ...order, ...changes })

describe('the parts of an order', () => {
  it('explain the total of every order: no order of any kind fails to add up', async () => {
    native().add(caseSeed() === 'all' ? 2000 : 4 * orderKinds.length)
    const { orders, warnings } = await walk()
    expect(orders.length).toBe(native().ids().length)
    expect(warnings.filter(({ code }) => code === 'does_not_add_up')).toEqual([])
    const has = (what: (order: AnyRecord) => boolean) => orders.some(what)
    expect([
      has(({ roundingTotal }) => roundingTotal !== undefined),
      has(({ serviceChargeTotal }) => serviceChargeTotal < 0),
      has(({ tipTotal }) => tipTotal > 0),
      has(({ taxes }) => taxes?.length === 2),
      has(({ discountTotal }) => discountTotal > 0),
      has(({ refundTotal, total }) => refundTotal > 0 && refundTotal < total),
      has(({ lineItems }) => lineItems.some(({ kind }: AnyRecord) => kind === 'GIFT_CARD')),
    ]).toEqual(Array(7).fill(true))
  })
  it('include shipping and fees, and the taxes on them', async () => {
    const { id, total } = await shop('POST', 'orders', {
      line_items: [line({ quantity: 2 })],
      shipping_lines: [{ method_id: 'flat_rate', method_title: 'Flat rate', total: '10.00' }],
      fee_lines: [
        { name: 'Gift wrap', total: '3.50' },
        { name: 'Deposit', total: '0.40', tax_status: 'none' },
      ],
    })
    expect(total).toBe('60.86') // 40.00 + 10.00 + 3.90, and 13 % of 53.50
    expect(await read(id)).toMatchObject({
      taxIncluded: false,
      subtotal: 40,
      shippingTotal: 10,
      serviceChargeTotal: 3.9,
      serviceCharges: [
        { name: 'Gift wrap', kind: 'OTHER', amount: 3.5, taxAmount: 0.46 },
        { name: 'Deposit', kind: 'OTHER', amount: 0.4, taxAmount: 0 },
      ],
      taxTotal: 6.96,
      total: 60.86,
      refundTotal: 0,
      taxes: [{ taxRateExternalId: '1', name: 'HST', rate: 13, amount: 6.96, base: 53.5, included: false }],
    })
  })
  it('include a fee below zero, which is a discount of the shop, with the taxes that it takes back', async () => {
    const { id, total } = await shop('POST', 'orders', {
      line_items: [line()],
      fee_lines: [{ name: 'Loyalty', total: '-2.50' }],
    })
    expect(total).toBe('19.77') // 17.50, and 2.60 - 0.33
    expect(await read(id)).toMatchObject({
      subtotal: 20,
      discountTotal: 0,
      serviceChargeTotal: -2.5,
      serviceCharges: [{ name: 'Loyalty', kind: 'OTHER', amount: -2.5, taxAmount: -0.33 }],
      total: 19.77,
    })
  })
  it('have tips where the account says how the shop names them', async () => {
    const { order, theirs } = await seeded('tip')
    expect(order).toMatchObject({ tipTotal: Number(theirs.fee_lines[0].total), tipIncluded: true })
    expect([order.serviceChargeTotal, order.serviceCharges]).toEqual([0, undefined])
    const { status } = await harness.manage('POST', '/accounts', {
      id: 'no-tips',
      platform: 'woocommerce',
      vertical: 'retail_pos',
      credentials: harness.tenants[0]!.credentials,
      settings: { shop: 'maple-goods.example.com', businessDayStart: '23:59' },
    })
    expect(status).toBe(201)
    const { body } = await call('GET', `/order/${theirs.id}`, undefined, 'no-tips')
    expect([body.data.tipTotal, body.data.serviceCharges[0].name, body.data.total]).toEqual([
      undefined,
      'Tip',
      order.total,
    ])
    const { businessDate } = order
    const before = new Date(Date.parse(businessDate) - 86_400_000).toISOString().slice(0, 10)
    expect([body.data.businessDate, (theirs.date_paid ?? theirs.date_created).slice(0, 10)]).toEqual([
      before,
      businessDate,
    ])
  })
  it('have coupons inside the lines, and named', async () => {
    for (const kind of ['percent coupon', 'cart coupon'] as const) {
      const { order, theirs } = await seeded(kind)
      expect(order.discountTotal).toBeGreaterThan(0)
      expect(order.discountTotal.toFixed(2)).toBe(theirs.discount_total)
      const [coupon] = theirs.coupon_lines
      expect(order.discounts).toEqual([
        {
          name: coupon.code,
          scope: 'ORDER',
          amount: Number(coupon.discount),
          ...(kind === 'percent coupon' && { percent: 15 }),
        },
      ])
    }
  })
  it('have two taxes on a line, also where one is on the other', async () => {
    for (const [kind, names] of [
      ['two taxes', ['GST', 'PST']],
      ['compound tax', ['GST', 'QST']],
    ] as const) {
      const { order, theirs } = await seeded(kind)
      expect(order.taxes.map(({ name }: AnyRecord) => name)).toEqual(names)
      const compound = theirs.tax_lines.map((tax: AnyRecord) => tax.compound)
      expect(order.taxes.map(({ base }: AnyRecord) => base === undefined)).toEqual(compound)
      for (const { lineTax, taxes = [] } of order.lineItems)
        expect(Math.round(taxes.reduce((sum: number, { amount }: AnyRecord) => sum + amount * 100, 0))).toBe(
          Math.round(lineTax * 100),
        )
    }
  })
  it('are without taxes in a shop whose prices are typed in with them', async () => {
    const { order, theirs } = await seeded('prices with taxes')
    expect([theirs.prices_include_tax, order.taxIncluded]).toEqual([true, false])
    expect(order.lineItems.map(({ lineTotal }: AnyRecord) => lineTotal.toFixed(2))).toEqual(
      theirs.line_items.map(({ total }: AnyRecord) => total),
    )
  })
  it('keep their total when money goes back, and say how much did', async () => {
    for (const kind of ['partial refund', 'free amount refund', 'full refund', 'two refunds'] as const) {
      const { order, theirs } = await seeded(kind)
      expect(order.total.toFixed(2)).toBe(theirs.total)
      const refunded = theirs.refunds.reduce((sum: number, { total }: AnyRecord) => sum - Number(total) * 100, 0)
      expect([kind, Math.round(order.refundTotal * 100)]).toEqual([kind, Math.round(refunded)])
      expect([order.refundTotal === order.total, theirs.status]).toEqual(
        kind === 'full refund' ? [true, 'refunded'] : [false, 'completed'],
      )
      const quantities = (rows: AnyRecord[]) => rows.map(({ quantity }) => quantity)
      expect(quantities(order.lineItems)).toEqual(quantities(theirs.line_items))
    }
  })
  it('are what was bought, also if a gift card pays for some of it', async () => {
    const { order, theirs } = await seeded('gift card')
    const [card] = theirs.gift_cards
    expect(card.amount).toBeGreaterThan(0)
    expect(Math.round(order.total * 100)).toBe(Math.round((Number(theirs.total) + card.amount) * 100))
    expect(order.lineItems.map(({ kind }: AnyRecord) => kind)[0]).toBe('GIFT_CARD')
  })
  it('say where the order comes from and how it gets to the customer', async () => {
    const pos = await seeded('point of sale')
    expect([pos.order.channel, pos.order.fulfillment]).toEqual(['POS', { type: 'IN_STORE' }])
    const pickup = await seeded('pickup')
    const { first_name, last_name } = pickup.theirs.shipping
    expect(pickup.order.fulfillment).toMatchObject({ type: 'TAKEOUT', name: `${first_name} ${last_name}` })
    expect(pickup.order.fulfillment.address).toBeUndefined()
    const { order, theirs } = await seeded('shipped')
    expect(order.fulfillment).toMatchObject({
      type: 'SHIPPING',
      address: { line1: theirs.shipping.address_1, city: theirs.shipping.city, country: 'CA' },
    })
    expect(order.businessDate).toBe((theirs.date_paid ?? theirs.date_created).slice(0, 10))
  })
  it('that a plugin of its own changed do not add up, and the difference is named', async () => {
    const { theirs } = await seeded('shipped')
    const total = (Number(theirs.total) - 5).toFixed(2)
    harness.sandbox.fault('woocommerce', {
      kind: 'foreign_before',
      method: 'GET',
      path: `/orders/${theirs.id}`,
      body: { ...theirs, total },
    })
    const { body } = await call('GET', `/order/${theirs.id}`)
    harness.sandbox.clearFaults('woocommerce')
    expect(body.warnings).toMatchObject([{ code: 'does_not_add_up', pointer: '/total', id: String(theirs.id) }])
    expect([body.warnings[0].message, body.data.roundingTotal]).toEqual([
      expect.stringContaining('differs by -5.00'),
      undefined,
    ])
  })
})

describe('written orders', () => {
  it('have charges and shipping, once, also if the response is lost', async () => {
    harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'POST', times: 1 })
    const order = await made({
      shippingTotal: 10,
      serviceCharges: [
        { name: 'Gift wrap', amount: 3.5 },
        { amount: 1, taxAmount: 0 },
      ],
    })
    expect(sent('POST')).toMatchObject({
      fee_lines: [
        { name: 'Gift wrap', total: '3.50' },
        { name: 'Service charge', total: '1.00', tax_status: 'none' },
      ],
      shipping_lines: [{ method_id: 'other', method_title: 'Shipping', total: '10.00' }],
    })
    expect(order).toMatchObject({ shippingTotal: 10, serviceChargeTotal: 4.5, subtotal: 20, taxTotal: 4.36 })
    expect(order.total).toBe(38.86)
  })
  it('have one charge if only the total of the charges is given', async () => {
    const order = await made({ serviceChargeTotal: 2 })
    expect(order.serviceCharges).toEqual([{ name: 'Service charge', kind: 'OTHER', amount: 2, taxAmount: 0.26 }])
    const more = await put(order, { serviceChargeTotal: 3 })
    expect(more.body.data).toMatchObject({ serviceChargeTotal: 3, serviceCharges: [{ amount: 3 }] })
    const none = await put(more.body.data, { serviceChargeTotal: null })
    expect([none.body.data.serviceChargeTotal, none.body.data.serviceCharges]).toEqual([0, undefined])
  })
  it('keep charges and shipping that an update leaves out, and the metadata of their lines', async () => {
    const { id } = await shop('POST', 'orders', {
      line_items: [line({ meta_data: [{ key: 'Engraving', value: 'Ada' }] })],
      shipping_lines: [{ method_id: 'flat_rate', method_title: 'Flat rate', total: '7.00' }],
      fee_lines: [{ name: 'Gift wrap', total: '3.50' }],
    })
    const { externalId, lineItems, customerExternalId } = await read(id)
    const kept = await put({ externalId, lineItems, customerExternalId }, { note: 'Ring twice' })
    expect(sent('PUT')).toEqual({ customer_note: 'Ring twice' })
    expect(kept.body.data).toMatchObject({ shippingTotal: 7, serviceChargeTotal: 3.5, note: 'Ring twice' })
    expect((await shop('GET', `orders/${id}`)).line_items[0].meta_data[0]).toMatchObject({ key: 'Engraving' })
  })
  it('get, change and lose charges and shipping once, also if the response is lost', async () => {
    const order = await made({})
    const lose = () => harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'PUT', times: 1 })
    lose()
    const added = (await put(order, { shippingTotal: 5, serviceCharges: [{ name: 'Gift wrap', amount: 3.5 }] })).body
      .data
    expect(added).toMatchObject({ shippingTotal: 5, serviceChargeTotal: 3.5, total: 32.21 })
    lose()
    const changed = (await put(added, { shippingTotal: 6, serviceCharges: [{ name: 'Bag', amount: 3.5 }] })).body.data
    expect(changed).toMatchObject({ shippingTotal: 6, serviceCharges: [{ name: 'Bag', amount: 3.5 }] })
    lose()
    const removed = (await put(changed, { shippingTotal: 0, serviceCharges: [] })).body.data
    expect([removed.shippingTotal, removed.serviceChargeTotal, removed.total]).toEqual([0, 0, 22.6])
    const theirs = await shop('GET', `orders/${order.externalId}`)
    expect([theirs.fee_lines, theirs.shipping_lines]).toEqual([[], []])
  })
  it('keep the tips of the shop when the charges change', async () => {
    const { id } = await shop('POST', 'orders', {
      line_items: [line()],
      fee_lines: [
        { name: 'Bag', total: '0.10' },
        { name: 'tip', total: '4.00', tax_status: 'none' },
        { name: 'Gift wrap', total: '3.50' },
      ],
    })
    const order = await read(id)
    expect(order.serviceCharges.map(({ name }: AnyRecord) => name)).toEqual(['Bag', 'Gift wrap'])
    const { body } = await put(order, { serviceCharges: [{ name: 'Bag', amount: 0.1 }] })
    expect(body.data).toMatchObject({ tipTotal: 4, serviceChargeTotal: 0.1 })
    const refused = await put(order, { serviceChargeTotal: 1, serviceCharges: [{ name: 'TIP', amount: 1 }] })
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/serviceCharges/0/name'])
  })
  it('are refused if the total is not the sum of the charges, or cannot be divided', async () => {
    const attempt = async (more: object) => {
      const { status, body } = await call('POST', '/order', {
        externalId: `X-${++counter}`,
        lineItems: [{ productExternalId: product, quantity: 1 }],
        ...more,
      })
      return [status, body.errors?.map(({ pointer }: AnyRecord) => pointer)]
    }
    expect(await attempt({ serviceChargeTotal: 2, serviceCharges: [{ name: 'A', amount: 1 }] })).toEqual([
      422,
      ['/serviceChargeTotal'],
    ])
    expect(await attempt({ taxIncluded: true })).toEqual([422, ['/taxIncluded']])
    const two = await made({
      serviceCharges: [
        { name: 'A', amount: 1 },
        { name: 'B', amount: 2 },
      ],
    })
    const pointers = async (changes: object) =>
      (await put(two, changes)).body.errors?.map((one: AnyRecord) => one.pointer)
    expect(await pointers({ serviceChargeTotal: 5 })).toEqual(['/serviceChargeTotal'])
    expect(await pointers({ serviceChargeTotal: 5, serviceCharges: [{ name: 'A', amount: 1 }] })).toEqual([
      '/serviceChargeTotal',
    ])
    const { id } = await shop('POST', 'orders', {
      line_items: [line()],
      shipping_lines: [
        { method_id: 'flat_rate', total: '1.00' },
        { method_id: 'flat_rate', total: '2.00' },
      ],
    })
    const refused = await put(await read(id), { shippingTotal: 4 })
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/shippingTotal'])
  })
  it('keep what a line costs if its price of one unit has no end', async () => {
    const { id } = await shop('POST', 'orders', {
      line_items: [line({ quantity: 3, subtotal: '10.00', total: '10.00' })],
    })
    const order = await read(id)
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 3.33, lineTotal: 10 })
    const { body } = await put(order, { lineItems: [{ ...order.lineItems[0], name: 'Blue mug' }] })
    expect(body.data.lineItems[0]).toMatchObject({ name: 'Blue mug', unitPrice: 3.33, lineTotal: 10 })
  })
})

/** Numbers of orders as shops have them, without what says whose they are. */
describe('amounts that shops have', () => {
  const account = { settings: { shop: 'shop.example.com' } } as never
  const order = (more: object) =>
    toUnified({ id: 1, currency: 'EUR', line_items: [], ...more } as never, { account, warn: () => {} }) as AnyRecord
  const item = (subtotal: string, total: string, total_tax: string, taxes: object[] = []) => ({
    id: 1,
    quantity: 1,
    subtotal,
    total,
    total_tax,
    taxes,
  })
  it('are taxes with more decimals than the sum of them', () => {
    const found = order({
      total: '26.09',
      total_tax: '2.37',
      line_items: [item('23.72', '23.72', '2.37', [{ id: 2, total: '2.371541', subtotal: '2.371541' }])],
      tax_lines: [{ rate_id: 2, label: 'TAX', compound: true, tax_total: '2.37', shipping_tax_total: '0.00' }],
    })
    expect(found.lineItems[0].taxes).toEqual([
      { taxRateExternalId: '2', name: 'TAX', rate: undefined, amount: 2.37, included: false },
    ])
    expect(orderFlaw(found)).toBeUndefined()
  })
  it('are two taxes whose shares are divided without a cent too many', () => {
    const taxes = [
      { id: 7, total: '0.334999' },
      { id: 8, total: '0.335001' },
    ]
    const [first] = order({ line_items: [item('9.00', '9.00', '0.67', taxes)] }).lineItems
    expect(first.taxes.map(({ amount }: AnyRecord) => amount)).toEqual([0.33, 0.34])
  })
  it('are shipping with a method but no rate on it, and methods with their instance', () => {
    const found = order({
      total: '117.81',
      total_tax: '18.81',
      shipping_total: '0.00',
      line_items: [item('99.00', '99.00', '18.81', [{ id: 1, total: '18.81' }])],
      shipping_lines: [{ id: 2, method_id: 'free_shipping:2', total: '0.00', taxes: [{ id: 1, total: '' }] }],
      tax_lines: [{ rate_id: 1, label: 'Tax', compound: false, rate_percent: 19, tax_total: '18.81' }],
    })
    expect(orderFlaw(found)).toBeUndefined()
    expect([found.taxes[0].base, found.fulfillment]).toEqual([99, { type: 'SHIPPING' }])
  })
  it('are sums that the shop rounds as a whole: what is left is rounding, up to half a cent for each number', () => {
    // 3 lines of 3.333333 are 10.00, and are shown as 3.33.
    const lines = [1, 2, 3].map(() => item('3.33', '3.33', '0.00'))
    const found = order({ total: '10.00', total_tax: '0.00', line_items: lines })
    expect([found.subtotal, found.roundingTotal, orderFlaw(found)]).toEqual([9.99, 0.01, undefined])
    const more = order({ total: '10.03', total_tax: '0.00', line_items: lines })
    expect([more.roundingTotal, orderFlaw(more)?.code]).toEqual([undefined, 'does_not_add_up'])
  })
  it('are in a currency without decimals, and in one with three', () => {
    const yen = order({ currency: 'JPY', total: '1100', total_tax: '100', line_items: [item('1200', '1000', '100')] })
    expect([yen.lineItems[0].lineDiscount, yen.total, orderFlaw(yen)]).toEqual([200, 1100, undefined])
    const dinar = order({
      currency: 'KWD',
      total: '1.575',
      total_tax: '0.075',
      line_items: [item('1.500', '1.500', '0.075')],
    })
    expect([dinar.lineItems[0].lineTotal, orderFlaw(dinar)]).toEqual([1.5, undefined])
  })
  it('are gift cards of another plugin, which has numbers as text', () => {
    const found = order({
      total: '5.00',
      total_tax: '0.00',
      line_items: [item('30.00', '30.00', '0.00')],
      pw_gift_cards_redeemed: [{ number: 'X', amount: '25' }],
    })
    expect([found.total, orderFlaw(found)]).toEqual([30, undefined])
  })
})
