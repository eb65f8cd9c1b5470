// The part of Shopify's Admin schema 2026-07 that this simulator implements. shopify.vendor.test.ts checks that it is a
// subset of the official one.
const countries =
  'AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PS PT PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW ZZ'
const page = 'after: String, before: String, first: Int, last: Int, reverse: Boolean = false'
const connection = (node: string) => `
type ${node}Connection { edges: [${node}Edge!]! nodes: [${node}!]! pageInfo: PageInfo! }
type ${node}Edge { cursor: String! node: ${node}! }`
const userError = (name: string, codes: string) => `
type ${name} implements DisplayableError { code: ${name}Code field: [String!] message: String! }
enum ${name}Code { ${codes} }`
const discount = (head: string, more: string) => `
${head} {
  allocationMethod: DiscountApplicationAllocationMethod!
  index: Int!
  targetSelection: DiscountApplicationTargetSelection!
  targetType: DiscountApplicationTargetType!
  value: PricingValue!
  ${more}
}`
const agreement = (head: string) => `
${head} { happenedAt: DateTime! id: ID! reason: OrderActionType! sales(${page}): SaleConnection! }`
const sale = (head: string, more: string) => `
${head} {
  actionType: SaleActionType!
  id: ID!
  lineType: SaleLineType!
  quantity: Int
  taxes: [SaleTax!]!
  totalAmount: MoneyBag!
  totalDiscountAmountAfterTaxes: MoneyBag!
  totalDiscountAmountBeforeTaxes: MoneyBag!
  totalTaxAmount: MoneyBag!
  ${more}
}`

