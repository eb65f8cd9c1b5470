// Every document that this connector sends: shopify.vendor.test.ts validates each one against the official schema.
const productFields = `fragment ProductFields on Product {
  id title descriptionHtml vendor productType tags status updatedAt hasOnlyDefaultVariant
  category { id name }
  featuredMedia { preview { image { url } } }
}`
const variantFields = `fragment VariantFields on ProductVariant {
  id title sku barcode price taxable inventoryQuantity updatedAt
  inventoryItem { id tracked unitCost { amount } }
}`
const customerFields = `fragment CustomerFields on Customer {
  id displayName firstName lastName note tags updatedAt
  defaultEmailAddress { emailAddress }
  defaultPhoneNumber { phoneNumber }
  defaultAddress { id address1 address2 city province provinceCode zip countryCodeV2 company }
}`
const shopMoney = '{ shopMoney { amount } }'
const taxFields = `fragment TaxFields on TaxLine { title ratePercentage channelLiable priceSet ${shopMoney} }`
const lineFields = `fragment LineFields on LineItemConnection {
  nodes {
    id name sku quantity currentQuantity isGiftCard taxable requiresShipping
    variant { id }
    originalUnitPriceSet ${shopMoney}
    originalTotalSet ${shopMoney}
    discountAllocations { allocatedAmountSet ${shopMoney} discountApplication { index } }
    taxLines { ...TaxFields }
  }
  pageInfo { hasNextPage endCursor }
}`
const shippingFields = `fragment ShippingFields on ShippingLineConnection {
  nodes { discountedPriceSet ${shopMoney} taxLines { ...TaxFields } }
  pageInfo { hasNextPage endCursor }
}`
const discountFields = `fragment DiscountFields on DiscountApplicationConnection {
  nodes {
    index targetSelection targetType
    value { ... on PricingPercentageValue { percentage } }
    ... on AutomaticDiscountApplication { title }
    ... on DiscountCodeApplication { code }
    ... on ManualDiscountApplication { title }
  }
  pageInfo { hasNextPage endCursor }
}`
const orderFields = `fragment OrderFields on Order {
  id name processedAt updatedAt cancelledAt closed closedAt test edited note currencyCode sourceName
  displayFinancialStatus displayFulfillmentStatus taxesIncluded dutiesIncluded
  app { name }
  customer { id }
  retailLocation { id }
  totalPriceSet ${shopMoney}
  totalTaxSet ${shopMoney}
  totalTipReceivedSet ${shopMoney}
  totalRefundedSet ${shopMoney}
  originalTotalDutiesSet ${shopMoney}
  totalCashRoundingAdjustment { paymentSet ${shopMoney} }
  additionalFees { name price ${shopMoney} taxLines { ...TaxFields } }
  discountApplications(first: 10) { ...DiscountFields }
  shippingLines(first: 10) { ...ShippingFields }
  lineItems(first: 50) { ...LineFields }
}
${discountFields}
${shippingFields}
${lineFields}
${taxFields}`
const transactionFields = `fragment TransactionFields on OrderTransaction {
  id kind status gateway formattedGateway manualPaymentGateway createdAt processedAt paymentId
  amountSet ${shopMoney}
  fees { amount { amount } taxAmount { amount } }
  parentTransaction { id }
  location { id }
  paymentDetails { __typename ... on CardPaymentDetails { company number } }
}`
const paidOrderFields = `fragment PaidOrderFields on Order {
  id updatedAt test currencyCode
  customer { id }
  totalTipReceivedSet ${shopMoney}
  totalOutstandingSet ${shopMoney}
  transactions(first: 100) { ...TransactionFields }
}
${transactionFields}`
const refundLineFields = `fragment RefundLineFields on RefundLineItemConnection {
  nodes {
    quantity restocked
    subtotalSet ${shopMoney}
    totalTaxSet ${shopMoney}
    lineItem { id name variant { id } }
  }
  pageInfo { hasNextPage endCursor }
}`
const refundFields = `fragment RefundFields on Refund {
  id createdAt processedAt note
  refundLineItems(first: 25) { ...RefundLineFields }
  refundShippingLines(first: 25) { nodes { subtotalAmountSet ${shopMoney} taxAmountSet ${shopMoney} } }
  transactions(first: 25) { nodes { ...TransactionFields } }
}
${refundLineFields}
${transactionFields}`
const refundedOrderFields =
  'fragment RefundedOrderFields on Order { id updatedAt test currencyCode taxesIncluded customer { id } }'
