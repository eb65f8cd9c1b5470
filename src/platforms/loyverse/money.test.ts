// Payments, refunds, taxes and payment types, through the whole service: what was paid and what went back agrees with the
// receipts, for every kind of sale and for generated ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseSeed } from '../../../test/case-choice.ts'
import { clientOf, startLoyverse } from '../../../test/platforms/loyverse.ts'
import type { Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { methodTypeOf } from './payment-method.ts'
import { createFreeLoyverseSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startLoyverse()
})
afterAll(() => harness?.close())

const { call, native } = clientOf(() => harness)
const owned = 'loyverse-retail_pos'
async function all(entity: string, account = owned, from = harness): Promise<AnyRecord> {
  const found: AnyRecord[] = []
  const warnings: AnyRecord[] = []
  for (let query = 'pageSize=100'; query; ) {
    const { status, body } = await from.call('GET', `/unified/${account}/${entity}?${query}`, undefined, {
      prefer: 'wait=60',
    })
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { found, warnings }
}
async function receipts(): Promise<AnyRecord[]> {
  const found: AnyRecord[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const body: AnyRecord = await native('GET', `/receipts?limit=250${cursor && `&cursor=${cursor}`}`)
    found.push(...body.receipts)
    cursor = body.cursor
  }
  return found
}
const cents = (amount = 0): number => Number(amount.toFixed(2).replace('.', ''))
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const completed = (rows: readonly AnyRecord[] = []) => rows.filter(({ state }) => state === 'COMPLETED')
const sold = ({ receipt_type }: AnyRecord) => receipt_type === 'SALE'

/** The total of an order contains its tips: so do its payments with theirs, whichever payment has the tip. */
async function expectSettled(): Promise<void> {
  const { found: orders, warnings } = await all('order')
  const { found: payments, warnings: ofPayments } = await all('payment')
  const { found: refunds } = await all('refund')
  expect([...warnings.filter(({ code }: AnyRecord) => code === 'does_not_add_up'), ...ofPayments]).toEqual([])
  const paymentsOf = Map.groupBy(payments as AnyRecord[], ({ orderExternalId }) => orderExternalId)
  const refundsOf = Map.groupBy(refunds as AnyRecord[], ({ orderExternalId }) => orderExternalId)
  const served = orders.map(({ externalId }: AnyRecord) => externalId)
  expect([...paymentsOf.keys(), ...refundsOf.keys()].filter((id) => !served.includes(id))).toEqual([])
  for (const { externalId, state, total, tipIncluded } of orders) {
    const own = paymentsOf.get(externalId) ?? []
    // A receipt that was canceled keeps its total, and its payments are not worth anything either.
    expect([externalId, ...new Set(own.map((one) => one.state))]).toEqual([externalId, state])
    const paid = sum(own.map(({ amount, tip }) => cents(amount) + (tipIncluded ? cents(tip) : 0)))
    expect([externalId, paid]).toEqual([externalId, cents(total)])
    const back = sum(completed(refundsOf.get(externalId)).map(({ amount, tip }) => cents(amount) + cents(tip)))
    expect(back, externalId).toBeLessThanOrEqual(paid)
  }
  // Every receipt is an order or a refund.
  const issued = await receipts()
  const numbers = (rows: AnyRecord[]) => rows.map(({ receipt_number }) => receipt_number).toSorted()
  expect(served.toSorted()).toEqual(numbers(issued.filter(sold)))
  const refundIds = refunds.map(({ externalId }: AnyRecord) => externalId).toSorted()
  expect(refundIds).toEqual(numbers(issued.filter((one) => !sold(one))))
  const leftOut = warnings.filter(({ code }: AnyRecord) => code === 'refund_left_out')
  expect(leftOut.map(({ id }: AnyRecord) => id).toSorted()).toEqual(refundIds)
  const surcharges = new Map(issued.map(({ receipt_number, surcharge }) => [receipt_number, cents(surcharge)]))
  for (const { externalId, amount, taxAmount, lineItems } of refunds) {
    const goods = sum(lineItems.map((line: AnyRecord) => cents(line.amount)))
    expect([externalId, cents(amount)]).toEqual([externalId, goods + surcharges.get(externalId)!])
    expect(cents(taxAmount)).toBe(sum(lineItems.map((line: AnyRecord) => cents(line.tax))))
    for (const line of lineItems) expect(line.quantity).toBeGreaterThan(0)
  }
}

describe('what was paid and what went back', () => {
  it('makes what the orders cost, for the receipts of the account', () => expectSettled())
  it('makes what the orders cost, over generated receipts of every kind', async () => {
    harness.tenants[0]!.records.order!.add(caseSeed() === 'all' ? 500 : 90)
    harness.tenants[0]!.records.refund!.add(4)
    await expectSettled()
    const { found } = await all('refund')
    expect(new Set(found.map(({ state }: AnyRecord) => state))).toEqual(new Set(['COMPLETED', 'CANCELED']))
    expect(found.some(({ tip }: AnyRecord) => tip > 0)).toBe(true)
    const { found: payments } = await all('payment')
    expect(new Set(payments.map(({ state }: AnyRecord) => state))).toEqual(new Set(['COMPLETED', 'CANCELED']))
  }, 120_000)
})

describe('a payment', () => {
  const paid = async (fits: (receipt: AnyRecord) => boolean) => {
    const receipt = (await receipts()).find((one) => sold(one) && fits(one))!
    const { found } = await all('payment')
    return {
      receipt,
      payments: found.filter(({ orderExternalId }: AnyRecord) => orderExternalId === receipt.receipt_number),
    }
  }
  it('has the tip and the surcharge of its receipt if there is no other one', async () => {
    const { receipt, payments } = await paid(({ tip, payments: { length } }) => tip > 0 && length === 1)
    const [{ payment_type_id, name, money_amount, paid_at }] = receipt.payments
    expect(payments).toMatchObject([
      {
        externalId: `${receipt.receipt_number}:0`,
        amount: (cents(money_amount) - cents(receipt.tip)) / 100,
        tip: receipt.tip,
        currencyCode: 'THB',
        locationExternalId: receipt.store_id,
        paymentMethodExternalId: payment_type_id,
        methodName: name,
        processedAt: new Date(paid_at).toISOString(),
      },
    ])
    const charged = await paid(({ surcharge, payments: { length } }) => surcharge > 0 && length === 1)
    expect(charged.payments).toMatchObject([{ surcharge: charged.receipt.surcharge }])
  })
  it('beside others has its whole amount: whose the tip is, Loyverse does not tell', async () => {
    const { receipt, payments } = await paid(({ tip, payments: { length } }) => tip > 0 && length === 2)
    expect(payments.map(({ externalId }: AnyRecord) => externalId)).toEqual(
      [0, 1].map((place) => `${receipt.receipt_number}:${place}`),
    )
    expect(payments.map(({ amount }: AnyRecord) => amount)).toEqual(
      receipt.payments.map(({ money_amount }: AnyRecord) => money_amount),
    )
    expect(payments.map(({ methodType }: AnyRecord) => methodType)).toEqual(['CASH', 'CARD'])
    for (const payment of payments) expect(payment).not.toHaveProperty('tip')
  })
  it('by card has its brand and the end of its number, and no more of it', async () => {
    const { receipt, payments } = await paid(({ payments: [first] }) => first.payment_details !== null)
    const { card_number, authorization_code, reference_id } = receipt.payments[0].payment_details
    expect(payments).toMatchObject([
      { cardBrand: 'VISA', cardLast4: card_number.slice(-4), reference: reference_id, methodType: 'CARD' },
    ])
    const text = JSON.stringify(payments)
    expect([text.includes(card_number), text.includes(authorization_code)]).toEqual([false, false])
  })
  it('is read by its receipt and its place, and by nothing else', async () => {
    const [first] = (await all('payment')).found
    expect((await call('GET', `/payment/${first.externalId}`)).body.data).toEqual(first)
    const refund = (await receipts()).find((one) => !sold(one))!.receipt_number
    for (const id of [
      first.orderExternalId,
      `${first.orderExternalId}:9`,
      `${first.orderExternalId}:00`,
      `${refund}:0`,
    ])
      expect([id, (await call('GET', `/payment/${id}`)).status]).toEqual([id, 404])
  })
  it('cannot be written', async () => {
    const { status, body } = await call('POST', '/payment', { externalId: 'P-1', amount: 1 })
    expect([status >= 400, body.code]).toEqual([true, expect.stringMatching(/not_/)])
  })
  it('counts for the day of its receipt, if the time zone is known', async () => {
    const { credentials, settings } = harness.tenants[0]!
    const { status } = await harness.manage('POST', '/accounts?test=false', {
      id: 'bangkok',
      platform: 'loyverse',
      vertical: 'retail_pos',
      auth: 'oauth2',
      credentials,
      settings: { ...settings, timezone: 'Asia/Bangkok', businessDayStart: '04:00' },
    })
    expect(status).toBe(201)
    const { found } = await all('payment', 'bangkok')
    const byNumber = new Map((await receipts()).map((one) => [one.receipt_number, one]))
    const hours = 3_600_000
    for (const { businessDate, orderExternalId } of found) {
      const at = Date.parse(byNumber.get(orderExternalId)!.receipt_date)
      expect(businessDate).toBe(new Date(at + (7 - 4) * hours).toISOString().slice(0, 10))
    }
    for (const { businessDate, processedAt } of (await all('refund', 'bangkok')).found)
      expect(businessDate).toBe(new Date(Date.parse(processedAt) + 3 * hours).toISOString().slice(0, 10))
    expect((await all('payment')).found[0]).not.toHaveProperty('businessDate')
  })
})

describe('a refund', () => {
  it('has the goods that came back, with positive amounts', async () => {
    const back = (await receipts()).find((one) => !sold(one) && one.payments.length === 1)!
    const { body } = await call('GET', `/refund/${back.receipt_number}`)
    expect(body.data).toMatchObject({
      orderExternalId: back.refund_for,
      kind: 'RETURN',
      amount: (cents(back.total_money) - cents(back.tip)) / 100,
      taxAmount: back.total_tax,
      paymentMethodExternalId: back.payments[0].payment_type_id,
      processedAt: new Date(back.receipt_date).toISOString(),
      lineItems: back.line_items.map((line: AnyRecord) => ({
        productExternalId: line.variant_id,
        quantity: line.quantity,
        amount: line.total_money,
      })),
    })
  })
  it('in two kinds of money names neither of them', async () => {
    const back = (await receipts()).find((one) => !sold(one) && one.payments.length === 2)!
    const { data } = (await call('GET', `/refund/${back.receipt_number}`)).body
    expect([data.methodType, data.paymentMethodExternalId]).toEqual([undefined, undefined])
  })
  it('is not found by the number of a sale', async () => {
    const { receipt_number } = (await receipts()).find(sold)!
    expect((await call('GET', `/refund/${receipt_number}`)).status).toBe(404)
  })
})

it('names taxes in prices and on top of them, and payment types, with deleted ones', async () => {
  const { found: taxes } = await all('tax_rate')
  expect(
    taxes.map(({ name, rate, type, included, active }: AnyRecord) => [name, rate, type, included, active]),
  ).toEqual(
    expect.arrayContaining([
      ['VAT', 7, 'PERCENT', true, true],
      ['City tax', 1.5, 'PERCENT', false, true],
      ['Old levy', 0.25, 'PERCENT', false, false],
    ]),
  )
  const { found: methods } = await all('payment_method')
  expect(methods.map(({ name, type, active }: AnyRecord) => [name, type, active])).toEqual(
    expect.arrayContaining([
      ['Cash', 'CASH', true],
      ['Card', 'CARD', true],
      ['QR PromptPay', 'OTHER', true],
      ['Terminal', 'CARD', true],
      ['Cheque', 'CHECK', false],
    ]),
  )
  // Those that one store has, and the others.
  for (const rows of [taxes, methods])
    expect(rows.filter((row: AnyRecord) => 'locationExternalId' in row)).toEqual([
      expect.objectContaining({ active: false, locationExternalId: expect.any(String) }),
    ])
  for (const [entity, [first]] of Object.entries({ tax_rate: taxes, payment_method: methods }))
    expect((await call('GET', `/${entity}/${first.externalId}`)).body.data).toEqual(first)
  // New types appear without notice.
  expect(['CASH', 'IZETTLE', 'HOLOGRAM', undefined].map(methodTypeOf)).toEqual(['CASH', 'CARD', 'OTHER', undefined])
})

it('names the same taxes and payment types as orders and payments do', async () => {
  const ids = async (entity: string) => (await all(entity)).found.map(({ externalId }: AnyRecord): string => externalId)
  const [taxes, methods] = [await ids('tax_rate'), await ids('payment_method')]
  const { found: orders } = await all('order')
  const used = orders.flatMap((order: AnyRecord) => order.taxes ?? [])
  expect(used.length).toBeGreaterThan(0)
  for (const { taxRateExternalId } of used) expect(taxes).toContain(taxRateExternalId)
  for (const { paymentMethodExternalId } of (await all('payment')).found)
    expect(methods).toContain(paymentMethodExternalId)
})

it('serves everything but what the account may not read, and names the permission', async () => {
  const { credentials, settings } = harness.tenants[0]!
  const scope = 'RECEIPTS_READ MERCHANT_READ STORES_READ'
  const { status } = await harness.manage('POST', '/accounts?test=false', {
    id: 'few',
    platform: 'loyverse',
    vertical: 'retail_pos',
    auth: 'oauth2',
    credentials: { ...credentials, scope },
    settings,
  })
  expect(status).toBe(201)
  for (const entity of ['order', 'payment', 'refund'])
    expect((await all(entity, 'few')).found.length).toBeGreaterThan(0)
  for (const [entity, missing] of Object.entries({ tax_rate: 'TAXES_READ', payment_method: 'PAYMENT_TYPES_READ' })) {
    const refused = await call('GET', `/${entity}`, undefined, 'few')
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining(missing)])
  }
})

it.each(['payment', 'refund'])('says where the history of each %s ends with the plan', async (entity) => {
  const free = await startLoyverse(createFreeLoyverseSimulator)
  try {
    const { warnings } = await all(entity, owned, free)
    expect(warnings.at(-1)).toMatchObject({ code: 'not_normalized', id: 'older-receipts' })
  } finally {
    await free.close()
  }
})
