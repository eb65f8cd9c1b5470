// The inputs that belong to schema.ts.
export const inputText = `
input ProductIdentifierInput @oneOf { handle: String id: ID }
input ProductSetIdentifiers @oneOf { handle: String id: ID }
input ProductSetInput {
  category: ID
  descriptionHtml: String
  handle: String
  productOptions: [OptionSetInput!]
  productType: String
  status: ProductStatus
  tags: [String!]
  title: String
  variants: [ProductVariantSetInput!]
  vendor: String
}
input OptionSetInput { name: String position: Int values: [OptionValueSetInput!] }
input OptionValueSetInput { name: String }
input ProductVariantSetInput {
  barcode: String
  id: ID
  inventoryItem: InventoryItemInput
  inventoryQuantities: [ProductSetInventoryInput!]
  optionValues: [VariantOptionValueInput!]!
  position: Int
  price: Money
  sku: String
  taxable: Boolean
}
input VariantOptionValueInput { name: String optionName: String }
input InventoryItemInput { cost: Decimal sku: String tracked: Boolean }
input ProductSetInventoryInput { locationId: ID! name: String! quantity: Int! }
input ProductUpdateInput {
  category: ID
  descriptionHtml: String
  handle: String
  id: ID
  productType: String
  status: ProductStatus
  tags: [String!]
  title: String
  vendor: String
}
input ProductVariantsBulkInput {
  barcode: String
  id: ID
  inventoryItem: InventoryItemInput
  inventoryQuantities: [InventoryLevelInput!]
  price: Money
  taxable: Boolean
}
input InventoryLevelInput { availableQuantity: Int! locationId: ID! }
input InventorySetQuantitiesInput { name: String! quantities: [InventoryQuantityInput!]! reason: String! referenceDocumentUri: String }
input InventoryQuantityInput { changeFromQuantity: Int inventoryItemId: ID! locationId: ID! quantity: Int! }

input MetafieldInput { key: String namespace: String type: String value: String }
input CustomerInput {
  email: String
  firstName: String
  id: ID
  lastName: String
  metafields: [MetafieldInput!]
  note: String
  phone: String
  tags: [String!]
}
input CustomerDeleteInput { id: ID! }
input MailingAddressInput {
  address1: String
  address2: String
  city: String
  company: String
  countryCode: CountryCode
  firstName: String
  lastName: String
  phone: String
  provinceCode: String
  zip: String
}

input MoneyInput { amount: Decimal! currencyCode: CurrencyCode! }
input MoneyBagInput { presentmentMoney: MoneyInput shopMoney: MoneyInput! }
input OrderCreateOptionsInput {
  inventoryBehaviour: OrderCreateInputsInventoryBehavior = BYPASS
  sendFulfillmentReceipt: Boolean = false
  sendReceipt: Boolean = false
}
input OrderCreateOrderInput {
  closedAt: DateTime
  currency: CurrencyCode
  customer: OrderCreateCustomerInput
  discountCode: OrderCreateDiscountCodeInput
  financialStatus: OrderCreateFinancialStatus
  fulfillmentStatus: OrderCreateFulfillmentStatus
  lineItems: [OrderCreateLineItemInput!]
  name: String
  note: String
  processedAt: DateTime
  shippingLines: [OrderCreateShippingLineInput!]
  sourceIdentifier: String
  taxLines: [OrderCreateTaxLineInput!]
  taxesIncluded: Boolean = false
  transactions: [OrderCreateOrderTransactionInput!]
}
input OrderCreateCustomerInput @oneOf { toAssociate: OrderCreateAssociateCustomerAttributesInput }
input OrderCreateAssociateCustomerAttributesInput { email: String id: ID }
input OrderCreateDiscountCodeInput { itemFixedDiscountCode: OrderCreateFixedDiscountCodeAttributesInput }
input OrderCreateFixedDiscountCodeAttributesInput { amountSet: MoneyBagInput code: String! }
input OrderCreateLineItemInput {
  priceSet: MoneyBagInput
  quantity: Int!
  requiresShipping: Boolean = false
  sku: String
  taxLines: [OrderCreateTaxLineInput!]
  taxable: Boolean = true
  title: String
  variantId: ID
  variantTitle: String
}
input OrderCreateShippingLineInput { code: String priceSet: MoneyBagInput! source: String taxLines: [OrderCreateTaxLineInput!] title: String! }
input OrderCreateTaxLineInput { channelLiable: Boolean = false priceSet: MoneyBagInput rate: Decimal! title: String! }
input OrderCreateOrderTransactionInput {
  amountSet: MoneyBagInput!
  gateway: String
  kind: OrderTransactionKind = SALE
  locationId: ID
  processedAt: DateTime
  status: OrderTransactionStatus = SUCCESS
}
input WebhookSubscriptionInput { format: WebhookSubscriptionFormat includeFields: [String!] uri: String }
input OrderInput { id: ID! note: String tags: [String!] }
input OrderCloseInput { id: ID! }
input OrderOpenInput { id: ID! }
input OrderMarkAsPaidInput { id: ID! }
`