const locationFields = `fragment LocationFields on Location {
  id name isActive updatedAt
  address { address1 address2 city province provinceCode zip countryCode }
}`
const page = 'pageInfo { hasNextPage endCursor }'
const pageVariables = '$first: Int!, $after: String'

export const operations = {
  home: 'query Home { shop { currencyCode } location { id } }',
  locations: `query Locations(${pageVariables}) {
  shop { currencyCode ianaTimezone }
  locations(first: $first, after: $after, sortKey: ID, includeInactive: true, includeLegacy: true) { nodes { ...LocationFields } ${page} }
}
${locationFields}`,
  location: `query Location($id: ID!) { shop { currencyCode ianaTimezone } location(id: $id) { ...LocationFields } }
${locationFields}`,
  accessScopes: 'query AccessScopes { currentAppInstallation { accessScopes { handle } } }',

  variants: `query Variants(${pageVariables}) {
  shop { currencyCode }
  productVariants(first: $first, after: $after, sortKey: ID) { nodes { ...VariantFields product { ...ProductFields } } ${page} }
}
${variantFields}
${productFields}`,
  changedProducts: `query ChangedProducts(${pageVariables}, $query: String!) {
  shop { currencyCode }
  products(first: $first, after: $after, query: $query, sortKey: ID) {
    nodes { ...ProductFields variants(first: 100) { nodes { ...VariantFields } ${page} } }
    ${page}
  }
}
${variantFields}
${productFields}`,
  productSearch: `query ProductSearch(${pageVariables}, $query: String!) {
  shop { currencyCode }
  products(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: true) {
    nodes { ...ProductFields variants(first: 100) { nodes { ...VariantFields } ${page} } }
    ${page}
  }
}
${variantFields}
${productFields}`,
  product: `query Product($id: ID!) {
  shop { currencyCode }
  product(id: $id) { ...ProductFields variants(first: 100) { nodes { ...VariantFields } ${page} } }
}
${variantFields}
${productFields}`,
  variantsOfProduct: `query VariantsOfProduct($id: ID!, $after: String) {
  __typename
  product(id: $id) { variants(first: 250, after: $after) { nodes { ...VariantFields } ${page} } }
}
${variantFields}`,
  variant: `query Variant($id: ID!) {
  shop { currencyCode }
  productVariant(id: $id) { ...VariantFields product { ...ProductFields } }
}
${variantFields}
${productFields}`,
  productByHandle: `query ProductByHandle($handle: String!) {
  shop { currencyCode }
  productByIdentifier(identifier: { handle: $handle }) { ...ProductFields variants(first: 1) { nodes { ...VariantFields } } }
}
${variantFields}
${productFields}`,
  productSet: `mutation ProductSet($handle: String!, $input: ProductSetInput!) {
  productSet(identifier: { handle: $handle }, input: $input, synchronous: true) {
    product { ...ProductFields variants(first: 1) { nodes { ...VariantFields } } }
    userErrors { code field message }
  }
}
${variantFields}
${productFields}`,
  // Mutations of one document run in order: two changes in one call.
  productUpdate: `mutation ProductUpdate($product: ProductUpdateInput!, $productId: ID!, $variants: [ProductVariantsBulkInput!]!, $withProduct: Boolean!, $withVariant: Boolean!) {
  __typename
  productUpdate(product: $product) @include(if: $withProduct) { product { ...ProductFields } userErrors { field message } }
  productVariantsBulkUpdate(productId: $productId, variants: $variants) @include(if: $withVariant) {
    productVariants { ...VariantFields product { ...ProductFields } }
    userErrors { code field message }
  }
}
${variantFields}
${productFields}`,

  stockAt: `query StockAt($item: ID!, $location: ID!) {
  __typename
  inventoryItem(id: $item) { inventoryLevel(locationId: $location) { quantities(names: ["available"]) { quantity } } }
}`,
  stockSet: `mutation StockSet($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { code field message } }
}`,
  stockActivate: `mutation StockActivate($item: ID!, $location: ID!, $available: Int!, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location, available: $available) @idempotent(key: $key) { userErrors { field message } }
}`,

  customers: `query Customers(${pageVariables}, $query: String) {
  customers(first: $first, after: $after, query: $query, sortKey: ID) { nodes { ...CustomerFields } ${page} }
}
${customerFields}`,
  customerSearch: `query CustomerSearch(${pageVariables}, $query: String!) {
  customers(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: true) { nodes { ...CustomerFields } ${page} }
}
${customerFields}`,
  customer: `query Customer($id: ID!) { __typename customer(id: $id) { ...CustomerFields } }
${customerFields}`,
  newestCustomers: `query NewestCustomers($after: String) {
  customers(first: 50, after: $after, sortKey: ID, reverse: true) {
    nodes { id createdAt metafield(namespace: "unified_records", key: "reference") { value } }
    ${page}
  }
}`,
  customerCreate: `mutation CustomerCreate($input: CustomerInput!) {
  customerCreate(input: $input) { customer { ...CustomerFields } userErrors { field message } }
}
${customerFields}`,
  customerUpdate: `mutation CustomerUpdate($input: CustomerInput!) {
  customerUpdate(input: $input) { customer { ...CustomerFields } userErrors { field message } }
}
${customerFields}`,
  customerDelete:
    'mutation CustomerDelete($id: ID!) { customerDelete(input: { id: $id }) { deletedCustomerId userErrors { field message } } }',
  addressCreate: `mutation AddressCreate($customerId: ID!, $address: MailingAddressInput!) {
  customerAddressCreate(customerId: $customerId, address: $address, setAsDefault: true) { address { id } userErrors { field message } }
}`,
  addressUpdate: `mutation AddressUpdate($customerId: ID!, $addressId: ID!, $address: MailingAddressInput!) {
  customerAddressUpdate(customerId: $customerId, addressId: $addressId, address: $address) { address { id } userErrors { field message } }
}`,
  addressDelete: `mutation AddressDelete($customerId: ID!, $addressId: ID!) {
  customerAddressDelete(customerId: $customerId, addressId: $addressId) { deletedAddressId userErrors { field message } }
}`,

  orders: `query Orders(${pageVariables}, $query: String) {
  shop { ianaTimezone }
  orders(first: $first, after: $after, query: $query, sortKey: ID) { nodes { ...OrderFields } ${page} }
}
${orderFields}`,
  orderSearch: `query OrderSearch(${pageVariables}, $query: String!) {
  shop { ianaTimezone }
  orders(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: true) { nodes { ...OrderFields } ${page} }
}
${orderFields}`,
  order: `query Order($id: ID!) { __typename shop { ianaTimezone } order(id: $id) { ...OrderFields } }
${orderFields}`,
  orderLines: `query OrderLines($id: ID!, $after: String) { __typename order(id: $id) { lineItems(first: 250, after: $after) { ...LineFields } } }
${lineFields}
${taxFields}`,
  orderShipping: `query OrderShipping($id: ID!, $after: String) { __typename order(id: $id) { shippingLines(first: 250, after: $after) { ...ShippingFields } } }
${shippingFields}
${taxFields}`,
  orderDiscounts: `query OrderDiscounts($id: ID!, $after: String) { __typename order(id: $id) { discountApplications(first: 250, after: $after) { ...DiscountFields } } }
${discountFields}`,
  // One agreement after the other: each has pages of its own.
  orderSales: `query OrderSales($id: ID!, $after: String, $sales: String) {
  __typename
  order(id: $id) {
    agreements(first: 1, after: $after) {
      nodes {
        __typename
        sales(first: 100, after: $sales) {
          nodes {
            __typename actionType quantity
            totalAmount ${shopMoney}
            totalTaxAmount ${shopMoney}
            taxes { amount ${shopMoney} taxLine { title ratePercentage } }
            ... on ProductSale { lineItem { id } }
            ... on GiftCardSale { lineItem { id } }
            ... on TipSale { lineItem { id } }
          }
          ${page}
        }
      }
      ${page}
    }
  }
}`,
  payments: `query Payments(${pageVariables}, $query: String) {
  shop { ianaTimezone }
  orders(first: $first, after: $after, query: $query, sortKey: ID) { nodes { ...PaidOrderFields } ${page} }
}
${paidOrderFields}`,
  payment: `query Payment($id: ID!) {
  __typename
  shop { ianaTimezone }
  node(id: $id) { ... on OrderTransaction { id order { ...PaidOrderFields } } }
}
${paidOrderFields}`,
  orderPayments: `query OrderPayments($id: ID!) { __typename shop { ianaTimezone } order(id: $id) { ...PaidOrderFields } }
${paidOrderFields}`,
  manualPayment: `mutation ManualPayment($id: ID!, $amount: MoneyInput, $method: String, $processedAt: DateTime) {
  orderCreateManualPayment(id: $id, amount: $amount, paymentMethodName: $method, processedAt: $processedAt) {
    order { id transactions(first: 100) { id kind gateway processedAt amountSet ${shopMoney} } }
    userErrors { code field message }
  }
}`,
  refunds: `query Refunds(${pageVariables}, $query: String) {
  shop { ianaTimezone }
  orders(first: $first, after: $after, query: $query, sortKey: ID) {
    nodes { ...RefundedOrderFields refunds(first: 50) { ...RefundFields } }
    ${page}
  }
}
${refundedOrderFields}
${refundFields}`,
  orderRefunds: `query OrderRefunds($id: ID!) {
  __typename
  shop { ianaTimezone }
  order(id: $id) { ...RefundedOrderFields refunds(first: 50) { ...RefundFields } }
}
${refundedOrderFields}
${refundFields}`,
  refund: `query Refund($id: ID!) {
  __typename
  shop { ianaTimezone }
  refund(id: $id) { ...RefundFields order { ...RefundedOrderFields } }
}
${refundedOrderFields}
${refundFields}`,
  refundLines: `query RefundLines($id: ID!, $after: String) { __typename refund(id: $id) { refundLineItems(first: 250, after: $after) { ...RefundLineFields } } }
${refundLineFields}`,
  newestOrders: `query NewestOrders($after: String) {
  orders(first: 50, after: $after, sortKey: ID, reverse: true) { nodes { id createdAt sourceIdentifier } ${page} }
}`,
  orderCreate: `mutation OrderCreate($order: OrderCreateOrderInput!) {
  orderCreate(order: $order, options: { inventoryBehaviour: BYPASS, sendReceipt: false, sendFulfillmentReceipt: false }) {
    order { id }
    userErrors { code field message }
  }
}`,
  orderDelete:
    'mutation OrderDelete($id: ID!) { orderDelete(orderId: $id) { deletedId userErrors { code field message } } }',
  orderUpdate:
    'mutation OrderUpdate($input: OrderInput!) { orderUpdate(input: $input) { order { id } userErrors { field message } } }',
  orderCustomerSet: `mutation OrderCustomerSet($id: ID!, $customer: ID!) {
  orderCustomerSet(orderId: $id, customerId: $customer) { order { id } userErrors { code field message } }
}`,
  orderCustomerRemove:
    'mutation OrderCustomerRemove($id: ID!) { orderCustomerRemove(orderId: $id) { order { id } userErrors { code field message } } }',
  orderMarkAsPaid:
    'mutation OrderMarkAsPaid($id: ID!) { orderMarkAsPaid(input: { id: $id }) { order { id } userErrors { field message } } }',
  orderClose:
    'mutation OrderClose($id: ID!) { orderClose(input: { id: $id }) { order { id } userErrors { field message } } }',
  orderOpen:
    'mutation OrderOpen($id: ID!) { orderOpen(input: { id: $id }) { order { id } userErrors { field message } } }',
  orderCancel: `mutation OrderCancel($id: ID!) {
  orderCancel(orderId: $id, reason: OTHER, restock: false, notifyCustomer: false) { job { id done } orderCancelUserErrors { code field message } }
}`,
  webhookSubscriptions: `query WebhookSubscriptions($url: String!) {
  webhookSubscriptions(first: 100, uri: $url) { nodes { id topic } ${page} }
}`,
  webhookCreate: `mutation WebhookCreate($topic: WebhookSubscriptionTopic!, $url: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $url, format: JSON, includeFields: ["id"] }) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`,
  webhookDelete: `mutation WebhookDelete($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
}`,
  job: 'query Job($id: ID!) { __typename job(id: $id) { done } }',
} as const
export type Operation = keyof typeof operations
