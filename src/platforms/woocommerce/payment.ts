// Payments. The shop has none of its own: an order names its gateway and when it was paid, and plugins name the gift cards
// that pay for a part of it.
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import { list, reference, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor } from '../../kit/money.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { fromGmt, keys, metaOf, modifiedAt } from './api.ts'
import { plain } from './html.ts'
import { orderPages, readOrder } from './order.ts'
import { giftCardsOf, isTip, minorOf, type NativeOrder } from './order-money.ts'
import { businessDate, customerOf } from './order-row.ts'
import { gatewayOf, methodTypeOf } from './payment-method.ts'

/** `card`: one gift card of the order, by its place. */
export interface PaymentRow {
  order: NativeOrder
  card?: number
}
/** PW Gift Cards has no ids, and the number of a card is money. */
export function paymentId({ order, card }: PaymentRow): string {
  const own = reference(order.id) ?? ''
  return card === undefined ? own : `${own}:${reference(giftCardsOf(order)[card]?.id) ?? `card${card + 1}`}`
}
const paidBy = ({ order, card }: PaymentRow): number =>
  minorOf(card === undefined ? order.total : giftCardsOf(order)[card]?.amount, order.currency)
/** An order that costs nothing, or that has neither a gateway nor a date of payment, has no payment. */
export function paymentsOf(order: NativeOrder): PaymentRow[] {
  const isChosen = text(order.payment_method) !== undefined || fromGmt(order.date_paid_gmt) !== undefined
  const cards = giftCardsOf(order).map((_, card) => ({ order, card }))
  return [...(isChosen ? [{ order }] : []), ...cards].filter((row) => paidBy(row) > 0)
}
/** The shop sets the date when money came in. Goods that are paid on delivery are sent before that. */
function stateOf({ status: native, date_paid_gmt }: NativeOrder): PaymentState {
  const status = text(native)
  if (fromGmt(date_paid_gmt)) return 'COMPLETED'
  return status === 'failed' ? 'FAILED' : status === 'cancelled' ? 'CANCELED' : 'PENDING'
}
/** Metadata of gateways: Stripe, whose account may have another currency, and WooPayments. */
function feeOf(order: NativeOrder): number | undefined {
  const other = metaOf(order, '_stripe_currency')
  const isOwn = other === undefined || other.toUpperCase() === order.currency
  return fromDecimal((isOwn ? metaOf(order, '_stripe_fee') : undefined) ?? metaOf(order, '_wcpay_transaction_fee'))
}

function toUnified(row: PaymentRow, { account }: Mapping): Payment {
  const { order, card } = row
  const id = paymentId(row)
  const { currency } = order
  const all = paymentsOf(order)
  // The tip is a part of what was paid, and on the first payment that is large enough.
  const tips = list(order.fee_lines)
    .filter((fee) => isTip(fee, account.settings))
    .reduce((sum, { total }) => sum + minorOf(total, currency), 0)
  const first = all.find((one) => paidBy(one) >= tips)
  const tip = (first && paymentId(first)) === id ? tips : 0
  const state = stateOf(order)
  const isCard = card !== undefined
  const gateway = isCard ? undefined : gatewayOf(order.payment_method)
  const refunded = list(order.refunds).reduce((sum, { total }) => sum - minorOf(total, currency), 0)
  return {
    externalId: id,
    amount: fromMinor(paidBy(row) - tip, currency) as number,
    currencyCode: text(currency),
    ...(account.settings.tipFees && { tip: fromMinor(tip, currency) }),
    fee: isCard ? undefined : feeOf(order),
    // Of several payments the shop does not tell which was refunded.
    refundedAmount: all.length === 1 ? fromMinor(refunded, currency) : undefined,
    orderExternalId: reference(order.id),
    customerExternalId: customerOf(order),
    paymentMethodExternalId: gateway,
    methodType: isCard ? 'GIFT_CARD' : methodTypeOf(gateway),
    methodName: isCard ? undefined : plain(order.payment_method_title),
    state,
    ...(state === 'COMPLETED' && {
      processedAt: metaOf(order, keys.processed) ?? fromGmt(order.date_paid_gmt),
      businessDate: businessDate(order, account),
    }),
    reference: isCard ? undefined : text(order.transaction_id),
  }
}
async function members(call: ReadCall, id: string): Promise<PaymentRow[]> {
  const order = await readOrder(call, id)
  return order ? paymentsOf(order) : []
}
export const payment: EntityAdapter<'payment', PaymentRow, NumberPlace | TimePlace<string>> = {
  id: paymentId,
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: ({ order }) => modifiedAt(order.date_modified_gmt),
    stampPrecision: 'seconds',
    page: async (call, query, at) => {
      const { rows, total: _, ...page } = await orderPages(call, query, at)
      return { ...page, rows: rows.flatMap(paymentsOf) }
    },
  },
  group: ({ order }) => String(order.id),
  members,
  get: async (call, id) => (await members(call, id.split(':')[0]!)).find((row) => paymentId(row) === id),
}
