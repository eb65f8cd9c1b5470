// Refunds are receipts of their own, with positive amounts: https://developer.loyverse.com/docs/#tag/Receipts
import type { EntityAdapter, Mapping } from '../../contract/connector.ts'
import type { Refund } from '../../contract/entities/refund.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { list, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import { modifiedAt, pageLimit } from './listing.ts'
import { readReceipt, receiptPage, withCurrency } from './order.ts'
import {
  excludedOf,
  idOf,
  isReceipt,
  minor,
  type NativeLine,
  type NativePayment,
  type OrderRow,
  toLine,
} from './order-row.ts'
import { methodTypeOf } from './payment-method.ts'

const isRefund = (row: OrderRow): boolean => !isReceipt(row) || excludedOf(row) !== undefined
/** Of all that was paid back, if it is one. */
function only<T>(values: readonly (T | undefined)[]): T | undefined {
  const different = [...new Set(values)]
  return different.length === 1 ? different[0] : undefined
}

function toUnified(row: OrderRow, { account: { settings } }: Mapping): Refund {
  if (!isReceipt(row)) throw new Error(row.withheld)
  const { currency } = row
  const tip = minor(row.tip, currency)
  const payments = list<NativePayment>(row.payments)
  const processedAt = toUtc(row.receipt_date)
  return {
    externalId: row.receipt_number,
    amount: fromMinor(minor(row.total_money, currency) - tip, currency) ?? 0,
    taxAmount: fromDecimal(row.total_tax),
    tip: tip === 0 ? undefined : fromMinor(tip, currency),
    currencyCode: currency,
    orderExternalId: text(row.refund_for),
    locationExternalId: text(row.store_id),
    customerExternalId: text(row.customer_id),
    kind: 'RETURN',
    note: text(row.note),
    state: row.cancelled_at ? 'CANCELED' : 'COMPLETED',
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(settings), settings),
    methodType: only(payments.map(({ type }) => methodTypeOf(type))),
    paymentMethodExternalId: only(payments.map(({ payment_type_id }) => text(payment_type_id))),
    lineItems: list<NativeLine>(row.line_items).map((line) => {
      const { productExternalId, name, quantity, lineTax } = toLine(line, currency)
      return { productExternalId, name, quantity, amount: fromDecimal(line.total_money), tax: lineTax }
    }),
  }
}

export const refund: EntityAdapter<'refund', OrderRow, string> = {
  id: idOf,
  toUnified,
  scopes: { read: ['RECEIPTS_READ', 'MERCHANT_READ'] },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => (isReceipt(row) ? modifiedAt(row.updated_at) : undefined),
    stampPrecision: 'seconds',
    horizonDays: 31, // as of receipts
    // Few receipts are refunds, and no filter finds them: pages have the maximum size.
    page: async (call, query, at) => {
      const { rows, next } = await receiptPage(call, { ...query, size: pageLimit }, at)
      return { rows: rows.filter(isRefund), next }
    },
    complete: { size: pageLimit, rows: withCurrency },
  },
  get: async (call, id) => {
    const receipt = await readReceipt(call, id)
    return receipt && isRefund(receipt) ? receipt : undefined
  },
}
