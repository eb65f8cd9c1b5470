// Orders that add up, through the whole service: every kind of money that a shop has, and edits, returns and tips.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseCases } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { shopify } from './connector.ts'
import { order as adapter } from './order.ts'
import type { NativeOrder } from './order-row.ts'
import { createShopifySimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { shopify },
    simulators: { shopify: createShopifySimulator },
    platform: 'shopify',
  })
})
afterAll(() => harness?.close())

const unified = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/${harness.accountId('retail_pos')}${path}`, body, { prefer: 'wait=60' })
const native = () => harness.tenants[0]!.records.order!
async function walk(query = '') {
  const orders: AnyRecord[] = []
  const warnings: AnyRecord[] = []
  for (let next: string | undefined = `?pageSize=100${query}`; next !== undefined; ) {
    const { status, body } = await unified('GET', `/order${next}`)
    expect(status, JSON.stringify(body)).toBe(200)
    orders.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    next = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
  }
  return { orders, warnings }
}
/** Calls the shop directly, as another client. */
async function admin(query: string, variables: object = {}) {
  const { accessToken } = harness.tenants[0]!.credentials
  const { body } = await harness.sandbox.simulator('shopify').handle({
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
const ledger = `query Ledger($id: ID!) { order(id: $id) {
  id test edited sourceName totalPriceSet ${money} subtotalPriceSet ${money} totalReceivedSet ${money} totalRefundedSet ${money}
  totalTipReceivedSet ${money} originalTotalDutiesSet ${money} originalTotalAdditionalFeesSet ${money}
  totalCashRoundingAdjustment { paymentSet ${money} }
  lineItems(first: 100) { nodes { id title quantity currentQuantity isGiftCard } }
  agreements(first: 10) { nodes { __typename sales(first: 100) { nodes { quantity actionType totalAmount ${money} } } } }
} }`
const ledgerOf = async (id: string) => (await admin(ledger, { id: `gid://shopify/Order/${id}` })).order
const amount = (bag: { shopMoney: { amount: string } } | null) => cents(Number(bag?.shopMoney.amount ?? 0))

describe('generated orders', () => {
  const rounds = chooseCases(
    Array.from({ length: 20 }, (_, round) => ({ round })),
    { oneIn: 20 },
  )
  it.each(rounds)('of every kind add up: round $round', async () => {
    const since = new Date(harness.time.now() - 1000).toISOString()
    const ids = new Set(native().add(80))
    const { orders, warnings } = await walk(`&updatedAfter=${since}`)
    expect(warnings.filter(({ code }) => code === 'does_not_add_up')).toEqual([])
    const added = orders.filter(({ externalId }) => ids.has(externalId))
    expect(added.length).toBe(80)
    const has = {
      tip: (one: AnyRecord) => one.tipTotal > 0,
      rounding: (one: AnyRecord) => one.roundingTotal !== 0,
      shipping: (one: AnyRecord) => one.shippingTotal > 0,
      charge: (one: AnyRecord) => one.serviceChargeTotal > 0,
      'gift card': (one: AnyRecord) => one.lineItems.some(({ kind }: AnyRecord) => kind === 'GIFT_CARD'),
      'taxes inside': (one: AnyRecord) => one.taxIncluded,
      marketplace: (one: AnyRecord) => one.taxes?.some((tax: AnyRecord) => tax.remittedByMarketplace),
      discount: (one: AnyRecord) => one.discounts?.some(({ scope }: AnyRecord) => scope === 'LINE'),
      refund: (one: AnyRecord) => one.refundTotal > 0,
    }
    for (const [kind, is] of Object.entries(has)) expect([kind, added.some(is)]).toEqual([kind, true])
    for (const one of added) {
      const what = JSON.stringify(one)
      const shop = await ledgerOf(one.externalId)
      const removed = sum(
        shop.agreements.nodes
          .filter(({ __typename }: AnyRecord) => __typename === 'OrderEditAgreement')
          .flatMap(({ sales }: AnyRecord) => sales.nodes)
          .filter(({ actionType }: AnyRecord) => actionType === 'RETURN')
          .map(({ totalAmount }: AnyRecord) => amount(totalAmount)),
      )
      expect(cents(one.total), what).toBe(
        amount(shop.totalPriceSet) + removed + amount(shop.totalCashRoundingAdjustment.paymentSet),
      )
      expect(cents(one.refundTotal), what).toBe(amount(shop.totalRefundedSet))
      expect(cents(one.tipTotal), what).toBe(amount(shop.totalTipReceivedSet))
      expect(cents(one.serviceChargeTotal), what).toBe(
        amount(shop.originalTotalDutiesSet) + amount(shop.originalTotalAdditionalFeesSet),
      )
      expect(cents(one.discountTotal), what).toBe(
        sum((one.discounts ?? []).map((each: AnyRecord) => cents(each.amount))),
      )
      expect(cents(one.taxTotal), what).toBe(sum((one.taxes ?? []).map((each: AnyRecord) => cents(each.amount))))
    }
  })
})

