// Orders that add up: each kind of money at Square, in numbers, and orders of every kind from a generator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { Vertical } from '../../contract/entity.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import { simulators } from '../simulators.ts'
import { square } from './connector.ts'
import { type NativeOrder, toUnified } from './order-row.ts'
import { withTotals } from './simulator/order-totals.ts'
import type { LineItem } from './simulator/world.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const read = (row: Omit<NativeOrder, 'id' | 'location_id'>, settings = {}) => {
  const account = { id: 'a', vertical: 'restaurant' as const, settings }
  const order = toUnified({ id: 'O1', location_id: 'L1', ...row }, { account, warn: () => {} })
  expect(orderFlaw(order as never)).toBeUndefined()
  return order
}
const line = (more: object) => ({ uid: '1', name: 'Coffee', quantity: '1', ...more })
/** One line of $1.00 with a tax of 10 %, in the numbers of Square's own example. */
const taxed = (
  type: string,
  { gross, total }: { gross: number; total: number },
): Omit<NativeOrder, 'id' | 'location_id'> => ({
  state: 'OPEN',
  taxes: [{ uid: 't', name: 'Tax', percentage: '10', type, applied_money: usd(total === 110 ? 10 : 9) }],
  line_items: [
    line({
      base_price_money: usd(100),
      gross_sales_money: usd(gross),
      total_tax_money: usd(total === 110 ? 10 : 9),
      total_money: usd(total),
      applied_taxes: [{ tax_uid: 't', applied_money: usd(total === 110 ? 10 : 9) }],
    }),
  ],
  total_money: usd(total),
  total_tax_money: usd(total === 110 ? 10 : 9),
})

describe('an order of Square', () => {
  it('has prices with or without its taxes, whatever its country shows as gross sales', () => {
    const added = read(taxed('ADDITIVE', { gross: 100, total: 110 }))
    expect([added.taxIncluded, added.lineItems[0]]).toMatchObject([false, { unitPrice: 1, lineTotal: 1, lineTax: 0.1 }])
    for (const gross of [91, 100]) {
      const inside = read(taxed('INCLUSIVE', { gross, total: 100 }))
      expect([inside.taxIncluded, inside.lineItems[0]]).toMatchObject([
        true,
        { unitPrice: 1, lineTotal: 1, lineTax: 0.09 },
      ])
      expect(inside.taxes).toEqual([{ name: 'Tax', rate: 10, amount: 0.09, included: true }])
    }
  })
  it('contains the tip once it is paid', () => {
    const open = {
      state: 'OPEN',
      line_items: [line({ base_price_money: usd(1249), total_money: usd(1249) })],
      total_money: usd(1249),
      total_tip_money: usd(0),
      net_amount_due_money: usd(1249),
      created_at: '2026-11-10T23:59:56Z',
    }
    expect(read(open)).toMatchObject({ total: 12.49, tipTotal: 0, processedAt: '2026-11-10T23:59:56.000Z' })
    const tender = { id: 'p', created_at: '2026-11-11T00:04:00Z', amount_money: usd(1499), tip_money: usd(250) }
    const paid = { ...open, total_money: usd(1499), total_tip_money: usd(250), net_amount_due_money: usd(0) }
    expect(read({ ...paid, tenders: [tender] })).toMatchObject({
      total: 14.99,
      tipTotal: 2.5,
      tipIncluded: true,
      subtotal: 12.49,
      processedAt: '2026-11-11T00:04:00.000Z', // it stays open until it is delivered
    })
    const completed = { ...paid, state: 'COMPLETED', tenders: [tender], closed_at: '2026-11-11T09:00:00Z' }
    expect(
      read({ ...completed, location_timezone: 'America/Los_Angeles' }, { businessDayStart: '17:00' }),
    ).toMatchObject({
      processedAt: '2026-11-11T00:04:00.000Z',
      closedAt: '2026-11-11T09:00:00.000Z',
      businessDate: '2026-11-09', // 16:04 in Los Angeles, before the day begins
    })
  })
  it("has the price of a unit with its modifiers, with or without a modifier's own quantity in Square's total", () => {
    const burger = (total: number) =>
      read({
        state: 'OPEN',
        line_items: [
          line({
            quantity: '2',
            base_price_money: usd(900),
            modifiers: [
              {
                uid: 'm',
                catalog_object_id: 'M1',
                name: 'Cheese',
                quantity: '2',
                base_price_money: usd(75),
                total_price_money: usd(total),
              },
              {
                uid: 'n',
                name: 'Well done',
                base_price_money: usd(0),
                total_price_money: usd(0),
                parent_modifier_uid: 'm',
              },
            ],
            total_money: usd(1800 + total),
          }),
        ],
        total_money: usd(1800 + total),
      }).lineItems[0]
    expect(burger(300)).toMatchObject({ unitPrice: 10.5, lineTotal: 21 })
    expect(burger(150)).toMatchObject({ unitPrice: 9.75, lineTotal: 19.5 })
    expect(burger(300)?.modifiers).toEqual([
      {
        modifierExternalId: 'M1',
        name: 'Cheese',
        quantity: 2,
        price: 0.75,
        modifiers: [{ name: 'Well done', quantity: 1, price: 0 }],
      },
    ])
  })
  it('has an apportioned charge as a charge, and not in its lines', () => {
    // A burrito of 6.00 with guacamole, 0.64 off, a charge of 0.55 within the line, and taxes of 0.60.
    const order = read({
      state: 'OPEN',
      taxes: [{ uid: 't', type: 'ADDITIVE', percentage: '9.2', applied_money: usd(60) }],
      service_charges: [
        {
          uid: 'c',
          name: 'Packaging',
          calculation_phase: 'APPORTIONED_AMOUNT_PHASE',
          applied_money: usd(55),
          total_tax_money: usd(0),
        },
      ],
      line_items: [
        line({
          base_price_money: usd(600),
          modifiers: [{ name: 'Guacamole', quantity: '1', base_price_money: usd(60), total_price_money: usd(60) }],
          gross_sales_money: usd(715),
          total_discount_money: usd(64),
          total_service_charge_money: usd(55),
          total_tax_money: usd(60),
          total_money: usd(711),
        }),
      ],
      total_money: usd(711),
      total_tax_money: usd(60),
      total_service_charge_money: usd(55),
    })
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 6.6, lineDiscount: 0.64, lineTotal: 5.96 })
    expect(order).toMatchObject({ subtotal: 5.96, serviceChargeTotal: 0.55, taxTotal: 0.6, total: 7.11 })
  })
  it('has a card surcharge, which is in no list, as a charge', () => {
    const order = read({
      state: 'OPEN',
      line_items: [line({ base_price_money: usd(1000), total_money: usd(1000) })],
      total_money: usd(1030),
      total_card_surcharge_money: usd(30),
    })
    expect(order.serviceCharges).toEqual([{ name: 'Card surcharge', kind: 'SURCHARGE', amount: 0.3 }])
  })
})

