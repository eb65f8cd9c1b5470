// What a sale is made of, through the whole service: every kind of sale that the simulator has, and generated ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { lightspeedX } from './connector.ts'
import { createLightspeedXSimulator } from './simulator/simulator.ts'

let harness: Harness
let orders: Map<string, AnyRecord>
let sales: AnyRecord[]
const discountProduct = '9a84e9e1-f038-11e3-a0f5-b8ca3a64f8f4'

const patient = { prefer: 'wait=60' }
const unified = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/lightspeed-x-retail_pos${path}`, body, patient)
/** Calls the shop directly, as another client. */
async function native(method: string, path: string, body?: object): Promise<AnyRecord> {
  const { accessToken } = harness.tenants[0]!.credentials
  const answer = await harness.sandbox.simulator('lightspeed-x').handle({
    method,
    path: `/api/2026-07${path}`,
    query: new URLSearchParams({ page_size: '5000' }),
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return (answer.body as AnyRecord).data
}
async function allOrders(): Promise<{ found: Map<string, AnyRecord>; codes: string[] }> {
  const found = new Map<string, AnyRecord>()
  const codes: string[] = []
  for (let query = 'pageSize=100'; query; ) {
    const { status, body } = await unified('GET', `/order?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    for (const order of body.data) found.set(order.externalId, order)
    codes.push(...(body.warnings ?? []).map(({ code }: AnyRecord) => code))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { found, codes }
}
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-x': lightspeedX },
    simulators: { 'lightspeed-x': createLightspeedXSimulator },
    platform: 'lightspeed-x',
  })
  orders = (await allOrders()).found
  sales = (await native('GET', '/sales')) as unknown as AnyRecord[]
})
afterAll(() => harness?.close())

const cents = (amount = 0): number => Number(amount.toFixed(2).replace('.', ''))
/** Half cents of five decimals go away from zero. */
const inCents = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(Math.round(amount * 1e5)) / 1000)
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
/** A sale and its order. */
function one(fits: (sale: AnyRecord) => boolean): { sale: AnyRecord; order: AnyRecord } {
  const sale = sales.find((candidate) => orders.has(candidate.id) && fits(candidate))!
  return { sale, order: orders.get(sale.id)! }
}
const hasLine = (fits: (line: AnyRecord) => boolean) => (sale: AnyRecord) => sale.line_items.some(fits)
const isDiscount = ({ product }: AnyRecord): boolean => product.id === discountProduct
const hasAdjustment = (type: string) => (sale: AnyRecord) =>
  sale.adjustments.some(({ adjustment_type }: AnyRecord) => adjustment_type === type)
const paidFor = ({ payments }: AnyRecord): number =>
  sum(payments.filter(({ deleted_at }: AnyRecord) => !deleted_at).map(({ amount }: AnyRecord) => cents(amount)))

