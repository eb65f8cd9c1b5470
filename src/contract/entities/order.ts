import { Type } from 'typebox'
import { defineEntity, type RecordOf } from '../define-entity.ts'
import { currency, entries, instant, money, oneOf, optional, referenceTo, text } from '../field.ts'

export const orderStates = ['OPEN', 'COMPLETED', 'CANCELED', 'PENDING'] as const
export type OrderState = (typeof orderStates)[number]

/** A line that stays in an update keeps the label and the price of what was sold. */
const lineItems = entries(
  {
    productExternalId: optional(referenceTo('product')),
    sku: optional(text('Source SKU'), { only: 'retail_pos', leftOut: 'keeps' }),
    name: optional(text('Display name; the product id can serve as a fallback label'), { leftOut: 'keeps' }),
    quantity: Type.Number({ description: 'Ordered quantity', exclusiveMinimum: 0, maximum: 1e9 }),
    unitPrice: optional(money('Unit price'), { leftOut: 'keeps' }),
    lineTax: optional(money('Line tax total'), { follows: true }),
    lineDiscount: optional(money('Line discount total'), { default: 0 }),
  },
  {
    description: 'Ordered lines, at least one',
    minItems: 1,
    entry: 'LineItem',
    sameBy: ['productExternalId', 'sku'],
    alike: ['name', 'quantity', 'unitPrice'],
  },
)

export const order = defineEntity('order', {
  names: { one: 'order', many: 'orders' },
  verticals: ['restaurant', 'retail_pos'],
  writable: true,
  personal: 'fields',
  identity: [['orderNumber', 'customerExternalId']],
  fields: {
    orderNumber: optional(text('Human-readable order number, receipt or ticket label')),
    processedAt: optional(instant('Order creation or processing timestamp'), { follows: true }),
    customerExternalId: optional(referenceTo('customer')),
    locationExternalId: optional(referenceTo('location')),
    currencyCode: optional(currency('Currency; matters for writes to some targets'), {
      leftOut: 'keeps',
      follows: true,
    }),
    state: optional(oneOf(orderStates, 'Normalized order state'), { leftOut: 'keeps', default: 'OPEN' }),
    note: optional(text('Internal or customer-visible note')),
    total: optional(money('Order total'), { follows: true }),
    taxTotal: optional(money('Order tax total'), { follows: true }),
    lineItems,
  },
  example: {
    externalId: 'SRC-ORDER-1',
    orderNumber: 'T-1042',
    processedAt: '2026-11-10T18:30:00.000Z',
    customerExternalId: 'SRC-CUSTOMER-1',
    locationExternalId: 'SRC-LOCATION-1',
    currencyCode: 'USD',
    state: 'OPEN',
    note: 'Window table',
    total: 9.5,
    taxTotal: 0.5,
    lineItems: [
      {
        productExternalId: 'SRC-PRODUCT-1',
        sku: 'COF-FW-01',
        name: 'Flat white',
        quantity: 2,
        unitPrice: 4.5,
        lineTax: 0.5,
        lineDiscount: 0,
      },
      {
        productExternalId: 'SRC-PRODUCT-1',
        sku: 'COF-FW-01',
        name: 'Flat white',
        quantity: 1,
        unitPrice: 4.5,
        lineTax: 0,
        lineDiscount: 4.5,
      },
    ],
  },
})
export type Order = RecordOf<typeof order>
export type LineItem = Order['lineItems'][number]
