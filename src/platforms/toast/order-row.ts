import type { Mapping } from '../../contract/connector.ts'
import type { LineItem, Order, OrderState } from '../../contract/entities/order.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney, sumMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { fromToastDate } from './api.ts'

export interface NativeSelection {
  guid?: string
  item?: { guid: string } | null
  displayName?: string | null
  quantity?: number
  receiptLinePrice?: number | null
  preDiscountPrice?: number | null
  price?: number | null
  tax?: number | null
  voided?: boolean | null
}
export interface NativeCheck {
  displayNumber?: string | null
  paymentStatus?: string
  voided?: boolean | null
  deleted?: boolean | null
  tabName?: string | null
  taxAmount?: number | null
  totalAmount?: number | null
  customer?: { guid?: string | null } | null
  selections?: NativeSelection[] | null
}
export interface NativeOrder {
  guid: string
  displayNumber?: string | null
  openedDate?: string | null
  paidDate?: string | null
  closedDate?: string | null
  modifiedDate?: string | null
  approvalStatus?: string | null
  voided?: boolean | null
  deleted?: boolean | null
  deliveryInfo?: { notes?: string | null } | null
  checks?: NativeCheck[] | null
}
/** Orders have no currency: it is the restaurant's. */
export type OrderRow = NativeOrder & { currency?: string }

const payment = stateTable({ OPEN: 'OPEN', PAID: 'OPEN', CLOSED: 'COMPLETED' })
const approval = stateTable({
  APPROVED: 'OPEN',
  NEEDS_APPROVAL: 'PENDING',
  FUTURE: 'PENDING',
  NOT_APPROVED: 'CANCELED',
})

/**
 * An order has no state field: the state follows from its checks and the restaurant's approval. A closed check can be
 * reopened.
 */
export function stateOf(order: NativeOrder, mapping: Pick<Mapping, 'warn'>): OrderState | undefined {
  if (gone(order)) return 'CANCELED'
  const paid = liveChecks(order).map(({ paymentStatus }) => payment.read(paymentStatus, mapping))
  if (paid.length > 0 && paid.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  if (paid.includes(undefined)) return undefined
  return order.approvalStatus ? approval.read(order.approvalStatus, mapping) : 'OPEN'
}

const gone = ({ voided, deleted }: { voided?: boolean | null; deleted?: boolean | null }): boolean =>
  Boolean(flag(voided) || flag(deleted))
/** For a voided or deleted order, all checks are included: they contain what was canceled. */
const liveChecks = (order: NativeOrder): NativeCheck[] =>
  list(order.checks).filter((check) => gone(order) || !gone(check))

/**
 * `receiptLinePrice` is per unit and may be absent, `price` is for all units after discounts, `preDiscountPrice` for all units before.
 */
export function toLine(selection: NativeSelection, currency: string | undefined): LineItem {
  const before = fromDecimal(selection.preDiscountPrice)
  const after = fromDecimal(selection.price)
  const quantity = fromDecimal(selection.quantity) ?? 1
  const perUnit = before === undefined || quantity === 0 ? undefined : roundMoney(before / quantity, currency)
  return {
    productExternalId: text(selection.item?.guid), // absent on gift cards and special requests
    name: text(selection.displayName),
    quantity,
    unitPrice: fromDecimal(selection.receiptLinePrice) ?? perUnit,
    lineTax: fromDecimal(selection.tax),
    lineDiscount:
      before === undefined || after === undefined ? undefined : Math.max(0, roundMoney(before - after, currency)),
  }
}

export function toUnified(row: OrderRow, mapping: Mapping): Order {
  const { currency } = row
  const checks = liveChecks(row)
  const selections = checks.flatMap((check) =>
    list(check.selections).filter(({ voided }) => gone(row) || !flag(voided)),
  )
  // The client can set the number of a single check; Toast always sets the number of the order.
  const numbers =
    checks.length === 1 ? [checks[0]?.displayNumber, row.displayNumber] : [row.displayNumber, checks[0]?.displayNumber]
  return {
    externalId: row.guid,
    orderNumber: text(numbers[0]) ?? text(numbers[1]),
    processedAt: fromToastDate(row.closedDate) ?? fromToastDate(row.paidDate) ?? fromToastDate(row.openedDate),
    customerExternalId: text(checks.find(({ customer }) => customer)?.customer?.guid),
    locationExternalId: mapping.account.settings.restaurantGuid,
    currencyCode: currency,
    state: stateOf(row, mapping),
    note: text(row.deliveryInfo?.notes) ?? text(checks[0]?.tabName),
    total: sumMoney(
      checks.map(({ totalAmount }) => fromDecimal(totalAmount)),
      currency,
    ),
    taxTotal: sumMoney(
      checks.map(({ taxAmount }) => fromDecimal(taxAmount)),
      currency,
    ),
    lineItems: selections.map((selection) => toLine(selection, currency)),
  }
}
