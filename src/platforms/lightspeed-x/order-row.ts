// The platform's sale and how it is read. https://x-series-api.lightspeedhq.com/docs/sales_101
import type { Excluded, Mapping, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { readShop } from './account.ts'
import { api, isId, living, type Stamped } from './api.ts'
import { type Label, labelsOf } from './product-labels.ts'

export interface NativeLine {
  id: string
  quantity?: number // negative for returns
  status?: string
  note?: string | null
  salesperson_id?: string | null
  product?: { id?: string }
  pricing?: { price?: number; discount?: number; discount_total?: number; cost?: number; loyalty_amount?: number }
  tax?: { id?: string; amount?: number; total?: number }
  _metadata?: { sequence?: number; is_price_override?: boolean }
}
export interface NativePayment {
  id: string
  amount?: number
  date?: string
  deleted_at?: string | null
  type?: { config_id?: string }
  source?: { register_id?: string }
}
export interface NativeSale extends Omit<Stamped, 'version'> {
  state?: string
  date?: string
  customer_id?: string | null
  invoice_number?: string | null
  short_code?: string | null
  note?: string | null
  attributes?: string[]
  line_items?: NativeLine[]
  return?: { is_return?: boolean; original_sale_id?: string | null }
  payments?: NativePayment[]
  totals?: { price_incl_tax?: number; tax?: number }
  source?: { id?: string | null; type?: string; outlet_id?: string; register_id?: string; author?: { id?: string } }
  _metadata?: { version?: number }
}
export interface SaleRow {
  sale: NativeSale
  currency?: string
  products?: Readonly<Record<string, Label>> // of its own lines, by id
}
/** One native state for each: https://x-series-api.lightspeedhq.com/docs/sales_statuses */
export const states = stateTable({ parked: 'OPEN', pending: 'PENDING', closed: 'COMPLETED', voided: 'CANCELED' })

/** In the order of the receipt, which the response may not follow; lines with quantity 0 are omitted. */
export const linesOf = (sale: NativeSale): NativeLine[] =>
  list(sale.line_items)
    .filter(({ quantity }) => Boolean(number(quantity)))
    .toSorted((a, b) => (number(a._metadata?.sequence) ?? 0) - (number(b._metadata?.sequence) ?? 0))
export const productIdOf = ({ product }: NativeLine): string | undefined => text(product?.id)

/**
 * `price` is the unit price after the discount, without tax. A returned line becomes a positive quantity at a negative
 * price, because a unified quantity is positive.
 */
export function toLine(line: NativeLine, currency: string | undefined, label?: Label): LineItem {
  const [price, discount, total] = [line.pricing?.price, line.pricing?.discount, line.pricing?.discount_total].map(
    (value) => fromDecimal(value) ?? 0,
  ) as [number, number, number]
  const quantity = number(line.quantity) ?? 0
  return {
    productExternalId: productIdOf(line),
    sku: label?.sku,
    name: label?.name,
    quantity: Math.abs(quantity),
    unitPrice: roundMoney(Math.sign(quantity) * (price + discount), currency),
    lineTax: roundMoney(fromDecimal(line.tax?.total) ?? 0, currency),
    lineDiscount: roundMoney(total, currency),
  }
}
/** A return is a sale of its own. If it sells something as well, it is an exchange, which is served. */
export const excludedOf = ({ sale }: SaleRow): Excluded | undefined =>
  sale.return?.is_return && linesOf(sale).every(({ quantity = 0 }) => quantity < 0)
    ? { as: 'refund', of: text(sale.return.original_sale_id) }
    : undefined

export function toUnified({ sale, currency, products }: SaleRow, mapping: Pick<Mapping, 'warn'>): Order {
  const money = (value: unknown) => {
    const amount = fromDecimal(value)
    return amount === undefined ? undefined : roundMoney(amount, currency)
  }
  return {
    externalId: sale.id,
    orderNumber: text(sale.invoice_number),
    processedAt: toUtc(sale.date) ?? toUtc(sale.created_at),
    customerExternalId: text(sale.customer_id),
    locationExternalId: text(sale.source?.outlet_id),
    currencyCode: text(currency),
    state: states.read(sale.state, mapping),
    note: text(sale.note),
    total: money(sale.totals?.price_incl_tax),
    taxTotal: money(sale.totals?.tax),
    lineItems: linesOf(sale).map((line) => toLine(line, currency, products?.[productIdOf(line) ?? ''])),
  }
}

/** Lines contain neither sku nor name: both belong to the product. */
export async function finishRows(call: ReadCall, sales: readonly NativeSale[]): Promise<SaleRow[]> {
  const { currency } = await readShop(call)
  const productsOn = (sale: NativeSale) => linesOf(sale).flatMap((line) => productIdOf(line) ?? [])
  const labels = await labelsOf(call, sales.flatMap(productsOn))
  return sales.map((sale) => ({
    sale,
    currency,
    products: Object.fromEntries(
      productsOn(sale).flatMap((id) => (labels.has(id) ? [[id, labels.get(id) as Label]] : [])),
    ),
  }))
}
/** Lists and reads include deleted sales. */
export async function readSale(call: ReadCall, id: string): Promise<NativeSale | undefined> {
  const sale: NativeSale | undefined = isId(id)
    ? (await ifFound(call.read(get(`${api}${path`/sales/${id}`}`))))?.body?.data
    : undefined
  return sale && living(sale) ? sale : undefined
}
