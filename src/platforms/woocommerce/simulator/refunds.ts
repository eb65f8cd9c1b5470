// Refunds of orders. Money goes back by lines, or as an amount that no line explains; the order itself keeps its total.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { partOf, rounded, show, sumOf } from './amounts.ts'
import { taxOf } from './order-totals.ts'
import { refundsOf } from './orders.ts'
import { listed, refuse } from './wire.ts'
import { dates, type Line, type Order, type Refund, type RefundLine, type TaxShare, type World } from './world.ts'

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

const api = '/wp-json/wc/v3'
const minus = (amount: number): string => show(-amount)
const showItem = (order: Order, { id, item, total, taxes }: RefundLine): Fields => ({
  id,
  total: minus(total),
  total_tax: minus(taxOf(order, taxes)),
  taxes: taxes.map(({ rate, amount }) => ({ id: rate, total: minus(amount), subtotal: '' })),
  meta_data: [{ id: id + 1_000_000, key: '_refunded_item_id', value: String(item) }],
})
function showLine(order: Order, line: RefundLine): Fields {
  const { name, product_id, variation_id, quantity, total } = line
  const shown = showItem(order, line)
  const price = quantity === 0 ? 0 : total / 1_000_000 / quantity
  return {
    ...shown,
    name,
    product_id,
    variation_id,
    quantity: quantity === 0 ? 0 : -quantity,
    tax_class: '',
    subtotal: shown.total,
    subtotal_tax: shown.total_tax,
    sku: '',
    price,
  }
}
function showRefund(world: World, refund: Refund): Fields {
  const order = world.orders.get(String(refund.order))!
  return {
    id: refund.id,
    parent_id: refund.order,
    ...dates(world, 'date_created', refund.created),
    amount: show(refund.amount),
    reason: refund.reason,
    refunded_by: refund.refunded_by,
    refunded_payment: refund.refunded_payment,
    meta_data: refund.meta,
    line_items: refund.lines.map((line) => showLine(order, line)),
    shipping_lines: refund.shipping_lines.map((line) => showItem(order, line)),
    tax_lines: [],
    fee_lines: refund.fees.map((fee) => ({ ...showItem(order, fee), name: fee.name, tax_class: '' })),
  }
}
const orders = {
  date: (row: Refund) => row.created,
  id: (row: Refund) => row.id,
  include: (row: Refund) => row.id,
  modified: (row: Refund) => row.modified,
  title: (row: Refund) => row.id,
  slug: (row: Refund) => row.id,
}
const page = (world: World, request: WireRequest, rows: readonly Refund[], render: (row: Refund) => unknown) =>
  listed(request, rows, { ...world, orders, initially: { by: 'date', order: 'desc' }, dates: true, render })
/** Without the order, which the address names. */
function withoutParent(world: World, refund: Refund): Fields {
  const { parent_id: _, ...shown } = showRefund(world, refund)
  return shown
}
const orderOf = (world: World, id = ''): Order =>
  world.orders.get(id) ?? refuse(404, 'woocommerce_rest_invalid_order_id', 'Invalid order ID.')

export const refundRoutes: Routes<World> = {
  [`GET ${api}/refunds`]: ({ request, context: world }) =>
    page(
      world,
      request,
      world.refunds.filter(({ order }) => world.orders.has(String(order))),
      (row) => showRefund(world, row),
    ),
  [`GET ${api}/orders/:id/refunds`]: ({ request, params, context: world }) =>
    page(world, request, refundsOf(world, orderOf(world, params.id).id), (row) => withoutParent(world, row)),
  [`GET ${api}/orders/:id/refunds/:refund`]: ({ params, context: world }) => {
    const order = orderOf(world, params.id)
    const refund = world.refunds.get(params.refund ?? '')
    return refund?.order === order.id
      ? { status: 200, body: withoutParent(world, refund) }
      : refuse(404, 'woocommerce_rest_invalid_order_refund_id', 'Invalid order refund ID.')
  },
}
