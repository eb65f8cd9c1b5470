// Orders as V2 returns them: amounts are strings with four decimals, dates are RFC 2822 dates, lines are a separate
// list.
import type { Fields } from '../../../sandbox/http.ts'
import { addressId, consignmentsOf, linkOf, placeOf } from './order-consignments.ts'
import { type LineMoney, moneyOf, taxRates } from './order-money.ts'
import { mailDate, type StoredCost, type StoredLine, type StoredOrder, type World } from './world.ts'

export const statusNames: Readonly<Record<number, string>> = {
  0: 'Incomplete',
  1: 'Pending',
  2: 'Shipped',
  3: 'Partially Shipped',
  4: 'Refunded',
  5: 'Cancelled',
  6: 'Declined',
  7: 'Awaiting Payment',
  8: 'Awaiting Pickup',
  9: 'Awaiting Shipment',
  10: 'Completed',
  11: 'Awaiting Fulfillment',
  12: 'Manual Verification Required',
  13: 'Disputed',
  14: 'Partially Refunded',
}
const fixed = (amount: number): string => (amount / 10_000).toFixed(4)
const zero = fixed(0)

/** A cost as an order has it, with its tax class. */
const costFields = (kind: string, { ex, inc }: StoredCost, inclusive: boolean): Fields => ({
  [`base_${kind}_cost`]: fixed(inclusive ? inc : ex),
  [`${kind}_cost_ex_tax`]: fixed(ex),
  [`${kind}_cost_inc_tax`]: fixed(inc),
  [`${kind}_cost_tax`]: fixed(inc - ex),
  [`${kind}_cost_tax_class_id`]: 0,
})

export function orderView(world: World, order: StoredOrder, query = new URLSearchParams()): Fields {
  const { storeHash, currency: own } = world
  const money = moneyOf(order)
  const { subtotal, total } = money
  const link = (name: string) => linkOf(storeHash, order, name)
  const included = query.get('include')?.split(',') ?? []
  return {
    id: order.id,
    customer_id: order.customer_id,
    date_created: mailDate(order.created),
    date_modified: mailDate(order.modified),
    date_shipped: order.status_id === 2 ? mailDate(order.modified) : '',
    status_id: order.status_id,
    status: statusNames[order.status_id],
    custom_status: statusNames[order.status_id],
    subtotal_ex_tax: fixed(subtotal.ex),
    subtotal_inc_tax: fixed(subtotal.inc),
    subtotal_tax: fixed(subtotal.tax),
    ...costFields('shipping', money.shipping, order.inclusive),
    ...costFields('handling', money.handling, order.inclusive),
    ...costFields('wrapping', money.wrapping, order.inclusive),
    total_ex_tax: fixed(total.ex),
    total_inc_tax: fixed(total.inc),
    total_tax: fixed(total.inc - total.ex),
    is_tax_inclusive_pricing: order.inclusive,
    items_total: order.lines.reduce((count, { quantity }) => count + quantity, 0),
    items_shipped: 0,
    payment_method: 'Manual',
    payment_provider_id: '',
    payment_status: '',
    refunded_amount: zero, // always: https://developer.bigcommerce.com/docs/rest-management/orders
    order_is_digital: order.lines.every(({ type }) => type === 'digital'),
    store_credit_amount: zero,
    gift_certificate_amount: zero,
    ip_address: '',
    ip_address_v6: '',
    geoip_country: '',
    geoip_country_iso2: '',
    currency_id: 1,
    currency_code: order.currency,
    currency_exchange_rate: '1.0000000000',
    default_currency_id: 1,
    default_currency_code: order.currency,
    store_default_currency_code: own,
    store_default_to_transactional_exchange_rate: '1.0000000000',
    discount_amount: fixed(money.discount),
    coupon_discount: fixed(money.coupon),
    shipping_address_count: order.shipping_addresses.length,
    is_deleted: order.deleted,
    ebay_order_id: '0',
    cart_id: '',
    is_email_opt_in: false,
    credit_card_type: null,
    order_source: 'external',
    channel_id: 1,
    external_id: null,
    tax_provider_id: 'BasicTaxProvider',
    customer_locale: 'en',
    ...order.fields,
    billing_address: { ...order.billing_address, form_fields: [] },
    consignments: consignmentsOf(world, order, included, query.get('consignment_structure'), lineViews),
    fees: included.includes('fees') ? feeViews(order) : link('fees'),
    products: link('products'),
    shipping_addresses: link('shippingaddresses'),
    coupons: link('coupons'),
  }
}

export function lineViews(order: StoredOrder): Fields[] {
  const { lines } = moneyOf(order)
  return order.lines.map((line, index) => lineView(order, line, lines[index]!))
}
function discountsOf(order: StoredOrder, line: StoredLine, { discounts }: LineMoney): Fields[] {
  const { promotion, manual, coupon } = discounts
  return [
    { id: 'promotion-1', amount: promotion, name: line.promotion?.name, code: null, target: 'product' },
    { id: 'manual-discount', amount: manual, name: 'Manual Discount', code: null, target: 'order' },
    { id: 'total-coupon', amount: coupon, name: order.coupon?.name, code: order.coupon?.code, target: 'order' },
  ].flatMap((discount) => (discount.amount ? [{ ...discount, amount: fixed(discount.amount) }] : []))
}

