// WooCommerce's order and how it is read: https://woocommerce.github.io/woocommerce-rest-api-docs/#orders
import type { AccountView, Mapping } from '../../contract/connector.ts'
import type { Fulfillment, LineItem, Order } from '../../contract/entities/order.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { compact, filled, list, members, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor, roundMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { fromGmt, keys, type Marked, type Meta, metaOf } from './api.ts'
import { plain } from './html.ts'
import { itemTaxes, minorOf, moneyOf } from './order-money.ts'

/** Amounts are of the whole item, without taxes. */
export interface NativeTax {
  id: number // of the rate
  total?: string // empty: the rate is not on it
}
interface NativeItem {
  id: number
  total?: string
  total_tax?: string
  taxes?: NativeTax[]
  meta_data?: Meta[]
}
export interface NativeLine extends NativeItem {
  name?: string
  product_id?: number
  variation_id?: number
  quantity: number
  subtotal?: string // before discounts
  sku?: string | null // of the current product; null if it is deleted
}
export interface NativeFee extends NativeItem {
  name?: string | null
}
export interface NativeShipping extends NativeItem {
  method_id?: string
}
export interface NativeTaxLine {
  rate_id?: number
  rate_code?: string
  label?: string
  compound?: boolean
  rate_percent?: number // not before 3.7
  tax_total?: string
  shipping_tax_total?: string
}
interface NativeAddress {
  first_name?: string
  last_name?: string
  address_1?: string
  address_2?: string
  city?: string
  state?: string
  postcode?: string
  country?: string
  phone?: string
}
export interface NativeOrder extends Marked {
  number?: string
  status?: string
  currency?: string
  created_via?: string
  date_created?: string | null // the shop's wall clock
  date_created_gmt?: string | null
  date_modified_gmt?: string | null
  date_paid?: string | null
  date_paid_gmt?: string | null
  date_completed_gmt?: string | null
  customer_id?: number // 0: a guest
  customer_note?: string
  billing?: NativeAddress
  shipping?: NativeAddress
  shipping_total?: string
  total?: string
  total_tax?: string // of lines, fees and shipping
  line_items?: NativeLine[]
  fee_lines?: NativeFee[]
  shipping_lines?: NativeShipping[]
  tax_lines?: NativeTaxLine[]
  coupon_lines?: { code?: string; discount?: string; discount_type?: string; nominal_amount?: number }[]
  refunds?: { id: number; total?: string }[] // below zero
  gift_cards?: { amount?: number | string }[] // of plugins
  pw_gift_cards_redeemed?: { amount?: number | string }[]
}
export const states = stateTable({
  processing: 'OPEN',
  completed: 'COMPLETED',
  cancelled: 'CANCELED',
  pending: 'PENDING',
  'on-hold': 'PENDING',
  'checkout-draft': 'PENDING',
  failed: 'CANCELED',
  refunded: 'COMPLETED',
})
export const customerOf = ({ customer_id }: NativeOrder): string | undefined => reference(customer_id)

/** Metadata of lines that sell a gift card: WooCommerce Gift Cards, PW Gift Cards. */
const giftCardKeys = ['wc_gc_giftcard_amount', 'pw_gift_card_amount']
const isGiftCard = ({ meta_data }: NativeLine): boolean =>
  list(meta_data).some(({ key }) => giftCardKeys.includes(text(key) ?? ''))

export function toLine(line: NativeLine, currency: string | undefined, rates: readonly NativeTaxLine[] = []): LineItem {
  const [subtotal, total] = [minorOf(line.subtotal ?? line.total, currency), minorOf(line.total, currency)]
  const quantity = number(line.quantity)
  const taxes = itemTaxes(list(line.taxes), minorOf(line.total_tax, currency), total, rates, currency)
  return {
    externalId: reference(line.id),
    productExternalId: reference(line.variation_id) ?? reference(line.product_id),
    sku: metaOf(line, keys.sku) ?? text(line.sku),
    name: plain(line.name),
    kind: isGiftCard(line) ? 'GIFT_CARD' : 'ITEM',
    quantity: quantity as number, // a line without a quantity is not served
    unitPrice: quantity ? roundMoney((fromDecimal(line.subtotal) ?? 0) / quantity, currency) : undefined,
    lineTax: fromDecimal(line.total_tax),
    lineDiscount: fromMinor(subtotal - total, currency),
    lineTotal: fromMinor(total, currency),
    ...(taxes.length > 0 && { taxes }),
  }
}

const point = 'pos-rest-api'
const channels: Readonly<Record<string, string>> = { checkout: 'ONLINE', 'store-api': 'ONLINE', [point]: 'POS' }
/** What is not known is the plugin's or the merchant's own: admin, rest-api, subscription. */
const channelOf = ({ created_via }: NativeOrder): string | undefined =>
  channels[text(created_via) ?? ''] ?? text(created_via)

/**
 * The day on the shop's wall clock, which every date has beside UTC. A payment date that a write of this service brought
 * about does not count.
 */
function businessDate(row: NativeOrder, { settings }: AccountView): string | undefined {
  const paid = metaOf(row, keys.processed) === undefined ? text(row.date_paid) : undefined
  const wall = paid ?? text(row.date_created)
  return businessDateOf(wall && toUtc(`${wall}Z`), 'UTC', settings)
}

const pickups = ['local_pickup', 'pickup_location']
function fulfillmentOf({ shipping_lines, created_via, shipping, billing }: NativeOrder): Fulfillment | undefined {
  const methods = list(shipping_lines).map(({ method_id }) => text(method_id)?.split(':')[0] ?? '')
  if (methods.length === 0) return created_via === point ? { type: 'IN_STORE' } : undefined
  const picked = methods.every((method) => pickups.includes(method))
  const own = members(shipping)
  const from = Object.values(own).some((value) => text(value) !== undefined) ? own : members(billing)
  return compact({
    type: picked ? ('TAKEOUT' as const) : ('SHIPPING' as const),
    name: [text(from.first_name), text(from.last_name)].filter(Boolean).join(' ') || undefined,
    phone: text(from.phone) ?? text(members(billing).phone),
    address: picked
      ? undefined
      : filled({
          line1: text(from.address_1),
          line2: text(from.address_2),
          city: text(from.city),
          state: text(from.state),
          postalCode: text(from.postcode),
          country: text(from.country),
        }),
  })
}

export const toUnified = (row: NativeOrder, { account, warn }: Mapping): Order => ({
  externalId: String(row.id),
  orderNumber: text(row.number),
  processedAt: metaOf(row, keys.processed) ?? fromGmt(row.date_paid_gmt) ?? fromGmt(row.date_created_gmt),
  closedAt: fromGmt(row.date_completed_gmt),
  businessDate: businessDate(row, account),
  customerExternalId: customerOf(row),
  channel: channelOf(row),
  fulfillment: fulfillmentOf(row),
  currencyCode: text(row.currency),
  state: states.read(row.status, { warn }),
  note: text(row.customer_note),
  ...moneyOf(row, account),
  lineItems: list(row.line_items).map((line) => toLine(line, row.currency, list(row.tax_lines))),
})
