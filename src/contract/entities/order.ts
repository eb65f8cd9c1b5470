import { type TProperties, Type } from 'typebox'
import { address } from '../address.ts'
import { defineEntity, type RecordOf } from '../define-entity.ts'
import {
  currency,
  day,
  entries,
  flag,
  identifier,
  instant,
  integer,
  money,
  number,
  oneOf,
  optional,
  parts,
  referenceTo,
  text,
} from '../field.ts'
import { orderFlaw } from '../order-sum.ts'

export const orderStates = ['OPEN', 'COMPLETED', 'CANCELED', 'PENDING'] as const
export type OrderState = (typeof orderStates)[number]
export const serviceChargeKinds = ['SERVICE', 'GRATUITY', 'DELIVERY', 'SURCHARGE', 'OTHER'] as const
export type ServiceChargeKind = (typeof serviceChargeKinds)[number]
export const fulfillmentTypes = ['DINE_IN', 'TAKEOUT', 'CURBSIDE', 'DELIVERY', 'SHIPPING', 'IN_STORE'] as const
export type FulfillmentType = (typeof fulfillmentTypes)[number]
export const fulfillmentStates = ['NEW', 'IN_PROGRESS', 'READY', 'FULFILLED', 'CANCELED'] as const
export type FulfillmentState = (typeof fulfillmentStates)[number]

const stays = { leftOut: 'stays' } as const
const computed = { computed: true } as const

const modifier = {
  modifierExternalId: optional(identifier("The platform's id of the modifier")),
  modifierGroupExternalId: optional(identifier("The platform's id of its group")),
  name: optional(text('Display name')),
  quantity: optional(number('How often it is on one unit of the line')),
  price: optional(money('Price of one')),
}
const modifiers = <P extends TProperties>(properties: P, entry: string) =>
  parts(properties, 'Modifiers; their prices are part of `unitPrice`', entry)
/** `base`: of the goods that it is on. */
const taxes = (entry: string) =>
  parts(
    {
      taxRateExternalId: optional(identifier("The platform's id of the tax rate")),
      name: optional(text('Display name')),
      rate: optional(number('Percent: 8.875 is 8.875 %')),
      amount: optional(money('Amount of the tax')),
      base: optional(money('Amount that the tax is on')),
      included: optional(flag('Whether prices contain it')),
      remittedByMarketplace: optional(flag('Whether a marketplace pays it to the authority')),
    },
    'Each tax by itself',
    entry,
  )

/** A line that stays in an update keeps the label and the price of what was sold. */
const lineItems = entries(
  {
    externalId: optional(identifier("The platform's id of the line; ignored in a POST"), computed),
    productExternalId: optional(referenceTo('product')),
    sku: optional(text('Source SKU'), { only: 'retail_pos', leftOut: 'keeps' }),
    name: optional(text('Display name; the product id can serve as a fallback label'), { leftOut: 'keeps' }),
    kind: optional(
      oneOf(['ITEM', 'GIFT_CARD'], 'A gift card that is sold is a liability, not a sale; ITEM by default'),
      stays,
    ),
    quantity: Type.Number({ description: 'Ordered quantity', exclusiveMinimum: 0, maximum: 1e9 }),
    unitPrice: optional(
      money('Price of one unit with its modifiers, before discounts; `taxIncluded` says whether with taxes'),
      { leftOut: 'keeps' },
    ),
    lineTax: optional(money('Line tax total'), { follows: true }),
    lineDiscount: optional(money('All that is taken off the line, its share of discounts on the order included'), {
      default: 0,
    }),
    lineTotal: optional(money('Quantity times price, less `lineDiscount`'), computed),
    modifiers: optional(
      modifiers({ ...modifier, modifiers: optional(modifiers(modifier, 'NestedModifier')) }, 'Modifier'),
      stays,
    ),
    taxes: optional(taxes('LineTax'), stays),
    note: optional(text('Note to the kitchen'), stays),
    categoryExternalId: optional(referenceTo('category'), stays),
  },
  {
    description: 'Ordered lines, at least one',
    minItems: 1,
    entry: 'LineItem',
    sameBy: ['productExternalId', 'sku'],
    alike: ['name', 'quantity', 'unitPrice'],
  },
)

const fulfillment = Type.Object(
  {
    type: optional(oneOf(fulfillmentTypes, 'How the guest gets the order')),
    state: optional(oneOf(fulfillmentStates, 'State of the preparation')),
    dueAt: optional(instant('When it must be ready')),
    table: optional(text('Table')),
    name: optional(text('Who gets it'), { personal: true }),
    phone: optional(text('Phone number'), { personal: true }),
    address: optional(address, { personal: true }),
    instructions: optional(text('Instructions for the delivery or the kitchen'), { personal: true }),
  },
  { description: 'How the guest gets the order' },
)

