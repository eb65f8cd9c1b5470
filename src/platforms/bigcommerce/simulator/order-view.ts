// Orders as V2 returns them: amounts are strings with four decimals, dates are RFC 2822 dates, lines are a separate
// list.
import type { Fields } from '../../../sandbox/http.ts'
import { mailDate, type StoredLine, type StoredOrder, type World } from './world.ts'

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
const fixed = (amount: number): string => (Math.round(amount * 10_000) / 10_000).toFixed(4)
const zero = fixed(0)

function subtotals({ lines }: Pick<StoredOrder, 'lines'>): { ex: number; inc: number } {
  const sum = (price: (line: StoredLine) => number) =>
    lines.reduce((total, line) => total + price(line) * line.quantity, 0)
  return { ex: sum(({ price_ex_tax }) => price_ex_tax), inc: sum(({ price_inc_tax }) => price_inc_tax) }
}
/** A manual discount reduces both totals; values set by a client take precedence. */
export function totals(order: StoredOrder): { ex: number; inc: number } {
  const { ex, inc } = subtotals(order)
  return order.totals ?? { ex: Math.max(0, ex - order.discount), inc: Math.max(0, inc - order.discount) }
}

/** A part of an order that is not included: where to get it. */
const linkOf = (storeHash: string, { id }: StoredOrder, name: string): Fields => ({
  url: `https://api.bigcommerce.com/stores/${storeHash}/v2/orders/${id}/${name}`,
  resource: `/orders/${id}/${name}`,
})
/** An order has one shipping address at most; its id is derived from the order's. */
const addressId = ({ id, shipping_address }: StoredOrder): number => (shipping_address ? id + 1000 : 0)

/**
 * `include=consignments` replaces the link by the consignments, `include=consignments.line_items` also the links to
 * their lines. Only with `consignment_structure=object` is the result an object, as the schema has it.
 */
function consignmentsOf(world: World, order: StoredOrder, query: URLSearchParams): unknown {
  const included = query.get('include')?.split(',') ?? []
  const inline = included.includes('consignments.line_items')
  if (!inline && !included.includes('consignments')) return linkOf(world.storeHash, order, 'consignments')
  const views = lineViews(order)
  const part = (digital: boolean) => {
    const lines = order.lines.flatMap((line, index) =>
      (line.digital ?? false) === digital ? [{ line, view: views[index]! }] : [],
    )
    return {
      items_total: lines.reduce((count, { line }) => count + line.quantity, 0),
      line_items: lines.map(({ line, view }) =>
        inline ? view : linkOf(world.storeHash, order, `products/${line.id}`),
      ),
    }
  }
  const [shipped, downloaded] = [part(false), part(true)]
  const costs = ['base_cost', 'cost_ex_tax', 'cost_inc_tax', 'cost_tax', 'cost_tax_class_id']
  const consignments = {
    pickups: [],
    shipping:
      order.shipping_address && shipped.line_items.length > 0
        ? [
            {
              id: addressId(order),
              ...order.shipping_address,
              form_fields: [],
              line_items: shipped.line_items,
              items_total: shipped.items_total,
              items_shipped: 0,
              shipping_method: 'Free Shipping',
              ...Object.fromEntries(
                costs.flatMap((name) => [
                  [name, 0],
                  [name.replace('cost', 'handling_cost'), 0],
                ]),
              ),
              shipping_zone_id: 1,
              shipping_zone_name: 'United States',
              shipping_quotes: linkOf(
                world.storeHash,
                order,
                `consignments/shipping/${addressId(order)}/shipping_quotes`,
              ),
            },
          ]
        : [],
    downloads:
      downloaded.line_items.length > 0
        ? [{ recipient_email: order.billing_address.email, line_items: downloaded.line_items }]
        : [],
    email: { gift_certificates: [] },
  }
  return query.get('consignment_structure') === 'object' ? consignments : [consignments]
}

