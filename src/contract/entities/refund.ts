import { Type } from 'typebox'
import { defineEntity, type RecordOf } from '../define-entity.ts'
import { currency, day, flag, identifier, instant, money, oneOf, optional, parts, referenceTo, text } from '../field.ts'
import { methodTypes } from '../money-words.ts'

const refundKinds = ['REFUND', 'RETURN', 'VOID'] as const
export const refundStates = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type RefundState = (typeof refundStates)[number]

export const refund = defineEntity('refund', {
  names: { one: 'refund', many: 'refunds' },
  verticals: ['restaurant', 'retail_pos'],
  writable: false,
  personal: 'fields',
  onRequest: true,
  identity: [['orderExternalId', 'amount', 'processedAt']],
  fields: {
    amount: money('Paid back with taxes, without the tip; positive'),
    taxAmount: optional(money('Taxes in `amount`')),
    tip: optional(money('Tip that was paid back')),
    currencyCode: optional(currency('Currency of the amounts')),
    orderExternalId: optional(referenceTo('order', 'Order that was refunded')),
    paymentExternalId: optional(referenceTo('payment', 'Payment that was refunded')),
    locationExternalId: optional(referenceTo('location', 'Location')),
    customerExternalId: optional(referenceTo('customer', 'Customer')),
    employeeExternalId: optional(referenceTo('employee', 'Employee who refunded it'), { only: 'restaurant' }),
    kind: optional(oneOf(refundKinds, 'Money only, goods that came back, or a void after the day was closed')),
    reason: optional(text('Reason')),
    note: optional(text('Note')),
    state: optional(oneOf(refundStates, 'Whether the money moved')),
    processedAt: optional(instant('When the refund took place')),
    businessDate: optional(day('Business day of the refund itself')),
    methodType: optional(oneOf(methodTypes, 'Kind of money')),
    paymentMethodExternalId: optional(referenceTo('payment_method', 'Payment method')),
    lineItems: optional(
      parts(
        {
          orderLineExternalId: optional(identifier("The platform's id of the line of the order")),
          productExternalId: optional(referenceTo('product', 'Product')),
          name: optional(text('Display name')),
          quantity: Type.Number({ description: 'Units that came back', exclusiveMinimum: 0, maximum: 1e9 }),
          amount: optional(money('Paid back for them')),
          tax: optional(money('Taxes in `amount`')),
          restocked: optional(flag('Whether they went back to stock')),
        },
        'Lines of the order that were refunded',
        'LineItem',
      ),
    ),
  },
  example: {
    externalId: 'REFUND-1',
    amount: 4.75,
    taxAmount: 0.25,
    tip: 0,
    currencyCode: 'USD',
    orderExternalId: 'ORDER-1',
    paymentExternalId: 'PAYMENT-1',
    locationExternalId: 'LOCATION-1',
    customerExternalId: 'CUSTOMER-1',
    employeeExternalId: 'EMP-1',
    kind: 'RETURN',
    reason: 'Cold',
    note: 'Apologized',
    state: 'COMPLETED',
    processedAt: '2026-11-11T09:15:00.000Z',
    businessDate: '2026-11-11',
    methodType: 'CARD',
    paymentMethodExternalId: 'METHOD-1',
    lineItems: [
      {
        orderLineExternalId: 'LINE-1',
        productExternalId: 'PRODUCT-1',
        name: 'Flat white',
        quantity: 1,
        amount: 4.75,
        tax: 0.25,
        restocked: false,
      },
    ],
  },
})
export type Refund = RecordOf<typeof refund>
