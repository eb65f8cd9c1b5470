// Orders that add up, as callers read them: what a till of Toast has, facts that Toast documents, and generated orders.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { toast } from './connector.ts'
import { tillKinds } from './simulator/seed-till.ts'
import { createToastSimulator } from './simulator/simulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: records and native rows of any shape
type Json = any
const at = '/unified/toast-restaurant'
const patient = { prefer: 'wait=60' }
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { toast },
    simulators: { toast: createToastSimulator },
    platform: 'toast',
  })
})
afterAll(() => harness.close())

async function walk(
  entity: string,
  { call }: Pick<Harness, 'call'> = harness,
): Promise<{ rows: Json[]; warnings: Json[] }> {
  const rows: Json[] = []
  const warnings: Json[] = []
  for (let query: string | undefined = 'pageSize=100&include=native'; query; ) {
    const { status, body } = await call('GET', `${at}/${entity}?${query}`, undefined, patient)
    expect(status, JSON.stringify(body)).toBe(200)
    const nativeOf = ({ externalId }: Json) =>
      body.native[externalId].responses
        .map(({ value }: Json) => value)
        .find((value: Json) => value?.guid === externalId)
    rows.push(...body.data.map((data: Json) => ({ data, native: nativeOf(data) })))
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor && `cursor=${body.pagination.cursor}`
  }
  return { rows, warnings }
}
/** The order of a response of Toast. */
async function readAs(native: Json): Promise<{ order: Json; warnings: Json[] }> {
  const { sandbox } = harness
  sandbox.fault('toast', { kind: 'foreign_before', path: `/orders/v2/orders/${native.guid}`, times: 1, body: native })
  const { status, body } = await harness.call('GET', `${at}/order/${native.guid}`, undefined, patient)
  expect(status, JSON.stringify(body)).toBe(200)
  return { order: body.data, warnings: body.warnings ?? [] }
}
const guid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const orderWith = (check: Json, more: Json = {}) => ({
  guid: guid(1),
  openedDate: '2026-11-09T18:00:00.000+0000',
  checks: [{ guid: guid(2), paymentStatus: 'OPEN', voided: false, deleted: false, ...check }],
  ...more,
})
const line = (more: Json) => ({ guid: guid(3), displayName: 'Burger', quantity: 1, voided: false, ...more })