function lineView(order: StoredOrder, line: StoredLine, money: LineMoney): Fields {
  const { quantity, refunded = 0 } = line
  const { price, total } = money
  return {
    id: line.id,
    order_id: order.id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    order_pickup_method_id: placeOf(order, line) === 'pickup' ? 1 : 0,
    order_address_id: addressId(order, line),
    name: line.name,
    name_customer: line.name,
    name_merchant: line.name,
    sku: line.sku,
    upc: line.upc,
    type: line.type ?? 'physical',
    base_price: fixed(line.price),
    price_ex_tax: fixed(price.ex),
    price_inc_tax: fixed(price.inc),
    price_tax: fixed(price.inc - price.ex),
    base_total: fixed(line.price * quantity),
    total_ex_tax: fixed(total.ex),
    total_inc_tax: fixed(total.inc),
    total_tax: fixed(money.tax), // after discounts
    weight: '0.0000',
    width: '0.0000',
    height: '0.0000',
    depth: '0.0000',
    quantity,
    base_cost_price: fixed(line.cost),
    cost_price_inc_tax: fixed(line.cost),
    cost_price_ex_tax: fixed(line.cost),
    cost_price_tax: zero,
    is_refunded: refunded === quantity,
    quantity_refunded: refunded,
    refund_amount: zero, // always
    return_id: 0,
    wrapping_id: line.wrapping ? 1 : 0,
    wrapping_name: line.wrapping?.name ?? null,
    base_wrapping_cost: fixed(line.wrapping?.price ?? 0),
    wrapping_cost_ex_tax: fixed(money.wrapping.ex),
    wrapping_cost_inc_tax: fixed(money.wrapping.inc),
    wrapping_cost_tax: fixed(money.wrapping.inc - money.wrapping.ex),
    wrapping_message: '',
    quantity_shipped: 0,
    event_name: null,
    event_date: null,
    fixed_shipping_cost: zero,
    ebay_item_id: '',
    ebay_transaction_id: '',
    option_set_id: null,
    parent_order_product_id: line.parent ?? null,
    is_bundled_product: line.parent !== undefined,
    bin_picking_number: '',
    external_id: null,
    brand: '',
    applied_discounts: discountsOf(order, line, money),
    product_options: (line.options ?? []).map((option, index) => optionView(line, option, index)),
    configurable_fields: [],
    gift_certificate_id: line.type === 'giftcertificate' ? line.id : null,
    discounted_total_inc_tax: fixed(money.paid),
  }
}
/** The choices of a customer. What they cost is in the price of the line, and nowhere else. */
const optionView = (
  line: StoredLine,
  { name, value, type }: NonNullable<StoredLine['options']>[number],
  n: number,
) => ({
  id: line.id * 10 + n,
  option_id: 20 + n,
  order_product_id: line.id,
  product_option_id: 100 + n,
  display_name: name,
  display_name_customer: name,
  display_name_merchant: name,
  display_value: value,
  display_value_customer: value,
  display_value_merchant: value,
  value: type.endsWith('field') ? value : String(60 + n),
  type,
  name,
  display_style: '',
})

export const feeViews = (order: StoredOrder): Fields[] =>
  order.fees.map(({ id, ex, inc, customer, merchant, source, tax_class_id }) => ({
    id,
    type: 'custom_fee',
    display_name_customer: customer,
    display_name_merchant: merchant,
    source,
    base_cost: fixed(order.inclusive ? inc : ex),
    cost_ex_tax: fixed(ex),
    cost_inc_tax: fixed(inc),
    cost_tax: fixed(inc - ex),
    tax_class_id,
  }))

/** A row for each tax of each line and cost. Which line it is on is told with `details` only. */
export function taxViews(order: StoredOrder, details: boolean): Fields[] {
  const { lines, shipping, handling, wrapping } = moneyOf(order)
  const rows = order.lines.flatMap((line, index) =>
    lines[index]!.taxes.map((amount, n) => ({
      amount,
      n: line.set ? undefined : n,
      order_product_id: String(line.id) as string | null,
      line_item_type: 'item',
    })),
  )
  const costs = [
    ['shipping', shipping],
    ['handling', handling],
    ['gift-wrapping', wrapping],
  ] as const
  const onCosts = costs.flatMap(([line_item_type, { ex, inc }]) => {
    const state = Math.round(((inc - ex) * taxRates[0].rate) / (taxRates[0].rate + taxRates[1].rate) / 100) * 100
    return [state, inc - ex - state].map((amount, n) => ({ amount, n, order_product_id: null, line_item_type }))
  })
  return [...rows, ...onCosts]
    .filter(({ amount }) => amount > 0)
    .map(({ amount, n, order_product_id, line_item_type }, index) => {
      const rate = n === undefined ? undefined : taxRates[n]
      return {
        id: order.id * 100 + index,
        order_id: order.id,
        order_address_id: order.shipping_addresses.length ? order.id + 1000 : 0,
        tax_rate_id: rate?.id ?? 0,
        sales_tax_id: String(rate?.id ?? ''),
        tax_class_id: 0,
        name: rate?.name ?? 'API Tax Override',
        class: rate ? 'Default Tax Class' : 'API Tax Override',
        rate: ((rate?.rate ?? 0) / 100).toFixed(4),
        priority: 0,
        priority_amount: fixed(amount),
        line_amount: fixed(amount),
        order_pickup_method_id: 0,
        ...(details && { order_product_id, line_item_type }),
      }
    })
}
