// WooCommerce's order and how it is read: https://woocommerce.github.io/woocommerce-rest-api-docs/#orders
import type { Mapping } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { list, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { fromGmt, keys, type Marked, type Meta, metaOf } from './api.ts'
import { plain } from './html.ts'

export interface NativeLine {
  id: number
  name?: string
  product_id?: number
  variation_id?: number
  quantity: number
  subtotal?: string // of the whole line, without tax, before discounts
  total?: string // the same after discounts
  total_tax?: string
  sku?: string | null // of the current product; null if it is deleted
  meta_data?: Meta[]
}
export interface NativeOrder extends Marked {
  number?: string
  status?: string
  currency?: string
  date_created_gmt?: string | null
  date_modified_gmt?: string | null
  date_paid_gmt?: string | null
  customer_id?: number // 0: a guest
  customer_note?: string
  total?: string
  total_tax?: string
  line_items?: NativeLine[]
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

export function toLine(line: NativeLine, currency: string | undefined): LineItem {
  const subtotal = fromDecimal(line.subtotal) ?? 0
  const quantity = number(line.quantity)
  return {
    productExternalId: reference(line.variation_id) ?? reference(line.product_id),
    sku: metaOf(line, keys.sku) ?? text(line.sku),
    name: plain(line.name),
    quantity: quantity as number, // a line without a quantity is not served
    unitPrice: quantity ? roundMoney(subtotal / quantity, currency) : undefined,
    lineTax: fromDecimal(line.total_tax),
    lineDiscount: roundMoney(subtotal - (fromDecimal(line.total) ?? subtotal), currency),
  }
}
export const toUnified = (row: NativeOrder, mapping: Pick<Mapping, 'warn'>): Order => ({
  externalId: String(row.id),
  orderNumber: text(row.number),
  processedAt: metaOf(row, keys.processed) ?? fromGmt(row.date_paid_gmt) ?? fromGmt(row.date_created_gmt),
  customerExternalId: customerOf(row),
  currencyCode: text(row.currency),
  state: states.read(row.status, mapping),
  note: text(row.customer_note),
  total: fromDecimal(row.total),
  taxTotal: fromDecimal(row.total_tax),
  lineItems: list(row.line_items).map((line) => toLine(line, row.currency)),
})
