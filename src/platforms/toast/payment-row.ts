// Payments are parts of the checks of an order; one has at most one refund.
import type { Mapping } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import type { Refund } from '../../contract/entities/refund.ts'
import { list, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor } from '../../kit/money.ts'
import { fromToastDate, minorOf, sum, toDay } from './api.ts'
import type { NativeCharge, NativeCheck, NativePayment, NativeSelection } from './order-row.ts'
import { fixedMethods, methodOf } from './payment-method.ts'

type Amount = number | null
interface Referred {
  guid?: string | null
}
interface NativeRefund {
  refundAmount?: Amount
  tipRefundAmount?: Amount
  refundDate?: string | null
  refundBusinessDate?: number | string | null
  refundTransaction?: Referred | null
}
export interface FullPayment extends NativePayment {
  guid: string
  type?: string | null
  amount?: Amount
  amountTendered?: Amount
  paidDate?: string | null
  paidBusinessDate?: number | string | null
  originalProcessingFee?: Amount
  cardType?: string | null
  last4Digits?: string | null
  server?: Referred | null
  otherPayment?: Referred | null
  voidInfo?: object | null
  refund?: NativeRefund | null
}
/** With what the order and its check say about it. */
export interface PaymentRow {
  payment: FullPayment
  check: Pick<NativeCheck, 'customer' | 'selections' | 'appliedServiceCharges'> | null
  orderGuid: string
  modifiedDate?: string | null
  currency?: string
  methodName?: string // of a payment type of the restaurant
}

const states: Readonly<Record<string, PaymentState>> = {
  OPEN: 'PENDING',
  PROCESSING: 'PENDING',
  AUTHORIZED: 'AUTHORIZED',
  AUTHORIZED_AT_RISK: 'AUTHORIZED',
  CAPTURE_IN_PROGRESS: 'COMPLETED',
  CAPTURED: 'COMPLETED',
  PROCESSING_VOID: 'CANCELED',
  VOIDED: 'CANCELED',
  VOIDED_AT_RISK: 'CANCELED',
  CANCELLED: 'CANCELED',
  DENIED: 'FAILED',
  ERROR: 'FAILED',
  ERROR_NETWORK: 'FAILED',
}
/** Only cards need a status. */
function stateOf({ paymentStatus, voidInfo }: FullPayment, { warn }: Pick<Mapping, 'warn'>) {
  if (voidInfo) return 'CANCELED'
  const status = text(paymentStatus)
  if (status === undefined) return 'COMPLETED'
  if (!Object.hasOwn(states, status)) warn('/state', `The platform's state "${status}" has no unified counterpart`)
  return states[status]
}
/** Each of them says which payment it is for. */
const isSurchargeOf = ({ paymentGuid, serviceChargeCategory }: NativeCharge, { guid }: FullPayment): boolean =>
  text(paymentGuid) === guid && text(serviceChargeCategory) === 'CREDIT_CARD_SURCHARGE'

export function toPayment({ payment, check, orderGuid, currency, methodName }: PaymentRow, mapping: Mapping): Payment {
  const { method, type } = methodOf(payment)
  const minor = (amount: unknown) => minorOf(amount, currency)
  const tendered = type === 'CASH' ? minor(payment.amountTendered) : undefined
  const surcharges = list(check?.appliedServiceCharges)
    .filter((charge) => isSurchargeOf(charge, payment))
    .flatMap(({ chargeAmount, appliedTaxes }) => [
      chargeAmount,
      ...list(appliedTaxes).map(({ taxAmount }) => taxAmount),
    ])
  return {
    externalId: payment.guid,
    amount: fromDecimal(payment.amount) ?? 0,
    currencyCode: currency,
    tip: fromDecimal(payment.tipAmount),
    surcharge: surcharges.length > 0 ? fromMinor(sum(surcharges.map(minor)), currency) : undefined,
    fee: fromDecimal(payment.originalProcessingFee),
    cashTendered: fromMinor(tendered, currency),
    changeGiven: tendered ? fromMinor(Math.max(0, tendered - (minor(payment.amount) ?? 0)), currency) : undefined,
    refundedAmount: fromDecimal(payment.refund?.refundAmount) ?? 0,
    orderExternalId: orderGuid,
    locationExternalId: mapping.account.settings.restaurantGuid,
    employeeExternalId: text(payment.server?.guid),
    customerExternalId: text(check?.customer?.guid),
    paymentMethodExternalId: method,
    methodType: type,
    methodName: methodName ?? fixedMethods[method ?? '']?.name,
    state: stateOf(payment, mapping),
    processedAt: fromToastDate(payment.paidDate),
    businessDate: toDay(payment.paidBusinessDate),
    cardBrand: text(payment.cardType),
    cardLast4: text(payment.last4Digits),
  }
}

