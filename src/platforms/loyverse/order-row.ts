// A receipt and how it is read: https://developer.loyverse.com/docs/#tag/Receipts
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { list, text } from '../../kit/fields.ts'
import { fromDecimal, sumMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import type { Stamped } from './listing.ts'
import { joinName } from './product-row.ts'

interface Amount {
  money_amount?: number
}
export interface NativeLine {
  variant_id?: string
  item_name?: string
  variant_name?: string | null
  sku?: string | null
  quantity: number
  price?: number // per unit, with included taxes, without modifiers
  total_discount?: number
  line_taxes?: Amount[]
  line_modifiers?: { price?: number }[]
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
  customer_id?: string | null
  store_id?: string
  line_items?: NativeLine[]
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

function toLine(line: NativeLine, currency: string | undefined): LineItem {
  return {
    productExternalId: text(line.variant_id),
    sku: text(line.sku),
    name: text(line.item_name) && joinName(text(line.item_name)!, text(line.variant_name)),
    quantity: line.quantity,
    unitPrice: sumMoney(
      [line.price, ...list(line.line_modifiers).map(({ price }) => price)].map(fromDecimal),
      currency,
    ),
    lineTax: sumMoney(
      list(line.line_taxes).map(({ money_amount }) => money_amount),
      currency,
    ),
    lineDiscount: fromDecimal(line.total_discount),
  }
}
/** A refund is a separate receipt with positive quantities: as an order it would be a second sale. */
export const excludedOf = (row: OrderRow): Excluded | undefined =>
  isReceipt(row) && row.receipt_type === 'REFUND' ? { as: 'refund', of: text(row.refund_for) } : undefined

export function toUnified(row: OrderRow, mapping: Pick<Mapping, 'warn'>): Order {
  if (!isReceipt(row)) throw new Error(row.withheld)
  return {
    externalId: row.receipt_number,
    orderNumber: text(row.order) ?? row.receipt_number,
    processedAt: toUtc(row.receipt_date),
    customerExternalId: text(row.customer_id),
    locationExternalId: text(row.store_id),
    currencyCode: row.currency,
    state: states.read(nativeState(row), mapping),
    note: text(row.note),
    total: fromDecimal(row.total_money),
    taxTotal: fromDecimal(row.total_tax),
    lineItems: list(row.line_items).map((line) => toLine(line, row.currency)),
  }
}
