// /v3/orders/payment_actions/refunds: https://developer.bigcommerce.com/docs/rest-management/order-transactions/order-refunds
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { moneyOf } from './order-money.ts'
import { data, idsIn, knownFilters, numbered, refuse } from './wire.ts'
import { isoSeconds, type StoredOrder, type StoredRefund, type World } from './world.ts'

const major = (amount: number): number => amount / 10_000

/** The list has amounts as numbers; a single refund has them as texts, and none for units. */
const view = (world: World, refund: StoredRefund, single: boolean): Fields => ({
  id: refund.id,
  order_id: refund.order_id,
  user_id: 0,
  created: isoSeconds(refund.created),
  reason: refund.reason,
  total_amount: major(refund.total),
  total_tax: major(refund.tax),
  uses_merchant_override_values: false,
  payments: refund.payments.map(({ id, provider, amount, offline, declined = false }) => ({
    id,
    provider_id: provider,
    amount: major(amount),
    offline,
    is_declined: declined,
    declined_message: declined ? 'The gateway declined the refund.' : '',
    ...(!single && { transaction_id: '' }),
  })),
  items: refund.items.map(({ type, id, quantity, amount }) => {
    // Without tax where prices have none: the tax is in the total alone.
    const requested = major(world.orders.get(String(refund.order_id))?.inclusive ? amount : amount - refund.tax)
    return {
      item_type: type,
      item_id: id,
      quantity: quantity ?? 1,
      requested_amount: single ? (quantity === undefined ? requested.toFixed(2) : null) : requested,
      reason: refund.reason,
      ...(!single && { adjustments: [] }),
    }
  }),
})

function time(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const at = Date.parse(given)
  return Number.isNaN(at) ? refuse(422, `The filter ${name} takes a date`, { [name]: 'not a date' }) : at
}

export const refundRoutes: Routes<World> = {
  // By id, and without pagination in `meta`.
  'GET /orders/payment_actions/refunds': ({ request: { query }, context: world }) => {
    knownFilters(query, ['order_id:in', 'id:in', 'created:min', 'created:max', 'transaction_id', 'page', 'limit'])
    const [orders, ids] = [idsIn(query, 'order_id:in'), idsIn(query, 'id:in')]
    const [from, to] = [time(query, 'created:min') ?? 0, time(query, 'created:max') ?? Number.POSITIVE_INFINITY]
    const found = world.refunds
      .filter(
        ({ id, order_id, created }) =>
          (!orders || orders.has(order_id)) && (!ids || ids.has(id)) && created >= from && created <= to,
      )
      .toSorted((a, b) => a.id - b.id)
    return data(numbered(found, query).rows.map((refund) => view(world, refund, false)))
  },
  'GET /orders/payment_actions/refunds/:id': ({ params: { id = '' }, context: world }) =>
    data(view(world, world.refunds.get(id) ?? refuse(404, 'The requested refund was not found.'), true)),
  'GET /orders/:order/payment_actions/refunds': ({ params: { order = '' }, context: world }) =>
    data(
      world.refunds.filter(({ order_id }) => String(order_id) === order).map((refund) => view(world, refund, false)),
    ),
}

/** The only thing of a refund that changes: its payment may be declined later. */
export const refundRecords = (world: World, add: NativeRecords['add']): NativeRecords => ({
  ids: () => world.refunds.ids(),
  add,
  touch(id) {
    const refund = world.refunds.get(id)!
    const payments = refund.payments.map(({ declined, ...payment }) =>
      declined ? payment : { ...payment, declined: true as const },
    )
    world.refunds.set(id, { ...refund, payments })
  },
})

/** Units of a line go back, with what was paid for them. */
export function refundUnits(world: World, order: StoredOrder, index: number, units: number): StoredOrder {
  const [line, money] = [order.lines[index]!, moneyOf(order).lines[index]!]
  const part = (amount: number) => Math.round((amount * units) / line.quantity / 100) * 100
  const [total, tax] = [part(money.paid), part(money.tax)]
  store(world, order, { total, tax }, [{ type: 'PRODUCT', id: line.id, quantity: units, amount: total }])
  return {
    ...order,
    lines: order.lines.map((one, n) => (n === index ? { ...one, refunded: (one.refunded ?? 0) + units } : one)),
  }
}
/** An amount goes back: of the shipping, or of the whole order. A declined one moves no money. */
export function refundAmount(
  world: World,
  order: StoredOrder,
  item: StoredRefund['items'][number],
  declined = false,
): void {
  store(world, order, { total: item.amount, tax: 0 }, [item], declined)
}
function store(
  world: World,
  order: StoredOrder,
  sums: { total: number; tax: number },
  items: StoredRefund['items'],
  declined = false,
): void {
  const id = world.nextId('refund')
  world.refunds.set(String(id), {
    id,
    order_id: order.id,
    created: order.created + 600_000,
    reason: 'Customer requires a refund.',
    ...sums,
    items,
    payments: [
      {
        id: world.nextId('refund payment'),
        provider: order.fields.payment_method === 'Credit Card' ? 'braintree' : 'custom',
        amount: sums.total,
        offline: order.fields.payment_method !== 'Credit Card',
        ...(declined && { declined: true as const }),
      },
    ],
  })
}
