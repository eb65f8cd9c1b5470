// /orders. The shop calculates totals and taxes and sets numbers and dates, regardless of what a client sends.

import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { show, sumOf } from './amounts.ts'
import {
  feeFrom,
  feeSchema,
  mergeItems,
  shippingFrom,
  shippingLineSchema,
  showFee,
  showShipping,
} from './order-items.ts'
import { lineSchema, mergeLines, reduceStock, showLine } from './order-lines.ts'
import { calculated } from './order-totals.ts'
import { accept, badParameter, listed, listOf, objectOf, refuse } from './wire.ts'
import {
  type Address,
  dates,
  mergeMeta,
  metaSchema,
  type Order,
  type Refund,
  type TaxShare,
  trashed,
  type World,
} from './world.ts'

const api = '/wp-json/wc/v3'
export const orderStatuses = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
  'checkout-draft',
] as const
const addressParts = [
  'first_name',
  'last_name',
  'company',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'country',
  'phone',
] as const
const shippingSchema: Schemas = Object.fromEntries(addressParts.map((name) => [name, 'string']))
export const addressSchemas = {
  billing: objectOf({ ...shippingSchema, email: 'email' }),
  shipping: objectOf(shippingSchema),
} as const satisfies Schemas
export const blankShipping: Address = Object.fromEntries(addressParts.map((name) => [name, '']))
export const blankBilling: Address = { ...blankShipping, email: '' }

