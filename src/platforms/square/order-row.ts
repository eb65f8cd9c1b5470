// Square's order and how it is read: https://developer.squareup.com/docs/orders-api/what-it-does
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { isReference } from '../../contract/reference.ts'
import { list, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { fromMoney, type Money } from './money.ts'

export interface NativeLine {
  uid?: string
  catalog_object_id?: string
  name?: string
  quantity: string
  quantity_unit?: object
  base_price_money?: Money
  total_tax_money?: Money
  total_discount_money?: Money
  applied_discounts?: { uid?: string; discount_uid: string }[]
  metadata?: Record<string, string>
}
export interface NativeOrder {
  id: string
  location_id: string
  version?: number
  state?: string
  reference_id?: string
  ticket_name?: string
  customer_id?: string
  created_at?: string
  updated_at?: string
  closed_at?: string
  line_items?: NativeLine[]
  returns?: { source_order_id?: string }[]
  discounts?: { uid: string; scope?: string }[]
  total_money?: Money
  total_tax_money?: Money
  metadata?: Record<string, string>
  tenders?: { customer_id?: string }[]
  fulfillments?: Record<string, unknown>[]
}
export const states = stateTable({ OPEN: 'OPEN', COMPLETED: 'COMPLETED', CANCELED: 'CANCELED', DRAFT: 'PENDING' })

/** Square removes lines with quantity 0 only when the order is paid. */
export const linesOf = (order: NativeOrder): NativeLine[] =>
  list(order.line_items).filter(({ quantity }) => (fromDecimal(quantity) ?? 0) > 0)

/**
 * Square fills a catalog line's name from the catalog and has no sku on a line: the caller's name and sku are in the
 * line's metadata.
 */
export const toLine = (line: NativeLine): LineItem => ({
  productExternalId: text(line.catalog_object_id),
  sku: text(line.metadata?.sku),
  name: text(line.metadata?.name) ?? text(line.name),
  quantity: fromDecimal(line.quantity)!,
  unitPrice: fromMoney(line.base_price_money),
  lineTax: fromMoney(line.total_tax_money),
  lineDiscount: fromMoney(line.total_discount_money),
})
/** An order has no note field: ours is in its metadata, a guest's is in the details of the first fulfillment. */
export function noteOf({ metadata, fulfillments }: NativeOrder): string | undefined {
  const details = Object.entries(list(fulfillments)[0] ?? {}).find(([name]) => name.endsWith('_details'))?.[1] as
    | { note?: string }
    | null
    | undefined
  return text(metadata?.note) ?? text(details?.note)
}
/**
 * An order has no number: the ticket name is used, or the reference of the application that created it, unless that was
 * this service.
 */
export const numberOf = ({ ticket_name, reference_id }: NativeOrder): string | undefined =>
  text(ticket_name) ?? (isReference(reference_id) ? undefined : text(reference_id))
export const customerOf = ({ customer_id, tenders }: NativeOrder): string | undefined =>
  text(customer_id) ?? text(list(tenders)[0]?.customer_id)

/** A return is an order of its own: without lines, and with what was returned. An exchange has both and is a sale. */
export const excludedOf = ({ returns, line_items }: NativeOrder): Excluded | undefined =>
  list(returns).length > 0 && list(line_items).length === 0
    ? { as: 'refund', of: text(list(returns)[0]?.source_order_id) }
    : undefined

export const toUnified = (row: NativeOrder, mapping: Pick<Mapping, 'warn'>): Order => ({
  externalId: row.id,
  orderNumber: numberOf(row),
  processedAt: toUtc(row.closed_at) ?? toUtc(row.created_at),
  customerExternalId: customerOf(row),
  locationExternalId: text(row.location_id),
  currencyCode: text(row.total_money?.currency),
  state: states.read(row.state, mapping),
  note: noteOf(row),
  total: fromMoney(row.total_money),
  taxTotal: fromMoney(row.total_tax_money),
  lineItems: linesOf(row).map(toLine),
})
