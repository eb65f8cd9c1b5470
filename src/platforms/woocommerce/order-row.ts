// How WooCommerce's order is read.
import type { AccountView, Mapping } from '../../contract/connector.ts'
import type { Fulfillment, LineItem, Order } from '../../contract/entities/order.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { compact, filled, list, members, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor, roundMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { fromGmt, keys, metaOf } from './api.ts'
import { plain } from './html.ts'
import { itemTaxes, minorOf, moneyOf, type NativeLine, type NativeOrder, type NativeTaxLine } from './order-money.ts'

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
export function businessDate(row: NativeOrder, { settings }: AccountView): string | undefined {
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
