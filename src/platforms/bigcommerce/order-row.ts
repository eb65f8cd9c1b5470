// Orders as they are read: the order, its lines, refunds and, if they are wanted, its taxes.
import type { ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { isId, v2, v3 } from './account.ts'

/** Amounts are strings with four decimals. */
export interface NativeLine {
  id: number
  product_id?: number // 0: not in the catalog
  variant_id?: number
  name?: string
  sku?: string
  quantity?: number
  type?: string
  price_ex_tax?: string
  price_inc_tax?: string
  total_ex_tax?: string // before discounts
  total_inc_tax?: string
  total_tax?: string // after discounts
  discounted_total_inc_tax?: string
  applied_discounts?: { id?: string; name?: string; code?: string | null; amount?: string; target?: string }[]
  product_options?: NativeOption[]
  quantity_refunded?: number
}
interface NativeOption {
  product_option_id?: number
  display_name?: string
  display_value?: string
  value?: string
  type?: string
}
type Amount = string | number
export interface NativeFee {
  id?: number
  display_name_customer?: string
  display_name_merchant?: string
  cost_ex_tax?: Amount
  cost_exc_tax?: Amount // as the vendor's examples have it
  cost_inc_tax?: Amount
  cost_tax?: Amount
}
export interface NativeTax {
  tax_rate_id?: number
  sales_tax_id?: string
  tax_class_id?: number | null
  name?: string
  class?: string
  rate?: string
  line_amount?: string
  order_product_id?: string | null
}
interface NativeRefund {
  order_id?: number
  total_amount?: number
  payments?: { is_declined?: boolean }[]
}
export interface NativeOrder {
  id: number
  status_id?: number
  date_created?: string
  date_modified?: string
  customer_id?: number // 0: a guest
  date_shipped?: string
  total_inc_tax?: string
  total_tax?: string
  shipping_cost_ex_tax?: string
  shipping_cost_inc_tax?: string
  handling_cost_ex_tax?: string
  handling_cost_inc_tax?: string
  wrapping_cost_ex_tax?: string
  wrapping_cost_inc_tax?: string
  discount_amount?: string // by staff, clients and promotions
  coupon_discount?: string
  is_tax_inclusive_pricing?: boolean
  payment_method?: string
  payment_provider_id?: string | number | null
  payment_status?: string
  store_credit_amount?: string // pays, as gift certificates do
  gift_certificate_amount?: string
  order_source?: string
  external_source?: string | null
  fees?: readonly (NativeFee | null)[] | { url?: string } | { fees?: (NativeFee | null)[] }
  default_currency_code?: string // the charged currency; currency_code is only the displayed one
  staff_notes?: string
  customer_message?: string
  is_deleted?: boolean
  items_total?: number // the quantities of all lines
  consignments?: Partial<Record<'pickups' | 'shipping' | 'downloads', Consignment[]>> & {
    email?: { gift_certificates?: Consignment[] }
  }
  places?: Places // from the consignments
  lines?: (NativeLine | null)[]
  refunds?: NativeRefund[]
  taxes?: NativeTax[] // if they are wanted
}
export interface Consignment {
  line_items?: NativeLine[] // links, if they are not included
  first_name?: string
  last_name?: string
  street_1?: string
  street_2?: string
  city?: string
  state?: string
  zip?: string
  country?: string
  country_iso2?: string
  phone?: string
}
/** Where an order goes, without its lines. */
export interface Places {
  shipping: Omit<Consignment, 'line_items'>[]
  pickups: number
}
/**
 * Includes the fees in an order, and the lines inside its consignments. Without the structure, consignments are an
 * array.
 */
export const including = { include: 'consignments.line_items,fees', consignment_structure: 'object' } as const
const linesPerCall = 250

/**
 * The lines of an order's consignments, if they are all lines of the order. A line without an id is a link, and a line
 * that is not shipped may be in no consignment: then quantities are missing.
 */
function includedLines({ consignments, items_total }: NativeOrder): NativeLine[] | undefined {
  const { pickups, shipping, downloads, email } = consignments ?? {}
  const lines = [pickups, shipping, downloads, email?.gift_certificates]
    .flatMap((consignment) => list(consignment))
    .flatMap(({ line_items }) => list(line_items))
  const quantity = lines.reduce((sum, line) => sum + Number(line.quantity), 0)
  return lines.length > 0 && lines.every(({ id }) => Number.isInteger(id)) && quantity === items_total
    ? lines
    : undefined
}

const placesOf = ({ shipping, pickups }: NonNullable<NativeOrder['consignments']>): Places => ({
  shipping: list(shipping).map(({ line_items: _, ...address }) => address),
  pickups: list(pickups).length,
})

/** Otherwise lines are a separate list, and an empty page of a V2 list is a 204 without a body. */
export async function withOwnLines(call: ReadCall, { consignments, ...rest }: NativeOrder): Promise<NativeOrder> {
  const included = includedLines({ consignments, ...rest })
  const order = consignments ? { ...rest, places: placesOf(consignments) } : rest
  // With what is null: `toUnified` warns of it.
  return { ...order, lines: byId(included ?? (await allOf<NativeLine>(call, path`/orders/${order.id}/products`))) }
}
export async function withLines(call: ReadCall, order: NativeOrder): Promise<NativeOrder> {
  const row = await withOwnLines(call, order)
  const taxes = await taxesOf(call, order.id)
  return taxes ? { ...row, taxes } : row
}
async function allOf<T>(call: ReadCall, address: string, query = {}): Promise<(T | null)[]> {
  const rows: (T | null)[] = []
  for (let page = 1; ; page++) {
    const { body } = await call.read(get(v2(call, address), { ...query, page, limit: linesPerCall }))
    const found: (T | null)[] = body ?? []
    rows.push(...found)
    if (found.length < linesPerCall) return rows
  }
}
/** Each tax by itself is one more call for each order. */
const taxesOf = async (call: ReadCall, id: number): Promise<NativeTax[] | undefined> =>
  call.account.settings.orderTaxes === 'yes'
    ? [...list(await allOf<NativeTax>(call, path`/orders/${id}/taxes`, { details: 'true' }))]
    : undefined

/** The order itself says that it was refunded, but not what: `refunded_amount` is always 0. */
const isRefunded = (row: NativeOrder): boolean =>
  ['refunded', 'partially refunded'].includes(text(row.payment_status) ?? '') ||
  [4, 14].includes(number(row.status_id) ?? 0) ||
  (includedLines(row) ?? list(row.lines)).some(({ quantity_refunded }) => (number(quantity_refunded) ?? 0) > 0)

/** One call for all refunded orders of a page. */
export async function withRefunds(call: ReadCall, rows: NativeOrder[]): Promise<NativeOrder[]> {
  const refunded = rows.filter(isRefunded).map(({ id }) => id)
  if (refunded.length === 0) return rows
  const refunds: NativeRefund[] = []
  for (let page = 1, more = true; more; page++) {
    const query = { 'order_id:in': refunded.join(','), page, limit: linesPerCall }
    const { body } = await call.read(get(v3(call, '/orders/payment_actions/refunds'), query))
    const found = list<NativeRefund>(body.data)
    refunds.push(...found)
    more = found.length === linesPerCall
  }
  return rows.map((row) =>
    refunded.includes(row.id) ? { ...row, refunds: refunds.filter(({ order_id }) => order_id === row.id) } : row,
  )
}
const byId = (lines: (NativeLine | null)[]) => lines.sort((left, right) => idOf(left) - idOf(right))
const idOf = (line: NativeLine | null): number => number(line?.id) ?? Number.MAX_SAFE_INTEGER
/** An archived order can still be read by its id; it is not returned, because it is in no list. */
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const order: NativeOrder | undefined = isId(id)
    ? (await ifFound(call.read(get(v2(call, path`/orders/${id}`), including))))?.body
    : undefined
  if (!order || order.is_deleted) return undefined
  const [row] = await withRefunds(call, [await withLines(call, order)])
  return row
}
