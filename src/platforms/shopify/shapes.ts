// What Shopify's responses must have, by operation. A record that does not exist is null, so such a query also asks for
// something that is never null.
import type { Shape, ShapeMembers } from '../../contract/connector.ts'

const connection = (at: `/${string}`) =>
  ({ [`${at}/nodes/*/id`]: 'id', [`${at}/pageInfo/hasNextPage`]: 'boolean' }) as const satisfies Shape
const changed = (mutation: string, record: string) => ({ [`/data/${mutation}/${record}/id`]: 'id' }) as const
/** The name of the root type, which every operation can ask for. */
const executed = { '/data/__typename': 'string' } as const satisfies Shape
const shop = { '/data/shop/currencyCode': 'string' } as const satisfies Shape

const zone = { '/data/shop/ianaTimezone': 'string' } as const satisfies Shape
/** The lists of an order, which are all there or not at all. `?`: the order may not exist. */
const partsOf = (at: `/${string}`, missing: '' | '?' = '') =>
  Object.fromEntries(
    ['lineItems', 'shippingLines', 'discountApplications'].flatMap((name) => [
      [`${at}/${name}/nodes`, `array${missing}`],
      [`${at}/${name}/pageInfo/hasNextPage`, `boolean${missing}`],
    ]),
  ) as ShapeMembers
const orders: Shape = {
  ...zone,
  ...connection('/data/orders'),
  ...partsOf('/data/orders/nodes/*'),
}
const furtherOf = (name: string): ShapeMembers => ({
  ...executed,
  [`/data/order/${name}/nodes`]: 'array?',
  [`/data/order/${name}/pageInfo/hasNextPage`]: 'boolean?',
})

const transactionsOf = (at: `/${string}`, missing: '' | '?' = '') =>
  ({ [`${at}/transactions`]: `array${missing}`, [`${at}/transactions/*/id`]: `id${missing}` }) as ShapeMembers
const refundsOf = (at: `/${string}`, missing: '' | '?' = '') =>
  ({
    [`${at}/refunds`]: `array${missing}`,
    [`${at}/refunds/*/id`]: `id${missing}`,
    [`${at}/refunds/*/transactions/nodes`]: `array${missing}`,
    [`${at}/refunds/*/refundLineItems/nodes`]: `array${missing}`,
    [`${at}/refunds/*/refundLineItems/pageInfo/hasNextPage`]: `boolean${missing}`,
  }) as ShapeMembers

const productsWithVariants = {
  ...shop,
  ...connection('/data/products'),
  '/data/products/nodes/*/variants/nodes/*/id': 'id',
  '/data/products/nodes/*/variants/pageInfo/hasNextPage': 'boolean',
} as const satisfies Shape