describe('an order of Toast', () => {
  it('is dated when it was paid, not when the card was captured the next morning', async () => {
    const { order, warnings } = await readAs(
      orderWith(
        {
          amount: 1,
          taxAmount: 0.06,
          totalAmount: 1.06,
          paymentStatus: 'CLOSED',
          selections: [
            line({
              receiptLinePrice: 1,
              preDiscountPrice: 1,
              price: 1,
              tax: 0.06,
              appliedTaxes: [{ taxRate: { guid: guid(4) }, name: 'State Tax', rate: 0.0625, taxAmount: 0.06 }],
            }),
          ],
          payments: [{ guid: guid(5), type: 'CREDIT', amount: 1.06, tipAmount: 0, paymentStatus: 'CAPTURED' }],
        },
        {
          openedDate: '2019-02-24T13:48:44.206+0000',
          paidDate: '2019-02-24T13:49:38.616+0000',
          closedDate: '2019-02-25T11:05:00.024+0000',
          modifiedDate: '2019-02-25T11:05:00.024+0000',
          businessDate: 20190224,
          source: 'In Store',
          numberOfGuests: 1,
        },
      ),
    )
    expect(warnings).toEqual([])
    expect(order).toMatchObject({
      processedAt: '2019-02-24T13:49:38.616Z',
      businessDate: '2019-02-24',
      closedAt: '2019-02-25T11:05:00.024Z',
      state: 'COMPLETED',
      channel: 'POS',
      guestCount: 1,
      total: 1.06,
      taxes: [{ taxRateExternalId: guid(4), name: 'State Tax', rate: 6.25, amount: 0.06, base: 1, included: false }],
    })
  })

  it("has the totals of Toast's own example: an item discount, two taxes and an untaxed delivery charge", async () => {
    const tax = (number: number, rate: number, taxAmount: number) => ({
      taxRate: { guid: guid(number) },
      rate,
      taxAmount,
    })
    const { order, warnings } = await readAs(
      orderWith({
        amount: 18,
        taxAmount: 1.35,
        totalAmount: 19.35,
        selections: [
          line({
            quantity: 2,
            receiptLinePrice: 8,
            preDiscountPrice: 16,
            price: 15,
            tax: 1.35,
            appliedDiscounts: [{ name: 'Lunch', discountAmount: 1, nonTaxDiscountAmount: 1 }],
            appliedTaxes: [tax(4, 0.05, 0.75), tax(5, 0.04, 0.6)],
          }),
        ],
        appliedServiceCharges: [{ name: 'Delivery', chargeAmount: 3, delivery: true, taxable: false }],
      }),
    )
    expect(warnings).toEqual([])
    expect(order).toMatchObject({ subtotal: 15, discountTotal: 1, serviceChargeTotal: 3, taxTotal: 1.35, total: 19.35 })
    expect(order.serviceCharges).toEqual([{ name: 'Delivery', kind: 'DELIVERY', amount: 3, taxAmount: 0 }])
    expect(order.discounts).toEqual([{ name: 'Lunch', scope: 'LINE', amount: 1 }])
    expect(order.taxes.map(({ rate, amount }: Json) => [rate, amount])).toEqual([
      [5, 0.75],
      [4, 0.6],
    ])
    expect(order.lineItems[0]).toMatchObject({
      quantity: 2,
      unitPrice: 8,
      lineDiscount: 1,
      lineTotal: 15,
      lineTax: 1.35,
    })
  })

  it('has the share of a discount on the check in its lines, as Toast spread it', async () => {
    const { order, warnings } = await readAs(
      orderWith({
        amount: 38.96,
        taxAmount: 2.44,
        totalAmount: 41.4,
        appliedDiscounts: [{ name: 'Five off', discountAmount: 5, nonTaxDiscountAmount: 5 }],
        selections: [line({ receiptLinePrice: 43.96, preDiscountPrice: 43.96, price: 38.96, tax: 2.44 })],
      }),
    )
    expect(warnings).toEqual([])
    expect(order).toMatchObject({ subtotal: 38.96, discountTotal: 5, total: 41.4 })
    expect(order.discounts).toEqual([{ name: 'Five off', scope: 'ORDER', amount: 5 }])
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 43.96, lineDiscount: 5, lineTotal: 38.96 })
  })

  it('has the modifiers in the price of its lines, listed with their own, and requests as notes', async () => {
    const modifier = (number: number, price: number, more: Json = {}) => ({
      guid: guid(number),
      item: { guid: guid(number + 100) },
      optionGroup: { guid: guid(number + 200) },
      displayName: `Modifier ${number}`,
      quantity: 5,
      receiptLinePrice: price,
      tax: 0,
      ...more,
    })
    const cream = modifier(10, 0.5, { preDiscountPrice: 3.75, price: 3.75, modifiers: [modifier(11, 0.25)] })
    const note = { displayName: 'On the side', selectionType: 'SPECIAL_REQUEST', quantity: 1, modifiers: [] }
    const pie = line({
      item: { guid: guid(20) },
      itemGroup: { guid: guid(21) },
      quantity: 5,
      receiptLinePrice: 4,
      preDiscountPrice: 23.75,
      price: 21.75,
      tax: 0,
      modifiers: [cream, note],
      appliedDiscounts: [{ name: 'Regular', discountAmount: 2, nonTaxDiscountAmount: 2 }],
    })
    const { order, warnings } = await readAs(
      orderWith({ amount: 21.75, taxAmount: 0, totalAmount: 21.75, selections: [pie] }),
    )
    expect(warnings).toEqual([])
    expect(order.lineItems).toEqual([
      {
        externalId: guid(3),
        productExternalId: guid(20),
        categoryExternalId: guid(21),
        name: 'Burger',
        kind: 'ITEM',
        quantity: 5,
        unitPrice: 4.75,
        lineDiscount: 2,
        lineTotal: 21.75,
        lineTax: 0,
        note: 'On the side',
        modifiers: [
          {
            modifierExternalId: guid(110),
            modifierGroupExternalId: guid(210),
            name: 'Modifier 10',
            quantity: 1,
            price: 0.5,
            modifiers: [
              {
                modifierExternalId: guid(111),
                modifierGroupExternalId: guid(211),
                name: 'Modifier 11',
                quantity: 1,
                price: 0.25,
              },
            ],
          },
        ],
      },
    ])
  })

  it('contains automatic gratuity, which Toast leaves out of its total, and neither tips nor refunds', async () => {
    const charge = { name: 'Large party', chargeAmount: 9, chargeType: 'PERCENT', gratuity: true, dineIn: true }
    const payments = [
      {
        guid: guid(5),
        amount: 59,
        tipAmount: 4,
        paymentStatus: 'CAPTURED',
        refund: { refundAmount: 10, tipRefundAmount: 1 },
      },
      { guid: guid(6), amount: 59, tipAmount: 7, paymentStatus: 'VOIDED' },
      { guid: guid(7), amount: 59, tipAmount: 8, paymentStatus: 'DENIED' },
    ]
    const selections = [line({ receiptLinePrice: 50, preDiscountPrice: 50, price: 50, tax: 0 })]
    const totals = { amount: 50, taxAmount: 0, selections, payments, appliedServiceCharges: [charge] }
    for (const totalAmount of [50, 59]) {
      // One day it may contain them.
      const { order, warnings } = await readAs(orderWith({ ...totals, totalAmount }))
      expect(warnings).toEqual([])
      expect(order).toMatchObject({
        total: 59,
        serviceChargeTotal: 9,
        tipTotal: 4,
        tipIncluded: false,
        refundTotal: 10,
      })
      expect(order.serviceCharges).toEqual([{ name: 'Large party', kind: 'GRATUITY', amount: 9, taxAmount: 0 }])
    }
    const { warnings } = await readAs(orderWith({ ...totals, totalAmount: 51 }))
    expect(warnings.map(({ code }) => code)).toEqual(['does_not_add_up'])
  })

  it('has cash rounding by itself, and prices without taxes where the menu has them with taxes', async () => {
    const rounding = { name: 'Cash rounding', chargeAmount: -0.02, serviceChargeCategory: 'CASH_ROUNDING' }
    const { order, warnings } = await readAs(
      orderWith({
        amount: 9.39,
        taxAmount: 0.59,
        totalAmount: 9.98,
        appliedServiceCharges: [rounding],
        selections: [
          line({
            receiptLinePrice: 10,
            preDiscountPrice: 9.41,
            price: 9.41,
            tax: 0.59,
            taxInclusion: 'INCLUDED',
            modifiers: [{ displayName: 'Rare', quantity: 1, receiptLinePrice: 0, preDiscountPrice: 0, price: 0 }],
          }),
        ],
      }),
    )
    expect(warnings).toEqual([])
    expect(order).toMatchObject({
      roundingTotal: -0.02,
      serviceChargeTotal: 0,
      taxIncluded: false,
      subtotal: 9.41,
      total: 9.98,
    })
    expect(order.serviceCharges).toBeUndefined()
    expect(order.lineItems[0]).toMatchObject({ unitPrice: 9.41, lineTotal: 9.41, lineTax: 0.59 })
  })

  it('that was voided has what was canceled, although the totals of Toast are 0', async () => {
    const voided = line({ receiptLinePrice: 8, preDiscountPrice: 16, quantity: 2, price: 16, tax: 1, voided: true })
    const check = { amount: 0, taxAmount: 0, totalAmount: 0, voided: true, selections: [voided] }
    const { order, warnings } = await readAs(orderWith(check, { voided: true }))
    expect(warnings).toEqual([])
    expect(order).toMatchObject({ state: 'CANCELED', total: 17, taxTotal: 1, subtotal: 16 })
  })

  it('is read without a scope for the configuration, and lacks only what that says', async () => {
    const known = (await walk('order')).rows.find(({ data }) => data.fulfillment?.table)!
    expect(known.data.fulfillment).toMatchObject({ type: 'DINE_IN', table: expect.stringMatching(/^(1|2|Bar 3)$/) })
    const scoped = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
    })
    try {
      scoped.sandbox.fault('toast', { kind: 'forbidden', path: '/config/v2/' })
      const { status, body } = await scoped.call('GET', `${at}/order/${known.data.externalId}`, undefined, patient)
      expect([status, body.data.total]).toEqual([200, known.data.total])
      expect(body.data.fulfillment).toEqual({ table: known.native.table.guid })
    } finally {
      await scoped.close()
    }
  })
})

