// A receipt and how it is read: https://developer.loyverse.com/docs/#tag/Receipts
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { FulfillmentType, LineItem, Modifier, Order, Tax } from '../../contract/entities/order.ts'
import { isReference } from '../../contract/reference.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { list, text } from '../../kit/fields.ts'
import { exponentOf, fromDecimal, fromMinor, timesMinor } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import type { Stamped } from './listing.ts'
import { joinName } from './product-row.ts'

interface NativeTax {
  id?: string
  type?: string
  name?: string
  rate?: number
  money_amount?: number
}
interface NativeModifier {
  id?: string // of the group
  modifier_option_id?: string
  name?: string // of the group
  option?: string
  price?: number
}
interface NativeDiscount {
  name?: string
  percentage?: number
  money_amount?: number
}
export interface NativePayment {
  payment_type_id?: string
  name?: string
  type?: string
  money_amount?: number // with tip and surcharge
  paid_at?: string
  payment_details?: { reference_id?: string; card_company?: string; card_number?: string } | null
}
export interface NativeLine {
  id?: string
  variant_id?: string
  item_name?: string
  variant_name?: string | null
  sku?: string | null
  quantity: number
  price?: number // per unit, with included taxes, without modifiers
  total_discount?: number
  gross_total_money?: number // with modifiers, before discounts and taxes that are added
  total_money?: number // after discounts and with all taxes
  line_note?: string | null
  line_taxes?: NativeTax[]
  line_modifiers?: NativeModifier[]
}
export interface NativeReceipt extends Stamped {
  receipt_number: string
  receipt_type?: string
  refund_for?: string | null
  order?: string | null
  source?: string
  note?: string | null
  receipt_date?: string
  cancelled_at?: string | null
  total_money?: number
  total_tax?: number
  total_discounts?: NativeDiscount[]
  tip?: number // in the total, like the surcharge
  surcharge?: number
  dining_option?: string | null
  customer_id?: string | null
  store_id?: string
  line_items?: NativeLine[]
  payments?: NativePayment[]
  currency?: string // of the account: receipts have none
}
/** Replaces receipts that the merchant's plan does not include. */
export interface Withheld {
  withheld: string
}
export type OrderRow = NativeReceipt | Withheld
export const isReceipt = (row: OrderRow): row is NativeReceipt => !('withheld' in row)
export const idOf = (row: OrderRow): string => (isReceipt(row) ? row.receipt_number : 'older-receipts')

/** A receipt has no state: it is a closed sale, unless it was canceled at the POS. */
export const states = stateTable({ SALE: 'COMPLETED', CANCELLED: 'CANCELED' })
const nativeState = ({ cancelled_at, receipt_type }: NativeReceipt): string | undefined =>
  cancelled_at ? 'CANCELLED' : receipt_type

export const minor = (amount: number | undefined, currency: string | undefined): number =>
  Math.round((fromDecimal(amount) ?? 0) * 10 ** exponentOf(currency))
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
const isIncluded = ({ type }: NativeTax): boolean => text(type) === 'INCLUDED'

const toTax = ({ id, name, rate, money_amount, ...tax }: NativeTax): Tax => ({
  taxRateExternalId: text(id),
  name: text(name),
  rate: fromDecimal(rate),
  amount: fromDecimal(money_amount),
  included: isIncluded(tax),
})
const toModifier = ({ id, modifier_option_id, option, name, price }: NativeModifier): Modifier => ({
  modifierExternalId: text(modifier_option_id),
  modifierGroupExternalId: text(id),
  name: text(option) ?? text(name),
  quantity: 1,
  price: fromDecimal(price),
})
/** Before taxes that are added, after discounts. */
function lineMinor(line: NativeLine, currency: string | undefined): number {
  const each = sumOf(
    [line.price, ...list(line.line_modifiers).map(({ price }) => price)].map((one) => minor(one, currency)),
  )
  const gross = fromDecimal(line.gross_total_money)
  return (
    (gross === undefined ? timesMinor(line.quantity, each) : minor(gross, currency)) -
    minor(line.total_discount, currency)
  )
}