export function orderView(world: World, order: StoredOrder, query = new URLSearchParams()): Fields {
  const { storeHash, currency: own } = world
  const [sub, total] = [subtotals(order), totals(order)]
  const link = (name: string) => linkOf(storeHash, order, name)
  const costs = ['shipping', 'handling', 'wrapping'].flatMap((kind): [string, unknown][] => [
    [`base_${kind}_cost`, zero],
    [`${kind}_cost_ex_tax`, zero],
    [`${kind}_cost_inc_tax`, zero],
    [`${kind}_cost_tax`, zero],
    [`${kind}_cost_tax_class_id`, 0],
  ])
  return {
    id: order.id,
    customer_id: order.customer_id,
    date_created: mailDate(order.created),
    date_modified: mailDate(order.modified),
    date_shipped: order.status_id === 2 ? mailDate(order.modified) : '',
    status_id: order.status_id,
    status: statusNames[order.status_id],
    custom_status: statusNames[order.status_id],
    subtotal_ex_tax: fixed(sub.ex),
    subtotal_inc_tax: fixed(sub.inc),
    subtotal_tax: fixed(sub.inc - sub.ex),
    ...Object.fromEntries(costs),
    total_ex_tax: fixed(total.ex),
    total_inc_tax: fixed(total.inc),
    total_tax: fixed(total.inc - total.ex),
    is_tax_inclusive_pricing: false,
    items_total: order.lines.reduce((count, { quantity }) => count + quantity, 0),
    items_shipped: 0,
    payment_method: 'Manual',
    payment_provider_id: '',
    payment_status: '',
    refunded_amount: zero,
    order_is_digital: order.lines.every(({ digital }) => digital),
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
    discount_amount: fixed(order.discount),
    coupon_discount: zero,
    shipping_address_count: order.shipping_address ? 1 : 0,
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
    consignments: consignmentsOf(world, order, query),
    products: link('products'),
    shipping_addresses: link('shippingaddresses'),
    coupons: link('coupons'),
  }
}

/** The discount of an order is distributed over its lines by price; the last line gets the rounding difference. */
function shares(order: StoredOrder): number[] {
  const { inc } = subtotals(order)
  const parts = order.lines.map(({ price_inc_tax, quantity }) =>
    inc ? Math.round(((order.discount * price_inc_tax * quantity) / inc) * 10_000) / 10_000 : 0,
  )
  const rest = order.discount - parts.slice(0, -1).reduce((sum, part) => sum + part, 0)
  return parts.map((part, index) => (index === parts.length - 1 ? rest : part))
}

export function lineViews(order: StoredOrder): Fields[] {
  const discounts = shares(order)
  return order.lines.map((line, index) => lineView(order, line, discounts[index] ?? 0))
}

function lineView(order: StoredOrder, line: StoredLine, discount: number): Fields {
  const { quantity, price_ex_tax: ex, price_inc_tax: inc } = line
  return {
    id: line.id,
    order_id: order.id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    order_pickup_method_id: 0,
    order_address_id: line.digital ? 0 : addressId(order),
    name: line.name,
    name_customer: line.name,
    name_merchant: line.name,
    sku: line.sku,
    upc: line.upc,
    type: line.digital ? 'digital' : 'physical',
    base_price: fixed(ex),
    price_ex_tax: fixed(ex),
    price_inc_tax: fixed(inc),
    price_tax: fixed(inc - ex),
    base_total: fixed(ex * quantity),
    total_ex_tax: fixed(ex * quantity),
    total_inc_tax: fixed(inc * quantity),
    total_tax: fixed((inc - ex) * quantity),
    weight: '0.0000',
    width: '0.0000',
    height: '0.0000',
    depth: '0.0000',
    quantity,
    base_cost_price: fixed(line.cost),
    cost_price_inc_tax: fixed(line.cost),
    cost_price_ex_tax: fixed(line.cost),
    cost_price_tax: zero,
    is_refunded: false,
    quantity_refunded: 0,
    refund_amount: zero,
    return_id: 0,
    wrapping_id: 0,
    wrapping_name: null,
    base_wrapping_cost: zero,
    wrapping_cost_ex_tax: zero,
    wrapping_cost_inc_tax: zero,
    wrapping_cost_tax: zero,
    wrapping_message: '',
    quantity_shipped: 0,
    event_name: null,
    event_date: null,
    fixed_shipping_cost: zero,
    ebay_item_id: '',
    ebay_transaction_id: '',
    option_set_id: null,
    parent_order_product_id: null,
    is_bundled_product: false,
    bin_picking_number: '',
    external_id: null,
    brand: '',
    applied_discounts: discount
      ? [{ id: 'manual-discount', amount: fixed(discount), name: 'Manual Discount', code: null, target: 'order' }]
      : [],
    product_options: [],
    configurable_fields: [],
    gift_certificate_id: null,
    discounted_total_inc_tax: fixed(inc * quantity - discount),
  }
}
