// Refunds. A return is an order of its own: it has what was returned, and neither lines nor totals of a sale. An
// exchange is an order with both. The order that was sold never changes.
// https://developer.squareup.com/docs/orders-api/order-returns-exchanges
import type { Fields } from '../../../sandbox/http.ts'
import type { StoredOrder } from './orders.ts'
import { product } from './rounding.ts'
import { type Amounts, iso, type LineItem, type Money, newId, type World } from './world.ts'

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

interface RefundOptions extends Omit<Returned, 'lines'> {
  order: string // that has the return
  amount: number
  at: number
  location: string
  pending?: boolean
}
/** The money that goes back to the tenders of the sale, the first ones first: as orders name it, and as refunds. */
export function storeRefunds(world: World, { source, order, amount, at, location, pending, random }: RefundOptions) {
  let left = amount
  return (source?.tenders ?? [undefined]).flatMap((tender) => {
    const payment = tender && world.payments.get(tender.id)
    const most = payment ? payment.total_money.amount - (payment.refunded_money?.amount ?? 0) : left
    const share = Math.min(left, most)
    left -= share
    if (share <= 0) return []
    const amount_money = { amount: share, currency: world.currency }
    const part = { id: newId('uid', random), location_id: location, created_at: iso(at), reason: 'Returned goods' }
    const id = payment ? `${payment.id}_${part.id}` : part.id
    world.refunds.set(id, {
      ...part,
      id,
      updated_at: iso(at),
      status: pending ? 'PENDING' : 'COMPLETED',
      amount_money,
      destination_type: payment?.source_type ?? 'CASH',
      order_id: order,
      ...(payment && { payment_id: payment.id }),
      ...(payment?.team_member_id !== undefined && { team_member_id: payment.team_member_id }),
      ...(payment ? {} : { unlinked: true }),
    })
    if (payment && !pending) settle(world, id)
    return [
      {
        ...part,
        ...(source && { transaction_id: source.id }),
        ...(tender && { tender_id: tender.id }),
        amount_money,
        status: pending ? 'PENDING' : 'APPROVED',
      },
    ]
  })
}
/** The money has moved: the payment knows of it, too. */
export function settle(world: World, id: string, at = world.refunds.get(id)!.updated_at): void {
  const refund = world.refunds.get(id)!
  world.refunds.set(id, { ...refund, status: 'COMPLETED', updated_at: at })
  const payment = refund.payment_id === undefined ? undefined : world.payments.get(refund.payment_id)
  if (!payment) return
  const amount = (payment.refunded_money?.amount ?? 0) + refund.amount_money.amount
  world.payments.set(payment.id, {
    ...payment,
    refunded_money: { amount, currency: world.currency },
    refund_ids: [...(payment.refund_ids ?? []), id],
    updated_at: at,
  })
}

interface ReturnOptions extends Returned {
  location: string
  at: number
  pending?: boolean
}
export function storeReturn(world: World, options: ReturnOptions): StoredOrder {
  const { location, at, random } = options
  const returned = returnedIn(world, options)
  const negative = Object.entries(returned.return_amounts).map(([name, { amount, currency }]) => [
    name,
    { amount: amount === 0 ? 0 : -amount, currency },
  ])
  const id = newId('order', random)
  const amount = returned.return_amounts.total_money.amount
  const stored: StoredOrder = {
    id,
    location_id: location,
    source: { name: 'Square Point of Sale' },
    state: 'COMPLETED',
    created_at: iso(at),
    updated_at: iso(at),
    closed_at: iso(at),
    ...returned,
    net_amounts: Object.fromEntries(negative),
    refunds: storeRefunds(world, { ...options, order: id, amount }),
  }
  return world.orders.set(stored.id, stored)
}

/** A refund of an amount, not of items: the return has one line without an item. */
export function customLine(world: World, amount: number): ReturnedLine {
  const value = { amount, currency: world.currency }
  const line = { quantity: '1', item_type: 'CUSTOM_AMOUNT', base_price_money: value, gross_sales_money: value }
  return { ...line, total_money: value }
}
