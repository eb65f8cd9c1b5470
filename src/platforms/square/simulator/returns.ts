// Refunds. A return is an order of its own: it has what was returned, and neither lines nor totals of a sale.
// https://developer.squareup.com/docs/orders-api/retrieve-returns-exchanges-refunds
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { StoredOrder } from './orders.ts'
import { bodyOf, invalid, notFound, ok, textOf } from './wire.ts'
import { iso, type LineItem, type Money, newId, once, type World } from './world.ts'

interface ReturnOptions {
  location: string
  source?: string // the order that was sold; absent for a return without a receipt
  lines: readonly Omit<LineItem, 'uid'>[]
  at: number
  random?(below: number): number
}
export function storeReturn(world: World, { location, source, lines, at, random }: ReturnOptions): StoredOrder {
  const money = (amount: number): Money => ({ amount, currency: world.currency })
  const amounts = (total: number, tax: number, discount: number) => ({
    total_money: money(total),
    tax_money: money(tax),
    discount_money: money(discount),
    tip_money: money(0),
    service_charge_money: money(0),
  })
  const sum = (name: string) =>
    lines.reduce((total, line) => total + ((line[name] as Money | undefined)?.amount ?? 0), 0)
  const [total, tax, discount] = [sum('total_money'), sum('total_tax_money'), sum('total_discount_money')]
  const return_line_items = lines.map(({ gross_sales_money, applied_taxes: _, applied_discounts: __, ...line }) => ({
    ...line,
    uid: newId('uid', random),
    ...(source && line.uid !== undefined && { source_line_item_uid: line.uid }),
    gross_return_money: gross_sales_money,
  }))
  const stored = {
    id: newId('order', random),
    location_id: location,
    source: { name: 'Square Point of Sale' },
    state: 'COMPLETED' as const,
    created_at: iso(at),
    updated_at: iso(at),
    closed_at: iso(at),
    returns: [
      {
        uid: newId('uid', random),
        ...(source && { source_order_id: source }),
        return_line_items,
        return_amounts: amounts(total, tax, discount),
      },
    ],
    return_amounts: amounts(total, tax, discount),
    net_amounts: amounts(-total, -tax, -discount),
    refunds: [
      {
        id: newId('uid', random),
        location_id: location,
        created_at: iso(at),
        reason: 'Returned goods',
        amount_money: money(total),
        status: 'APPROVED',
      },
    ],
  }
  return world.orders.set(stored.id, stored)
}

/** A refund of an amount, not of items: the return has one line without an item. */
function refundPayment(world: World, body: Fields): WireResponse {
  const payment = textOf(body, 'payment_id', { max: 192, required: true })
  const { amount = 0, currency } = (body.amount_money ?? {}) as Partial<Money>
  const sold = world.orders.find(({ tenders }) => (tenders as { id: string }[] | undefined)?.[0]?.id === payment)
  if (!sold) return notFound(`Could not find payment with id: ${payment}`, 'payment_id')
  if (currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, 'amount_money.currency')
  if (!Number.isInteger(amount) || amount < 1)
    invalid('VALUE_TOO_LOW', 'The amount must be greater than 0.', 'amount_money')
  if (amount > sold.total_money!.amount)
    invalid('REFUND_AMOUNT_INVALID', 'The refund is larger than the payment.', 'amount_money')
  const value = { amount, currency: world.currency }
  const line = { quantity: '1', item_type: 'CUSTOM_AMOUNT', base_price_money: value, gross_sales_money: value }
  const { id, created_at, location_id } = storeReturn(world, {
    location: sold.location_id,
    source: sold.id,
    lines: [{ ...line, total_money: value }],
    at: world.tick(),
  })
  return ok({
    refund: {
      id: `${payment}_${id}`,
      status: 'PENDING',
      amount_money: value,
      payment_id: payment,
      order_id: id,
      location_id,
      created_at,
      updated_at: created_at,
    },
  })
}

export const refundRoutes: Routes<World> = {
  'POST /v2/refunds': ({ request, context: world }) => {
    const body = bodyOf(request)
    return once(world, 'refunds', textOf(body, 'idempotency_key', { max: 45, required: true }), body, () =>
      refundPayment(world, body),
    )
  },
}
