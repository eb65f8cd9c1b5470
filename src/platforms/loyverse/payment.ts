// Payments are parts of receipts and have no id: https://developer.loyverse.com/docs/#tag/Receipts
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Payment } from '../../contract/entities/payment.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { list, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import { modifiedAt, pageLimit } from './listing.ts'
import { readReceipt, receiptPage, withCurrency } from './order.ts'
import {
  excludedOf,
  isReceipt,
  minor,
  type NativePayment,
  type NativeReceipt,
  idOf as numberOf,
  type OrderRow,
  type Withheld,
} from './order-row.ts'
import { methodTypeOf } from './payment-method.ts'

interface Paid {
  receipt: NativeReceipt
  place: number // of the payment
}
type PaymentRow = Paid | Withheld
const isPaid = (row: PaymentRow): row is Paid => !('withheld' in row)
const idOf = (row: PaymentRow): string => (isPaid(row) ? `${row.receipt.receipt_number}:${row.place}` : numberOf(row))

/** The payments of a refund are what went back. */
const paymentsOf = (rows: readonly OrderRow[]): PaymentRow[] =>
  rows
    .filter((row) => !excludedOf(row))
    .flatMap((row): PaymentRow[] =>
      isReceipt(row) ? list<NativePayment>(row.payments).map((_, place) => ({ receipt: row, place })) : [row],
    )
const membersOf = async (call: ReadCall, number: string): Promise<PaymentRow[]> => {
  const receipt = await readReceipt(call, number)
  return receipt ? paymentsOf([receipt]) : []
}
/** Nothing of the number of a card but its end. */
const lastFour = (number: unknown): string | undefined => /(\d{4})\s*$/.exec(text(number) ?? '')?.[1]

function toUnified(row: PaymentRow, { account: { settings } }: Mapping): Payment {
  if (!isPaid(row)) throw new Error(row.withheld)
  const { receipt, place } = row
  const { currency } = receipt
  const payments = list<NativePayment>(receipt.payments)
  const payment: NativePayment = payments[place] ?? {}
  const paid = minor(payment.money_amount, currency)
  // Both are known of the receipt only: with several payments, which of them has the tip is not.
  const isOnly = payments.length === 1
  const within = (amount: number | undefined) => (isOnly ? minor(amount, currency) : 0)
  const tip = within(receipt.tip) < paid ? within(receipt.tip) : 0
  const surcharge = within(receipt.surcharge)
  const soldAt = toUtc(receipt.receipt_date)
  const processedAt = toUtc(payment.paid_at) ?? soldAt
  const card = payment.payment_details
  return {
    externalId: idOf(row),
    amount: fromMinor(paid - tip, currency) ?? 0,
    currencyCode: currency,
    tip: tip === 0 ? undefined : fromMinor(tip, currency),
    surcharge: surcharge === 0 ? undefined : fromMinor(surcharge, currency),
    orderExternalId: receipt.receipt_number,
    locationExternalId: text(receipt.store_id),
    customerExternalId: text(receipt.customer_id),
    paymentMethodExternalId: text(payment.payment_type_id),
    methodType: methodTypeOf(payment.type),
    methodName: text(payment.name),
    state: receipt.cancelled_at ? 'CANCELED' : 'COMPLETED',
    processedAt,
    // As in the reports of Loyverse: a till that was offline sends its receipts later.
    businessDate: businessDateOf(soldAt ?? processedAt, zoneOf(settings), settings),
    cardBrand: text(card?.card_company),
    cardLast4: lastFour(card?.card_number),
    reference: text(card?.reference_id),
  }
}

export const payment: EntityAdapter<'payment', PaymentRow, string> = {
  id: idOf,
  toUnified,
  scopes: { read: ['RECEIPTS_READ', 'MERCHANT_READ'] },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => (isPaid(row) ? modifiedAt(row.receipt.updated_at) : undefined),
    stampPrecision: 'seconds',
    horizonDays: 31, // as of receipts
    page: async (call, query, at) => {
      const { rows, next } = await receiptPage(call, query, at)
      const receipts = rows as readonly OrderRow[]
      return { rows: paymentsOf(await withCurrency(call, receipts)), next }
    },
  },
  group: (row) => (isPaid(row) ? row.receipt.receipt_number : idOf(row)),
  members: membersOf,
  get: async (call, id) => (await membersOf(call, id.split(':')[0]!)).find((row) => idOf(row) === id),
}
