// Shopify's transactions and how they are read as payments:
// https://shopify.dev/docs/api/admin-graphql/2026-07/objects/OrderTransaction
import type { Mapping } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { flag, list, members, number, text } from '../../kit/fields.ts'
import { toUtc } from '../../kit/time.ts'
import { idOf, type Money, type MoneyBag, moneyOf, referred, sum } from './api.ts'

export interface NativeTransaction {
  id: string
  kind: string
  status: string
  gateway: string | null
  formattedGateway: string | null
  manualPaymentGateway: boolean
  createdAt: string
  processedAt: string | null
  paymentId: string | null
  amountSet: MoneyBag
  fees: { amount: { amount: string }; taxAmount: { amount: string } }[]
  parentTransaction: { id: string } | null
  location: { id: string } | null
  paymentDetails: { __typename: string; company?: string | null; number?: string | null } | null
}
export interface NativePaidOrder {
  id: string
  updatedAt: string
  test: boolean
  currencyCode: string
  customer: { id: string } | null
  totalTipReceivedSet: MoneyBag
  totalOutstandingSet: MoneyBag
  transactions: NativeTransaction[]
}
export interface PaymentRow extends NativeTransaction {
  order: Omit<NativePaidOrder, 'transactions'>
  further: NativeTransaction[] // what happened to it: change, refunds, captures, a void
  completed: number // payments of the order; its tip is on one of them
  shop?: { ianaTimezone: string } | null
}

const succeeded = ({ status }: NativeTransaction): boolean => text(status) === 'SUCCESS'
const isOf =
  (...kinds: string[]) =>
  ({ kind }: NativeTransaction): boolean =>
    kinds.includes(text(kind) ?? '')
const isPayment = isOf('SALE', 'CAPTURE')
const isAuthorization = isOf('AUTHORIZATION', 'EMV_AUTHORIZATION')

/** The payments of an order. An authorization is one as long as nothing of it was captured. */
export function paymentsOf({ transactions, ...order }: NativePaidOrder, shop: PaymentRow['shop']): PaymentRow[] {
  if (flag(order.test)) return []
  const all = list(transactions)
  const completed = all.filter((one) => isPayment(one) && succeeded(one)).length
  return all.flatMap((one): PaymentRow[] => {
    const further = all.filter(({ parentTransaction }) => text(parentTransaction?.id) === one.id)
    const isOpen = isAuthorization(one) && !further.some((each) => isOf('CAPTURE')(each) && succeeded(each))
    return isPayment(one) || isOpen ? [{ ...one, order, further, completed, shop }] : []
  })
}

const states: Readonly<Record<string, PaymentState>> = {
  SUCCESS: 'COMPLETED',
  PENDING: 'PENDING',
  AWAITING_RESPONSE: 'PENDING',
  FAILURE: 'FAILED',
  ERROR: 'FAILED',
}
function stateOf(row: PaymentRow, mapping: Pick<Mapping, 'warn'>): PaymentState | undefined {
  if (list(row.further).some((one) => isOf('VOID')(one) && succeeded(one))) return 'CANCELED'
  const status = text(row.status)
  if (status === 'SUCCESS' && isAuthorization(row)) return 'AUTHORIZED'
  const state = states[status ?? '']
  if (!state && status !== undefined) mapping.warn('/state', `Shopify's status "${status}" has no unified counterpart`)
  return state
}

