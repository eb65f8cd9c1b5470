// Payments and refunds through the whole service: they make what orders say, and a payment is booked once.
import { readFileSync } from 'node:fs'
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

const tenant = () => harness.tenants[0]!
const call = (method: string, path: string, body?: unknown, account = 'lightspeed-k-restaurant') =>
  harness.call(method, `/unified/${account}/${path}`, body, { prefer: 'wait=60' })
async function walk(entity: string): Promise<AnyRecord[]> {
  const found: AnyRecord[] = []
  for (let query = 'pageSize=100'; query; ) {
    const { status, body } = await call('GET', `${entity}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.data)
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return found
}
const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100)
const sumOf = (records: readonly AnyRecord[] | undefined, field: string) =>
  (records ?? []).reduce((total, record) => total + cents(record[field]), 0)
const byOrder = (records: readonly AnyRecord[]) => Map.groupBy(records, ({ orderExternalId }) => orderExternalId)

it('payments of an order make what was paid, and refunds what was refunded', async () => {
  tenant().records.order!.add(caseSeed() === 'all' ? 500 : 60)
  const [orders, payments, refunds] = [await walk('order'), await walk('payment'), await walk('refund')]
  expect(payments.map(({ externalId }) => externalId).toSorted()).toEqual(tenant().records.payment!.ids().toSorted())
  expect(refunds.map(({ externalId }) => externalId).toSorted()).toEqual(tenant().records.refund!.ids().toSorted())
  expect([...payments, ...refunds].filter(({ amount }) => !(amount > 0))).toEqual([])
  const [paid, refunded] = [byOrder(payments.filter(({ state }) => state === 'COMPLETED')), byOrder(refunds)]
  for (const order of orders.filter(({ state }) => state === 'COMPLETED')) {
    const { externalId, total, tipTotal, refundTotal } = order
    const found = [sumOf(paid.get(externalId), 'amount'), sumOf(paid.get(externalId), 'tip')]
    expect([externalId, ...found, sumOf(refunded.get(externalId), 'amount')]).toEqual([
      externalId,
      cents(total),
      cents(tipTotal),
      cents(refundTotal),
    ])
  }
  const served = new Set(orders.map(({ externalId }) => externalId))
  expect([...paid.keys(), ...refunded.keys()].filter((id) => !served.has(id))).toEqual([])
})

describe('payments', () => {
  it('that the back office corrected are canceled, and the right one belongs to the same order', async () => {
    const payments = await walk('payment')
    const wrong = payments.filter(({ state }) => state === 'CANCELED')
    expect(wrong.length).toBeGreaterThan(0)
    for (const { orderExternalId, amount, methodType } of wrong) {
      const own = payments.filter((one) => one.orderExternalId === orderExternalId && one.state === 'COMPLETED')
      expect(own.map((one) => [one.amount, one.methodName])).toEqual([[amount, 'Visa']])
      expect(methodType).toBe('CASH')
    }
  })
  it('have the kind of their method, and the fees of Lightspeed Payments', async () => {
    const payments = await walk('payment')
    const one = (name: string) => payments.find(({ methodName, amount }) => methodName === name && amount > 10)!
    expect(one('Cash')).toMatchObject({ methodType: 'CASH', paymentMethodExternalId: '141948669132824' })
    expect(one('House account')).toMatchObject({ methodType: 'HOUSE_ACCOUNT' })
    const card = one('Visa')
    const base = cents(card.amount) - cents(card.surcharge)
    expect([card.methodType, cents(card.fee)]).toEqual(['CARD', Math.floor((base * 12) / 1000) + 10])
    expect(one('Cash').fee).toBeUndefined()
  })
  it('of an account that may not read open checks are served, with a warning', async () => {
    const { credentials, settings } = tenant()
    const made = await harness.manage('POST', '/accounts?test=false', {
      id: 'finance-only',
      platform: 'lightspeed-k',
      vertical: 'restaurant',
      auth: 'oauth2',
      credentials: { ...credentials, scope: 'financial-api' },
      settings: { ...settings, paymentTypes: 'visa = CARD, VOUCHER=VOUCHER' },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body } = await call('GET', 'payment?pageSize=50', undefined, 'finance-only')
    expect(body.data, JSON.stringify(body)).toBeDefined()
    expect(body.data.length).toBeGreaterThan(10)
    expect(body.warnings.map(({ code }: AnyRecord) => code)).toContain('scope_missing')
    const single = await call('GET', `payment/${body.data[0].externalId}`, undefined, 'finance-only')
    expect(single.body.data).toEqual(body.data[0])
    const methods = await call('GET', 'payment_method', undefined, 'finance-only')
    expect(methods.body.data.map(({ name, type }: AnyRecord) => [name, type])).toEqual([
      ['Cash', 'CASH'],
      ['Visa', 'CARD'],
      ['Gift card', 'OTHER'],
      ['Meal voucher', 'VOUCHER'],
      ['House account', 'OTHER'],
      ['Online order', 'OTHER'],
    ])
    const write = await call('POST', 'payment', { externalId: 'x', amount: 1, orderExternalId: 'A1.1' }, 'finance-only')
    expect([write.status, write.body.code]).toEqual([403, 'forbidden'])
    expect(write.body.detail).toContain('orders-api')
  })
})

describe('a payment that is booked', () => {
  const online = { paymentMethodExternalId: '141948669132829' }
  const post = (externalId: string, record: AnyRecord) => call('POST', 'payment', { externalId, ...online, ...record })
  const sent = () => harness.sandbox.calls('lightspeed-k').filter(({ path }) => path === '/o/op/1/pay')
  it('in two parts pays the check, the tip beside the amount, and keeps its id when the check is closed', async () => {
    const orderExternalId = tenant().payable!(20)
    const first = await post('part 1', { orderExternalId, amount: 7.5 })
    expect([first.status, first.body.data.methodName], JSON.stringify(first.body)).toEqual([201, 'Online order'])
    expect((await call('GET', `order/${orderExternalId}`)).body.data.state).toBe('OPEN')
    expect((await walk('payment')).map(({ externalId }) => externalId)).toContain(first.body.data.externalId)
    const second = await post('part 2', { orderExternalId, amount: 12.5, tip: 2.5 })
    expect(second.body.data).toMatchObject({ amount: 12.5, tip: 2.5, orderExternalId, state: 'COMPLETED' })
    expect(sent().at(-1)!.body).toMatchObject({ paymentAmount: 12.5, tipAmount: 2.5, paymentMethod: 'OOPAYMENT' })
    const allowed = JSON.parse(readFileSync(new URL('./fixtures/fields.json', import.meta.url), 'utf8')).pay
    expect(allowed.properties).toEqual(expect.arrayContaining(Object.keys(sent().at(-1)!.body as object)))
    expect(Object.keys(sent().at(-1)!.body as object)).toEqual(expect.arrayContaining(allowed.required))
    const order = (await call('GET', `order/${orderExternalId}`)).body.data
    expect([order.state, order.total, order.tipTotal]).toEqual(['COMPLETED', 20, 2.5])
    const again = (await call('GET', `payment/${first.body.data.externalId}`)).body.data
    expect(again).toMatchObject({ externalId: first.body.data.externalId, amount: 7.5, orderExternalId })
  })
  it.each(['reset_after', 'reset_before'] as const)('is booked once if its response is lost (%s)', async (kind) => {
    const orderExternalId = tenant().payable!(9)
    harness.sandbox.fault('lightspeed-k', { kind, path: '/o/op/1/pay', times: 1 })
    const { status, body } = await post(`lost ${kind}`, { orderExternalId, amount: 9 })
    expect([status, body.data?.amount], JSON.stringify(body)).toEqual([201, 9])
    const own = (await walk('payment')).filter((one) => one.orderExternalId === orderExternalId)
    expect(own.map(({ externalId }) => externalId)).toEqual([body.data.externalId])
  })
  it.each<[string, AnyRecord, string]>([
    ['more than is due', { amount: 9.01 }, '/amount'],
    ['with an unknown method', { amount: 9, paymentMethodExternalId: '7' }, '/paymentMethodExternalId'],
    [
      'with a kind that no method has',
      { amount: 9, paymentMethodExternalId: undefined, methodType: 'CHECK' },
      '/methodType',
    ],
    ['without a method', { amount: 9, paymentMethodExternalId: undefined }, '/paymentMethodExternalId'],
    ['in another state', { amount: 9, state: 'AUTHORIZED' }, '/state'],
    ['on a check that is closed', { amount: 9, orderExternalId: 'closed' }, '/orderExternalId'],
  ])('%s is refused, and nothing is sent', async (name, wrong, pointer) => {
    const before = sent().length
    const closed = (await walk('order')).find(({ state }) => state === 'COMPLETED')!.externalId
    const orderExternalId = wrong.orderExternalId === 'closed' ? closed : tenant().payable!(9)
    const { status, body } = await post(name, { ...wrong, orderExternalId })
    expect([status, body.errors?.[0].pointer], JSON.stringify(body)).toEqual([422, pointer])
    expect(sent()).toHaveLength(before)
  })
})

describe('a refund', () => {
  it('names its order past the refunds before it, and has positive lines', async () => {
    const refunds = await walk('refund')
    const partial = [...byOrder(refunds).values()].find((of) => of.length === 2)!
    expect(partial).toHaveLength(2)
    for (const { kind, reason, amount, lineItems, state, processedAt, businessDate } of partial) {
      expect([kind, state, typeof reason, typeof processedAt, typeof businessDate]).toEqual([
        'REFUND',
        'COMPLETED',
        'string',
        'string',
        'string',
      ])
      expect(sumOf(lineItems, 'amount')).toBe(cents(amount))
      expect(lineItems.every(({ quantity, productExternalId }: AnyRecord) => quantity > 0 && productExternalId)).toBe(
        true,
      )
    }
    expect(refunds.some(({ kind }) => kind === 'VOID')).toBe(true)
  })
})

describe('tax rates', () => {
  it('are percents without the noise of multipliers', async () => {
    const { body } = await call('GET', 'tax_rate')
    expect(body.data.map(({ code, rate, included }: AnyRecord) => [code, rate, included])).toEqual([
      ['CITY', 8.75, false],
      ['LEVY', 1.25, true],
      ['VAT20', 20, true],
      ['VAT20X', 20, false],
      ['VAT5', 5, true],
    ])
    const named = new Set(
      (await walk('order')).flatMap(({ taxes = [] }) => taxes.map((one: AnyRecord) => one.taxRateExternalId)),
    )
    named.delete(undefined) // open checks have no codes
    const ids = body.data.map(({ externalId }: AnyRecord) => externalId)
    expect([...named].filter((id) => !ids.includes(id))).toEqual([])
  })
})