describe('the orders of a till', () => {
  it('are named by their kinds: where they come from, how guests get them, and what is no sale', async () => {
    const { rows, warnings } = await walk('order')
    const orders = rows.map(({ data }) => data)
    const having = (matches: (order: Json) => unknown) => orders.filter(matches)
    const types = new Set(orders.map(({ fulfillment }) => fulfillment?.type))
    expect([...types].toSorted()).toEqual(['CURBSIDE', 'DELIVERY', 'DINE_IN', 'TAKEOUT'])
    const kinds = new Set(orders.flatMap(({ serviceCharges = [] }) => serviceCharges.map(({ kind }: Json) => kind)))
    expect([...kinds].toSorted()).toEqual(['DELIVERY', 'GRATUITY', 'OTHER', 'SERVICE', 'SURCHARGE'])
    const cards = having(({ lineItems }) => lineItems.some(({ kind }: Json) => kind === 'GIFT_CARD'))
    expect(cards).toHaveLength(1)
    const [delivery] = having(({ channel }) => channel === 'Grubhub')
    expect(delivery.fulfillment).toMatchObject({
      type: 'DELIVERY',
      address: { line1: '401 Park Drive', city: 'Boston', state: 'MA', postalCode: '02215' },
      instructions: 'Please ring the bell.',
    })
    expect(delivery.taxes).toMatchObject([{ remittedByMarketplace: true }])
    const [curbside] = having(({ fulfillment }) => fulfillment?.type === 'CURBSIDE')
    expect(curbside.fulfillment.instructions).toBe('blue Street Cruiser\nConvertible with top down')
    expect(curbside.fulfillment).toMatchObject({ name: expect.any(String), phone: expect.any(String) })
    expect(having(({ roundingTotal }) => roundingTotal !== 0).length).toBe(1)
    // A voided selection, check or payment is in neither lines nor tips.
    const [voids] = rows.filter(({ native }) =>
      native.checks.some(({ payments }: Json) => payments.length === 2 && payments[0].voidInfo),
    )
    expect([voids.data.lineItems.length, voids.data.tipTotal]).toEqual([1, 1])
    const left = warnings.filter(({ code }) => code === 'not_a_sale').map(({ message }) => message)
    expect(left.toSorted()).toEqual([expect.stringContaining('test'), expect.stringContaining('waste')])
  })

  it('add up, whatever is on them: generated ones of every kind', async () => {
    const count = caseSeed() === 'all' ? 2000 : 80
    expect(count).toBeGreaterThan(3 * tillKinds.length)
    const own = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
    })
    const added = new Set(own.tenants[0]!.records.order!.add(count))
    const { rows, warnings } = await walk('order', own).finally(() => own.close())
    // An order whose lines are all voided has none.
    expect(warnings.filter(({ code }) => code !== 'not_a_sale' && code !== 'no_lines')).toEqual([])
    const orders = rows.map(({ data }) => data).filter(({ externalId }) => added.has(externalId))
    expect(orders).toHaveLength(count)
    for (const order of orders) {
      const lines = order.lineItems.reduce((total: number, one: Json) => total + Math.round(one.lineTotal * 100), 0)
      const { serviceChargeTotal, roundingTotal, taxTotal } = order
      const others = [serviceChargeTotal, roundingTotal, taxTotal].reduce(
        (total, one) => total + Math.round(one * 100),
        0,
      )
      expect(lines + others, JSON.stringify(order)).toBe(Math.round(order.total * 100))
      const taxes = (order.taxes ?? []).reduce((total: number, one: Json) => total + Math.round(one.amount * 100), 0)
      expect(taxes, JSON.stringify(order)).toBe(Math.round(taxTotal * 100))
      const off = order.lineItems.reduce((total: number, one: Json) => total + Math.round(one.lineDiscount * 100), 0)
      expect(off).toBe(Math.round(order.discountTotal * 100))
    }
  })
})

