// Payments of checks. An amount is without the tip, with taxes and charges.
import { dueOf, inDollars } from './checks.ts'
import { wireDate } from './wire.ts'
import { businessDate, type Check, type Payment, type Refund, referenceTo } from './world.ts'

interface Paid {
  guid: string
  at: number
  cents: number
  type?: Payment['type']
  tip?: number
  tendered?: number
  server?: string | null
  status?: string
}
const cards = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER']

export function paymentOf({ guid, at, cents, type = 'CASH', tip = 0, tendered, server, status }: Paid): Payment {
  const card = type === 'CREDIT'
  const digits = Number.parseInt(guid.slice(0, 4), 16)
  return {
    ...referenceTo('OrderPayment', guid),
    paidDate: wireDate(at),
    paidBusinessDate: businessDate(at),
    type,
    cardEntryMode: card ? 'EMV_CHIP_SIGN' : null,
    amount: inDollars(cents),
    tipAmount: inDollars(tip),
    amountTendered: inDollars(tendered ?? (type === 'CASH' ? cents : 0)),
    cardType: card ? cards[digits % cards.length]! : null,
    first6Digits: card ? '411111' : null,
    last4Digits: card ? String(digits % 10_000).padStart(4, '0') : null,
    originalProcessingFee: card && status === 'CAPTURED' ? inDollars(Math.round((cents + tip) * 0.0249) + 15) : null,
    server: server ? referenceTo('RestaurantUser', server) : null,
    cashDrawer: type === 'CASH' ? referenceTo('CashDrawer', 'd1a5a0ce-8a4b-4d0f-9a0e-0c5c52f1aa01') : null,
    refundStatus: 'NONE',
    refund: null,
    paymentStatus: status ?? (card ? 'AUTHORIZED' : null),
    voidInfo: null,
    houseAccount: type === 'HOUSE_ACCOUNT' ? referenceTo('HouseAccount', '5a3df9f6-7a64-4a8b-8a61-9f0e4a1b2c01') : null,
    otherPayment: type === 'OTHER' ? referenceTo('AlternatePaymentType', otherPayments[0]!.guid) : null,
    mcaRepaymentAmount: null,
  }
}
/** Payment types that the restaurant has set up. */
export const otherPayments = [
  { guid: '6f0f9a3e-0c9d-4f4e-9b51-2f6f1f0b7a01', name: 'Courier' },
  { guid: '6f0f9a3e-0c9d-4f4e-9b51-2f6f1f0b7a02', name: 'Employee meal' },
] as const

export function voidedPayment(payment: Payment, at: number): Payment {
  const voidInfo = {
    voidUser: payment.server,
    voidApprover: null,
    voidDate: wireDate(at),
    voidBusinessDate: businessDate(at),
    voidReason: null,
  }
  return { ...payment, paymentStatus: 'VOIDED', voidInfo }
}
export const refundOf = (transaction: string, at: number, { cents = 0, tip = 0 }): Refund => ({
  refundAmount: inDollars(cents),
  tipRefundAmount: inDollars(tip),
  refundDate: wireDate(at),
  refundBusinessDate: businessDate(at),
  refundTransaction: { guid: transaction, entityType: 'RefundTransaction' },
})
export const refunded = (payment: Payment, refund: Refund): Payment => ({
  ...payment,
  refund,
  refundStatus: refund.refundAmount >= payment.amount ? 'FULL' : 'PARTIAL',
})

export const paidCheck = (check: Check, at: number, payments: Payment[]): Check => ({
  ...check,
  paymentStatus: 'PAID',
  paidDate: wireDate(at),
  modifiedDate: wireDate(at),
  payments,
})
export const closedCheck = (check: Check, at: number): Check => ({
  ...check,
  paymentStatus: 'CLOSED',
  closedDate: wireDate(at),
  modifiedDate: wireDate(at),
})
/** Paid in cash, and closed at once. */
export const cashedCheck = (check: Check, at: number, guid: string, server: string | null = null): Check =>
  closedCheck(paidCheck(check, at, [paymentOf({ guid, at, cents: dueOf(check), server })]), at)
