// Orders through the whole service: what registers do adds up, and orders with modifiers are written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { lightspeedK } from './connector.ts'
import { createLightspeedKSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-k': lightspeedK },
    simulators: { 'lightspeed-k': createLightspeedKSimulator },
    platform: 'lightspeed-k',
  })
})
afterAll(() => harness?.close())

const location = '45454565682155'
const tenant = () => harness.tenants[0]!
const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/lightspeed-k-restaurant/${path}`, body, { prefer: 'wait=60' })
/** What the platform itself says. */
async function native(path: string): Promise<AnyRecord> {
  const response = await fetch(`${harness.sandbox.origin('lightspeed-k')}${path}`, {
    headers: { authorization: `Bearer ${tenant().credentials.accessToken}` },
  })
  return (await response.json()) as AnyRecord
}
async function salesOf(version: 1 | 2): Promise<AnyRecord[]> {
  const found: AnyRecord[] = []
  const now = Date.now()
  const [from, to] = [now - 360 * 86_400_000, now + 60_000].map((time) => new Date(time).toISOString())
  for (let token = ''; ; ) {
    const include = `include=payments,consumer,staff,table,account_profile&nextPageToken=${token}`
    const path =
      version === 1
        ? `/f/finance/${location}/financials/${from}/${to}?${include}`
        : `/f/v2/business-location/${location}/sales?from=${from}&to=${to}&pageSize=100&${include}`
    const body = await native(path)
    found.push(...body.sales)
    if (!body.nextPageToken) return found
    token = body.nextPageToken
  }
}
async function walk(): Promise<{ orders: AnyRecord[]; warnings: AnyRecord[] }> {
  const orders: AnyRecord[] = []
  const warnings: AnyRecord[] = []
  for (let query = 'pageSize=100'; query; ) {
    const { status, body } = await call('GET', `order?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    orders.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { orders, warnings }
}
const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

it('all that registers do adds up, to what was paid and refunded', async () => {
  tenant().records.order!.add(caseSeed() === 'all' ? 900 : 80)
  const { orders, warnings } = await walk()
  expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual(tenant().records.order!.ids().toSorted())
  const planted = tenant().unbalanced!
  expect(warnings.filter(({ code }) => code === 'does_not_add_up').map(({ id }) => id)).toEqual(planted)
  const sales = new Map((await salesOf(2)).map((sale) => [sale.accountFiscId, sale]))
  const backFrom = new Map<string, number>()
  for (const sale of sales.values()) {
    if (!['REFUND', 'VOID'].includes(sale.type)) continue
    let of = sale.source.previousAccountId
    while (sales.get(of)?.type === 'REFUND') of = sales.get(of)!.source.previousAccountId
    const amount = sum(sale.payments.map((payment: AnyRecord) => cents(payment.netAmountWithTax)))
    backFrom.set(of, (backFrom.get(of) ?? 0) - amount)
  }
  let compared = 0
  for (const order of orders) {
    const sale = sales.get(order.externalId)
    if (!sale || order.state !== 'COMPLETED') continue
    compared += 1
    const paid = sum(sale.payments.map((one: AnyRecord) => cents(one.netAmountWithTax) + cents(one.surcharge)))
    const tips = sum(sale.payments.map((one: AnyRecord) => cents(one.tip)))
    const rounding = sum(sale.payments.map((one: AnyRecord) => cents(one.roundingAmount)))
    const told = [order.total, order.tipTotal, order.roundingTotal, order.refundTotal].map(cents)
    expect([order.externalId, ...told]).toEqual([
      order.externalId,
      paid,
      tips,
      rounding,
      backFrom.get(order.externalId) ?? 0,
    ])
  }
  expect(compared).toBeGreaterThan(40)
})

describe('the seeded orders', () => {
  it('have every kind of money and of detail that the platform has', async () => {
    const { orders } = await walk()
    const lines = orders.flatMap(({ lineItems }) => lineItems as AnyRecord[])
    const charges = orders.flatMap(({ serviceCharges = [] }) => serviceCharges as AnyRecord[])
    const seen: Record<string, boolean> = {
      tip: orders.some(({ tipTotal }) => tipTotal > 0),
      'service charge in prices with taxes': orders.some(
        ({ taxIncluded, serviceChargeTotal }) => taxIncluded === true && serviceChargeTotal > 0,
      ),
      'service charge on top of prices': orders.some(
        ({ taxIncluded, serviceChargeTotal }) => taxIncluded === false && serviceChargeTotal > 0,
      ),
      surcharge: charges.some(({ kind }) => kind === 'SURCHARGE'),
      rounding: orders.some(({ roundingTotal = 0 }) => roundingTotal !== 0),
      refund: orders.some(({ refundTotal }) => refundTotal > 0),
      'discount on a line': orders.some(({ discounts = [] }) =>
        discounts.some(({ scope }: AnyRecord) => scope === 'LINE'),
      ),
      'discount on the order': orders.some(({ discounts = [] }) =>
        discounts.some(({ scope }: AnyRecord) => scope === 'ORDER'),
      ),
      'both kinds of taxes': orders.some(({ taxIncluded, taxes }) => taxIncluded === undefined && taxes),
      'two taxes on a line': lines.some(({ taxes = [] }) => taxes.length === 2),
      'nested modifiers': lines.some(({ modifiers = [] }) => modifiers.some((one: AnyRecord) => one.modifiers)),
      'production instruction': lines.some(({ modifiers = [] }) =>
        modifiers.some(({ name, price }: AnyRecord) => name === 'Rare' && price === undefined),
      ),
      channel: orders.some(({ channel }) => channel === 'EVENT'),
      table: orders.some(({ fulfillment }) => fulfillment?.type === 'DINE_IN' && fulfillment.table),
      guests: orders.some(({ guestCount }) => guestCount > 1),
      employee: orders.some(({ employeeExternalId }) => employeeExternalId === '14001'),
      category: lines.some(({ categoryExternalId }) => categoryExternalId),
    }
    expect(Object.keys(seen).filter((kind) => !seen[kind])).toEqual([])
  })
  it('have a business day that begins at the hour that the platform tells', async () => {
    const { body } = await harness.manage('GET', '/accounts/lightspeed-k-restaurant')
    expect(body.settings).toMatchObject({ timezone: 'Europe/London', businessDayStart: '04:00' })
    const { orders } = await walk()
    const closed = orders.find(({ closedAt }) => closedAt)!
    const day = await native(`/f/v2/business-location/${location}/sales-daily?date=${closed.businessDate}`)
    expect(day.sales.map(({ accountFiscId }: AnyRecord) => accountFiscId)).toContain(closed.externalId)
  })
})

