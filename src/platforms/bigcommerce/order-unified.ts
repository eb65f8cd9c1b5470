// The unified form of an order.
import type { Mapping } from '../../contract/connector.ts'
import type {
  Discount,
  Fulfillment,
  FulfillmentState,
  LineItem,
  Order,
  OrderState,
  Tax,
} from '../../contract/entities/order.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { compact, filled, flag, list, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney, sumMoney } from '../../kit/money.ts'
import { fullName } from '../../kit/names.ts'
import { toUtc } from '../../kit/time.ts'
import { feesOf, hasTaxInPrices, moneyOf } from './order-money.ts'
import type { Consignment, NativeLine, NativeOrder, NativeTax } from './order-row.ts'

export const noteOf = ({ staff_notes, customer_message }: NativeOrder): string | undefined =>
  text(staff_notes) ?? text(customer_message)

export function soldId(line: NativeLine): string | undefined {
  const product = reference(line.product_id)
  const variant = reference(line.variant_id)
  return product && variant ? `${product}:${variant}` : product
}

/** The account is not needed to compare two orders. */
export type OrderMapping = Pick<Mapping, 'warn'> & Partial<Pick<Mapping, 'account'>>
export function toUnified(native: NativeOrder, { warn, account }: OrderMapping): Order {
  const row = { ...native, lines: [...list(native.lines)] }
  const currency = text(row.default_currency_code)
  const amount = (value: unknown): number | undefined => {
    const number = fromDecimal(value)
    return number === undefined ? undefined : roundMoney(number, currency)
  }
  const money = moneyOf(row)
  const included = hasTaxInPrices(row)
  const processedAt = toUtc(row.date_created)
  const fees = feesOf(row)
  const taxes = list(row.taxes)
  const tax = (entry: NativeTax): Tax => ({ ...taxOf(entry), amount: amount(entry.line_amount), included })
  return {
    externalId: String(row.id),
    orderNumber: String(row.id),
    processedAt,
    businessDate: account && businessDateOf(processedAt, zoneOf(account.settings), account.settings),
    customerExternalId: reference(row.customer_id),
    channel: channelOf(row),
    fulfillment: fulfillmentOf(row),
    currencyCode: currency,
    state: stateOf(row.status_id, { warn }),
    note: noteOf(row),
    taxIncluded: included,
    subtotal: money.subtotal,
    discountTotal: money.discount,
    shippingTotal: money.shipping,
    refundTotal: refundedOf(row, currency),
    total: amount(row.total_inc_tax),
    taxTotal: money.tax,
    ...(fees.length > 0 && {
      serviceChargeTotal: money.feeTotal,
      serviceCharges: fees.map((fee, index) => ({
        name: text(fee.display_name_customer) ?? text(fee.display_name_merchant),
        kind: 'OTHER',
        amount: money.fees[index]!.amount,
        taxAmount: money.fees[index]!.tax,
      })),
    }),
    discounts: discountsOf(row, currency),
    taxes: taxes.length > 0 ? summed(taxes.map(tax), currency) : undefined,
    lineItems: row.lines.map(
      (line, index): LineItem => ({
        externalId: text(line.id),
        productExternalId: soldId(line),
        sku: text(line.sku),
        name: text(line.name),
        kind: text(line.type) === 'giftcertificate' ? 'GIFT_CARD' : 'ITEM',
        quantity: number(line.quantity) ?? 0,
        unitPrice: amount(included ? line.price_inc_tax : line.price_ex_tax),
        lineTax: amount(line.total_tax),
        lineDiscount: money.lines[index]!.discount,
        lineTotal: money.lines[index]!.total,
        modifiers: modifiersOf(line),
        taxes: taxesOn(line, taxes)?.map(tax),
      }),
    ),
  }
}

/** What was chosen of a product. Its price is in the price of the line, and nowhere else. */
function modifiersOf({ product_options }: NativeLine): LineItem['modifiers'] {
  const options = list(product_options).map(({ product_option_id, display_name, display_value, value, type }) => ({
    // A text or a date that was entered is no id.
    modifierExternalId: /field|upload/i.test(text(type) ?? '') ? undefined : text(value),
    modifierGroupExternalId: reference(product_option_id),
    name: [text(display_name), text(display_value)].filter((part) => part !== undefined).join(': ') || undefined,
  }))
  return options.length > 0 ? options : undefined
}

/** The same discount is on several lines. */
function discountsOf({ lines }: NativeOrder, currency: string | undefined): Discount[] | undefined {
  const all = list(lines).flatMap(({ applied_discounts }) => list(applied_discounts))
  const groups = [...Map.groupBy(all, ({ id, code, target }) => JSON.stringify([id, code, target].map(text))).values()]
  const discounts = groups.map((same): Discount => {
    const [{ name, code, target }] = same as [(typeof same)[number]]
    return {
      name: text(name) ?? text(code),
      scope: text(target) === 'product' ? 'LINE' : 'ORDER',
      amount: sumMoney(
        same.map((discount) => fromDecimal(discount.amount)),
        currency,
      ),
    }
  })
  return discounts.length > 0 ? discounts : undefined
}