export const order = defineEntity('order', {
  names: { one: 'order', many: 'orders' },
  verticals: ['restaurant', 'retail_pos'],
  writable: true,
  personal: 'fields',
  identity: [['orderNumber', 'customerExternalId']],
  flaw: orderFlaw,
  fields: {
    orderNumber: optional(text('Human-readable order number, receipt or ticket label')),
    processedAt: optional(instant('When the sale took place: paid, else opened'), { follows: true }),
    closedAt: optional(instant('When the order was closed for good'), stays),
    businessDate: optional(day("The location's business day"), stays),
    customerExternalId: optional(referenceTo('customer')),
    locationExternalId: optional(referenceTo('location')),
    employeeExternalId: optional(referenceTo('employee'), { only: 'restaurant', ...stays }),
    channel: optional(text('Where the order comes from, such as POS, ONLINE, DELIVERY or a marketplace'), stays),
    guestCount: optional(integer('Guests'), { only: 'restaurant', ...stays }),
    fulfillment: optional(fulfillment, stays),
    currencyCode: optional(currency('Currency; matters for writes to some targets'), {
      leftOut: 'keeps',
      follows: true,
    }),
    state: optional(oneOf(orderStates, 'Normalized order state'), { leftOut: 'keeps', default: 'OPEN' }),
    note: optional(text('Internal or customer-visible note')),
    taxIncluded: optional(
      flag('Whether prices, line totals and charges contain the taxes. Absent if only some do: see `taxes`'),
      stays,
    ),
    subtotal: optional(money('Sum of the line totals'), computed),
    discountTotal: optional(money('All discounts, which are inside the lines'), computed),
    serviceChargeTotal: optional(money('Service charges and automatic gratuity, without tips'), stays),
    shippingTotal: optional(money('Shipping, handling, delivery and wrapping'), { only: 'retail_pos', ...stays }),
    tipTotal: optional(money('Tips'), stays),
    tipIncluded: optional(flag('Whether `total` contains the tips'), computed),
    roundingTotal: optional(money('Cash rounding, signed'), stays),
    refundTotal: optional(money('Refunded so far, with tax; never taken off `total`'), computed),
    total: optional(money('What the order cost, before refunds'), { follows: true }),
    taxTotal: optional(money('Order tax total'), { follows: true }),
    serviceCharges: optional(
      parts(
        {
          name: optional(text('Display name')),
          kind: optional(oneOf(serviceChargeKinds, 'Kind of the charge')),
          amount: optional(money('Amount of the charge')),
          taxAmount: optional(money('Tax on the charge')),
        },
        'Each service charge by itself',
        'ServiceCharge',
      ),
      stays,
    ),
    discounts: optional(
      parts(
        {
          name: optional(text('Display name')),
          scope: optional(oneOf(['ORDER', 'LINE'], 'Whether it is on the whole order')),
          amount: optional(money('Amount that is taken off')),
          percent: optional(number('Percent, where it is one')),
        },
        'Each discount by itself; the lines contain them',
        'Discount',
      ),
      stays,
    ),
    taxes: optional(taxes('Tax'), stays),
    lineItems,
  },
  example: {
    externalId: 'SRC-ORDER-1',
    orderNumber: 'T-1042',
    processedAt: '2026-11-10T18:30:00.000Z',
    closedAt: '2026-11-10T19:05:00.000Z',
    businessDate: '2026-11-10',
    customerExternalId: 'SRC-CUSTOMER-1',
    locationExternalId: 'SRC-LOCATION-1',
    employeeExternalId: 'EMP-1',
    channel: 'ONLINE',
    guestCount: 2,
    fulfillment: {
      type: 'DELIVERY',
      state: 'NEW',
      dueAt: '2026-11-10T19:00:00.000Z',
      table: '12',
      name: 'Ada Lovelace',
      phone: '+14155550100',
      address: {
        line1: '1 Market Street',
        line2: 'Floor 2',
        city: 'San Francisco',
        state: 'CA',
        postalCode: '94105',
        country: 'US',
      },
      instructions: 'Ring twice',
    },
    currencyCode: 'USD',
    state: 'OPEN',
    note: 'Window table',
    taxIncluded: false,
    subtotal: 9,
    discountTotal: 4.5,
    serviceChargeTotal: 1.5,
    shippingTotal: 0,
    tipTotal: 2,
    tipIncluded: false,
    roundingTotal: 0,
    refundTotal: 0,
    total: 11,
    taxTotal: 0.5,
    serviceCharges: [{ name: 'Delivery', kind: 'DELIVERY', amount: 1.5, taxAmount: 0 }],
    discounts: [{ name: 'Second one free', scope: 'LINE', amount: 4.5, percent: 100 }],
    taxes: [
      {
        taxRateExternalId: 'TAX-1',
        name: 'Sales tax',
        rate: 5.556,
        amount: 0.5,
        base: 9,
        included: false,
        remittedByMarketplace: false,
      },
    ],
    lineItems: [
      {
        externalId: 'LINE-1',
        productExternalId: 'SRC-PRODUCT-1',
        sku: 'COF-FW-01',
        name: 'Flat white',
        kind: 'ITEM',
        quantity: 2,
        unitPrice: 4.5,
        lineTax: 0.5,
        lineDiscount: 0,
        lineTotal: 9,
        modifiers: [
          {
            modifierExternalId: 'MOD-1',
            modifierGroupExternalId: 'MOD-GROUP-1',
            name: 'Oat milk',
            quantity: 1,
            price: 0.5,
            modifiers: [
              {
                modifierExternalId: 'MOD-2',
                modifierGroupExternalId: 'MOD-GROUP-2',
                name: 'Extra hot',
                quantity: 1,
                price: 0,
              },
            ],
          },
        ],
        taxes: [
          {
            taxRateExternalId: 'TAX-1',
            name: 'Sales tax',
            rate: 5.556,
            amount: 0.5,
            base: 9,
            included: false,
            remittedByMarketplace: false,
          },
        ],
        note: 'No foam',
        categoryExternalId: 'SRC-CATEGORY-1',
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
export type Modifier = NonNullable<LineItem['modifiers']>[number]
export type Tax = NonNullable<Order['taxes']>[number]
export type ServiceCharge = NonNullable<Order['serviceCharges']>[number]
export type Discount = NonNullable<Order['discounts']>[number]
export type Fulfillment = NonNullable<Order['fulfillment']>