describe('an order that is written', () => {
  const post = (record: Json) => harness.call('POST', `${at}/order`, record, patient)
  /** Its price is without taxes. */
  const productWith = async (pricingStrategy: string) =>
    (await walk('product')).rows.find(
      ({ native }) =>
        native.pricingStrategy === pricingStrategy &&
        native.taxInclusion === 'TAX_NOT_INCLUDED' &&
        native.unitOfMeasure === 'NONE' &&
        native.modifierGroupReferences.length === 1,
    )!.data
  const lastSent = () =>
    harness.sandbox.calls('toast').findLast(({ method, path }) => method === 'POST' && path === '/orders/v2/orders')!
      .body as Json

  it('has its modifiers, each as often as it was chosen, and its note as a special request', async () => {
    const { of } = harness.tenants[0]!.modifier! as Json
    const product = await productWith('BASE_PRICE')
    const { status, body } = await post({
      externalId: 'with modifiers',
      guestCount: 3,
      lineItems: [
        { productExternalId: product.externalId, quantity: 2, modifiers: [{ ...of, quantity: 2 }], note: 'No salt' },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const [selection] = lastSent().checks[0].selections
    expect(selection.modifiers.map(({ quantity, modifiers }: Json) => [quantity, modifiers?.[0]?.quantity])).toEqual([
      [2, 2],
      [2, 2],
      [undefined, undefined],
    ])
    expect(body.data).toMatchObject({ guestCount: 3, lineItems: [{ note: 'No salt', quantity: 2 }] })
    const [line] = body.data.lineItems
    expect(line.unitPrice).toBeCloseTo(product.price + 2 * (1.25 + 0.75), 9)
    expect(line.modifiers).toEqual([of, of])
  })
  it('has an open price without its modifiers, which Toast adds', async () => {
    const { of } = harness.tenants[0]!.modifier! as Json
    const product = await productWith('OPEN_PRICE')
    const order = (externalId: string, unitPrice: number) =>
      post({
        externalId,
        lineItems: [{ productExternalId: product.externalId, quantity: 3, unitPrice, modifiers: [of] }],
      })
    const { status, body } = await order('open price', 9.5)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(lastSent().checks[0].selections[0].openPriceAmount).toBe(7.5)
    expect(body.data.lineItems[0]).toMatchObject({ unitPrice: 9.5, lineTotal: 28.5 })
    const refused = await order('too cheap', 1.5)
    expect([refused.status, refused.body.errors.map(({ pointer }: Json) => pointer)]).toEqual([
      422,
      ['/lineItems/0/unitPrice'],
    ])
  })
  it('is refused by name with a modifier that the item does not have', async () => {
    const { of } = harness.tenants[0]!.modifier! as Json
    const product = await productWith('BASE_PRICE')
    for (const [modifier, pointer] of [
      [{ name: 'Oat milk' }, '/lineItems/0/modifiers/0/modifierExternalId'],
      [{ ...of, modifierExternalId: 'other' }, '/lineItems/0/modifiers/0/modifierExternalId'],
      [{ ...of, quantity: 1.5 }, '/lineItems/0/modifiers/0/quantity'],
      [
        { ...of, modifiers: [{ modifierExternalId: 'other' }] },
        '/lineItems/0/modifiers/0/modifiers/0/modifierExternalId',
      ],
    ] as const) {
      const { status, body } = await post({
        externalId: `refused ${pointer} ${JSON.stringify(modifier)}`,
        lineItems: [{ productExternalId: product.externalId, quantity: 1, modifiers: [modifier] }],
      })
      expect([status, body.code, body.errors?.map((one: Json) => one.pointer)]).toEqual([
        422,
        'target_refuses',
        [pointer],
      ])
    }
  })
})

describe('a time entry', () => {
  it('has its shift, whether Toast names it by an object or by its GUID', async () => {
    const entry = {
      guid: guid(1),
      inDate: '2026-11-10T09:00:00.000+0000',
      modifiedDate: '2026-11-10T09:00:00.000+0000',
    }
    for (const shiftReference of [guid(2), { guid: guid(2), entityType: 'ScheduledShift' }]) {
      const path = `/labor/v1/timeEntries/${guid(1)}`
      harness.sandbox.fault('toast', { kind: 'foreign_before', path, times: 1, body: { ...entry, shiftReference } })
      const { body } = await harness.call('GET', `${at}/time_entry/${guid(1)}`, undefined, patient)
      expect([body.data.shiftExternalId, body.warnings ?? []]).toEqual([guid(2), []])
    }
  })
})
