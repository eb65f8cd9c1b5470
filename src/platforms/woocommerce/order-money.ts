// WooCommerce's order, and what it costs besides its lines: charges, tips, shipping, taxes, gift cards, and what the
// shop's rounding leaves. https://woocommerce.github.io/woocommerce-rest-api-docs/#orders
import type { AccountView } from '../../contract/connector.ts'
import type { Discount, Order, ServiceCharge, Tax } from '../../contract/entities/order.ts'
import { flag, list, members, number, reference, text } from '../../kit/fields.ts'
import { distribute, fromDecimal, fromMinor, roundMoney, toMinor } from '../../kit/money.ts'
import type { Marked, Meta } from './api.ts'
import { plain } from './html.ts'

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
interface NativeGiftCard {
  id?: number
  amount?: number | string
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
  gift_cards?: NativeGiftCard[] // of plugins
  pw_gift_cards_redeemed?: NativeGiftCard[]
  payment_method?: string
  payment_method_title?: string
  transaction_id?: string
}

type Currency = string | undefined

/** As the shop shows the amount, in minor units. */
export const minorOf = (value: unknown, currency: Currency): number =>
  toMinor(roundMoney(fromDecimal(value) ?? 0, currency), currency ?? '')
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const sumOf = <T>(rows: readonly T[], value: (row: T) => unknown, currency: Currency): number =>
  sum(rows.map((row) => minorOf(value(row), currency)))

/** A tip is a fee that only its name tells from others. */
export function isTip({ name }: { name?: string | null }, { tipFees }: AccountView['settings']): boolean {
  const names = (tipFees ?? '').split(',').map((one) => one.trim().toLowerCase())
  const own = plain(name)?.toLowerCase()
  return own !== undefined && names.includes(own)
}
/** What plugins take off the total because a gift card pays for it: WooCommerce Gift Cards, PW Gift Cards. */
export const giftCardsOf = ({ gift_cards, pw_gift_cards_redeemed }: NativeOrder): readonly NativeGiftCard[] => [
  ...list(gift_cards),
  ...list(pw_gift_cards_redeemed),
]

const chargeOf = ({ name, total, total_tax }: NativeFee): ServiceCharge => ({
  name: plain(name),
  kind: 'OTHER',
  amount: fromDecimal(total),
  taxAmount: fromDecimal(total_tax),
})

/** Older versions show taxes of items with more decimals than the sum of them: each gets its share of that. */
export function itemTaxes(
  taxes: readonly NativeTax[],
  tax: number,
  base: number,
  lines: readonly NativeTaxLine[],
  currency: Currency,
): Tax[] {
  const shown = taxes.filter(({ total }) => fromDecimal(total) !== undefined)
  const weights = shown.map(({ total }) => Math.round((fromDecimal(total) ?? 0) * 1e6))
  return distribute(tax, weights).map((amount, n): Tax => {
    const id = reference(shown[n]?.id)
    const rate = lines.find(({ rate_id }) => id !== undefined && reference(rate_id) === id)
    return {
      taxRateExternalId: id,
      name: plain(rate?.label),
      rate: number(rate?.rate_percent),
      amount: fromMinor(amount, currency),
      ...(flag(rate?.compound) === false && { base: fromMinor(base, currency) }), // a compound one is on other taxes, too
      included: false,
    }
  })
}
/** What a tax that is not compound is on: the items that have it. */
function baseOf({ line_items, fee_lines, shipping_lines, currency }: NativeOrder, rate: string | undefined): number {
  const items = [...list(line_items), ...list(fee_lines), ...list(shipping_lines)]
  const taxed = items.filter(({ taxes }) =>
    list(taxes).some(({ id, total }) => reference(id) === rate && fromDecimal(total) !== undefined),
  )
  return sumOf(taxed, ({ total }) => total, currency)
}
const taxOf = (order: NativeOrder, line: NativeTaxLine): Tax => ({
  taxRateExternalId: reference(line.rate_id),
  name: plain(line.label) ?? text(line.rate_code),
  rate: number(line.rate_percent),
  amount: fromMinor(
    minorOf(line.tax_total, order.currency) + minorOf(line.shipping_tax_total, order.currency),
    order.currency,
  ),
  ...(flag(line.compound) === false && { base: fromMinor(baseOf(order, reference(line.rate_id)), order.currency) }),
  included: false,
})
const ofOrder = ['percent', 'fixed_cart']
const ofLine = ['fixed_product']
const discountOf = ({
  code,
  discount,
  discount_type,
  nominal_amount,
}: NonNullable<NativeOrder['coupon_lines']>[number]) => {
  const type = text(discount_type) ?? ''
  return {
    name: text(code),
    scope: ofOrder.includes(type) ? 'ORDER' : ofLine.includes(type) ? 'LINE' : undefined,
    amount: fromDecimal(discount),
    percent: type === 'percent' ? number(nominal_amount) : undefined,
  } satisfies Discount
}

/**
 * What the total differs by from its parts because the shop rounds their sum, and not each of them: no more than half a
 * unit for every number that it shows. Anything larger is not explained by that.
 */
function roundingOf(difference: number, numbers: number): number {
  return Math.abs(difference) * 2 <= numbers ? difference : 0
}

export function moneyOf(row: NativeOrder, { settings }: AccountView): Partial<Order> {
  const { currency } = row
  const [lines, fees] = [list(row.line_items), list(row.fee_lines)]
  const tips = fees.filter((fee) => isTip(fee, settings))
  const charges = fees.filter((fee) => !isTip(fee, settings))
  const subtotal = sumOf(lines, ({ total }) => total, currency)
  const discount = sumOf(lines, ({ subtotal: before, total }) => before ?? total, currency) - subtotal
  const charged = sumOf(charges, ({ total }) => total, currency)
  const tipped = sumOf(tips, ({ total }) => total, currency)
  const shipping = minorOf(row.shipping_total, currency)
  const total = minorOf(row.total, currency) + sumOf(giftCardsOf(row), ({ amount }) => amount, currency)
  const parts = subtotal + charged + tipped + shipping + minorOf(row.total_tax, currency)
  // The lines, the fees, shipping, the taxes and the total.
  const rounding = roundingOf(total - parts, fees.length + lines.length + 3)
  const major = (minor: number) => fromMinor(minor, currency)
  return {
    taxIncluded: false,
    subtotal: major(subtotal),
    discountTotal: major(discount),
    serviceChargeTotal: major(charged),
    shippingTotal: major(shipping),
    ...(settings.tipFees && { tipTotal: major(tipped), tipIncluded: true }),
    ...(rounding !== 0 && { roundingTotal: major(rounding) }),
    refundTotal: major(-sumOf(list(row.refunds), (refund) => members(refund).total, currency)),
    total: fromDecimal(row.total) === undefined ? undefined : major(total),
    taxTotal: fromDecimal(row.total_tax),
    ...(charges.length > 0 && { serviceCharges: charges.map(chargeOf) }),
    ...(list(row.coupon_lines).length > 0 && { discounts: list(row.coupon_lines).map(discountOf) }),
    ...(list(row.tax_lines).length > 0 && { taxes: list(row.tax_lines).map((line) => taxOf(row, line)) }),
  }
}
