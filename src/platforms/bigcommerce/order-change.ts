// What an order update sends: only the differences from the current order.
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { sumMoney } from '../../kit/money.ts'
import { idOf } from './account.ts'
import { type NativeLine, type NativeOrder, noteOf, statusFor, toUnified } from './order-row.ts'
import { toLine, toMailDate, toTotals } from './order-write.ts'

const silent = { warn: () => {} }
export const shownOrder = (row: NativeOrder): Order => toUnified(row, silent)

const optional = ['name', 'unitPrice', 'lineTax'] as const // absent: unchanged
const sameProduct = (line: LineItem, shown: LineItem): boolean =>
  line.productExternalId === shown.productExternalId ||
  (line.productExternalId !== undefined && shown.productExternalId?.startsWith(`${line.productExternalId}:`) === true)
const sameLine = (line: LineItem, shown: LineItem): boolean =>
  sameProduct(line, shown) &&
  line.quantity === shown.quantity &&
  optional.every((field) => sameOrAbsent(line[field], shown[field]))
export const sameLines = (lines: readonly LineItem[], shown: readonly LineItem[]): boolean =>
  lines.length === shown.length && lines.every((line, index) => sameLine(line, shown[index]!))

/**
 * A line with an id is edited, without one added, with quantity 0 removed. Starting at the first line with a different
 * product, lines are created again, so that their order matches the record.
 */
function lineChanges(
  lines: readonly LineItem[],
  current: readonly NativeLine[],
  shown: readonly LineItem[],
  currency: string,
): object[] {
  const kept = lines.findIndex((line, index) => !shown[index] || !sameProduct(line, shown[index]))
  const edited = kept < 0 ? lines.length : kept
  return [
    ...lines.slice(0, edited).flatMap((line, index) => {
      const native = current[index]!
      const { sku: _, ...body } = toLine(
        { ...line, name: line.name ?? shown[index]!.name, unitPrice: line.unitPrice ?? shown[index]!.unitPrice },
        currency,
        index,
      ) as {
        sku?: string
      }
      return sameLine(line, shown[index]!) ? [] : [{ id: native.id, ...body }]
    }),
    ...lines.slice(edited).map((line, index) => toLine(line, currency, edited + index)),
    ...current.slice(edited).map(({ id, product_id }) => ({ id, product_id, quantity: 0 })),
  ]
}

export function changeOf(record: Order, row: NativeOrder): Record<string, unknown> {
  const shown = shownOrder(row)
  const currency = shown.currencyCode ?? record.currencyCode ?? 'USD'
  if ((record.currencyCode ?? currency) !== currency) throw refusal('currency', `The order is in ${currency}`)
  const change: Record<string, unknown> = {}
  if (record.state !== undefined && record.state !== shown.state) change.status_id = statusFor[record.state]
  if ((record.note ?? '') !== (noteOf(row) ?? ''))
    change[text(row.staff_notes) || !text(row.customer_message) ? 'staff_notes' : 'customer_message'] =
      record.note ?? ''
  if (record.processedAt !== undefined && toMailDate(record.processedAt) !== toMailDate(shown.processedAt ?? ''))
    change.date_created = toMailDate(record.processedAt)
  if (record.customerExternalId !== shown.customerExternalId)
    change.customer_id =
      record.customerExternalId === undefined ? 0 : idOf(record.customerExternalId, 'customer_id', 'customer')
  const linesChanged = !sameLines(record.lineItems, shown.lineItems)
  if (linesChanged) change.products = lineChanges(record.lineItems, list(row.lines), shown.lineItems, currency)
  const { discount_amount = '0', ...totals } = toTotals(record, currency)
  // Changed lines lose their discounts, so the sum is sent again with them.
  if (discountOf(record) !== discountOf(shown) || (linesChanged && discountOf(record) !== 0))
    change.discount_amount = discount_amount
  const totalsChanged =
    (record.total ?? shown.total) !== shown.total || (record.taxTotal ?? shown.taxTotal) !== shown.taxTotal
  if (linesChanged || change.discount_amount !== undefined || totalsChanged) Object.assign(change, totals)
  return change
}
const discountOf = ({ lineItems, currencyCode }: Order): number =>
  sumMoney(
    lineItems.map(({ lineDiscount }) => lineDiscount),
    currencyCode,
  )
