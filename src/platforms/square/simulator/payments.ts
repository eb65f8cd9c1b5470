// Payments and their refunds. A payment of an order must be all that is due, and every payment has an order.
// https://developer.squareup.com/docs/payments-api/overview
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { withTotals } from './order-totals.ts'
import type { StoredOrder } from './orders.ts'
import { customLine, storeReturn } from './returns.ts'
import { smallestCoin, storePayment } from './tenders.ts'
import { accept, bodyOf, inRange, invalid, list, notFound, ok, textOf } from './wire.ts'
import { iso, type Money, newId, once, type Payment, pageOf, type Refund, type Tender, type World } from './world.ts'

const year = 365 * 86_400_000

/** Only the payments of one location: the first one by default. Refunds are of all of them by default. */
function listOf<T extends Payment | Refund>(
  world: World,
  { query }: WireRequest,
  rows: readonly T[],
  location: string | undefined,
): ReturnType<typeof pageOf<T>> {
  const field = query.get('sort_field') === 'UPDATED_AT' ? 'updated_at' : 'created_at'
  const range = (start: string, end: string, from?: string, to?: string) =>
    inRange({ start_at: query.get(start) ?? from, end_at: query.get(end) ?? to }, start)
  const created = range('begin_time', 'end_time', iso(world.now() - year))
  const updated = range('updated_at_begin_time', 'updated_at_end_time')
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 100)))
  const { cursor, ...bound } = Object.fromEntries(query)
  return pageOf(
    rows.filter(
      (row) =>
        (location === undefined || row.location_id === location) && created(row.created_at) && updated(row.updated_at),
    ),
    { ...bound, cursor },
    { limit, key: (row) => `${row[field]} ${row.id}`, descending: query.get('sort_order') !== 'ASC' },
  )
}

const sources = ['CASH', 'EXTERNAL']
interface NewPayment extends Fields {
  source_id: string
  amount_money?: Money
  tip_money?: Money
  order_id?: string
  location_id?: string
  autocomplete?: boolean
  cash_details?: { buyer_supplied_money: Money }
  external_details?: Fields
}

function createPayment(world: World, given: Fields): WireResponse {
  const body = accept('CreatePaymentRequest', given) as NewPayment
  const { source_id: source, amount_money: price, tip_money: tip, order_id } = body
  if (!sources.includes(source)) return notFound('Card nonce not found in this sandbox application.', 'source_id')
  for (const [name, money] of Object.entries({ amount_money: price, tip_money: tip }))
    if (money && money.currency !== world.currency)
      invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `${name}.currency`)
  if (!price || price.amount < 1)
    return invalid('VALUE_TOO_LOW', 'total requested amount $0 is below the minimum allowed', 'amount_money.amount')
  const total = price.amount + (tip?.amount ?? 0)
  if (source === 'CASH') checkCash(world, body, total)
  if (source === 'EXTERNAL' && !body.external_details)
    invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'external_details')
  if (body.autocomplete === false) invalid('BAD_REQUEST', 'Payments that are completed later are not simulated.')
  const location = body.location_id ?? world.locations.ids()[0]!
  if (!world.locations.get(location)) invalid('INVALID_LOCATION', 'Invalid location.', 'location_id')
  for (const [name, known] of [
    ['customer_id', world.customers],
    ['team_member_id', world.team],
  ] as const)
    if (body[name] !== undefined && !known.has(String(body[name])))
      notFound(`${String(body[name])} was not found.`, name)
  const at = world.tick()
  const order = order_id === undefined ? ownOrder(world, price, location, at) : dueOrder(world, body, location)
  const tender: Tender = {
    id: newId('uid'),
    location_id: location,
    transaction_id: order.id,
    type: source === 'CASH' ? 'CASH' : 'OTHER',
    created_at: iso(at),
    amount_money: { amount: total, currency: world.currency },
    ...(tip && tip.amount > 0 && { tip_money: tip }),
    ...(body.customer_id !== undefined && { customer_id: body.customer_id }),
  }
  const payment = storePayment(
    world,
    order,
    { ...tender, payment_id: tender.id },
    { at, fields: detailsOf(body, total) },
  )
  const open = order.fulfillments?.some(({ state }) => !['COMPLETED', 'CANCELED', 'FAILED'].includes(String(state)))
  const stored = { ...order, tenders: [...(order.tenders ?? []), { ...tender, payment_id: tender.id }] }
  world.orders.set(
    order.id,
    withTotals<StoredOrder>(
      {
        ...stored,
        ...(!open && { state: 'COMPLETED' as const, closed_at: iso(at) }),
        ...(order.version !== undefined && { version: order.version + 1 }),
        updated_at: iso(at),
      },
      world,
    ),
  )
  return ok({ payment })
}
function checkCash(world: World, { cash_details: cash }: NewPayment, total: number): void {
  if (!cash) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'cash_details')
  if ((cash?.buyer_supplied_money.amount ?? 0) < total)
    invalid('INVALID_VALUE', 'The buyer supplied less than the total.', 'cash_details.buyer_supplied_money')
  if (total % smallestCoin(world) !== 0)
    invalid(
      'BAD_REQUEST',
      `total_money amount of ${total} is not divisible by ${world.currency} currency base cash unit`,
    )
}
function dueOrder(world: World, { order_id, amount_money }: NewPayment, location: string): StoredOrder {
  const order = world.orders.get(order_id!) ?? notFound(`Order not found for id ${order_id}.`, 'order_id')
  if (order.location_id !== location) invalid('INVALID_LOCATION', 'The order is at another location.', 'location_id')
  if (order.state !== 'OPEN') invalid('BAD_REQUEST', `Order in state ${order.state} cannot be paid.`, 'order_id')
  if ((order.net_amount_due_money as Money).amount !== amount_money?.amount)
    invalid('PAYMENT_AMOUNT_MISMATCH', 'The payment total does not match the order total.')
  return order
}
/** A payment without an order gets one of its own. */
function ownOrder(world: World, price: Money, location: string, at: number): StoredOrder {
  const line = { uid: newId('uid'), quantity: '1', item_type: 'CUSTOM_AMOUNT', base_price_money: price }
  const stamps = { created_at: iso(at), updated_at: iso(at) }
  const order = { id: newId('order'), location_id: location, state: 'OPEN' as const, line_items: [line], ...stamps }
  return withTotals<StoredOrder>(order, world)
}
function detailsOf(body: NewPayment, total: number): Fields {
  const { cash_details: cash, external_details, reference_id, note, customer_id, team_member_id } = body
  const supplied = cash?.buyer_supplied_money
  const change_back_money = supplied && { amount: supplied.amount - total, currency: supplied.currency }
  const given = { reference_id, note, customer_id, team_member_id }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(body.source_id === 'CASH'
      ? { cash_details: { buyer_supplied_money: supplied, change_back_money } }
      : { external_details }),
  }
}

