import type { Mapping, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order, OrderState } from '../../contract/entities/order.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney, sumMoney } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { isId, v2 } from './account.ts'

/** Amounts are strings with four decimals. */
export interface NativeLine {
  id: number
  product_id?: number // 0: not in the catalog
  variant_id?: number
  name?: string
  sku?: string
  quantity?: number
  price_ex_tax?: string
  total_tax?: string
  applied_discounts?: { amount?: string }[]
}
export interface NativeOrder {
  id: number
  status_id?: number
  date_created?: string
  date_modified?: string
  customer_id?: number // 0: a guest
  total_inc_tax?: string
  total_tax?: string
  default_currency_code?: string // the charged currency; currency_code is only the displayed one
  staff_notes?: string
  customer_message?: string
  is_deleted?: boolean
  items_total?: number // the quantities of all lines
  consignments?: Partial<Record<'pickups' | 'shipping' | 'downloads', Consignment[]>> & {
    email?: { gift_certificates?: Consignment[] }
  }
  lines?: (NativeLine | null)[]
}
interface Consignment {
  line_items?: NativeLine[] // links, if they are not included
}
/** Includes the lines in an order, inside its consignments. Without the structure, consignments are an array. */
export const including = { include: 'consignments.line_items', consignment_structure: 'object' } as const
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

/** Otherwise lines are a separate list, and an empty page of a V2 list is a 204 without a body. */
export async function withLines(call: ReadCall, { consignments, ...order }: NativeOrder): Promise<NativeOrder> {
  const included = includedLines({ consignments, ...order })
  if (included) return { ...order, lines: byId(included) }
  const lines: (NativeLine | null)[] = []
  for (let page = 1; ; page++) {
    const { body } = await call.read(get(v2(call, path`/orders/${order.id}/products`), { page, limit: linesPerCall }))
    const found: (NativeLine | null)[] = body ?? []
    lines.push(...found) // with what is null: `toUnified` warns of it
    if (found.length < linesPerCall) return { ...order, lines: byId(lines) }
  }
}
const byId = (lines: (NativeLine | null)[]) => lines.sort((left, right) => idOf(left) - idOf(right))
const idOf = (line: NativeLine | null): number => number(line?.id) ?? Number.MAX_SAFE_INTEGER
/** An archived order can still be read by its id; it is not returned, because it is in no list. */
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const order: NativeOrder | undefined = isId(id)
    ? (await ifFound(call.read(get(v2(call, path`/orders/${id}`), including))))?.body
    : undefined
  return order && !order.is_deleted ? withLines(call, order) : undefined
}

export const noteOf = ({ staff_notes, customer_message }: NativeOrder): string | undefined =>
  text(staff_notes) ?? text(customer_message)

function soldId(line: NativeLine): string | undefined {
  const product = reference(line.product_id)
  const variant = reference(line.variant_id)
  return product && variant ? `${product}:${variant}` : product
}
export function toUnified(row: NativeOrder, mapping: Pick<Mapping, 'warn'>): Order {
  const currency = text(row.default_currency_code)
  const amount = (value: unknown): number | undefined => {
    const number = fromDecimal(value)
    return number === undefined ? undefined : roundMoney(number, currency)
  }
  return {
    externalId: String(row.id),
    orderNumber: String(row.id),
    processedAt: toUtc(row.date_created),
    customerExternalId: reference(row.customer_id),
    currencyCode: currency,
    state: stateOf(row.status_id, mapping),
    note: noteOf(row),
    total: amount(row.total_inc_tax),
    taxTotal: amount(row.total_tax),
    lineItems: list(row.lines).map(
      (line): LineItem => ({
        productExternalId: soldId(line),
        sku: text(line.sku),
        name: text(line.name),
        quantity: number(line.quantity) ?? 0,
        unitPrice: amount(line.price_ex_tax),
        lineTax: amount(line.total_tax),
        lineDiscount: sumMoney(
          list(line.applied_discounts).map((discount) => fromDecimal(discount.amount)),
          currency,
        ),
      }),
    ),
  }
}

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