export function toLine(line: NativeLine, currency: string | undefined): LineItem {
  const taxes = list<NativeTax>(line.line_taxes)
  const modifiers = list<NativeModifier>(line.line_modifiers)
  const money = (amount: number) => fromMinor(amount, currency)
  return {
    externalId: text(line.id),
    productExternalId: text(line.variant_id),
    sku: text(line.sku),
    name: text(line.item_name) && joinName(text(line.item_name)!, text(line.variant_name)),
    quantity: line.quantity,
    unitPrice: money(sumOf([line.price, ...modifiers.map(({ price }) => price)].map((one) => minor(one, currency)))),
    lineTax: money(sumOf(taxes.map(({ money_amount }) => minor(money_amount, currency)))),
    lineDiscount: fromDecimal(line.total_discount),
    kind: 'ITEM',
    lineTotal: money(lineMinor(line, currency)),
    modifiers: modifiers.length > 0 ? modifiers.map(toModifier) : undefined,
    taxes: taxes.length > 0 ? taxes.map(toTax) : undefined,
    note: text(line.line_note),
  }
}
/** Each tax of the receipt, from its lines. */
function taxesOf(lines: readonly NativeLine[], currency: string | undefined): Tax[] {
  const all = lines.flatMap((line) => list<NativeTax>(line.line_taxes))
  return [...Map.groupBy(all, ({ id }) => text(id))].map(([, same]) => ({
    ...toTax(same[0] as NativeTax),
    amount: fromMinor(sumOf(same.map(({ money_amount }) => minor(money_amount, currency))), currency),
  }))
}
/** Prices contain the taxes of the type INCLUDED. Where a receipt has both types, each tax says it. */
function taxIncluded(taxes: readonly Tax[]): boolean | undefined {
  const types = new Set(taxes.map(({ included }) => included))
  return types.size > 1 ? undefined : !types.has(false)
}
/** Without the mark of this service, which `sourceOf` adds. */
const channelOf = ({ source }: NativeReceipt): string | undefined => {
  const words = text(source)?.split(' ') ?? []
  return text(words.filter((word) => !isReference(word)).join(' '))
}
/** The merchant names the options; these are their names in a new account. */
const dining: Readonly<Record<string, FulfillmentType>> = {
  'dine in': 'DINE_IN',
  takeout: 'TAKEOUT',
  delivery: 'DELIVERY',
}

/** A refund is a separate receipt with positive quantities: as an order it would be a second sale. */
export const excludedOf = (row: OrderRow): Excluded | undefined =>
  isReceipt(row) && row.receipt_type === 'REFUND' ? { as: 'refund', of: text(row.refund_for) } : undefined

export function toUnified(row: OrderRow, { account: { settings }, warn }: Mapping): Order {
  if (!isReceipt(row)) throw new Error(row.withheld)
  const { currency } = row
  const lines = list<NativeLine>(row.line_items)
  const taxes = taxesOf(lines, currency)
  const at = toUtc(row.receipt_date)
  const surcharge = fromDecimal(row.surcharge)
  const way = dining[text(row.dining_option)?.toLowerCase() ?? '']
  const discounts = list<NativeDiscount>(row.total_discounts)
  const money = (amounts: readonly number[]) => fromMinor(sumOf(amounts), currency)
  return {
    externalId: row.receipt_number,
    orderNumber: text(row.order) ?? row.receipt_number,
    processedAt: at,
    businessDate: businessDateOf(at, zoneOf(settings), settings),
    customerExternalId: text(row.customer_id),
    locationExternalId: text(row.store_id),
    channel: channelOf(row),
    fulfillment: way && { type: way },
    currencyCode: currency,
    state: states.read(nativeState(row), { warn }),
    note: text(row.note),
    taxIncluded: taxIncluded(taxes),
    subtotal: money(lines.map((line) => lineMinor(line, currency))),
    discountTotal: money(lines.map(({ total_discount }) => minor(total_discount, currency))),
    serviceChargeTotal: surcharge,
    serviceCharges: surcharge ? [{ name: 'Surcharge', kind: 'SURCHARGE', amount: surcharge }] : undefined,
    tipTotal: fromDecimal(row.tip),
    tipIncluded: fromDecimal(row.tip) === undefined ? undefined : true,
    total: fromDecimal(row.total_money),
    taxTotal: fromDecimal(row.total_tax),
    discounts:
      discounts.length > 0
        ? discounts.map(({ name, percentage, money_amount }) => ({
            name: text(name),
            amount: fromDecimal(money_amount),
            percent: fromDecimal(percentage),
          }))
        : undefined,
    taxes: taxes.length > 0 ? taxes : undefined,
    lineItems: lines.map((line) => toLine(line, currency)),
  }
}
