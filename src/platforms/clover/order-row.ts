// Clover's order and how it is read: https://docs.clover.com/dev/docs/creating-custom-orders
import type { Mapping, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order, OrderState } from '../../contract/entities/order.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { stateTable } from '../../kit/states.ts'
import { fromUnixMs } from '../../kit/time.ts'
import { below, type Elements, elementsOf, merchantOf, rowsIn } from './account.ts'
import { largestPage } from './listing.ts'

export interface NativeLine {
  id: string
  item?: { id?: string }
  name?: string
  price?: number
  unitQty?: number | null // thousandths, only of items sold by measure
  unitName?: string
  note?: string
  userData?: string
  refunded?: boolean
  exchanged?: boolean
  createdTime?: number
  discounts?: Elements<{ amount?: number; percentage?: number }>
}
export interface NativeOrder {
  id: string
  currency?: string
  title?: string
  note?: string
  total?: number
  state?: string
  paymentState?: string
  taxRemoved?: boolean
  createdTime?: number
  clientCreatedTime?: number
  modifiedTime?: number
  deletedTimestamp?: number
  customers?: Elements<{ id: string }>
  lineItems?: Elements<NativeLine>
  payments?: Elements<{ taxAmount?: number; result?: string }>
}
// Three is the maximum; a dotted one includes its parent.
export const orderExpand = 'lineItems.discounts,customers,payments'
const nestedLimit = 100 // nested lists are truncated there and cannot be paged

export async function readLines(call: ReadCall, orderId: string): Promise<NativeLine[]> {
  const lines: NativeLine[] = []
  for (let more = true; more; ) {
    const page = rowsIn<NativeLine>(
      await call.read(
        get(below(call, path`/orders/${orderId}/line_items`), {
          expand: 'discounts',
          limit: largestPage,
          offset: lines.length,
        }),
      ),
    )
    lines.push(...page)
    more = page.length === largestPage
  }
  return lines
}
export async function finishOrder(call: ReadCall, order: NativeOrder): Promise<NativeOrder> {
  return elementsOf(order.lineItems).length < nestedLimit
    ? order
    : { ...order, lineItems: { elements: await readLines(call, order.id) } }
}
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const order: NativeOrder | undefined = (
    await ifFound(call.read(get(below(call, path`/orders/${id}`), { expand: orderExpand })))
  )?.body
  return order && finishOrder(call, order)
}

/**
 * Marks which line of a record and which of its units a native line is, so that units stay together regardless of
 * changes at the POS.
 */
const markPattern = /^(\w{16})\.(\d+)\.(\d+)$/
export const markOf = (reference: string, line: number, unit: number): string => `${reference}.${line}.${unit}`

const thousandths = (line: NativeLine): number => (text(line.unitName) && number(line.unitQty)) || 1000
/** Rounds half up, like Clover. */
const share = (amount: number, part: number, whole: number): number =>
  Math.floor((2 * amount * part + whole) / (2 * whole))
export const amountOf = (line: NativeLine): number => share(number(line.price) ?? 0, thousandths(line), 1000)
/** Percentages are applied first, amounts are negative: https://docs.clover.com/docs/calculating-order-totals */
export function discountOf(line: NativeLine): number {
  const discounts = elementsOf(line.discounts)
  const byPercent = discounts.reduce(
    (sum, { percentage }) => sum + share(amountOf(line), number(percentage) ?? 0, 100),
    0,
  )
  return discounts.reduce((sum, { amount }) => sum + Math.abs(number(amount) ?? 0), byPercent)
}

export interface FoldedLine {
  unified: LineItem
  natives: NativeLine[]
}
/**
 * Clover has no quantity: N units are N lines. Lines with the same mark, otherwise identical lines, become one line
 * again.
 */