it('is priced by its own rules: percentages before amounts, taxes of the order rounded once, shares by weight', () => {
  const of = (uid: string, amount: number, more = {}): LineItem => ({
    uid,
    quantity: '1',
    base_price_money: usd(amount),
    ...more,
  })
  const order = withTotals(
    {
      location_id: 'L1',
      state: 'OPEN' as const,
      line_items: [of('a', 999), of('b', 999, { item_type: 'GIFT_CARD' }), of('c', 1)],
      discounts: [
        { uid: 'fixed', amount_money: usd(100), scope: 'ORDER' },
        { uid: 'percent', percentage: '10', scope: 'ORDER' },
      ],
      taxes: [{ uid: 't', percentage: '8.875', type: 'INCLUSIVE', scope: 'ORDER' }],
    },
    { currency: 'USD', country: 'GB' },
  )
  // 999 - 100 - 100 and 1 - 0 - 0; 8.875 % within 800 are 65.2.
  expect(order.line_items?.map(({ total_discount_money: off }) => off)).toEqual([usd(200), usd(0), usd(0)])
  expect(order.line_items?.map(({ gross_sales_money: gross }) => gross)).toEqual([usd(999), usd(999), usd(1)])
  expect(order).toMatchObject({ total_tax_money: usd(65), total_money: usd(1799) })
  expect(withTotals(order, { currency: 'USD', country: 'CA' }).line_items?.[0]?.gross_sales_money).toEqual(usd(934))
})