export const schemaText = `
schema { query: QueryRoot mutation: Mutation }
directive @idempotent(key: String!) on FIELD
scalar DateTime
scalar Decimal
scalar HTML
scalar Money
scalar URL
enum CountryCode { ${countries} }
enum CurrencyCode { AUD CAD CHF EUR GBP JPY KWD USD }
enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }
enum ProductSortKeys { CREATED_AT ID TITLE UPDATED_AT }
enum ProductVariantSortKeys { ID POSITION SKU TITLE }
enum CustomerSortKeys { CREATED_AT ID NAME UPDATED_AT }
enum OrderSortKeys { CREATED_AT ID PROCESSED_AT UPDATED_AT }
enum OrderDisplayFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderDisplayFulfillmentStatus { FULFILLED IN_PROGRESS ON_HOLD OPEN PARTIALLY_FULFILLED PENDING_FULFILLMENT REQUEST_DECLINED RESTOCKED SCHEDULED UNFULFILLED }
enum OrderCreateFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderCreateFulfillmentStatus { FULFILLED PARTIAL RESTOCKED }
enum OrderCreateInputsInventoryBehavior { BYPASS DECREMENT_IGNORING_POLICY DECREMENT_OBEYING_POLICY }
enum DiscountApplicationAllocationMethod { ACROSS EACH }
enum DiscountApplicationTargetSelection { ALL ENTITLED EXPLICIT }
enum DiscountApplicationTargetType { LINE_ITEM SHIPPING_LINE }
enum OrderActionType { ORDER ORDER_EDIT REFUND RETURN UNKNOWN }
enum OrderAdjustmentDiscrepancyReason { CUSTOMER DAMAGE REFUND_DISCREPANCY RESTOCK }
enum RefundLineItemRestockType { CANCEL NO_RESTOCK RETURN }
enum SaleActionType { ORDER RETURN UNKNOWN UPDATE }
enum SaleLineType { GIFT_CARD PRODUCT SHIPPING TIP UNKNOWN }
enum OrderTransactionKind { AUTHORIZATION CAPTURE CHANGE REFUND SALE VOID }
enum OrderTransactionStatus { AWAITING_RESPONSE ERROR FAILURE PENDING SUCCESS UNKNOWN }
enum LocationSortKeys { ID NAME }
enum WebhookSubscriptionFormat { JSON }
enum WebhookSubscriptionSortKeys { CREATED_AT ID }
enum WebhookSubscriptionTopic { CUSTOMERS_CREATE CUSTOMERS_DELETE CUSTOMERS_UPDATE ORDERS_CREATE ORDERS_DELETE ORDERS_UPDATED PRODUCTS_CREATE PRODUCTS_DELETE PRODUCTS_UPDATE }
enum OrderCancelReason { CUSTOMER DECLINED FRAUD INVENTORY OTHER STAFF }

type QueryRoot {
  shop: Shop!
  currentAppInstallation: AppInstallation!
  location(id: ID): Location
  locations(${page}, includeInactive: Boolean = false, includeLegacy: Boolean = false, query: String, sortKey: LocationSortKeys = NAME): LocationConnection!
  products(${page}, query: String, sortKey: ProductSortKeys = ID): ProductConnection!
  product(id: ID!): Product
  productByIdentifier(identifier: ProductIdentifierInput!): Product
  productVariants(${page}, query: String, sortKey: ProductVariantSortKeys = ID): ProductVariantConnection!
  productVariant(id: ID!): ProductVariant
  inventoryItem(id: ID!): InventoryItem
  customers(${page}, query: String, sortKey: CustomerSortKeys = ID): CustomerConnection!
  customer(id: ID!): Customer
  orders(${page}, query: String, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
  order(id: ID!): Order
  job(id: ID!): Job
  node(id: ID!): Node
  refund(id: ID!): Refund
  webhookSubscriptions(${page}, sortKey: WebhookSubscriptionSortKeys = CREATED_AT, topics: [WebhookSubscriptionTopic!], uri: String): WebhookSubscriptionConnection!
}
type Mutation {
  productSet(identifier: ProductSetIdentifiers, input: ProductSetInput!, synchronous: Boolean = true): ProductSetPayload
  productUpdate(product: ProductUpdateInput): ProductUpdatePayload
  productVariantsBulkUpdate(productId: ID!, variants: [ProductVariantsBulkInput!]!): ProductVariantsBulkUpdatePayload
  inventorySetQuantities(input: InventorySetQuantitiesInput!): InventorySetQuantitiesPayload
  inventoryActivate(available: Int, inventoryItemId: ID!, locationId: ID!): InventoryActivatePayload
  customerCreate(input: CustomerInput!): CustomerCreatePayload
  customerUpdate(input: CustomerInput!): CustomerUpdatePayload
  customerDelete(input: CustomerDeleteInput!): CustomerDeletePayload
  customerAddressCreate(address: MailingAddressInput!, customerId: ID!, setAsDefault: Boolean): CustomerAddressCreatePayload
  customerAddressUpdate(address: MailingAddressInput!, addressId: ID!, customerId: ID!, setAsDefault: Boolean): CustomerAddressUpdatePayload
  customerAddressDelete(addressId: ID!, customerId: ID!): CustomerAddressDeletePayload
  orderCreate(options: OrderCreateOptionsInput, order: OrderCreateOrderInput!): OrderCreatePayload
  orderUpdate(input: OrderInput!): OrderUpdatePayload
  orderDelete(orderId: ID!): OrderDeletePayload
  orderCustomerSet(customerId: ID!, orderId: ID!): OrderCustomerSetPayload
  orderCustomerRemove(orderId: ID!): OrderCustomerRemovePayload
  orderCreateManualPayment(amount: MoneyInput, id: ID!, paymentMethodName: String, processedAt: DateTime): OrderCreateManualPaymentPayload
  orderMarkAsPaid(input: OrderMarkAsPaidInput!): OrderMarkAsPaidPayload
  orderClose(input: OrderCloseInput!): OrderClosePayload
  orderOpen(input: OrderOpenInput!): OrderOpenPayload
  orderCancel(notifyCustomer: Boolean = false, orderId: ID!, reason: OrderCancelReason!, restock: Boolean!, staffNote: String = null): OrderCancelPayload
  webhookSubscriptionCreate(topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionCreatePayload
  webhookSubscriptionDelete(id: ID!): WebhookSubscriptionDeletePayload
}

interface Node { id: ID! }
interface DisplayableError { field: [String!] message: String! }
type UserError implements DisplayableError { field: [String!] message: String! }
type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type MoneyBag { presentmentMoney: MoneyV2! shopMoney: MoneyV2! }
type Job { done: Boolean! id: ID! }
type Shop { currencyCode: CurrencyCode! ianaTimezone: String! id: ID! myshopifyDomain: String! name: String! }
type Location { address: LocationAddress! createdAt: DateTime! id: ID! isActive: Boolean! name: String! updatedAt: DateTime! }
type LocationAddress { address1: String address2: String city: String country: String countryCode: String province: String provinceCode: String zip: String }
type LocationConnection { edges: [LocationEdge!]! nodes: [Location!]! pageInfo: PageInfo! }
type LocationEdge { cursor: String! node: Location! }

type Product {
  category: TaxonomyCategory
  createdAt: DateTime!
  descriptionHtml: HTML!
  featuredMedia: Media
  handle: String!
  hasOnlyDefaultVariant: Boolean!
  id: ID!
  legacyResourceId: UnsignedInt64!
  productType: String!
  status: ProductStatus!
  tags: [String!]!
  title: String!
  updatedAt: DateTime!
  variants(${page}, sortKey: ProductVariantSortKeys = POSITION): ProductVariantConnection!
  vendor: String!
}
scalar UnsignedInt64
type TaxonomyCategory { fullName: String! id: ID! name: String! }
interface Media { preview: MediaPreviewImage }
type MediaImage implements Media { preview: MediaPreviewImage }
type MediaPreviewImage { image: Image }
type Image { url: URL! }
type ProductVariant {
  barcode: String
  createdAt: DateTime!
  displayName: String!
  id: ID!
  inventoryItem: InventoryItem!
  inventoryQuantity: Int
  legacyResourceId: UnsignedInt64!
  price: Money!
  product: Product!
  sku: String
  taxable: Boolean!
  title: String!
  updatedAt: DateTime!
}
type InventoryItem { id: ID! inventoryLevel(locationId: ID!): InventoryLevel sku: String tracked: Boolean! unitCost: MoneyV2 }
type InventoryLevel { id: ID! quantities(names: [String!]!): [InventoryQuantity!]! }
type InventoryQuantity { name: String! quantity: Int! }
type InventoryAdjustmentGroup { id: ID! }
${['Product', 'ProductVariant', 'Customer', 'Order', 'LineItem', 'WebhookSubscription', 'ShippingLine', 'DiscountApplication', 'SalesAgreement', 'Sale', 'OrderTransaction', 'RefundLineItem', 'RefundShippingLine', 'OrderAdjustment'].map(connection).join('')}

type Customer {
  createdAt: DateTime!
  defaultAddress: MailingAddress
  defaultEmailAddress: CustomerEmailAddress
  defaultPhoneNumber: CustomerPhoneNumber
  displayName: String!
  firstName: String
  id: ID!
  lastName: String
  legacyResourceId: UnsignedInt64!
  metafield(key: String!, namespace: String): Metafield
  note: String
  tags: [String!]!
  updatedAt: DateTime!
}
type CustomerEmailAddress { emailAddress: String! }
type CustomerPhoneNumber { phoneNumber: String! }
type Metafield { key: String! namespace: String! value: String! }
type MailingAddress {
  address1: String
  address2: String
  city: String
  company: String
  countryCodeV2: CountryCode
  id: ID!
  province: String
  provinceCode: String
  zip: String
}

type AppInstallation { accessScopes: [AccessScope!]! id: ID! }
type AccessScope { handle: String! }

type WebhookSubscription {
  createdAt: DateTime!
  format: WebhookSubscriptionFormat!
  id: ID!
  includeFields: [String!]!
  legacyResourceId: UnsignedInt64!
  topic: WebhookSubscriptionTopic!
  updatedAt: DateTime!
  uri: String!
}

type Order {
  additionalFees: [AdditionalFee!]!
  agreements(${page}, query: String): SalesAgreementConnection!
  app: OrderApp
  canMarkAsPaid: Boolean!
  cancelReason: OrderCancelReason
  cancelledAt: DateTime
  closed: Boolean!
  closedAt: DateTime
  createdAt: DateTime!
  currencyCode: CurrencyCode!
  currentTotalPriceSet: MoneyBag!
  customer: Customer
  discountApplications(${page}): DiscountApplicationConnection!
  displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
  dutiesIncluded: Boolean!
  edited: Boolean!
  id: ID!
  legacyResourceId: UnsignedInt64!
  lineItems(${page}): LineItemConnection!
  name: String!
  note: String
  originalTotalAdditionalFeesSet: MoneyBag
  originalTotalDutiesSet: MoneyBag
  processedAt: DateTime!
  refunds(first: Int): [Refund!]!
  retailLocation: Location
  shippingLines(${page}, includeRemovals: Boolean = false): ShippingLineConnection!
  sourceIdentifier: String
  sourceName: String
  subtotalPriceSet: MoneyBag
  taxesIncluded: Boolean!
  test: Boolean!
  totalCashRoundingAdjustment: CashRoundingAdjustment!
  totalOutstandingSet: MoneyBag!
  totalPriceSet: MoneyBag!
  totalReceivedSet: MoneyBag!
  totalRefundedSet: MoneyBag!
  totalTaxSet: MoneyBag
  totalTipReceivedSet: MoneyBag!
  transactions(first: Int): [OrderTransaction!]!
  updatedAt: DateTime!
}
type OrderTransaction implements Node {
  amountRoundingSet: MoneyBag
  amountSet: MoneyBag!
  createdAt: DateTime!
  fees: [TransactionFee!]!
  formattedGateway: String
  gateway: String
  id: ID!
  kind: OrderTransactionKind!
  location: Location
  manualPaymentGateway: Boolean!
  order: Order
  parentTransaction: OrderTransaction
  paymentDetails: PaymentDetails
  paymentId: String
  processedAt: DateTime
  status: OrderTransactionStatus!
  test: Boolean!
}
type TransactionFee { amount: MoneyV2! id: ID! taxAmount: MoneyV2! type: String! }
union PaymentDetails = CardPaymentDetails | PaypalWalletPaymentDetails | ShopPayInstallmentsPaymentDetails
type CardPaymentDetails { company: String number: String }
type PaypalWalletPaymentDetails { paymentMethodName: String }
type ShopPayInstallmentsPaymentDetails { paymentMethodName: String }
type Refund implements Node {
  createdAt: DateTime
  id: ID!
  legacyResourceId: UnsignedInt64!
  note: String
  order: Order!
  orderAdjustments(${page}): OrderAdjustmentConnection!
  processedAt: DateTime!
  refundLineItems(${page}): RefundLineItemConnection!
  refundShippingLines(${page}): RefundShippingLineConnection!
  totalRefundedSet: MoneyBag!
  transactions(${page}): OrderTransactionConnection!
  updatedAt: DateTime!
}
type RefundLineItem {
  id: ID
  lineItem: LineItem!
  quantity: Int!
  restockType: RefundLineItemRestockType!
  restocked: Boolean!
  subtotalSet: MoneyBag!
  totalTaxSet: MoneyBag!
}
type RefundShippingLine { id: ID! subtotalAmountSet: MoneyBag! taxAmountSet: MoneyBag! }
type OrderAdjustment { amountSet: MoneyBag! id: ID! reason: OrderAdjustmentDiscrepancyReason taxAmountSet: MoneyBag! }
type OrderApp { id: ID! name: String! }
type AdditionalFee { id: ID! name: String! price: MoneyBag! taxLines: [TaxLine!]! }
type CashRoundingAdjustment { paymentSet: MoneyBag! refundSet: MoneyBag! }
type ShippingLine {
  deliveryCategory: String
  discountAllocations: [DiscountAllocation!]!
  discountedPriceSet: MoneyBag!
  id: ID
  isRemoved: Boolean!
  originalPriceSet: MoneyBag!
  taxLines: [TaxLine!]!
  title: String!
}
type LineItem {
  currentQuantity: Int!
  discountAllocations: [DiscountAllocation!]!
  id: ID!
  isGiftCard: Boolean!
  name: String!
  originalTotalSet: MoneyBag!
  originalUnitPriceSet: MoneyBag!
  quantity: Int!
  requiresShipping: Boolean!
  sku: String
  taxLines(first: Int): [TaxLine!]!
  taxable: Boolean!
  title: String!
  variant: ProductVariant
}
type DiscountAllocation { allocatedAmountSet: MoneyBag! discountApplication: DiscountApplication! }
${discount('interface DiscountApplication', '')}
${discount('type AutomaticDiscountApplication implements DiscountApplication', 'title: String!')}
${discount('type DiscountCodeApplication implements DiscountApplication', 'code: String!')}
${discount('type ManualDiscountApplication implements DiscountApplication', 'title: String!')}
union PricingValue = MoneyV2 | PricingPercentageValue
type PricingPercentageValue { percentage: Float! }
type TaxLine { channelLiable: Boolean priceSet: MoneyBag! rate: Float ratePercentage: Float title: String! }
${agreement('interface SalesAgreement')}
${['OrderAgreement', 'OrderEditAgreement', 'RefundAgreement'].map((name) => agreement(`type ${name} implements SalesAgreement`)).join('')}
${sale('interface Sale', '')}
${['GiftCardSale', 'ProductSale', 'TipSale'].map((name) => sale(`type ${name} implements Sale`, 'lineItem: LineItem!')).join('')}
${sale('type ShippingLineSale implements Sale', 'shippingLine: ShippingLine')}
type SaleTax { amount: MoneyBag! id: ID! taxLine: TaxLine! }

type ProductSetPayload { product: Product userErrors: [ProductSetUserError!]! }
type ProductUpdatePayload { product: Product userErrors: [UserError!]! }
type ProductVariantsBulkUpdatePayload { product: Product productVariants: [ProductVariant!] userErrors: [ProductVariantsBulkUpdateUserError!]! }
type InventorySetQuantitiesPayload { inventoryAdjustmentGroup: InventoryAdjustmentGroup userErrors: [InventorySetQuantitiesUserError!]! }
type InventoryActivatePayload { inventoryLevel: InventoryLevel userErrors: [UserError!]! }
type CustomerCreatePayload { customer: Customer userErrors: [UserError!]! }
type CustomerUpdatePayload { customer: Customer userErrors: [UserError!]! }
type CustomerDeletePayload { deletedCustomerId: ID shop: Shop! userErrors: [UserError!]! }
type CustomerAddressCreatePayload { address: MailingAddress userErrors: [UserError!]! }
type CustomerAddressUpdatePayload { address: MailingAddress userErrors: [UserError!]! }
type CustomerAddressDeletePayload { deletedAddressId: ID userErrors: [UserError!]! }
type OrderCreatePayload { order: Order userErrors: [OrderCreateUserError!]! }
type OrderUpdatePayload { order: Order userErrors: [UserError!]! }
type OrderDeletePayload { deletedId: ID userErrors: [OrderDeleteUserError!]! }
type OrderCustomerSetPayload { order: Order userErrors: [OrderCustomerSetUserError!]! }
type OrderCustomerRemovePayload { order: Order userErrors: [OrderCustomerRemoveUserError!]! }
type OrderMarkAsPaidPayload { order: Order userErrors: [UserError!]! }
type OrderCreateManualPaymentPayload { order: Order userErrors: [OrderCreateManualPaymentOrderCreateManualPaymentError!]! }
type OrderClosePayload { order: Order userErrors: [UserError!]! }
type OrderOpenPayload { order: Order userErrors: [UserError!]! }
type WebhookSubscriptionCreatePayload { userErrors: [UserError!]! webhookSubscription: WebhookSubscription }
type WebhookSubscriptionDeletePayload { deletedWebhookSubscriptionId: ID userErrors: [UserError!]! }
type OrderCancelPayload { job: Job orderCancelUserErrors: [OrderCancelUserError!]! userErrors: [UserError!]! }
${userError('ProductSetUserError', 'HANDLE_NOT_UNIQUE INPUT_MISMATCH INVALID_INPUT INVALID_PRODUCT INVALID_VARIANT MISSING_FIELD_REQUIRED NOT_FOUND OPTION_DOES_NOT_EXIST PRODUCT_DOES_NOT_EXIST PRODUCT_OPTIONS_INPUT_MISSING VARIANTS_INPUT_MISSING')}
${userError('ProductVariantsBulkUpdateUserError', 'GREATER_THAN_OR_EQUAL_TO INVALID_INPUT NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE PRODUCT_DOES_NOT_EXIST PRODUCT_VARIANT_DOES_NOT_EXIST PRODUCT_VARIANT_ID_MISSING TOO_LONG')}
${userError('InventorySetQuantitiesUserError', 'CHANGE_FROM_QUANTITY_STALE IDEMPOTENCY_KEY_PARAMETER_MISMATCH INVALID_INVENTORY_ITEM INVALID_LOCATION INVALID_NAME INVALID_QUANTITY_TOO_HIGH INVALID_REASON ITEM_NOT_STOCKED_AT_LOCATION')}
${userError('OrderCreateUserError', 'INVALID PROCESSED_AT_INVALID REDUNDANT_CUSTOMER_FIELDS TAX_LINE_RATE_MISSING')}
${userError('OrderCreateManualPaymentOrderCreateManualPaymentError', 'AMOUNT_EXCEEDS_BALANCE AMOUNT_NOT_POSITIVE CURRENCY_MISMATCH GATEWAY_NOT_FOUND ORDER_NOT_FOUND PROCESSED_AT_INVALID')}
${userError('OrderDeleteUserError', 'INVALID NOT_FOUND')}
${userError('OrderCustomerSetUserError', 'NOT_FOUND')}
${userError('OrderCustomerRemoveUserError', 'NOT_FOUND')}
${userError('OrderCancelUserError', 'INVALID NOT_FOUND')}
`