type Line = NonNullable<Refund['lineItems']>[number]
/** A refunded line has amounts and no quantity: it is named where they make whole units. */
function toRefundedLine(selection: NativeSelection, currency: string | undefined): Line[] {
  const details = selection.refundDetails
  const [back, price] = [minorOf(details?.refundAmount, currency), minorOf(selection.price, currency)]
  const tax = minorOf(details?.taxRefundAmount, currency) ?? 0
  const sold = fromDecimal(selection.quantity) ?? 1
  const quantity = back === price ? sold : ((back ?? 0) * sold) / (price || 1)
  if (back === undefined || !(quantity > 0) || (back !== price && !Number.isInteger(quantity))) return []
  return [
    {
      orderLineExternalId: text(selection.guid),
      productExternalId: text(selection.item?.guid),
      name: text(selection.displayName),
      quantity,
      amount: fromMinor(back + tax, currency),
      tax: fromMinor(tax, currency),
    },
  ]
}
/**
 * A payment has one refund, also after several: an id of its own would be new each time, and count the money again.
 */
const refundSuffix = ':refund'
export const refundIdOf = ({ payment }: PaymentRow): string => `${payment.guid}${refundSuffix}`
export const paymentIdIn = (id: string): string | undefined =>
  id.endsWith(refundSuffix) ? id.slice(0, -refundSuffix.length) : undefined
export const hasRefund = ({ payment: { refund } }: PaymentRow): boolean =>
  Boolean(fromDecimal(refund?.refundAmount) || fromDecimal(refund?.tipRefundAmount))

export function toRefund(row: PaymentRow, mapping: Mapping): Refund {
  const { payment, check, orderGuid, currency } = row
  const { refund } = payment
  const { method, type } = methodOf(payment)
  const transaction = text(refund?.refundTransaction?.guid)
  const isPart = ({ refundDetails }: Pick<NativeSelection, 'refundDetails'>) =>
    transaction !== undefined && text(refundDetails?.refundTransaction?.guid) === transaction
  const selections = list(check?.selections).filter(isPart)
  const parts = [...selections, ...list(check?.appliedServiceCharges).filter(isPart)]
  const lines = selections.flatMap((selection) => toRefundedLine(selection, currency))
  const taxes = parts.map(({ refundDetails }) => minorOf(refundDetails?.taxRefundAmount, currency))
  return {
    externalId: refundIdOf(row),
    amount: fromDecimal(refund?.refundAmount) ?? 0,
    taxAmount: parts.length > 0 ? fromMinor(sum(taxes), currency) : undefined,
    tip: fromDecimal(refund?.tipRefundAmount),
    currencyCode: currency,
    orderExternalId: orderGuid,
    paymentExternalId: payment.guid,
    locationExternalId: mapping.account.settings.restaurantGuid,
    customerExternalId: text(check?.customer?.guid),
    kind: 'REFUND',
    state: 'COMPLETED',
    processedAt: fromToastDate(refund?.refundDate),
    businessDate: toDay(refund?.refundBusinessDate),
    methodType: type,
    paymentMethodExternalId: method,
    lineItems: lines.length > 0 ? lines : undefined,
  }
}
