// What an order update sends: only the differences from the current order.
import type { LineItem, Order, ServiceCharge } from '../../contract/entities/order.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { sumMoney, toDecimal } from '../../kit/money.ts'
import { idOf } from './account.ts'
import { feesOf, fromUnits, hasTaxInPrices, unitsOf } from './order-money.ts'
import type { NativeLine, NativeOrder } from './order-row.ts'
import { noteOf, statusFor, toUnified } from './order-unified.ts'
import { type Basis, chargesOf, discountIn, toFees, toLine, toMailDate, toShipping, toTotals } from './order-write.ts'

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
  basis: Basis,
): object[] {
  const kept = lines.findIndex((line, index) => !shown[index] || !sameProduct(line, shown[index]))
  const edited = kept < 0 ? lines.length : kept
  return [
    ...lines.slice(0, edited).flatMap((line, index) => {
      const native = current[index]!
      const before = shown[index]!
      // A price that stays keeps its four decimals.
      const price = sameOrAbsent(line.unitPrice, before.unitPrice)
        ? unitsOf(basis.order ? native.price_inc_tax : native.price_ex_tax)
        : undefined
      const { sku: _, ...body } = toLine(
        { ...line, name: line.name ?? before.name },
        currency,
        index,
        basis,
        price,
      ) as {
        sku?: string
      }
      return sameLine(line, before) ? [] : [{ id: native.id, ...body }]
    }),
    ...lines.slice(edited).map((line, index) => toLine(line, currency, edited + index, basis)),
    ...current.slice(edited).map(({ id, product_id }) => ({ id, product_id, quantity: 0 })),
  ]
}

const sameCharges = (charges: readonly ServiceCharge[], shown: readonly ServiceCharge[]): boolean =>
  charges.length === shown.length &&
  charges.every(
    ({ name, amount, taxAmount }, index) =>
      sameOrAbsent(name, shown[index]!.name) &&
      amount === shown[index]!.amount &&
      sameOrAbsent(taxAmount, shown[index]!.taxAmount),
  )
/** What is handled and wrapped: only the rest of the shipping can be changed. */
function othersOf(row: NativeOrder, included: boolean, currency: string) {
  const sum = (...amounts: (string | undefined)[]) =>
    fromUnits(amounts.reduce((all, one) => all + (unitsOf(one) ?? 0), 0))
  const [ex, inc] = [
    sum(row.handling_cost_ex_tax, row.wrapping_cost_ex_tax),
    sum(row.handling_cost_inc_tax, row.wrapping_cost_inc_tax),
  ]
  return { amount: included ? inc : ex, tax: sumMoney([inc, -ex], currency) }
}

export function changeOf(record: Order, row: NativeOrder): Record<string, unknown> {
  const shown = shownOrder(row)
  const currency = shown.currencyCode ?? record.currencyCode ?? 'USD'
  if ((record.currencyCode ?? currency) !== currency) throw refusal('currency', `The order is in ${currency}`)
  const included = hasTaxInPrices(row)
  if ((record.taxIncluded ?? included) !== included)
    throw refusal('is_tax_inclusive_pricing', `The prices of this order are ${included ? 'with' : 'without'} taxes`)
  const basis = { record: included, order: included }
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
  if (linesChanged) change.products = lineChanges(record.lineItems, list(row.lines), shown.lineItems, currency, basis)
  if ((record.shippingTotal ?? 0) !== (shown.shippingTotal ?? 0))
    Object.assign(change, toShipping(record, currency, basis, othersOf(row, included, currency)))
  if (!sameCharges(chargesOf(record, currency), list(shown.serviceCharges)))
    change.fees = toFees(
      record,
      currency,
      basis,
      feesOf(row).map(({ id }) => id),
    )
  const [wanted, before] = [discountIn(record, basis), discountIn(shown, basis)]
  // Changed lines lose their discounts, coupons too, so the sum is sent again with them.
  if (linesChanged && wanted !== 0) change.discount_amount = toDecimal(fromUnits(wanted), currency, 'discount_amount')
  else if (wanted !== before) {
    const amount = linesChanged ? 0 : (unitsOf(row.discount_amount) ?? 0) + wanted - before
    if (amount < 0) throw refusal('discount_amount', 'A coupon of the order stays')
    change.discount_amount = toDecimal(fromUnits(amount), currency, 'discount_amount')
  }
  const totalsChanged =
    (record.total ?? shown.total) !== shown.total || (record.taxTotal ?? shown.taxTotal) !== shown.taxTotal
  const costsChanged = change.shipping_cost_inc_tax !== undefined || change.fees !== undefined
  if (linesChanged || costsChanged || change.discount_amount !== undefined || totalsChanged)
    Object.assign(change, toTotals(record, currency))
  return change
}