describe('a sale', () => {
  it('has a discount on the whole as a line, which is spread over the other lines', () => {
    const { sale, order } = one((candidate) => hasLine(isDiscount)(candidate) && candidate.state === 'closed')
    const line = sale.line_items.find(isDiscount)
    expect(line.quantity).toBe(-1)
    expect(order.lineItems).toHaveLength(sale.line_items.length - 1)
    expect(order.lineItems.map(({ productExternalId }: AnyRecord) => productExternalId)).not.toContain(discountProduct)
    const own = sum(sale.line_items.map(({ pricing }: AnyRecord) => pricing.discount_total))
    expect(cents(order.discountTotal)).toBe(inCents(line.pricing.price + own))
    expect(sum(order.lineItems.map(({ lineDiscount }: AnyRecord) => cents(lineDiscount)))).toBe(
      cents(order.discountTotal),
    )
    expect(order.discounts).toContainEqual({ scope: 'ORDER', amount: inCents(line.pricing.price) / 100 })
    expect([cents(order.total), cents(order.taxTotal)]).toEqual([
      inCents(sale.totals.price_incl_tax),
      inCents(sale.totals.tax),
    ])
    for (const { lineDiscount } of order.lineItems) expect(lineDiscount).toBeGreaterThan(0)
  })
  it.each([
    ['SURCHARGE', 'Card surcharge'],
    ['NON_CASH_FEE', 'Non-cash fee'],
  ])('has a %s as a service charge, counted once', (type, name) => {
    const { sale, order } = one(hasAdjustment(type))
    const [{ total, tax_components }] = sale.adjustments
    const taxAmount = inCents(sum(tax_components.map(({ total_tax }: AnyRecord) => total_tax))) / 100
    expect(order.serviceCharges).toEqual([{ name, kind: 'SURCHARGE', amount: inCents(total) / 100, taxAmount }])
    expect(order.serviceChargeTotal).toBe(inCents(total) / 100)
    expect(cents(order.total)).toBe(paidFor(sale))
  })
  it('has tips in its total, and says so', () => {
    const { sale, order } = one(hasAdjustment('TIP'))
    expect(order).toMatchObject({ tipTotal: sale.adjustments[0].total, tipIncluded: true })
    expect(cents(order.total)).toBe(paidFor(sale))
  })
  it('has a discount that is an adjustment in its lines', () => {
    const { sale, order } = one(hasAdjustment('DISCOUNT'))
    expect(order.discounts).toContainEqual({ name: 'Staff', scope: 'ORDER', amount: 0.4 })
    expect(order.serviceChargeTotal).toBeUndefined()
    expect(cents(order.total)).toBe(paidFor(sale))
  })
  it('has what a web shop charges, which its totals do not contain', () => {
    const { sale, order } = one(({ ecom_custom_charges }) => ecom_custom_charges.length > 0)
    expect(order).toMatchObject({
      channel: 'Ecwid',
      fulfillment: { type: 'DELIVERY', state: 'FULFILLED' },
      serviceCharges: [{ name: 'Gift Wrapping', kind: 'OTHER', amount: 8.7, taxAmount: 1.3 }],
    })
    expect(cents(order.total)).toBe(inCents(sale.totals.price_incl_tax) + 1000)
    expect(cents(order.taxTotal)).toBe(inCents(sale.totals.tax + 1.30435))
    expect(cents(order.total)).toBe(paidFor(sale))
  })
  it('has two taxes of a group by themselves', () => {
    const { sale, order } = one(hasLine(({ _metadata }) => _metadata.tax_components.length > 1))
    for (const line of order.lineItems) {
      expect(line.taxes).toMatchObject([
        { taxRateExternalId: sale.line_items[0].tax.id, name: 'GST', rate: 15, included: false },
        { taxRateExternalId: sale.line_items[0].tax.id, name: 'Container levy', rate: 2.75, included: false },
      ])
      expect(sum(line.taxes.map(({ amount }: AnyRecord) => cents(amount)))).toBe(cents(line.lineTax))
    }
    expect(order.taxes).toHaveLength(2)
    expect(sum(order.taxes.map(({ amount }: AnyRecord) => cents(amount)))).toBe(cents(order.taxTotal))
    expect(order.taxIncluded).toBe(false)
  })
  it('has a gift card that was sold as a line of its kind', () => {
    const { sale, order } = one(hasLine(({ gift_card_number }) => gift_card_number !== null))
    const card = sale.line_items.find(({ gift_card_number }: AnyRecord) => gift_card_number !== null)
    const line = order.lineItems.find(({ externalId }: AnyRecord) => externalId === card.id)
    expect(line).toMatchObject({ kind: 'GIFT_CARD', quantity: 1, lineTotal: card.pricing.price, lineTax: 0 })
    expect(order.lineItems.filter(({ kind }: AnyRecord) => kind === 'ITEM')).toHaveLength(sale.line_items.length - 1)
  })
  it('has no lines that were taken off before it was paid', () => {
    const { sale, order } = one(
      (candidate) => candidate.state === 'closed' && hasLine(({ status }) => status === 'VOIDED')(candidate),
    )
    expect(order.lineItems).toHaveLength(sale.line_items.length - 1)
    expect(cents(order.total)).toBe(paidFor(sale))
  })
  it('is worth what was paid, however it was paid', () => {
    const closed = sales.filter(({ id, state }) => orders.has(id) && state === 'closed')
    const isRounding = ({ type }: AnyRecord) => type.name === 'Cash Rounding'
    for (const sale of closed) {
      const rounding = sum(sale.payments.filter(isRounding).map(({ amount }: AnyRecord) => cents(amount)))
      const order = orders.get(sale.id)!
      expect([sale.id, cents(order.total)]).toEqual([sale.id, paidFor(sale) - rounding])
      expect(cents(order.roundingTotal)).toBe(rounding === 0 ? 0 : -rounding)
    }
    const layby = one(({ attributes, state }) => attributes.includes('layby') && state === 'pending')
    expect(layby.order.state).toBe('PENDING')
    expect(cents(layby.order.total)).toBeGreaterThan(paidFor(layby.sale))
  })
  it('has the day of its outlet', async () => {
    const { order } = one(() => true)
    const shown = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' })
    expect(order.businessDate).toBe(shown.format(new Date(order.processedAt)))
    const { credentials, settings } = harness.tenants[0]!
    const made = await harness.manage('POST', '/accounts?test=false', {
      id: 'night',
      platform: 'lightspeed-x',
      vertical: 'retail_pos',
      auth: 'oauth2',
      credentials,
      settings: { ...settings, businessDayStart: '23:59' },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body } = await harness.call('GET', `/unified/night/order/${order.externalId}`, undefined, patient)
    expect(Date.parse(order.businessDate) - Date.parse(body.data.businessDate)).toBe(86_400_000)
  })
})

describe('what came back', () => {
  const returnsOf = ({ return: { return_sale_ids } }: AnyRecord) =>
    sales.filter(({ id, state }) => return_sale_ids.includes(id) && state === 'closed' && !orders.has(id))
  it('is the refund total of the sale, whose own total stays', () => {
    const returned = sales.filter((sale) => orders.has(sale.id) && returnsOf(sale).length > 0)
    expect(returned.length).toBeGreaterThan(1)
    for (const sale of returned) {
      const back = sum(returnsOf(sale).map(({ totals }) => -inCents(totals.price_incl_tax)))
      expect(cents(orders.get(sale.id)!.refundTotal)).toBe(back)
      expect(cents(orders.get(sale.id)!.total)).toBe(paidFor(sale))
    }
    const partial = returned.find((sale) => !hasLine(isDiscount)(sale))!
    expect(orders.get(partial.id)!.refundTotal).toBeLessThan(orders.get(partial.id)!.total)
    const whole = returned.find(hasLine(isDiscount))!
    expect(orders.get(whole.id)!.refundTotal).toBe(orders.get(whole.id)!.total)
  })
  it('does not count before the return is closed', () => {
    const begun = one(({ return: { return_sale_ids } }) => return_sale_ids.length === 2)
    expect(begun.order.refundTotal).toBeUndefined()
  })
  it('is in the lines of an exchange, which is an order', () => {
    const { sale, order } = one(({ return: { is_return } }) => is_return)
    expect(order.lineItems[0]).toMatchObject({ quantity: expect.any(Number), unitPrice: expect.any(Number) })
    expect(order.lineItems[0].lineTotal).toBeLessThan(0)
    expect(cents(order.total)).toBe(paidFor(sale))
    expect(orders.get(sale.return.original_sale_id)!.refundTotal).toBeUndefined()
  })
})

describe('an update', () => {
  const read = async (id: string) => (await unified('GET', `/order/${id}`)).body.data as AnyRecord
  const sent = (): AnyRecord =>
    harness.sandbox.calls('lightspeed-x').findLast(({ method, path }) => method === 'PUT' && path.includes('/sales/'))!
      .body as AnyRecord
  const put = async (record: AnyRecord) => {
    const { status, body } = await unified('PUT', `/order/${record.externalId}`, record)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data as AnyRecord
  }
  /** A parked sale with a discount of 10.00 on goods of 30.00 and 20.00, without tax. */
  async function discounted(): Promise<AnyRecord> {
    const users = (await native('GET', '/users')) as unknown as AnyRecord[]
    const retailer = await native('GET', '/retailer')
    const tax = { id: retailer.no_tax_group_id, amount: 0 }
    const [first, second] = harness.tenants[0]!.records.product!.ids()
    const line = (id: string, quantity: number, price: number) => ({
      product: { id },
      quantity,
      pricing: { price },
      tax,
    })
    const body = {
      state: 'parked',
      source: { author_id: users[0]!.id, register_id: sales[0]!.source.register_id },
      line_items: [line(first!, 3, 10), line(second!, 1, 20), line(discountProduct, -1, 10)],
    }
    return read((await native('POST', '/sales', body)).id)
  }
  it('of a note keeps the line of the discount, and is paid with the total when it is closed', async () => {
    const order = await discounted()
    expect(order.lineItems).toMatchObject([
      { unitPrice: 10, lineDiscount: 6, lineTotal: 24 },
      { unitPrice: 20, lineDiscount: 4, lineTotal: 16 },
    ])
    const after = await put({ ...order, note: 'Gift', state: 'COMPLETED' })
    expect(after).toMatchObject({ note: 'Gift', state: 'COMPLETED', total: 40, discountTotal: 10 })
    const body = sent()
    expect(body.line_items.filter(isDiscount)).toMatchObject([{ quantity: -1, pricing: { price: 10 } }])
    expect(body.payments).toMatchObject([{ amount: 40 }])
  })
  it('of a line gives each line the discount that it had, and takes the line of the discount off', async () => {
    const order = await discounted()
    const [first, second] = order.lineItems
    const after = await put({ ...order, lineItems: [{ ...first, quantity: 4 }, second] })
    expect(after).toMatchObject({ total: 50, discountTotal: 10 })
    expect(after.lineItems).toMatchObject([
      { quantity: 4, unitPrice: 10, lineDiscount: 6, lineTotal: 34 },
      { quantity: 1, unitPrice: 20, lineDiscount: 4, lineTotal: 16 },
    ])
    expect(sent().line_items.filter(isDiscount)).toEqual([])
  })
  it('keeps tips, fees and the note of a line', async () => {
    const { order } = one(({ state, adjustments }) => state === 'closed' && adjustments.length > 0)
    const after = await put({ ...order, note: 'Called' })
    expect({ ...after, note: undefined }).toEqual({ ...order, note: undefined })
    const noted = one(({ state, line_items }) => state !== 'voided' && line_items.some(({ note }: AnyRecord) => note))
    expect((await put({ ...noted.order, note: 'Called' })).lineItems).toEqual(noted.order.lineItems)
  })
})

it('always makes its total, over generated sales of every kind', async () => {
  const { records } = harness.tenants[0]!
  const count = caseSeed() === 'all' ? 2000 : 75
  const added = new Set(records.order!.add(count))
  expect(added.size).toBe(count)
  const { found, codes } = await allOrders()
  expect([...added].filter((id) => !found.has(id))).toEqual([])
  expect(codes).not.toContain('does_not_add_up')
  const generated = [...found.values()].filter(({ externalId }) => added.has(externalId))
  const kinds: Record<string, (order: AnyRecord) => boolean> = {
    discounted: ({ discountTotal }) => discountTotal > 0,
    charged: ({ serviceChargeTotal }) => serviceChargeTotal > 0,
    tipped: ({ tipTotal }) => tipTotal > 0,
    rounded: ({ roundingTotal }) => roundingTotal !== undefined && roundingTotal !== 0,
    refunded: ({ refundTotal }) => refundTotal > 0,
    twoTaxes: ({ taxes = [] }) => taxes.length > 1,
    giftCard: ({ lineItems }) => lineItems.some(({ kind }: AnyRecord) => kind === 'GIFT_CARD'),
    pickup: ({ fulfillment }) => fulfillment?.type === 'TAKEOUT',
    free: ({ total }) => total === 0,
    weighed: ({ lineItems }) => lineItems.some(({ quantity }: AnyRecord) => quantity % 1 !== 0),
    canceled: ({ state }) => state === 'CANCELED',
  }
  const missing = Object.keys(kinds).filter((kind) => !generated.some((order) => kinds[kind]!(order)))
  expect(missing).toEqual([])
}, 120_000)
