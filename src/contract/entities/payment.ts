import { defineEntity, type RecordOf } from '../define-entity.ts'
import { currency, day, instant, money, oneOf, optional, referenceTo, text } from '../field.ts'
import { methodTypes } from '../money-words.ts'

export const paymentStates = ['PENDING', 'AUTHORIZED', 'COMPLETED', 'CANCELED', 'FAILED'] as const
export type PaymentState = (typeof paymentStates)[number]

/** A POST records money that moved elsewhere. It never charges a card. */
export const payment = defineEntity('payment', {
  names: { one: 'payment', many: 'payments' },
  verticals: ['restaurant', 'retail_pos'],
  writable: true,
  createOnly: true,
  personal: 'fields',
  onRequest: true,
  identity: [['reference'], ['orderExternalId', 'amount', 'processedAt']],
  fields: {
    amount: money('Paid without the tip, with taxes and surcharge; positive'),
    currencyCode: optional(currency('Currency of the amounts'), { leftOut: 'keeps', follows: true }),
    tip: optional(money('Tip on this payment'), { default: 0 }),
    surcharge: optional(money('Surcharge within `amount`'), { default: 0 }),
    fee: optional(money('Processing fee, which may be known later'), { computed: true }),
    cashTendered: optional(money('Cash that was handed over')),
    changeGiven: optional(money('Cash that was given back'), { default: 0 }),
    refundedAmount: optional(money('Refunded so far'), { computed: true }),
    orderExternalId: optional(referenceTo('order')),
    locationExternalId: optional(referenceTo('location')),
    employeeExternalId: optional(referenceTo('employee'), { only: 'restaurant' }),
    customerExternalId: optional(referenceTo('customer')),
    paymentMethodExternalId: optional(referenceTo('payment_method')),
    methodType: optional(oneOf(methodTypes, 'Kind of money'), { leftOut: 'keeps' }),
    methodName: optional(text("The platform's name of the method")),
    state: optional(oneOf(paymentStates, 'Whether the money moved'), { leftOut: 'keeps', default: 'COMPLETED' }),
    processedAt: optional(instant('When the money moved'), { follows: true }),
    businessDate: optional(day('Business day that it counts for'), { computed: true }),
    cardBrand: optional(text('Brand of the card')),
    cardLast4: optional(text('Last four digits of the card'), { personal: true }),
    reference: optional(text('Reference of the payment outside of the platform')),
    note: optional(text('Note')),
  },
  example: {
    externalId: 'SRC-PAYMENT-1',
    amount: 11,
    currencyCode: 'USD',
    tip: 2,
    surcharge: 0,
    fee: 0.59,
    cashTendered: 20,
    changeGiven: 7,
    refundedAmount: 0,
    orderExternalId: 'SRC-ORDER-1',
    locationExternalId: 'SRC-LOCATION-1',
    employeeExternalId: 'EMP-1',
    customerExternalId: 'SRC-CUSTOMER-1',
    paymentMethodExternalId: 'METHOD-1',
    methodType: 'OTHER',
    methodName: 'Delivery app',
    state: 'COMPLETED',
    processedAt: '2026-11-10T18:45:00.000Z',
    businessDate: '2026-11-10',
    cardBrand: 'VISA',
    cardLast4: '1111',
    reference: 'DELIVERY-7781',
    note: 'Paid in the app',
  },
})
export type Payment = RecordOf<typeof payment>