const byOperation: Readonly<Record<string, Shape>> = {
  Home: { ...shop, '/data/location/id': 'id?' },
  Locations: { ...shop, ...connection('/data/locations') },
  Location: { ...shop, '/data/location/id': 'id?' },
  AccessScopes: { '/data/currentAppInstallation/accessScopes/*/handle': 'id' },

  Variants: {
    ...shop,
    ...connection('/data/productVariants'),
    '/data/productVariants/nodes/*/product/id': 'id',
    '/data/productVariants/nodes/*/inventoryItem/id': 'id',
  },
  ChangedProducts: productsWithVariants,
  ProductSearch: productsWithVariants,
  Product: {
    ...shop,
    '/data/product/id': 'id?',
    '/data/product/variants/nodes/*/id': 'id?',
    '/data/product/variants/pageInfo/hasNextPage': 'boolean?',
  },
  VariantsOfProduct: {
    ...executed,
    '/data/product/variants/nodes/*/id': 'id?',
    '/data/product/variants/pageInfo/hasNextPage': 'boolean?',
  },
  Variant: { ...shop, '/data/productVariant/id': 'id?', '/data/productVariant/product/id': 'id?' },
  ProductByHandle: {
    ...shop,
    '/data/productByIdentifier/id': 'id?',
    '/data/productByIdentifier/variants/nodes/0/id': 'id?',
  },
  ProductSet: { ...changed('productSet', 'product'), '/data/productSet/product/variants/nodes/0/id': 'id' },
  // One of the two, or both.
  ProductUpdate: {
    ...executed,
    '/data/productUpdate/product/id': 'id?',
    '/data/productVariantsBulkUpdate/productVariants/0/id': 'id?',
  },

  StockAt: { ...executed, '/data/inventoryItem/inventoryLevel/quantities/0/quantity': 'number?' },
  StockSet: { '/data/inventorySetQuantities/userErrors': 'array' },
  StockActivate: { '/data/inventoryActivate/userErrors': 'array' },

  Customers: connection('/data/customers'),
  CustomerSearch: connection('/data/customers'),
  Customer: { ...executed, '/data/customer/id': 'id?' },
  NewestCustomers: { ...connection('/data/customers'), '/data/customers/nodes/*/createdAt': 'string' },
  CustomerCreate: changed('customerCreate', 'customer'),
  CustomerUpdate: changed('customerUpdate', 'customer'),
  CustomerDelete: { '/data/customerDelete/deletedCustomerId': 'id' },
  AddressCreate: changed('customerAddressCreate', 'address'),
  AddressUpdate: changed('customerAddressUpdate', 'address'),
  AddressDelete: { '/data/customerAddressDelete/deletedAddressId': 'id' },

  Orders: orders,
  OrderSearch: orders,
  Order: { ...executed, ...zone, '/data/order/id': 'id?', ...partsOf('/data/order', '?') },
  OrderLines: furtherOf('lineItems'),
  OrderShipping: furtherOf('shippingLines'),
  OrderDiscounts: furtherOf('discountApplications'),
  OrderSales: {
    ...furtherOf('agreements'),
    '/data/order/agreements/nodes/*/sales/nodes': 'array?',
    '/data/order/agreements/nodes/*/sales/pageInfo/hasNextPage': 'boolean?',
  },
  Payments: { ...zone, ...connection('/data/orders'), ...transactionsOf('/data/orders/nodes/*') },
  Payment: { ...executed, ...zone, '/data/node/id': 'id?', ...transactionsOf('/data/node/order', '?') },
  OrderPayments: { ...executed, ...zone, '/data/order/id': 'id?', ...transactionsOf('/data/order', '?') },
  ManualPayment: {
    ...changed('orderCreateManualPayment', 'order'),
    ...transactionsOf('/data/orderCreateManualPayment/order'),
  },
  Refunds: { ...zone, ...connection('/data/orders'), ...refundsOf('/data/orders/nodes/*') },
  OrderRefunds: { ...executed, ...zone, '/data/order/id': 'id?', ...refundsOf('/data/order', '?') },
  Refund: {
    ...executed,
    ...zone,
    '/data/refund/id': 'id?',
    '/data/refund/order/id': 'id?',
    '/data/refund/transactions/nodes': 'array?',
    '/data/refund/refundLineItems/nodes': 'array?',
    '/data/refund/refundLineItems/pageInfo/hasNextPage': 'boolean?',
  },
  RefundLines: {
    ...executed,
    '/data/refund/refundLineItems/nodes': 'array?',
    '/data/refund/refundLineItems/pageInfo/hasNextPage': 'boolean?',
  },
  NewestOrders: { ...connection('/data/orders'), '/data/orders/nodes/*/createdAt': 'string' },
  OrderCreate: changed('orderCreate', 'order'),
  OrderDelete: { '/data/orderDelete/deletedId': 'id' },
  OrderUpdate: changed('orderUpdate', 'order'),
  OrderCustomerSet: changed('orderCustomerSet', 'order'),
  OrderCustomerRemove: changed('orderCustomerRemove', 'order'),
  OrderMarkAsPaid: changed('orderMarkAsPaid', 'order'),
  OrderClose: changed('orderClose', 'order'),
  OrderOpen: changed('orderOpen', 'order'),
  OrderCancel: { '/data/orderCancel/orderCancelUserErrors': 'array', '/data/orderCancel/job/id': 'id?' },
  WebhookSubscriptions: {
    ...connection('/data/webhookSubscriptions'),
    '/data/webhookSubscriptions/nodes/*/topic': 'string',
  },
  WebhookCreate: changed('webhookSubscriptionCreate', 'webhookSubscription'),
  WebhookDelete: { '/data/webhookSubscriptionDelete/deletedWebhookSubscriptionId': 'id' },
  Job: { ...executed, '/data/job/done': 'boolean?' },
}

export const shapes: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(byOperation).map(([name, shape]) => [`POST /admin/api/2026-07/graphql.json#${name}`, shape]),
)
