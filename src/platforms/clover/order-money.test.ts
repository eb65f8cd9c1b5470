// What orders cost: recorded ones of real merchants, and generated ones of every kind, through the whole service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { CreateSimulator, Simulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator/simulator.ts'

type Handle = Simulator['handle']
/** What is between the service and the simulator: by default nothing. */
let between: (request: WireRequest, pass: Handle) => WireResponse | Promise<WireResponse> = (request, pass) =>
  pass(request)
const watched: CreateSimulator = (options) => {
  const simulator = createCloverSimulator(options)
  return { ...simulator, handle: (request) => between(request, simulator.handle) }
}
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({ connectors: { clover }, simulators: { clover: watched }, platform: 'clover' })
})
afterAll(() => harness?.close())

const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/clover-restaurant/${path}`, body, { prefer: 'wait=60' })
const native = () => harness.tenants[0]!.records.order!
const modifier = () => harness.tenants[0]!.modifier!.of as { modifierExternalId: string; name: string; price: number }
const calls = (method: string, part: string) =>
  harness.sandbox.calls('clover').filter((one) => one.method === method && one.path.includes(part))
async function during<T>(other: typeof between, run: () => Promise<T>): Promise<T> {
  between = other
  try {
    return await run()
  } finally {
    between = (request, pass) => pass(request)
  }
}
async function allOrders(): Promise<{ orders: AnyRecord[]; warnings: AnyRecord[] }> {
  const [orders, warnings]: AnyRecord[][] = [[], []]
  for (let query = 'pageSize=250'; query; ) {
    const { status, body } = await call('GET', `order?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    orders!.push(...body.data)
    warnings!.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { orders: orders!, warnings: warnings! }
}
let serial = 0
const key = () => `M-${++serial}`
async function written(record: object): Promise<AnyRecord> {
  const { status, body } = await call('POST', 'order', { externalId: key(), ...record })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
/** Expanded parts of the first level, as far as a call asks for them. */
const parts = ['lineItems', 'customers', 'payments', 'discounts', 'serviceCharge', 'refunds', 'credits', 'orderType']
const recorded = (order: AnyRecord) =>
  during(
    (request, pass) => {
      if (!request.path.endsWith(`/orders/${order.id}`)) return pass(request)
      const asked = (request.query.get('expand') ?? '').split(',').map((name) => name.split('.')[0])
      const shown = Object.entries(order).filter(([name]) => !parts.includes(name) || asked.includes(name))
      return { status: 200, body: Object.fromEntries(shown) }
    },
    async () => (await call('GET', `order/${order.id}`)).body,
  )
const elements = <T>(...rows: T[]) => ({ elements: rows })

describe('a recorded order', () => {
  const taxRates = elements({ id: '68TVKPTQBXP3A', name: 'State tax', rate: 635_000, isDefault: true })
  const line = (id: string, name: string, price: number, more: object = {}) => ({
    ...{ id, name, price, exchanged: false, refunded: false, isRevenue: true, taxRates },
    ...more,
  })
  const base = {
    ...{ currency: 'USD', isVat: false, taxRemoved: false, testMode: false, manualTransaction: false },
    ...{ createdTime: 1_713_472_326_000, clientCreatedTime: 1_713_472_326_000, modifiedTime: 1_713_537_285_000 },
  }

  it('has its modifiers in the prices of its lines, and adds up: 20.37 in total, 19.15 in lines', async () => {
    const { data, warnings } = await recorded({
      ...base,
      id: 'J05ZAK6CSG90P',
      state: 'open',
      paymentState: 'OPEN',
      total: 2037,
      orderType: { id: 'WC1FGSYABMJKM', systemOrderTypeId: 'DINE-IN-TYPE' },
      employee: { id: '0KFCCZY3NJAFY' },
      lineItems: elements(
        line('L1', 'Burger', 995, {
          modifications: elements(
            { id: 'A', name: 'Lettuce', amount: 50, modifier: { id: 'VEBNWRNNVGRM4' } },
            { id: 'B', name: 'Cheese', amount: 100, modifier: { id: 'AKP74D4JAGN2E' } },
          ),
        }),
        line('L2', 'Cola', 495),
        line('L3', 'Fries', 275, {
          modifications: elements({ id: 'C', name: 'Onions', amount: 0, modifier: { id: 'SJ86B81D8QT9W' } }),
        }),
      ),
    })
    expect(warnings ?? []).toEqual([])
    expect(data).toMatchObject({
      ...{ total: 20.37, subtotal: 19.15, taxTotal: 1.22, taxIncluded: false, state: 'OPEN' },
      taxes: [{ taxRateExternalId: '68TVKPTQBXP3A', rate: 6.35, base: 19.15, amount: 1.22, included: false }],
      fulfillment: { type: 'DINE_IN' },
      employeeExternalId: '0KFCCZY3NJAFY',
      businessDate: '2024-04-18',
      lineItems: [
        {
          ...{ unitPrice: 11.45, lineTotal: 11.45, quantity: 1, externalId: 'L1', kind: 'ITEM' },
          modifiers: [
            { modifierExternalId: 'VEBNWRNNVGRM4', name: 'Lettuce', quantity: 1, price: 0.5 },
            { modifierExternalId: 'AKP74D4JAGN2E', name: 'Cheese', quantity: 1, price: 1 },
          ],
        },
        { unitPrice: 4.95, lineTotal: 4.95 },
        { unitPrice: 2.75, modifiers: [{ name: 'Onions', price: 0 }] },
      ],
    })
  })
  it('keeps its total before refunds: three beers and a pizza, and the pizza went back', async () => {
    const beer = (id: string) => line(id, 'Beer', 300, { taxRates: elements({ id: 'T', name: 'Tax', rate: 750_000 }) })
    const { data, warnings } = await recorded({
      ...base,
      id: 'B33RB33RP1ZZA',
      state: 'locked',
      paymentState: 'PARTIALLY_REFUNDED',
      total: 968, // without the pizza
      lineItems: elements(beer('B1'), beer('B2'), beer('B3'), {
        ...beer('P'),
        name: 'Pizza',
        price: 1000,
        refunded: true,
      }),
      payments: elements({ id: 'PAY', amount: 2043, taxAmount: 143, tipAmount: 0, result: 'SUCCESS' }),
      refunds: elements({ id: 'REF', amount: 1075, taxAmount: 75, tipAmount: 0, status: 'SUCCESS', voided: false }),
    })
    expect(warnings ?? []).toEqual([])
    expect(data).toMatchObject({ total: 20.43, subtotal: 19, taxTotal: 1.43, refundTotal: 10.75, state: 'COMPLETED' })
    expect(data.lineItems.map(({ quantity, lineTotal }: AnyRecord) => [quantity, lineTotal])).toEqual([
      [3, 9],
      [1, 10],
    ])
  })
  it('of a merchant with VAT has its taxes inside the prices, by the numbers of the tests of the SDK', async () => {
    const rate = (id: string, percent: number, taxAmount?: number) => ({ id, rate: percent * 100_000, taxAmount })
    for (const [rates, net] of [
      [[rate('A', 20)], 2.92],
      [[rate('A', 10), rate('B', 20)], 2.69],
      [[rate('A', 10), rate('B', 20), rate('C', 0, 20)], 2.54],
    ] as const) {
      const { data } = await recorded({
        ...{ ...base, id: 'VATVATVATVATV', isVat: true, state: 'open', paymentState: 'OPEN', total: 350 },
        lineItems: elements(line('L', 'Tea', 350, { taxRates: elements(...rates) })),
      })
      expect([data.taxIncluded, data.total, Math.round((data.total - data.taxTotal) * 100) / 100]).toEqual([
        true,
        3.5,
        net,
      ])
    }
  })
  it('computes percentages before amounts, on lines and then on the order', async () => {
    const extra = (amount: number) => ({ id: `M${amount}`, name: 'Extra', amount, modifier: { id: 'M' } })
    const { data } = await recorded({
      ...{ ...base, id: 'CAESARANDGREE', state: 'open', paymentState: 'OPEN', taxRemoved: true, total: 2024 },
      lineItems: elements(
        line('C', 'Caesar', 1200, {
          modifications: elements(extra(100), extra(100)),
          discounts: elements({ name: 'Off', amount: -100 }),
        }),
        line('G', 'Greek', 1000, {
          modifications: elements(extra(200)),
          discounts: elements({ name: 'Quarter', percentage: 25 }),
        }),
      ),
      discounts: elements({ name: 'Ten', percentageDecimal: 100_000 }, { name: 'Less', amount: -154 }),
      serviceCharge: { name: 'Service', percentageDecimal: 115_000, isAutoApplied: true },
    })
    expect(data).toMatchObject({
      ...{ subtotal: 18.26, discountTotal: 7.74, serviceChargeTotal: 2.1 },
      serviceCharges: [{ name: 'Service', kind: 'GRATUITY', amount: 2.1 }],
      lineItems: [
        { unitPrice: 14, lineDiscount: 3.21, lineTotal: 10.79, modifiers: [{ quantity: 2, price: 1 }] },
        { unitPrice: 12, lineDiscount: 4.53, lineTotal: 7.47 },
      ],
      discounts: [
        { name: 'Ten', scope: 'ORDER', percent: 10, amount: 2.2 },
        { name: 'Less', scope: 'ORDER', amount: 1.54 },
        { name: 'Off', scope: 'LINE', amount: 1 },
        { name: 'Quarter', scope: 'LINE', percent: 25, amount: 3 },
      ],
    })
  })
})

describe('orders of every kind', () => {
  it('add up, but for the one that the till of an app does not balance', async () => {
    native().add(caseSeed() === 'all' ? 800 : 80)
    const { orders, warnings } = await allOrders()
    expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual(native().ids().toSorted())
    expect(warnings.filter(({ code }) => code === 'does_not_add_up').map(({ id }) => id)).toEqual(
      harness.tenants[0]!.unbalanced,
    )
    const lines = orders.flatMap(({ lineItems }) => lineItems)
    const kinds: Readonly<Record<string, boolean>> = {
      modifiers: lines.some(({ modifiers }) => modifiers),
      'twice the same modifier': lines.some(({ modifiers = [] }) =>
        modifiers.some((one: AnyRecord) => one.quantity === 2),
      ),
      tips: orders.some(({ tipTotal, tipIncluded }) => tipTotal > 0 && !tipIncluded),
      'tips in the total': orders.some(({ tipIncluded }) => tipIncluded),
      'service charges': orders.some(({ serviceCharges = [] }) => serviceCharges[0]?.kind === 'SERVICE'),
      gratuity: orders.some(({ serviceCharges = [] }) => serviceCharges[0]?.kind === 'GRATUITY'),
      fees: orders.some(({ serviceCharges }) => serviceCharges?.length === 2),
      'discounts on orders': orders.some(({ discounts = [] }) => discounts[0]?.scope === 'ORDER'),
      'discounts on lines': orders.some(({ discounts = [] }) => discounts.at(-1)?.scope === 'LINE'),
      refunds: orders.some(({ refundTotal, total }) => refundTotal > 0 && refundTotal < total),
      'refunds of all': orders.some(({ refundTotal, total }) => refundTotal > 0 && refundTotal === total),
      'gift cards': lines.some(({ kind }) => kind === 'GIFT_CARD'),
      'two taxes': lines.some(({ taxes }) => taxes?.length === 3),
      'taxes inside': orders.some(({ taxIncluded, taxTotal }) => taxIncluded && taxTotal > 0),
      'taxes by rate': orders.some(({ taxes }) => taxes?.length > 1),
      'goods by measure': lines.some(({ quantity }) => quantity % 1 > 0),
    }
    expect(Object.entries(kinds).filter(([, met]) => !met)).toEqual([])
    // An exchanged line is in no line and in no total.
    expect(lines.some(({ name }) => name === 'Wrong dish')).toBe(false)
  })
  it('are no sales if they are tests or manual refunds: they are left out by name', async () => {
    const { warnings } = await allOrders()
    const left = warnings.filter(({ code }) => ['not_a_sale', 'refund_left_out'].includes(code))
    expect(left.map(({ code }) => code).toSorted()).toEqual(['not_a_sale', 'refund_left_out'])
    for (const { id } of left) expect((await call('GET', `order/${id}`)).status).toBe(404)
  })
  it('have the business date of the merchant, whose day may begin later than at midnight', async () => {
    const path = `/accounts/${harness.accountId('restaurant')}`
    const { settings } = (await harness.manage('GET', path)).body
    expect(settings.timezone).toBe('America/New_York')
    const id = (await written({ lineItems: [{ name: 'Tea', unitPrice: 1, quantity: 1 }] })).externalId
    const dates = async () => {
      const { processedAt, businessDate } = (await call('GET', `order/${id}`)).body.data
      const hours = (from: number) =>
        new Date(Date.parse(processedAt) - from * 3_600_000).toLocaleDateString('sv', { timeZone: settings.timezone })
      return { businessDate, hours }
    }
    const midnight = await dates()
    expect(midnight.businessDate).toBe(midnight.hours(0))
    const changed = { settings: { ...settings, businessDayStart: '05:00' } }
    expect((await harness.manage('PATCH', path, changed)).status).toBe(200)
    const later = await dates()
    expect(later.businessDate).toBe(later.hours(5))
  })
})

describe('reading in several calls', () => {
  it('reads an order again that changed between them, so that its parts belong together', async () => {
    const [id] = native().ids()
    let touched = false
    const found = await during(
      async (request, pass) => {
        const response = await pass(request)
        if (!touched && request.path.endsWith('/orders') && request.query.get('expand')?.startsWith('lineItems')) {
          touched = true
          harness.time.nextSecond()
          native().touch(id!)
        }
        return response
      },
      async () => (await allOrders()).orders.find(({ externalId }) => externalId === id),
    )
    expect([touched, found]).toEqual([true, (await call('GET', `order/${id}`)).body.data])
  })
  it('reads the lines by themselves if no list has their tax rates, so that open orders have taxes', async () => {
    const before = (await allOrders()).orders
    const withoutRates = await during(
      (request, pass) => {
        if (!/\/orders(\/[^/]+)?$/.test(request.path)) return pass(request)
        const query = new URLSearchParams(request.query)
        query.set('expand', (query.get('expand') ?? '').replace(',lineItems.taxRates', ''))
        return pass({ ...request, query })
      },
      async () => (await allOrders()).orders,
    )
    const taxed = ({ state, taxTotal }: AnyRecord) => state === 'OPEN' && taxTotal > 0
    expect(before.filter(taxed).length).toBeGreaterThan(0)
    expect(withoutRates.filter(taxed)).toEqual(before.filter(taxed))
    expect(withoutRates.map(({ total, taxTotal }) => [total, taxTotal])).toEqual(
      before.map(({ total, taxTotal }) => [total, taxTotal]),
    )
  })
})

describe('modifiers of a new order', () => {
  const soup = (more: object) => ({ name: 'Soup', unitPrice: 10, quantity: 2, ...more })

  it("are sent one by one for each unit, with the vendor's base price", async () => {
    harness.sandbox.clearCalls('clover')
    const { lineItems, subtotal } = await written({
      lineItems: [soup({ modifiers: [{ ...modifier(), quantity: 2 }] })],
    })
    expect([lineItems.length, subtotal]).toEqual([1, 20])
    expect(lineItems[0]).toMatchObject({ unitPrice: 10, quantity: 2, modifiers: [{ ...modifier(), quantity: 2 }] })
    const [lines] = calls('POST', '/bulk_line_items')
    const cents = Math.round(1000 - 200 * modifier().price)
    expect((lines!.body as AnyRecord).items.map(({ price }: AnyRecord) => price)).toEqual([cents, cents])
    expect(calls('POST', '/modifications')).toHaveLength(4)
  })
  it('are there once, whichever response of them is lost', async () => {
    for (const kind of ['reset_before', 'reset_after'] as const) {
      harness.sandbox.fault('clover', { kind, method: 'POST', path: '/modifications', skip: 1, times: 1 })
      const { lineItems } = await written({ lineItems: [soup({ modifiers: [modifier()] })] })
      expect([kind, harness.sandbox.faults('clover').length, lineItems[0].modifiers]).toEqual([
        kind,
        0,
        [{ ...modifier(), quantity: 1 }],
      ])
    }
  })
  it('that Clover does not have are refused, and the money of those without an id stays in the price', async () => {
    const before = native().ids()
    const line = soup({ modifiers: [{ ...modifier(), modifierExternalId: 'NOSUCHMODIFIER' }] })
    const { status, body } = await call('POST', 'order', { externalId: key(), lineItems: [line] })
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/lineItems/0/modifiers'])
    const dear = soup({ unitPrice: 0.1, modifiers: [modifier()] })
    const cheap = await call('POST', 'order', { externalId: key(), lineItems: [dear] })
    expect([cheap.status, cheap.body.errors?.[0]?.pointer]).toEqual([422, '/lineItems/0/unitPrice'])
    expect(native().ids()).toEqual(before)
    const { lineItems } = await written({ lineItems: [soup({ modifiers: [{ name: 'Love', price: 2, quantity: 1 }] })] })
    expect([lineItems[0].unitPrice, lineItems[0].modifiers]).toEqual([10, undefined])
  })
  it('stay when the order changes elsewhere, and change with their line', async () => {
    const order = await written({ lineItems: [soup({ modifiers: [modifier()] }), soup({ name: 'Bread' })] })
    const path = `order/${order.externalId}`
    const { modifiers: _, ...bare } = order.lineItems[0]
    const kept = await call('PUT', path, { ...order, note: 'by the window', lineItems: [bare, order.lineItems[1]] })
    expect([kept.status, kept.body.data.lineItems]).toEqual([200, order.lineItems])
    const without = { ...order, lineItems: [{ ...bare, modifiers: [] }, order.lineItems[1]] }
    const { lineItems } = (await call('PUT', path, without)).body.data
    expect(lineItems.map(({ unitPrice, modifiers }: AnyRecord) => [unitPrice, modifiers])).toEqual([
      [10, undefined],
      [10, undefined],
    ])
  })
})

it('refuses to change lines that have a share of a discount on the order', async () => {
  const open = (await allOrders()).orders.find(
    ({ state, discounts = [] }) => state === 'OPEN' && discounts.some(({ scope }: AnyRecord) => scope === 'ORDER'),
  )!
  const [first, ...others] = open.lineItems
  const lineItems = [{ ...first, quantity: first.quantity + 1 }, ...others]
  const { status, body } = await call('PUT', `order/${open.externalId}`, { ...open, lineItems })
  expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/lineItems'])
  expect((await call('GET', `order/${open.externalId}`)).body.data).toEqual(open)
})