const schema: Schemas = {
  id: 'integer',
  status: { enum: ['auto-draft', ...orderStatuses] },
  currency: { enum: Intl.supportedValuesOf('currency') },
  customer_id: 'integer',
  customer_note: 'string',
  ...addressSchemas,
  payment_method: 'string',
  payment_method_title: 'string',
  transaction_id: 'string',
  set_paid: 'boolean',
  line_items: listOf(lineSchema),
  shipping_lines: listOf(shippingLineSchema),
  fee_lines: listOf(feeSchema),
  meta_data: metaSchema,
}
const invalidId = (status: number): never => refuse(status, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')

/** With one of these, all totals are calculated once more. */
const calculating = ['billing', 'shipping', 'line_items', 'shipping_lines', 'fee_lines'] as const

function apply(world: World, current: Order, body: Fields): Order {
  const customer = body.customer_id as number | undefined
  const posted = (name: 'line_items' | 'shipping_lines' | 'fee_lines') => (body[name] as Fields[] | undefined) ?? []
  const lines = mergeLines(world, current.lines, posted('line_items'))
  const shipping_lines = mergeItems(current.shipping_lines, posted('shipping_lines'), shippingFrom(world))
  const fees = mergeItems(current.fees, posted('fee_lines'), feeFrom(world))
  if (customer && !world.customers.has(String(customer)))
    return refuse(400, 'woocommerce_rest_invalid_customer_id', 'Customer ID is invalid.')
  const next: Order = {
    ...current,
    lines,
    shipping_lines,
    fees,
    customer_id: customer ?? current.customer_id,
    billing: { ...current.billing, ...(body.billing as Address | undefined) },
    shipping: { ...current.shipping, ...(body.shipping as Address | undefined) },
    meta: mergeMeta(world, current.meta, body.meta_data),
    modified: world.second(),
  }
  for (const name of ['currency', 'customer_note', 'payment_method', 'payment_method_title', 'transaction_id'] as const)
    if (body[name] !== undefined) next[name] = String(body[name])
  const paying =
    body.set_paid === true && ['pending', 'on-hold', 'failed'].includes(String(body.status ?? current.status))
  const totaled = calculating.some((name) => body[name] !== undefined) ? calculated(world, next) : next
  return moved(world, totaled, paying ? 'processing' : ((body.status as string | undefined) ?? current.status))
}
/** Any status may follow any other; the first paid status sets the payment date. */
function moved(world: World, order: Order, status: string): Order {
  const paid = status === 'processing' || status === 'completed'
  const reduces = !order.stock_reduced && (paid || status === 'on-hold')
  if (reduces) reduceStock(world, order.lines)
  return {
    ...order,
    status,
    paid: order.paid ?? (paid ? world.second() : null),
    completed: status === 'completed' ? (order.completed ?? world.second()) : order.completed,
    stock_reduced: order.stock_reduced || reduces,
  }
}
export const blankOrder = (world: World, id: number, at: number): Order => ({
  id,
  created: at,
  modified: at,
  meta: [],
  status: 'pending',
  currency: world.currency,
  customer_id: 0,
  customer_note: '',
  created_via: 'rest-api',
  billing: blankBilling,
  shipping: blankShipping,
  payment_method: '',
  payment_method_title: '',
  transaction_id: '',
  paid: null,
  completed: null,
  stock_reduced: false,
  prices_include_tax: false,
  rounds_subtotal: false,
  lines: [],
  fees: [],
  shipping_lines: [],
  coupons: [],
  gift_cards: [],
  tax_lines: [],
  shipping_total: 0,
  shipping_tax: 0,
  cart_tax: 0,
  discount_total: 0,
  total: 0,
})

/** The newest first. */
export const refundsOf = (world: World, order: number): Refund[] =>
  world.refunds.filter((refund) => refund.order === order).sort((a, b) => b.created - a.created || b.id - a.id)

export function showOrder(world: World, order: Order): Fields {
  const {
    id,
    status,
    currency,
    customer_id,
    customer_note,
    created_via,
    billing,
    shipping,
    payment_method,
    payment_method_title,
    transaction_id,
  } = order
  return {
    id,
    parent_id: 0,
    number: String(id),
    order_key: `wc_order_${id}`,
    created_via,
    version: '9.9.5',
    status,
    currency,
    ...dates(world, 'date_created', order.created),
    ...dates(world, 'date_modified', order.modified),
    discount_total: show(order.discount_total),
    discount_tax: show(
      sumOf(order.lines, ({ subtotal_taxes, taxes }) => sumOf(subtotal_taxes, amount) - sumOf(taxes, amount)),
    ),
    shipping_total: show(order.shipping_total),
    shipping_tax: show(order.shipping_tax),
    cart_tax: show(order.cart_tax),
    total: show(order.total),
    total_tax: show(order.cart_tax + order.shipping_tax),
    prices_include_tax: order.prices_include_tax,
    customer_id,
    customer_ip_address: '',
    customer_user_agent: '',
    customer_note,
    billing,
    shipping,
    payment_method,
    payment_method_title,
    transaction_id,
    ...dates(world, 'date_paid', order.paid),
    ...dates(world, 'date_completed', order.completed),
    cart_hash: '',
    meta_data: order.meta,
    line_items: order.lines.map((line) => showLine(world, order, line)),
    tax_lines: order.tax_lines.map(({ tax_total, shipping_tax_total, ...line }) => ({
      ...line,
      tax_total: show(tax_total),
      shipping_tax_total: show(shipping_tax_total),
      meta_data: [],
    })),
    shipping_lines: order.shipping_lines.map((line) => showShipping(order, line)),
    fee_lines: order.fees.map((fee) => showFee(order, fee)),
    coupon_lines: order.coupons.map(({ discount, ...coupon }) => ({
      ...coupon,
      discount: show(discount),
      discount_tax: '0.00',
      meta_data: [],
    })),
    refunds: refundsOf(world, id).map((refund) => ({
      id: refund.id,
      reason: refund.reason,
      total: `-${show(refund.amount)}`,
    })),
    gift_cards: order.gift_cards.map((card) => ({ ...card, amount: Number(show(card.amount)) })),
    payment_url: `https://${world.shop}/checkout/order-pay/${id}/?pay_for_order=true&key=wc_order_${id}`,
    is_editable: ['pending', 'on-hold', 'auto-draft'].includes(status),
    needs_payment: ['pending', 'failed'].includes(status) && order.total > 0,
    needs_processing: true,
  }
}
const amount = (share: TaxShare) => share.amount
const orders = {
  date: (row: Order) => row.created,
  id: (row: Order) => row.id,
  include: (row: Order) => row.id,
  modified: (row: Order) => row.modified,
  title: (row: Order) => row.id,
  slug: (row: Order) => row.id,
}
function statusesIn(query: URLSearchParams): string[] {
  const given = [...query].filter(([name]) => /^status(\[\d*\])?$/.test(name)).flatMap(([, value]) => value.split(','))
  const allowed = ['any', 'trash', 'auto-draft', ...orderStatuses]
  const wrong = given.findIndex((status) => !allowed.includes(status))
  return wrong < 0
    ? given
    : badParameter('status', `status[${wrong}] is not one of ${allowed.join(', ')}.`, 'rest_not_in_enum')
}

export const orderRoutes: Routes<World> = {
  [`GET ${api}/orders`]: ({ request, context: world }) => {
    const statuses = statusesIn(request.query)
    const customer = request.query.get('customer')
    const any = statuses.length === 0 || statuses.includes('any')
    const rows = world.orders.filter(
      (order) =>
        (any ? !trashed(order) : statuses.includes(order.status)) &&
        (customer === null || order.customer_id === Number(customer)),
    )
    return listed(request, rows, {
      ...world,
      orders,
      initially: { by: 'date', order: 'desc' },
      dates: true,
      render: (order) => showOrder(world, order),
    })
  },
  [`GET ${api}/orders/:id`]: ({ params: { id = '' }, context: world }) => ({
    status: 200,
    body: showOrder(world, world.orders.get(id) ?? invalidId(404)),
  }),
  [`POST ${api}/orders`]: ({ request, context: world }) => {
    const body = accept(request, schema)
    if (body.id) return refuse(400, 'woocommerce_rest_shop_order_exists', 'Cannot create existing shop_order.')
    const order = { ...apply(world, blankOrder(world, 0, world.second()), body), id: world.next('post') }
    world.orders.set(String(order.id), order)
    return {
      status: 201,
      headers: { location: `${world.origin}${api}/orders/${order.id}` },
      body: showOrder(world, order),
    }
  },
  [`PUT ${api}/orders/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const body = accept(request, schema)
    return {
      status: 200,
      body: showOrder(world, world.orders.set(id, apply(world, world.orders.get(id) ?? invalidId(400), body))),
    }
  },
  [`DELETE ${api}/orders/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const current = world.orders.get(id) ?? invalidId(404)
    if (/^(true|1)$/.test(request.query.get('force') ?? '')) world.orders.delete(id)
    else if (current.status === 'trash')
      return refuse(410, 'woocommerce_rest_already_trashed', 'The shop_order has already been deleted.')
    else world.orders.set(id, { ...current, status: 'trash', modified: world.second() })
    return { status: 200, body: showOrder(world, current) }
  },
}
