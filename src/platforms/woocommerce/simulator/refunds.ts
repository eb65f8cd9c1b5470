// Refunds of orders. Money goes back by lines, or as an amount that no line explains; the order itself keeps its total.
import { partOf, rounded, sumOf } from './amounts.ts'
import { taxOf } from './order-totals.ts'
import { refundsOf } from './orders.ts'
import type { Line, Order, Refund, RefundLine, TaxShare, World } from './world.ts'

interface Wanted {
  at: number
  lines?: readonly { item: number; quantity: number }[]
  charges?: boolean // fees and shipping go back, too
  amount?: number // what is paid back, whatever the lines say
  reason?: string
  paid?: boolean // by the gateway
  restocked?: boolean
}
type Item = Pick<Line, 'id' | 'total' | 'taxes'> & Partial<Pick<Line, 'name' | 'product_id' | 'variation_id'>>

function partsOf(world: World, order: Order, item: Item, quantity: number, part: number, whole: number): RefundLine {
  const share = (amount: number) => (part === whole ? amount : rounded(partOf(amount, part, whole)))
  const taxes: TaxShare[] = item.taxes.map(({ rate, amount }) => ({ rate, amount: share(amount) }))
  return {
    id: world.next('item'),
    item: item.id,
    name: item.name ?? '',
    product_id: item.product_id ?? 0,
    variation_id: item.variation_id ?? 0,
    quantity,
    total: order.rounds_subtotal ? share(item.total) : rounded(share(item.total)),
    taxes,
  }
}
export function refundOrder(world: World, order: Order, wanted: Wanted): Refund {
  const id = world.next('post')
  const lines = (wanted.lines ?? []).flatMap(({ item, quantity }) => {
    const line = order.lines.find((one) => one.id === item)
    return line ? [partsOf(world, order, line, quantity, quantity, line.quantity)] : []
  })
  const all = (item: Item) => partsOf(world, order, item, 1, 1, 1)
  const fees = wanted.charges ? order.fees.map(all) : []
  const shipping_lines = wanted.charges ? order.shipping_lines.map(all) : []
  const items = [...lines, ...fees, ...shipping_lines]
  const refunded = sumOf(refundsOf(world, order.id), ({ amount }) => amount)
  const explained = rounded(sumOf(items, ({ total, taxes }) => total + taxOf(order, taxes)))
  const amount = Math.min(wanted.amount ?? explained, order.total - refunded)
  const refund: Refund = {
    id,
    order: order.id,
    created: wanted.at,
    modified: wanted.at,
    meta: [],
    amount,
    reason: wanted.reason ?? '',
    refunded_by: 1,
    refunded_payment: wanted.paid ?? false,
    restocked: wanted.restocked ?? true,
    lines,
    fees,
    shipping_lines,
  }
  world.refunds.set(String(id), refund)
  // The order is saved; what is refunded as a whole gets the status.
  const status = refunded + amount === order.total ? 'refunded' : order.status
  world.orders.set(String(order.id), { ...order, status, modified: Math.max(order.modified, wanted.at) })
  return refund
}
