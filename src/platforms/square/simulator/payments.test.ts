// Payments and refunds by the official SDK.
import { afterAll, describe, expect, it } from 'vitest'
import { all, refusal, startSquare } from '../../../../test/platforms/square.ts'

const { sandbox, restaurant, square, key, raw } = await startSquare()
afterAll(() => sandbox.close())

const usd = (amount: bigint) => ({ amount, currency: 'USD' as const })
const location = restaurant.locations[1]!
const newOrder = async () => {
  const lineItems = [{ quantity: '2', name: 'Tea', basePriceMoney: usd(150n) }]
  const { order } = await square.orders.create({ idempotencyKey: key(), order: { locationId: location, lineItems } })
  return order!
}

describe('payments', () => {
  it('are those of the main location by default, the newest first, and a hundred at most', async () => {
    const main = (await square.payments.list({ limit: 1000 })).data
    expect(new Set(main.map(({ locationId }) => locationId))).toEqual(new Set([restaurant.locations[0]]))
    expect(main.length).toBe(100)
    expect(main.map(({ createdAt }) => createdAt)).toEqual(
      main
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .reverse(),
    )
    const ids: string[] = []
    for (const locationId of restaurant.locations)
      ids.push(...(await all(square.payments.list({ locationId, sortOrder: 'ASC' }))).map(({ id }) => id!))
    expect(ids.sort()).toEqual(restaurant.records.payment!.ids().sort())
  })
  it('must be all that is due, at the location of the order, and are made once', async () => {
    const order = await newOrder()
    const request = (more: object = {}) => ({
      idempotencyKey: key(),
      sourceId: 'CASH',
      orderId: order.id!,
      locationId: location,
      amountMoney: usd(300n),
      tipMoney: usd(50n),
      cashDetails: { buyerSuppliedMoney: usd(500n) },
      ...more,
    })
    const refused = async (more: object) => (await refusal(square.payments.create(request(more)))).code
    expect(await refused({ amountMoney: usd(200n) })).toBe('PAYMENT_AMOUNT_MISMATCH')
    expect(await refused({ locationId: restaurant.locations[0] })).toBe('INVALID_LOCATION')
    expect(await refused({ sourceId: 'cnon:card-nonce-ok' })).toBe('NOT_FOUND')
    expect(await refused({ cashDetails: { buyerSuppliedMoney: usd(349n) } })).toBe('INVALID_VALUE')
    const once = request()
    const { payment } = await square.payments.create(once)
    expect(payment).toMatchObject({
      status: 'COMPLETED',
      totalMoney: usd(350n),
      cashDetails: { changeBackMoney: usd(150n) },
    })
    expect((await square.payments.create(once)).payment!.id).toBe(payment!.id)
    expect(await refusal(square.payments.create({ ...once, note: 'other' }))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    const paid = (await square.orders.get({ orderId: order.id! })).order!
    expect(paid).toMatchObject({
      state: 'COMPLETED',
      totalMoney: usd(350n),
      totalTipMoney: usd(50n),
      netAmountDueMoney: usd(0n),
    })
    expect(await refused({})).toBe('BAD_REQUEST')
    const long = await raw('POST', '/v2/payments', { idempotency_key: 'k'.repeat(46), source_id: 'CASH' })
    expect(long.body.errors).toEqual([
      { category: 'INVALID_REQUEST_ERROR', code: 'VALUE_TOO_LONG', detail: 'Field must not be greater than 45 length' },
    ])
  })
  it('without an order get one of their own', async () => {
    const external = { type: 'OTHER', source: 'Delivery app' }
    const { payment } = await square.payments.create({
      idempotencyKey: key(),
      sourceId: 'EXTERNAL',
      amountMoney: usd(700n),
      externalDetails: external,
    })
    const { order } = await square.orders.get({ orderId: payment!.orderId! })
    expect(order).toMatchObject({
      lineItems: [{ itemType: 'CUSTOM_AMOUNT' }],
      totalMoney: usd(700n),
      state: 'COMPLETED',
    })
  })
})

it('refunds of all locations are listed; one is pending first, and its order is that of the return', async () => {
  const listed = await all(square.refunds.list({ sortOrder: 'ASC' }))
  expect(listed.map(({ id }) => id).sort()).toEqual(restaurant.records.refund!.ids().sort())
  const order = await newOrder()
  const { payment } = await square.payments.create({
    idempotencyKey: key(),
    ...{ sourceId: 'CASH', orderId: order.id!, locationId: location, amountMoney: usd(300n) },
    cashDetails: { buyerSuppliedMoney: usd(300n) },
  })
  const back = (amount: bigint) =>
    square.refunds.refundPayment({ idempotencyKey: key(), paymentId: payment!.id!, amountMoney: usd(amount) })
  expect(await refusal(back(301n))).toMatchObject({ code: 'REFUND_AMOUNT_INVALID' })
  const { refund } = await back(100n)
  expect(refund).toMatchObject({ status: 'PENDING', paymentId: payment!.id })
  expect((await square.payments.get({ paymentId: payment!.id! })).payment!.refundedMoney).toBeUndefined()
  const { order: returned } = await square.orders.get({ orderId: refund!.orderId! })
  expect(returned).toMatchObject({ returns: [{ sourceOrderId: order.id }], refunds: [{ status: 'PENDING' }] })
  expect(refund!.id.endsWith(returned!.refunds![0]!.id!)).toBe(true)
  expect((await square.orders.get({ orderId: order.id! })).order).toMatchObject({ totalMoney: usd(300n), version: 2 })
})