describe('a seeded order', () => {
  it('that is a test is left out, with a warning', async () => {
    const { orders, warnings } = await walk()
    const { nodes } = (await admin('{ orders(first: 250) { nodes { legacyResourceId test } } }')).orders
    const tests = nodes.filter(({ test }: AnyRecord) => test)
    expect(tests.length).toBeGreaterThan(0)
    for (const { legacyResourceId } of tests) {
      expect(orders.map(({ externalId }) => externalId)).not.toContain(legacyResourceId)
      expect(warnings.find(({ id }) => id === legacyResourceId)).toMatchObject({ code: 'not_a_sale' })
      expect((await unified('GET', `/order/${legacyResourceId}`)).status).toBe(404)
    }
  })
  it('that was edited has only the units that are left, and those that came back later', async () => {
    const { orders } = await walk()
    let edited = 0
    for (const one of orders) {
      const shop = await ledgerOf(one.externalId)
      if (!shop.edited) continue
      edited++
      const takenOut = sum(
        shop.agreements.nodes
          .filter(({ __typename }: AnyRecord) => __typename === 'OrderEditAgreement')
          .flatMap(({ sales }: AnyRecord) => sales.nodes)
          .filter(({ quantity }: AnyRecord) => quantity < 0)
          .map(({ quantity }: AnyRecord) => quantity),
      )
      expect(takenOut).toBeLessThan(0)
      expect(sum(one.lineItems.map(({ quantity }: AnyRecord) => quantity))).toBe(
        sum(shop.lineItems.nodes.map(({ quantity }: AnyRecord) => quantity)) + takenOut,
      )
    }
    expect(edited).toBeGreaterThan(1)
  })
  it('has its tip beside the lines, also where another line looks like it', async () => {
    const { orders } = await walk()
    const tipped = orders.filter(({ tipTotal }) => tipTotal > 0)
    expect(
      tipped.every(
        ({ tipIncluded, lineItems }) => tipIncluded && lineItems.every(({ name }: AnyRecord) => name !== 'Tip'),
      ),
    ).toBe(true)
    const both = tipped.filter(({ lineItems }) => lineItems.some(({ name }: AnyRecord) => name === 'Engraving'))
    expect(both.length).toBeGreaterThan(0)
    expect(both.map(({ tipTotal }) => tipTotal)).toEqual(both.map(() => 4))
  })
  it('asks for the ledger only where the order leaves something open', async () => {
    const began = harness.time.now()
    await walk()
    const asked = harness.sandbox
      .calls('shopify')
      .filter(({ at }) => at >= began)
      .map(({ body }) => body as { query: string; variables: { id?: string } })
      .filter(({ query }) => query.startsWith('query OrderSales'))
      .map(({ variables }) => variables.id!.replace(/^.*\//, ''))
    for (const id of new Set(asked)) {
      const shop = await ledgerOf(id)
      expect(shop.edited || amount(shop.totalTipReceivedSet) > 0, id).toBe(true)
    }
    expect(new Set(asked).size).toBeGreaterThan(1)
  })
  it('has the day of the shop, which begins when the setting says', () => {
    const row = { processedAt: '2026-11-10T06:30:00Z', shop: { ianaTimezone: 'America/Toronto' } }
    const dayWith = (settings: Record<string, string>) => read({ ...plain, ...row }, settings).businessDate
    expect([dayWith({}), dayWith({ businessDayStart: '04:00' })]).toEqual(['2026-11-10', '2026-11-09'])
    expect(read({ ...plain, shop: null }).businessDate).toBeUndefined()
  })
})

/* Amounts as shops have reported them. */

const bag = (value: string) => ({ shopMoney: { amount: value } })
const tax = (value: string, more: object = {}) => ({
  title: 'Tax',
  ratePercentage: 13,
  channelLiable: null,
  priceSet: bag(value),
  ...more,
})
const lineOf = (price: string, total: string, quantity: number, more: object = {}) => ({
  id: 'gid://shopify/LineItem/1',
  name: 'Tee',
  sku: null,
  quantity,
  currentQuantity: quantity,
  isGiftCard: false,
  taxable: true,
  requiresShipping: true,
  variant: null,
  originalUnitPriceSet: bag(price),
  originalTotalSet: bag(total),
  discountAllocations: [],
  taxLines: [],
  ...more,
})
const plain = {
  id: 'gid://shopify/Order/1',
  name: '#1',
  processedAt: '2026-11-10T06:30:00Z',
  updatedAt: '2026-11-10T06:30:00Z',
  cancelledAt: null,
  closed: false,
  closedAt: null,
  test: false,
  edited: false,
  note: null,
  currencyCode: 'CAD',
  sourceName: 'pos',
  app: null,
  displayFinancialStatus: 'PAID',
  displayFulfillmentStatus: 'FULFILLED',
  taxesIncluded: false,
  dutiesIncluded: false,
  customer: null,
  retailLocation: null,
  totalPriceSet: bag('10.0'),
  totalTaxSet: bag('0.0'),
  totalTipReceivedSet: bag('0.0'),
  totalRefundedSet: bag('0.0'),
  originalTotalDutiesSet: null,
  totalCashRoundingAdjustment: { paymentSet: bag('0.0') },
  additionalFees: [],
  discountApplications: { nodes: [] },
  shippingLines: { nodes: [] },
  lineItems: { nodes: [lineOf('10.0', '10.0', 1)] },
}
const read = (row: object, settings: Record<string, string> = {}): AnyRecord =>
  adapter.toUnified(row as NativeOrder, { warn: () => {}, account: { id: 'a', vertical: 'retail_pos', settings } })

describe('a reported order', () => {
  it('keeps in its total and quantity the units that an edit took out; the ledger has them', () => {
    const sale = (agreement: string, quantity: number, total: string, taxed: string) => ({
      agreement,
      __typename: 'ProductSale',
      actionType: quantity < 0 ? 'RETURN' : 'ORDER',
      quantity,
      totalAmount: bag(total),
      totalTaxAmount: bag(taxed),
      taxes: [{ amount: bag(taxed), taxLine: { title: 'Tax', ratePercentage: 13 } }],
      lineItem: { id: 'gid://shopify/LineItem/1' },
    })
    const row = {
      ...plain,
      edited: true,
      totalPriceSet: bag('226.0'),
      totalTaxSet: bag('26.0'),
      lineItems: { nodes: [lineOf('100.0', '200.0', 2, { currentQuantity: 1, taxLines: [tax('26.0')] })] },
    }
    const sales = [sale('OrderAgreement', 2, '226.0', '26.0'), sale('OrderEditAgreement', -1, '-113.0', '-13.0')]
    expect(read({ ...row, sales })).toMatchObject({
      total: 113,
      taxTotal: 13,
      subtotal: 100,
      lineItems: [{ quantity: 1, unitPrice: 100, lineTotal: 100, lineTax: 13, lineDiscount: 0 }],
    })
    // The same unit, returned: the order stays as it was.
    const returned = [sale('OrderAgreement', 2, '226.0', '26.0'), sale('RefundAgreement', -1, '-113.0', '-13.0')]
    expect(read({ ...row, sales: returned, totalRefundedSet: bag('113.0') })).toMatchObject({
      total: 226,
      refundTotal: 113,
      lineItems: [{ quantity: 2, lineTotal: 200 }],
    })
  })
  it('has shipping and its tax beside the lines', () => {
    const row = {
      ...plain,
      totalPriceSet: bag('31.9'),
      totalTaxSet: bag('2.9'),
      shippingLines: { nodes: [{ discountedPriceSet: bag('5.0'), taxLines: [tax('0.5')] }] },
      lineItems: { nodes: [lineOf('12.0', '24.0', 2, { taxLines: [tax('2.4')] })] },
    }
    expect(read(row)).toMatchObject({ total: 31.9, subtotal: 24, shippingTotal: 5, taxTotal: 2.9, taxIncluded: false })
    expect(read(row).taxes).toEqual([{ name: 'Tax', rate: 13, amount: 2.9, included: false }])
  })
  it('has discount, shipping, tax and tip in its total, and refunds nowhere', () => {
    const off = { allocatedAmountSet: bag('2.0'), discountApplication: { index: 0 } }
    const tip = lineOf('3.0', '3.0', 1, { id: 'gid://shopify/LineItem/2', taxable: false, requiresShipping: false })
    const row = {
      ...plain,
      totalPriceSet: bag('27.84'),
      totalTaxSet: bag('1.84'),
      totalTipReceivedSet: bag('3.0'),
      totalRefundedSet: bag('9.72'),
      discountApplications: {
        nodes: [{ index: 0, targetSelection: 'ALL', targetType: 'LINE_ITEM', code: 'TWO', value: {} }],
      },
      shippingLines: { nodes: [{ discountedPriceSet: bag('5.0'), taxLines: [tax('0.4')] }] },
      lineItems: { nodes: [lineOf('10.0', '20.0', 2, { discountAllocations: [off], taxLines: [tax('1.44')] }), tip] },
    }
    expect(read(row)).toMatchObject({
      total: 27.84,
      subtotal: 18,
      discountTotal: 2,
      shippingTotal: 5,
      taxTotal: 1.84,
      tipTotal: 3,
      tipIncluded: true,
      refundTotal: 9.72,
      discounts: [{ name: 'TWO', scope: 'ORDER', amount: 2 }],
      lineItems: [{ lineTotal: 18, lineDiscount: 2 }],
    })
  })
  it('is rounded where it was paid in cash, which its total does not say', () => {
    const rounded = read({ ...plain, totalCashRoundingAdjustment: { paymentSet: bag('-0.02') } })
    expect(rounded).toMatchObject({ total: 9.98, roundingTotal: -0.02 })
  })
  it('has the line total of the platform where the price of one unit had to be rounded', () => {
    const row = { ...plain, lineItems: { nodes: [lineOf('3.33', '10.0', 3)] } }
    expect(read(row).lineItems[0]).toMatchObject({ unitPrice: 3.33, lineTotal: 10 })
  })
  it('is from the point of sale, from the store on the web, from a channel or from an app', () => {
    const channel = (sourceName: string | null, app: object | null = null) =>
      read({ ...plain, sourceName, app }).channel
    expect([channel('pos'), channel('web'), channel('facebook'), channel('580111', { name: 'Buy Button' })]).toEqual([
      'POS',
      'ONLINE',
      'facebook',
      'Buy Button',
    ])
    expect([channel(null), channel('580111')]).toEqual([undefined, '580111'])
  })
})

describe('a created order', () => {
  const create = async (more: object) => {
    const lineItems = [{ name: 'Wrapping', quantity: 3, unitPrice: 10, lineTax: 3.45, lineDiscount: 0.5 }]
    const reply = await unified('POST', '/order', { externalId: `M-${++serial}`, state: 'OPEN', lineItems, ...more })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    return reply.body
  }
  let serial = 0
  it('has shipping with what the lines leave of the tax, and is paid in full', async () => {
    const { data } = await create({ shippingTotal: 7.5, taxTotal: 4.2, taxIncluded: false })
    expect(data).toMatchObject({ shippingTotal: 7.5, taxTotal: 4.2, subtotal: 29.5, total: 41.2, taxIncluded: false })
    const shop = await ledgerOf(data.externalId)
    expect(amount(shop.totalReceivedSet)).toBe(4120)
  })
  it('keeps taxes inside of prices, and two taxes on a line', async () => {
    const taxes = [
      { name: 'GST', rate: 5, amount: 1.25 },
      { name: 'PST', rate: 8.8, amount: 2.2, remittedByMarketplace: true },
    ]
    const lineItems = [{ name: 'Wrapping', quantity: 3, unitPrice: 10, lineTax: 3.45, taxes }]
    const { data } = await create({ taxIncluded: true, lineItems })
    expect(data).toMatchObject({ total: 30, taxTotal: 3.45, taxIncluded: true })
    expect(data.lineItems[0].taxes).toMatchObject(taxes.map((one) => ({ ...one, included: true })))
    expect(amount((await ledgerOf(data.externalId)).totalReceivedSet)).toBe(3000)
  })
  it('is refused with money that Shopify cannot take', async () => {
    for (const [field, value] of Object.entries({ tipTotal: 2, roundingTotal: 0.02, serviceChargeTotal: 1 })) {
      const lineItems = [{ name: 'Wrapping', quantity: 1, unitPrice: 10 }]
      const { status, body } = await unified('POST', '/order', { externalId: `R-${field}`, lineItems, [field]: value })
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'target_refuses', `/${field}`])
    }
  })
  it('keeps its shipping in an update, and refuses another amount', async () => {
    const { data } = await create({ shippingTotal: 7.5 })
    const { shippingTotal: _, ...without } = data
    const changed = await unified('PUT', `/order/${data.externalId}`, { ...without, note: 'Changed' })
    expect([changed.status, changed.body.data?.shippingTotal]).toEqual([200, 7.5])
    const other = await unified('PUT', `/order/${data.externalId}`, { ...data, shippingTotal: 9 })
    expect([other.status, other.body.errors?.[0]?.pointer]).toEqual([422, '/shippingTotal'])
  })
})