export function foldLines(order: NativeOrder): FoldedLine[] {
  const groups = Map.groupBy(elementsOf(order.lineItems).toSorted(inOrder), groupOf)
  return [...groups.values()].map((natives) => {
    const first = natives[0]!
    const measured = thousandths(first)
    return {
      natives,
      unified: {
        productExternalId: text(first.item?.id),
        name: text(first.name),
        quantity: measured === 1000 ? natives.length : measured / 1000,
        unitPrice: fromMinor(first.price, order.currency),
        lineDiscount: fromMinor(
          natives.reduce((sum, line) => sum + discountOf(line), 0),
          order.currency,
        ),
      } as LineItem,
    }
  })
}
function groupOf(line: NativeLine): string {
  const [, reference, position] = markPattern.exec(line.userData ?? '') ?? []
  if (reference) return `${reference}.${position}`
  const measured = thousandths(line) !== 1000
  return JSON.stringify([
    line.item?.id,
    line.name,
    number(line.price),
    text(line.note),
    flag(line.refunded),
    flag(line.exchanged),
    discountOf(line),
    measured ? line.id : '',
  ])
}
function inOrder(a: NativeLine, b: NativeLine): number {
  const [, , lineA = 0, unitA = 0] = markPattern.exec(a.userData ?? '') ?? []
  const [, , lineB = 0, unitB = 0] = markPattern.exec(b.userData ?? '') ?? []
  return (a.createdTime ?? 0) - (b.createdTime ?? 0) || Number(lineA) - Number(lineB) || Number(unitA) - Number(unitB)
}

const states = stateTable({ open: 'OPEN', locked: 'COMPLETED' })
const paid: Readonly<Record<string, OrderState>> = {
  PAID: 'COMPLETED',
  REFUNDED: 'COMPLETED',
  PARTIALLY_REFUNDED: 'COMPLETED',
  CREDITED: 'COMPLETED',
  PARTIALLY_PAID: 'OPEN',
}
/** Payments take precedence over the state, which is free text. Without a state an order is hidden and incomplete. */
export function stateOf(row: NativeOrder, mapping: Pick<Mapping, 'warn'>): OrderState | undefined {
  if (row.deletedTimestamp) return 'CANCELED'
  return paid[text(row.paymentState) ?? ''] ?? (text(row.state) ? states.read(row.state, mapping) : 'PENDING')
}
/**
 * Orders contain no tax. Once an order is paid in full, its payments contain it; until then only the tax rates of each
 * line would, which no list includes, so it is omitted.
 */
function taxOf(row: NativeOrder): number | undefined {
  if (flag(row.taxRemoved)) return 0
  const taxes = elementsOf(row.payments)
    .filter(({ result }) => text(result) === 'SUCCESS')
    .map(({ taxAmount }) => number(taxAmount))
  const isPaid = ['PAID', 'REFUNDED', 'PARTIALLY_REFUNDED'].includes(text(row.paymentState) ?? '')
  return isPaid && taxes.length > 0
    ? taxes.reduce<number | undefined>(
        (sum, tax) => (sum === undefined || tax === undefined ? undefined : sum + tax),
        0,
      )
    : undefined
}
export const numberOf = ({ title, id }: NativeOrder): string => text(title) ?? id
export const customerOf = ({ customers }: NativeOrder): string | undefined => elementsOf(customers)[0]?.id

export const toUnified = (row: NativeOrder, mapping: Pick<Mapping, 'warn' | 'account'>): Order => ({
  externalId: row.id,
  orderNumber: numberOf(row),
  processedAt: fromUnixMs(row.clientCreatedTime ?? row.createdTime),
  customerExternalId: customerOf(row),
  locationExternalId: merchantOf(mapping.account),
  currencyCode: text(row.currency),
  state: stateOf(row, mapping),
  note: text(row.note),
  total: fromMinor(row.total, row.currency),
  taxTotal: fromMinor(taxOf(row), row.currency),
  lineItems: foldLines(row).map(({ unified }) => unified),
})