/** A refund of an amount: it is pending first. */
function refundPayment(world: World, body: Fields): WireResponse {
  const id = textOf(body, 'payment_id', { max: 192, required: true })!
  const { amount = 0, currency } = (body.amount_money ?? {}) as Partial<Money>
  const payment = world.payments.get(id) ?? notFound(`Could not find payment with id: ${id}`, 'payment_id')
  if (currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, 'amount_money.currency')
  if (!Number.isInteger(amount) || amount < 1)
    invalid('VALUE_TOO_LOW', 'The amount must be greater than 0.', 'amount_money')
  if (amount > payment.total_money.amount - (payment.refunded_money?.amount ?? 0))
    invalid('REFUND_AMOUNT_INVALID', 'The refund is larger than the payment.', 'amount_money')
  const source = world.orders.get(payment.order_id)!
  const sold = { ...source, tenders: source.tenders?.filter((tender) => tender.id === id) }
  const lines = [customLine(world, amount)]
  const made = storeReturn(world, { location: sold.location_id, source: sold, lines, at: world.tick(), pending: true })
  return ok({ refund: world.refunds.find(({ order_id }) => order_id === made.id) })
}

export const paymentRoutes: Routes<World> = {
  'GET /v2/payments': ({ request, context: world }) => {
    const location = request.query.get('location_id') ?? world.locations.ids()[0]!
    const { rows, rest } = listOf(world, request, world.payments.values(), location)
    return list('payments', rows, rest)
  },
  'GET /v2/payments/:id': ({ params: { id = '' }, context: world }) =>
    ok({ payment: world.payments.get(id) ?? notFound(`Could not find payment with id: ${id}`) }),
  'POST /v2/payments': ({ request, context: world }) => {
    const body = bodyOf(request)
    // Square does not name the field.
    if (String(body.idempotency_key).length > 45) invalid('VALUE_TOO_LONG', 'Field must not be greater than 45 length')
    return once(world, 'payments', textOf(body, 'idempotency_key', { max: 45, required: true }), body, () =>
      createPayment(world, body),
    )
  },
}
export const refundRoutes: Routes<World> = {
  'GET /v2/refunds': ({ request, context: world }) => {
    const { rows, rest } = listOf(world, request, world.refunds.values(), request.query.get('location_id') ?? undefined)
    return list('refunds', rows, rest)
  },
  'GET /v2/refunds/:id': ({ params: { id = '' }, context: world }) =>
    ok({ refund: world.refunds.get(id) ?? notFound(`Could not find refund with id: ${id}`) }),
  'POST /v2/refunds': ({ request, context: world }) => {
    const body = bodyOf(request)
    return once(world, 'refunds', textOf(body, 'idempotency_key', { max: 45, required: true }), body, () =>
      refundPayment(world, body),
    )
  },
}