describe('through the service', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({ connectors: { square }, simulators, platform: 'square' })
  })
  afterAll(() => harness.close())
  const patient = { prefer: 'wait=60' }
  const call = (method: string, path: string, body?: unknown) =>
    harness.call(method, `/unified/square-restaurant/order${path}`, body, patient)
  // biome-ignore lint/suspicious/noExplicitAny: records of the service
  const all = async (vertical: Vertical): Promise<{ orders: any[]; warnings: any[] }> => {
    const orders: unknown[] = []
    const warnings: unknown[] = []
    for (let query: string | undefined = '?pageSize=100'; query !== undefined; ) {
      const { body } = await harness.call(
        'GET',
        `/unified/${harness.accountId(vertical)}/order${query}`,
        undefined,
        patient,
      )
      orders.push(...body.data)
      warnings.push(...(body.warnings ?? []))
      query = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
    }
    return { orders, warnings } as never
  }
  const modifier = () => harness.tenants.find(({ vertical }) => vertical === 'restaurant')?.modifier?.of as object
  const location = () => harness.tenants.find(({ vertical }) => vertical === 'restaurant')!.locations[0]

  it('every kind of money is served, of orders without end', async () => {
    const count = caseSeed() === 'all' ? 400 : 90
    for (const vertical of ['restaurant', 'retail_pos'] as const) {
      harness.tenants.find((tenant) => tenant.vertical === vertical)!.records.order!.add(count)
      const { orders, warnings } = await all(vertical)
      expect(warnings.filter(({ code }) => code !== 'refund_left_out')).toEqual([])
      const seen = {
        modifiers: orders.some(({ lineItems }) => lineItems.some(({ modifiers = [] }) => modifiers.length === 4)),
        tip: orders.some(({ tipTotal }) => tipTotal > 0),
        gratuity: orders.some(({ serviceCharges = [] }) =>
          serviceCharges.some(({ kind }: { kind: string }) => kind === 'GRATUITY'),
        ),
        chargeTax: orders.some(({ serviceCharges = [] }) => serviceCharges.some(({ taxAmount = 0 }) => taxAmount > 0)),
        discounts: orders.some(
          ({ discounts = [] }) => new Set(discounts.map(({ scope }: { scope: string }) => scope)).size === 2,
        ),
        inside: orders.some(({ taxIncluded }) => taxIncluded === true),
        mixed: orders.some(({ taxIncluded }) => taxIncluded === undefined),
        twoTaxes: orders.some(({ lineItems }) => lineItems.some(({ taxes = [] }) => taxes.length === 2)),
        giftCard: orders.some(({ lineItems }) => lineItems.some(({ kind }: { kind: string }) => kind === 'GIFT_CARD')),
        exchange: orders.some(({ refundTotal }) => refundTotal > 0),
        fulfillment: orders.some(({ fulfillment }) => fulfillment?.state === 'READY'),
        free: orders.some(({ subtotal, tipTotal }) => subtotal === 0 && tipTotal > 0),
        rounding: orders.some(({ roundingTotal = 0 }) => roundingTotal !== 0),
      }
      expect(seen).toEqual({
        ...Object.fromEntries(Object.keys(seen).map((kind) => [kind, true])),
        rounding: vertical === 'retail_pos',
      })
    }
  })
  it('an order is sent with its modifiers, charges, fulfillment and notes, and its base price without the modifiers', async () => {
    harness.sandbox.clearCalls('square')
    const record = {
      externalId: 'MONEY-1',
      locationExternalId: location(),
      channel: 'Delivery app',
      fulfillment: {
        type: 'CURBSIDE',
        name: 'Ada Lovelace',
        phone: '+14155550100',
        dueAt: '2026-11-20T18:00:00.000Z',
        instructions: 'Blue car',
      },
      serviceCharges: [{ name: 'Bag', kind: 'OTHER', amount: 0.25 }],
      lineItems: [
        {
          name: 'Coffee',
          quantity: 2,
          unitPrice: 5.7,
          note: 'No lid',
          modifiers: [modifier(), { name: 'Straw', price: 0.1 }],
        },
      ],
    }
    const { status, body } = await call('POST', '', record)
    expect(status, JSON.stringify(body)).toBe(201)
    const sent = harness.sandbox.calls('square').find(({ path }) => path === '/v2/orders')?.body as {
      order: NativeOrder
    }
    // 5.70 - 2 x 0.60 - 0.10
    expect(sent.order.line_items?.[0]?.base_price_money).toEqual(usd(440))
    expect(body.data).toMatchObject({
      ...record,
      externalId: body.data.externalId,
      lineItems: [{ unitPrice: 5.7, lineTotal: 11.4 }],
    })
    expect(body.data).toMatchObject({ serviceChargeTotal: 0.25, total: 11.65, taxIncluded: false })
  })
  it.each([
    [
      '/lineItems/0/modifiers/0/price',
      { lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 3, modifiers: [{ name: 'Milk' }] }] },
    ],
    [
      '/lineItems/0/modifiers/0/name',
      { lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 3, modifiers: [{ price: 1 }] }] },
    ],
    [
      '/lineItems/0/unitPrice',
      { lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 0.5, modifiers: [{ name: 'Milk', price: 0.6 }] }] },
    ],
    ['/serviceCharges/0/amount', { serviceCharges: [{ name: 'Off', amount: -1 }] }],
    ['/serviceChargeTotal', { serviceChargeTotal: 3, serviceCharges: [{ name: 'Service', amount: 2 }] }],
    ['/fulfillment/dueAt', { fulfillment: { type: 'DELIVERY', name: 'Ada' } }],
    ['/tipTotal', { tipTotal: 2 }],
  ])('money that would be lost is refused at %s', async (pointer, change) => {
    const tea = [{ name: 'Tea', quantity: 1, unitPrice: 3 }]
    const record = { externalId: `LOST-${pointer}`, locationExternalId: location(), lineItems: tea, ...change }
    const { status, body } = await call('POST', '', record)
    expect([status, body.errors?.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]])
  })
  it('a line that replaces another one is not discounted twice, and the other lines keep their part', async () => {
    const { orders } = await all('restaurant')
    const order = orders.find(({ state, discounts = [] }) => state === 'OPEN' && discounts.length === 3)
    const last = order.lineItems.at(-1)
    const lineItems = [...order.lineItems.slice(0, -1), { ...last, quantity: last.quantity + 1 }]
    const { body } = await call('PUT', `/${order.externalId}`, { ...order, lineItems })
    expect(body.data.lineItems.map(({ lineDiscount }: { lineDiscount: number }) => lineDiscount)).toEqual(
      order.lineItems.map(({ lineDiscount }: { lineDiscount: number }) => lineDiscount),
    )
    expect(body.data.discountTotal).toBe(order.discountTotal)
    expect(body.data.lineItems[0]).toEqual(order.lineItems[0])
  })
  it('a price or a note that changes leaves the modifiers of the line as they are', async () => {
    const { orders } = await all('restaurant')
    const order = orders.find(({ lineItems: [first] }) => first.modifiers?.length === 4)
    const [first, ...others] = order.lineItems
    const { modifiers: _, ...less } = first
    const lineItems = [{ ...less, unitPrice: first.unitPrice + 1, note: 'Warm' }, ...others]
    const { body } = await call('PUT', `/${order.externalId}`, { ...order, lineItems })
    expect(body.data.lineItems[0]).toMatchObject({
      unitPrice: Math.round((first.unitPrice + 1) * 100) / 100,
      note: 'Warm',
      modifiers: first.modifiers,
      lineTotal: Math.round((first.lineTotal + first.quantity) * 100) / 100,
    })
    const cleared = await call('PUT', `/${order.externalId}`, {
      ...body.data,
      lineItems: [{ ...body.data.lineItems[0], note: null, modifiers: null }, ...others],
    })
    expect(cleared.body.data.lineItems[0]).not.toHaveProperty('modifiers')
    expect(cleared.body.data.lineItems[0]).not.toHaveProperty('note')
    expect(cleared.body.data.lineItems[0].unitPrice).toBe(body.data.lineItems[0].unitPrice)
  })
  it('charges and fulfillments change, and go', async () => {
    const { orders } = await all('restaurant')
    const order = orders.find(({ state, fulfillment }) => state === 'OPEN' && fulfillment?.state === 'READY')
    const put = async (change: object) => (await call('PUT', `/${order.externalId}`, { ...order, ...change })).body.data
    const fulfillment = { ...order.fulfillment, state: 'FULFILLED' }
    expect((await put({ fulfillment })).fulfillment).toEqual(fulfillment)
    const later = { ...fulfillment, dueAt: '2026-11-21T18:00:00.000Z' }
    const serviceCharges = [{ name: 'Bag', kind: 'OTHER', amount: 0.25 }]
    expect(await put({ fulfillment: later, serviceCharges, serviceChargeTotal: 0.25 })).toMatchObject({
      fulfillment: later,
      serviceCharges,
      serviceChargeTotal: 0.25,
    })
    const less = await put({ fulfillment: null, serviceCharges: [], serviceChargeTotal: 0, channel: 'Kiosk' })
    expect([less.fulfillment, less.serviceCharges, less.channel]).toEqual([undefined, undefined, 'Kiosk'])
  })
})