describe('what is not a sale', () => {
  it('is left out of the list with a warning that says what it is, and is not found by id', async () => {
    const { warnings } = await walk()
    const types = new Map((await salesOf(1)).map(({ accountFiscId, type }) => [accountFiscId, type]))
    const left = warnings.filter(({ code }) => ['refund_left_out', 'not_a_sale'].includes(code))
    const said = Map.groupBy(left, ({ code }) => code)
    const typesOf = (code: string) => [...new Set(said.get(code)?.map(({ id }) => types.get(id)))].toSorted()
    expect(typesOf('refund_left_out')).toEqual(['REFUND', 'VOID'])
    expect(typesOf('not_a_sale')).toEqual(['SPLIT', 'TRANSFER', 'UPDATE'])
    const transitory = [...types].find(([, type]) => type === 'TRANSITORY')![0]
    for (const [id, word] of [
      [said.get('refund_left_out')![0]!.id, 'refund'],
      [transitory, 'transfer'],
    ]) {
      const { status, body } = await call('GET', `order/${id}`)
      expect([status, body.code, body.detail]).toEqual([404, 'record_not_found', expect.stringContaining(word)])
    }
  })
})

describe('an order with modifiers', () => {
  const product = async (externalId: string, more: AnyRecord): Promise<string> => {
    const { categoryExternalId } = (await call('GET', 'product?pageSize=1')).body.data[0]
    const { status, body } = await call('POST', 'product', {
      externalId,
      name: externalId,
      categoryExternalId,
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return externalId
  }
  const modifiers = [
    { modifierExternalId: '236025632784490', name: 'Rare', quantity: 1 },
    {
      modifierExternalId: 'MOD-CHEESE',
      name: 'Cheese',
      quantity: 2,
      price: 1.2,
      modifiers: [{ modifierExternalId: 'MOD-TRUFFLE', name: 'Truffle sauce', quantity: 1, price: 0.95 }],
    },
  ]
  it('is sent with the base price of its open-price item, and read back with the whole price', async () => {
    const productExternalId = await product('Burger', { price: 5, priceType: 'VARIABLE' })
    const lineItems = [{ productExternalId, quantity: 2, unitPrice: 16.8, modifiers }]
    const { status, body } = await call('POST', 'order', { externalId: 'with modifiers', lineItems })
    expect(status, JSON.stringify(body)).toBe(201)
    const sent = harness.sandbox.calls('lightspeed-k').findLast(({ path }) => path === '/o/op/1/order/toGo')!
    expect((sent.body as AnyRecord).items).toMatchObject([
      {
        quantity: 2,
        customItemPrice: 12.5,
        modifiers: [{ modifierId: '236025632784490' }],
        subItems: [{ sku: 'MOD-CHEESE', quantity: 2, subItems: [{ sku: 'MOD-TRUFFLE', quantity: 1 }] }],
      },
    ])
    expect(body.data.lineItems).toMatchObject([
      {
        unitPrice: 16.8,
        lineTotal: 33.6,
        modifiers: [modifiers[1], { name: 'Rare', quantity: 1 }],
      },
    ])
    expect(body.data.total).toBe(33.6)
  })
  it.each([
    ['without an id', [{ name: 'Rare' }], '/lineItems/0/modifiers/0/modifierExternalId'],
    ['in a part', [{ ...modifiers[1], quantity: 0.5 }], '/lineItems/0/modifiers/0/quantity'],
    ['that is a production instruction with a price', [{ ...modifiers[0], price: 1 }], '/lineItems/0/modifiers'],
  ])('%s is refused, and nothing is sent', async (name, wrong, pointer) => {
    const productExternalId = await product(`Soup ${name}`, { price: 5 })
    const before = tenant().records.order!.ids()
    const lineItems = [{ productExternalId, quantity: 1, unitPrice: 5, modifiers: wrong }]
    const { status, body } = await call('POST', 'order', { externalId: name, lineItems })
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
    expect(tenant().records.order!.ids()).toEqual(before)
  })
})