const withoutRate = new Set(['Automatic Tax', 'API Tax Override'])
const taxOf = (tax: NativeTax): Tax => {
  const rate = withoutRate.has(text(tax.class) ?? '')
    ? undefined
    : (text(tax.sales_tax_id) ?? reference(tax.tax_rate_id))
  return {
    taxRateExternalId: rate && `${rate}:${number(tax.tax_class_id) ?? 0}`,
    name: text(tax.name),
    rate: rate === undefined ? undefined : number(tax.rate),
  }
}
const taxesOn = ({ id }: NativeLine, taxes: readonly NativeTax[]): NativeTax[] | undefined => {
  const own = taxes.filter(({ order_product_id }) => text(order_product_id) === text(id))
  return own.length > 0 ? own : undefined
}
/** One entry for each tax: the platform has one for each line, cost and address. */
function summed(taxes: Tax[], currency: string | undefined): Tax[] {
  const groups = Map.groupBy(taxes, ({ taxRateExternalId, name, rate }) =>
    JSON.stringify([taxRateExternalId, name, rate]),
  )
  return [...groups.values()].map((same) => ({
    ...same[0]!,
    amount: sumMoney(
      same.map(({ amount }) => amount),
      currency,
    ),
  }))
}

/** Without refunds whose payments were all declined. */
export function refundedOf({ refunds }: NativeOrder, currency: string | undefined): number | undefined {
  const moved = list(refunds).filter((refund) => {
    const payments = list(refund.payments)
    return payments.length === 0 || payments.some(({ is_declined }) => !flag(is_declined))
  })
  return moved.length > 0
    ? sumMoney(
        moved.map(({ total_amount }) => fromDecimal(total_amount)),
        currency,
      )
    : undefined
}

/** Where the storefront's own orders come from: https://developer.bigcommerce.com/docs/rest-management/orders (order_source). */
const storefront = new Set(['www', 'iphone', 'ipad', 'android', 'mobile', 'checkout_api', 'buybutton'])
/** The id of an app says nothing, and neither does the code of migrated orders. */
const isSource = (name: string): boolean => !/^\d+$/.test(name) && name !== 'M-MIG'
function channelOf({ external_source, order_source }: NativeOrder): string | undefined {
  const [external, source] = [text(external_source), text(order_source)]
  if (external && isSource(external)) return external
  return source && (storefront.has(source) ? 'ONLINE' : source.toUpperCase())
}

/** States of the preparation; other statuses are about the payment. */
const progress: Readonly<Record<number, FulfillmentState>> = {
  2: 'FULFILLED',
  3: 'IN_PROGRESS',
  5: 'CANCELED',
  8: 'READY',
  9: 'READY',
  10: 'FULFILLED',
  11: 'NEW',
}
/** Several shipping addresses are none. */
function fulfillmentOf({ places, status_id }: NativeOrder): Fulfillment | undefined {
  const addresses = list(places?.shipping)
  if (addresses.length === 0 && !places?.pickups) return undefined
  const state = progress[number(status_id) ?? -1]
  if (addresses.length === 0) return compact({ type: 'TAKEOUT' as const, state })
  const [only] = addresses.length === 1 ? addresses : []
  return compact({
    type: 'SHIPPING' as const,
    state,
    name: only && fullName(text(only.first_name), text(only.last_name)),
    phone: text(only?.phone),
    address: only && addressOf(only),
  })
}
const addressOf = (place: Omit<Consignment, 'line_items'>) =>
  filled({
    line1: text(place.street_1),
    line2: text(place.street_2),
    city: text(place.city),
    state: text(place.state),
    postalCode: text(place.zip),
    country: text(place.country_iso2) ?? text(place.country),
  })

// Order statuses: https://developer.bigcommerce.com/docs/rest-management/orders/order-status. The ids are fixed; a
// store can only change their labels.
export const statuses: readonly { id: number; name: string; state: OrderState }[] = [
  { id: 0, name: 'Incomplete', state: 'PENDING' },
  { id: 1, name: 'Pending', state: 'PENDING' },
  { id: 2, name: 'Shipped', state: 'COMPLETED' },
  { id: 3, name: 'Partially Shipped', state: 'OPEN' },
  { id: 4, name: 'Refunded', state: 'COMPLETED' },
  { id: 5, name: 'Cancelled', state: 'CANCELED' },
  { id: 6, name: 'Declined', state: 'CANCELED' },
  { id: 7, name: 'Awaiting Payment', state: 'PENDING' },
  { id: 8, name: 'Awaiting Pickup', state: 'OPEN' },
  { id: 9, name: 'Awaiting Shipment', state: 'OPEN' },
  { id: 10, name: 'Completed', state: 'COMPLETED' },
  { id: 11, name: 'Awaiting Fulfillment', state: 'OPEN' },
  { id: 12, name: 'Manual Verification Required', state: 'PENDING' },
  { id: 13, name: 'Disputed', state: 'OPEN' },
  { id: 14, name: 'Partially Refunded', state: 'COMPLETED' },
]
/** Written for a unified state, unless the order's current status already means it. */
export const statusFor: Readonly<Record<OrderState, number>> = { OPEN: 11, COMPLETED: 10, CANCELED: 5, PENDING: 1 }

export function stateOf(statusId: unknown, { warn }: Pick<Mapping, 'warn'>): OrderState | undefined {
  const found = statuses.find(({ id }) => id === number(statusId))
  if (!found && statusId !== undefined)
    warn('/state', `The platform's status ${JSON.stringify(statusId)} has no unified counterpart`)
  return found?.state
}
