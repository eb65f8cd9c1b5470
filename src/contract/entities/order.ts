import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { amount, currency, instant, oneOf, optional, ownId, referenceTo, text } from '../field.ts'

export const orderStates = ['OPEN', 'COMPLETED', 'CANCELED', 'PENDING'] as const
export type OrderState = (typeof orderStates)[number]

const lineItem = Type.Object({
  productExternalId: optional(referenceTo('product')),
  sku: optional(text('Source SKU')),
  name: optional(text('Display name; the product id can serve as a fallback label')),
  quantity: Type.Number({ description: 'Ordered quantity', exclusiveMinimum: 0, maximum: 1e9 }),
  unitPrice: optional(amount('Unit price')),
  lineTax: optional(amount('Line tax total')),
  lineDiscount: optional(amount('Line discount total')),
})
const fields = Type.Object({
  externalId: ownId('order'),
  orderNumber: optional(text('Human-readable order number, receipt or ticket label')),
  processedAt: optional(instant('Order creation or processing timestamp')),
  customerExternalId: optional(referenceTo('customer')),
  locationExternalId: optional(referenceTo('location')),
  currencyCode: optional(currency('Currency; matters for writes to some targets')),
  state: optional(oneOf(orderStates, 'Normalized order state')),
  note: optional(text('Internal or customer-visible note')),
  total: optional(amount('Order total')),
  taxTotal: optional(amount('Order tax total')),
  lineItems: Type.Array(lineItem, { description: 'Ordered lines, at least one', minItems: 1 }),
})
export type Order = Static<typeof fields>
export type LineItem = Static<typeof lineItem>

export const order = defineEntity<Order>({
  entityType: 'order',
  title: 'Order',
  verticals: ['restaurant', 'retail_pos'],
  writable: true,
  fields,
  only: { retail_pos: ['/lineItems/*/sku'] },
  references: {
    '/customerExternalId': 'customer',
    '/locationExternalId': 'location',
    '/lineItems/*/productExternalId': 'product',
  },
  money: ['/total', '/taxTotal', '/lineItems/*/unitPrice', '/lineItems/*/lineTax', '/lineItems/*/lineDiscount'],
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
