// Refunds. A return is an order of its own: it has what was returned, and neither lines nor totals of a sale. An
// exchange is an order with both. The order that was sold never changes.
// https://developer.squareup.com/docs/orders-api/order-returns-exchanges
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { StoredOrder } from './orders.ts'
import { product } from './rounding.ts'
import { bodyOf, invalid, notFound, ok, textOf } from './wire.ts'
import { type Amounts, iso, type LineItem, type Money, newId, once, type Tender, type World } from './world.ts'

/** A refund of an amount has a line of its own. */
type ReturnedLine = Fields & Pick<LineItem, 'quantity' | 'modifiers'> & { uid?: string }
type Random = ((below: number) => number) | undefined
interface Returned {
  source?: StoredOrder | undefined // the order that was sold; absent for a return without a receipt
  lines: readonly ReturnedLine[]
  random?: Random
}
const amountOf = (line: Fields, name: string): number => (line[name] as Money | undefined)?.amount ?? 0

/** One unit of a line of several. */
export function unitOf(line: LineItem): LineItem {
  const count = Number(line.quantity)
  if (!Number.isInteger(count) || count < 2) return line
  const part = (name: string): number => product(amountOf(line, name), String(1 / count).slice(0, 12))
  const parts = ['gross_sales_money', 'total_discount_money', 'total_tax_money', 'total_service_charge_money'].map(
    (name) => [name, { amount: part(name), currency: line.base_price_money!.currency }] as const,
  )
  const [gross, discount, tax] = parts.map(([, { amount }]) => amount) as [number, number, number]
  const total_money = { amount: gross - discount + tax, currency: line.base_price_money!.currency }
  return { ...line, quantity: '1', ...Object.fromEntries(parts), total_money }
}

/** What an order has of the goods that came back. */
export function returnedIn(world: World, { source, lines, random }: Returned) {
  const money = (amount: number): Money => ({ amount, currency: world.currency })
  const sum = (name: string) => lines.reduce((total, line) => total + amountOf(line, name), 0)
  const return_amounts: Amounts = {
    total_money: money(sum('total_money')),
    tax_money: money(sum('total_tax_money')),
    discount_money: money(sum('total_discount_money')),
    tip_money: money(0),
    service_charge_money: money(sum('total_service_charge_money')),
  }
  const return_line_items = lines.map(
    ({
      gross_sales_money,
      modifiers,
      applied_taxes: _,
      applied_discounts: __,
      applied_service_charges: ___,
      metadata: ____,
      ...line
    }) => ({
      ...line,
      uid: newId('uid', random),
      ...(source && line.uid !== undefined && { source_line_item_uid: line.uid }),
      ...(modifiers && {
        return_modifiers: modifiers.map(({ uid, ...one }) => ({
          ...one,
          uid: newId('uid', random),
          source_modifier_uid: uid,
        })),
      }),
      gross_return_money: gross_sales_money,
    }),
  )
  const one = {
    uid: newId('uid', random),
    ...(source && { source_order_id: source.id }),
    return_line_items,
    return_amounts,
  }
  return { returns: [one], return_amounts }
}

/** The money that goes back to the tenders of the sale, the first ones first. */
export function refundsOf(
  world: World,
  { source, amount, at, location, random }: Omit<Returned, 'lines'> & { amount: number; at: number; location: string },
) {
  let left = amount
  const tenders: readonly (Tender | undefined)[] = source?.tenders ?? [undefined]
  return tenders.flatMap((tender) => {
    const share = Math.min(left, tender?.amount_money.amount ?? left)
    left -= share
    if (share === 0) return []
    return [
      {
        id: newId('uid', random),
        location_id: location,
        ...(source && { transaction_id: source.id }),
        ...(tender && { tender_id: tender.id }),
        created_at: iso(at),
        reason: 'Returned goods',
        amount_money: { amount: share, currency: world.currency },
        status: 'APPROVED',
      },
    ]
  })
}

interface ReturnOptions extends Returned {
  location: string
  at: number
}
export function storeReturn(world: World, options: ReturnOptions): StoredOrder {
  const { location, at, random } = options
  const returned = returnedIn(world, options)
  const negative = Object.entries(returned.return_amounts).map(([name, { amount, currency }]) => [
    name,
    { amount: amount === 0 ? 0 : -amount, currency },
  ])
  const stored: StoredOrder = {
    id: newId('order', random),
    location_id: location,
    source: { name: 'Square Point of Sale' },
    state: 'COMPLETED',
    created_at: iso(at),
    updated_at: iso(at),
    closed_at: iso(at),
    ...returned,
    net_amounts: Object.fromEntries(negative),
    refunds: refundsOf(world, { ...options, amount: returned.return_amounts.total_money.amount }),
  }
  return world.orders.set(stored.id, stored)
}

/** A refund of an amount, not of items: the return has one line without an item. */
export function customLine(world: World, amount: number): ReturnedLine {
  const value = { amount, currency: world.currency }
  const line = { quantity: '1', item_type: 'CUSTOM_AMOUNT', base_price_money: value, gross_sales_money: value }
  return { ...line, total_money: value }
}
function refundPayment(world: World, body: Fields): WireAnswer {
  const payment = textOf(body, 'payment_id', { max: 192, required: true })
  const { amount = 0, currency } = (body.amount_money ?? {}) as Partial<Money>
  const sold = world.orders.find(({ tenders }) => tenders?.[0]?.id === payment)
  if (!sold) return notFound(`Could not find payment with id: ${payment}`, 'payment_id')
  if (currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, 'amount_money.currency')
  if (!Number.isInteger(amount) || amount < 1)
    invalid('VALUE_TOO_LOW', 'The amount must be greater than 0.', 'amount_money')
  if (amount > sold.total_money!.amount)
    invalid('REFUND_AMOUNT_INVALID', 'The refund is larger than the payment.', 'amount_money')
  const { id, created_at, location_id } = storeReturn(world, {
    location: sold.location_id,
    source: sold,
    lines: [customLine(world, amount)],
    at: world.tick(),
  })
  return ok({
    refund: {
      id: `${payment}_${id}`,
      status: 'PENDING',
      amount_money: { amount, currency },
      payment_id: payment,
      order_id: id,
      location_id,
      created_at,
      updated_at: created_at,
    },
  })
}
type WireAnswer = ReturnType<typeof ok>

export const refundRoutes: Routes<World> = {
  'POST /v2/refunds': ({ request, context: world }) => {
    const body = bodyOf(request)
    return once(world, 'refunds', textOf(body, 'idempotency_key', { max: 45, required: true }), body, () =>
      refundPayment(world, body),
    )
  },
}