/** Shopify's own gateways. Those of other providers have names that they choose. */
export const methods: Readonly<Record<string, { name: string; type: MethodType }>> = {
  cash: { name: 'Cash', type: 'CASH' },
  gift_card: { name: 'Gift card', type: 'GIFT_CARD' },
  manual: { name: 'Manual payment', type: 'OTHER' },
  paypal: { name: 'PayPal', type: 'WALLET' },
  shop_pay_installments: { name: 'Shop Pay Installments', type: 'BNPL' },
  shopify_payments: { name: 'Shopify Payments', type: 'CARD' },
  shopify_store_credit: { name: 'Store credit', type: 'STORE_CREDIT' },
}
/** The names that Shopify suggests for manual payment methods; a merchant can choose others. */
const manualTypes: Readonly<Record<string, MethodType>> = {
  'cash on delivery (cod)': 'CASH',
  'bank deposit': 'BANK_TRANSFER',
  'money order': 'CHECK',
}
const detailTypes: Readonly<Record<string, MethodType>> = {
  CardPaymentDetails: 'CARD',
  PaypalWalletPaymentDetails: 'WALLET',
  ShopPayInstallmentsPaymentDetails: 'BNPL',
}
type Paid = Pick<NativeTransaction, 'gateway' | 'formattedGateway' | 'paymentDetails'>
export function methodOf({ gateway, formattedGateway, paymentDetails }: Paid) {
  const name = text(gateway)
  const known = name !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined
  const type =
    known?.type ??
    manualTypes[(name ?? '').toLowerCase()] ??
    detailTypes[text(members(paymentDetails).__typename) ?? '']
  return {
    paymentMethodExternalId: known ? name : undefined,
    methodType: type ?? (name === undefined ? undefined : ('OTHER' as const)),
    methodName: text(formattedGateway) ?? name,
  }
}
const digits = (value: unknown): string | undefined => /(\d{4})$/.exec(text(value) ?? '')?.[1]

/** A sale in cash is what was handed over. The tip of an order is a part of its only payment. */
function amountsOf(row: PaymentRow, money: Money, mapping: Pick<Mapping, 'warn'>) {
  const { minor, major } = money
  const further = list(row.further).filter(succeeded)
  const totalOf = (kind: string) => sum(further.filter(isOf(kind)).map(({ amountSet }) => minor(amountSet)))
  const given = minor(row.amountSet)
  const change = totalOf('CHANGE')
  const whole = minor(row.order.totalTipReceivedSet)
  const isPaid = isPayment(row) && succeeded(row)
  const isOnly = number(row.completed) === 1
  if (whole > 0 && isPaid && !isOnly)
    mapping.warn('/tip', 'Shopify does not say on which payment of the order the tip is: it is within their amounts')
  const tip = whole > 0 && isPaid && isOnly ? Math.min(whole, given - change) : 0
  const isCash = text(row.gateway) === 'cash'
  const fees = list(row.fees).map(
    ({ amount, taxAmount }) => minor({ shopMoney: amount }) + minor({ shopMoney: taxAmount }),
  )
  return {
    amount: major(given - change - tip),
    tip: isPaid && (whole === 0 || isOnly) ? major(tip) : undefined,
    cashTendered: isCash ? major(given) : undefined,
    changeGiven: isCash ? major(change) : undefined,
    refundedAmount: major(totalOf('REFUND')),
    fee: fees.length > 0 ? major(sum(fees)) : undefined,
  }
}

export function toUnified(row: PaymentRow, mapping: Pick<Mapping, 'warn' | 'account'>): Payment {
  const { order, shop, paymentDetails } = row
  const processedAt = toUtc(row.processedAt) ?? toUtc(row.createdAt)
  return {
    externalId: idOf(row.id),
    ...amountsOf(row, moneyOf(order.currencyCode), mapping),
    currencyCode: order.currencyCode,
    orderExternalId: referred(order),
    locationExternalId: referred(row.location),
    customerExternalId: referred(order.customer),
    ...methodOf(row),
    state: stateOf(row, mapping),
    processedAt,
    businessDate: businessDateOf(
      processedAt,
      zoneOf({ timezone: text(shop?.ianaTimezone) ?? '' }),
      mapping.account.settings,
    ),
    cardBrand: text(paymentDetails?.company),
    cardLast4: digits(paymentDetails?.number),
    reference: text(row.paymentId),
  }
}
