// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

/** As it is read, in any vertical. */
export type Product = {
  /** The platform's id of the product: what GET and PUT take in their path */
  externalId: string
  /** Primary product or menu item name */
  name: string
  /** Long or alternate description */
  description?: string
  /** Primary SKU, PLU or item code */
  sku?: string
  /** Barcode, UPC, EAN or external item code */
  barcode?: string
  /** Primary sell price, in major currency units */
  price?: number
  /** Unit cost, in major currency units */
  cost?: number
  /** Whether the product is available or active */
  active?: boolean
  /** Whether default taxes apply */
  taxable?: boolean
  /** The platform's id of the category */
  categoryExternalId?: string
  /** On-hand stock quantity */
  stockOnHand?: number
  /** Currency of price and cost; needed by some write targets (ISO 4217) */
  currencyCode?: string
  /** Whether the source item tracks inventory */
  trackInventory?: boolean
  /** How the price is set */
  priceType?: 'FIXED' | 'VARIABLE' | 'PER_UNIT'
  /** Human-readable category or product type name */
  categoryName?: string
  /** Vendor, manufacturer or brand label */
  vendor?: string
  /** Searchable tags or labels */
  tags?: string[]
  /** Primary product image URL */
  imageUrl?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantProduct = Omit<Product, 'categoryName' | 'imageUrl' | 'tags' | 'vendor'>

export type RetailPosProduct = Omit<Product, 'priceType' | 'trackInventory'>

/** As it is written, in any vertical. */
export type ProductInput = {
  /** In a POST body, your own stable id of the product (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Primary product or menu item name */
  name: string
  /** Long or alternate description */
  description?: string
  /** Primary SKU, PLU or item code */
  sku?: string
  /** Barcode, UPC, EAN or external item code */
  barcode?: string
  /** Primary sell price, in major currency units */
  price?: number
  /** Unit cost, in major currency units */
  cost?: number
  /** Whether the product is available or active */
  active?: boolean
  /** Whether default taxes apply */
  taxable?: boolean
  /** In a body, your source id of the category or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  categoryExternalId?: string
  /** On-hand stock quantity */
  stockOnHand?: number
  /** Currency of price and cost; needed by some write targets (ISO 4217) */
  currencyCode?: string
  /** Whether the source item tracks inventory */
  trackInventory?: boolean
  /** How the price is set */
  priceType?: 'FIXED' | 'VARIABLE' | 'PER_UNIT'
  /** Human-readable category or product type name */
  categoryName?: string
  /** Vendor, manufacturer or brand label */
  vendor?: string
  /** Searchable tags or labels */
  tags?: string[]
  /** Primary product image URL */
  imageUrl?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantProductInput = Omit<ProductInput, 'categoryName' | 'imageUrl' | 'tags' | 'vendor'>

export type RetailPosProductInput = Omit<ProductInput, 'priceType' | 'trackInventory'>

export type Address = {
  /** Street address, first line */
  line1?: string
  /** Street address, second line */
  line2?: string
  /** City or locality */
  city?: string
  /** State, province or region: a name or an ISO 3166-2 code, with or without the country */
  state?: string
  /** ZIP or postal code */
  postalCode?: string
  /** Country: an English name or an ISO 3166-1 code of two or three letters */
  country?: string
}

export type OrderFulfillment = {
  /** How the guest gets the order */
  type?: 'DINE_IN' | 'TAKEOUT' | 'CURBSIDE' | 'DELIVERY' | 'SHIPPING' | 'IN_STORE'
  /** State of the preparation */
  state?: 'NEW' | 'IN_PROGRESS' | 'READY' | 'FULFILLED' | 'CANCELED'
  /** When it must be ready (ISO 8601 with offset) */
  dueAt?: string
  /** Table */
  table?: string
  /** Who gets it */
  name?: string
  /** Phone number */
  phone?: string
  address?: Address
  /** Instructions for the delivery or the kitchen */
  instructions?: string
}

export type OrderServiceCharge = {
  /** Display name */
  name?: string
  /** Kind of the charge */
  kind?: 'SERVICE' | 'GRATUITY' | 'DELIVERY' | 'SURCHARGE' | 'OTHER'
  /** Amount of the charge, in major currency units */
  amount?: number
  /** Tax on the charge, in major currency units */
  taxAmount?: number
}

export type OrderDiscount = {
  /** Display name */
  name?: string
  /** Whether it is on the whole order */
  scope?: 'ORDER' | 'LINE'
  /** Amount that is taken off, in major currency units */
  amount?: number
  /** Percent, where it is one */
  percent?: number
}

export type OrderTax = {
  /** The platform's id of the tax rate */
  taxRateExternalId?: string
  /** Display name */
  name?: string
  /** Percent: 8.875 is 8.875 % */
  rate?: number
  /** Amount of the tax, in major currency units */
  amount?: number
  /** Amount that the tax is on, in major currency units */
  base?: number
  /** Whether prices contain it */
  included?: boolean
  /** Whether a marketplace pays it to the authority */
  remittedByMarketplace?: boolean
}

export type OrderNestedModifier = {
  /** The platform's id of the modifier */
  modifierExternalId?: string
  /** The platform's id of its group */
  modifierGroupExternalId?: string
  /** Display name */
  name?: string
  /** How often it is on one unit of the line */
  quantity?: number
  /** Price of one, in major currency units */
  price?: number
}

export type OrderModifier = {
  /** The platform's id of the modifier */
  modifierExternalId?: string
  /** The platform's id of its group */
  modifierGroupExternalId?: string
  /** Display name */
  name?: string
  /** How often it is on one unit of the line */
  quantity?: number
  /** Price of one, in major currency units */
  price?: number
  /** Modifiers; their prices are part of `unitPrice` */
  modifiers?: OrderNestedModifier[]
}

export type OrderLineTax = {
  /** The platform's id of the tax rate */
  taxRateExternalId?: string
  /** Display name */
  name?: string
  /** Percent: 8.875 is 8.875 % */
  rate?: number
  /** Amount of the tax, in major currency units */
  amount?: number
  /** Amount that the tax is on, in major currency units */
  base?: number
  /** Whether prices contain it */
  included?: boolean
  /** Whether a marketplace pays it to the authority */
  remittedByMarketplace?: boolean
}

export type OrderLineItem = {
  /** The platform's id of the line; ignored in a POST */
  externalId?: string
  /** The platform's id of the product */
  productExternalId?: string
  /** Source SKU */
  sku?: string
  /** Display name; the product id can serve as a fallback label */
  name?: string
  /** A gift card that is sold is a liability, not a sale; ITEM by default */
  kind?: 'ITEM' | 'GIFT_CARD'
  /** Ordered quantity */
  quantity: number
  /** Price of one unit with its modifiers, before discounts; `taxIncluded` says whether with taxes, in major currency units */
  unitPrice?: number
  /** Line tax total, in major currency units */
  lineTax?: number
  /** All that is taken off the line, its share of discounts on the order included, in major currency units */
  lineDiscount?: number
  /** Quantity times price, less `lineDiscount`, in major currency units */
  lineTotal?: number
  /** Modifiers; their prices are part of `unitPrice` */
  modifiers?: OrderModifier[]
  /** Each tax by itself */
  taxes?: OrderLineTax[]
  /** Note to the kitchen */
  note?: string
  /** The platform's id of the category */
  categoryExternalId?: string
}

/** As it is read, in any vertical. */
export type Order = {
  /** The platform's id of the order: what GET and PUT take in their path */
  externalId: string
  /** Human-readable order number, receipt or ticket label */
  orderNumber?: string
  /** When the sale took place: paid, else opened (ISO 8601 with offset) */
  processedAt?: string
  /** When the order was closed for good (ISO 8601 with offset) */
  closedAt?: string
  /** The location's business day (YYYY-MM-DD) */
  businessDate?: string
  /** The platform's id of the customer */
  customerExternalId?: string
  /** The platform's id of the location */
  locationExternalId?: string
  /** The platform's id of the employee */
  employeeExternalId?: string
  /** Where the order comes from, such as POS, ONLINE, DELIVERY or a marketplace */
  channel?: string
  /** Guests */
  guestCount?: number
  fulfillment?: OrderFulfillment
  /** Currency; matters for writes to some targets (ISO 4217) */
  currencyCode?: string
  /** Normalized order state */
  state?: 'OPEN' | 'COMPLETED' | 'CANCELED' | 'PENDING'
  /** Internal or customer-visible note */
  note?: string
  /** Whether prices, line totals and charges contain the taxes. Absent if only some do: see `taxes` */
  taxIncluded?: boolean
  /** Sum of the line totals, in major currency units */
  subtotal?: number
  /** All discounts, which are inside the lines, in major currency units */
  discountTotal?: number
  /** Service charges and automatic gratuity, without tips, in major currency units */
  serviceChargeTotal?: number
  /** Shipping, handling, delivery and wrapping, in major currency units */
  shippingTotal?: number
  /** Tips, in major currency units */
  tipTotal?: number
  /** Whether `total` contains the tips */
  tipIncluded?: boolean
  /** Cash rounding, signed, in major currency units */
  roundingTotal?: number
  /** Refunded so far, with tax; never taken off `total`, in major currency units */
  refundTotal?: number
  /** What the order cost, before refunds, in major currency units */
  total?: number
  /** Order tax total, in major currency units */
  taxTotal?: number
  /** Each service charge by itself */
  serviceCharges?: OrderServiceCharge[]
  /** Each discount by itself; the lines contain them */
  discounts?: OrderDiscount[]
  /** Each tax by itself */
  taxes?: OrderTax[]
  /** Ordered lines, at least one */
  lineItems: OrderLineItem[]
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantOrderLineItem = Omit<OrderLineItem, 'sku'>

export type RestaurantOrder = Omit<Order, 'lineItems' | 'shippingTotal'> & {
  lineItems: RestaurantOrderLineItem[]
}

export type RetailPosOrderLineItem = OrderLineItem

export type RetailPosOrder = Omit<Order, 'employeeExternalId' | 'guestCount' | 'lineItems'> & {
  lineItems: RetailPosOrderLineItem[]
}

export type OrderFulfillmentInput = {
  /** How the guest gets the order */
  type?: 'DINE_IN' | 'TAKEOUT' | 'CURBSIDE' | 'DELIVERY' | 'SHIPPING' | 'IN_STORE'
  /** State of the preparation */
  state?: 'NEW' | 'IN_PROGRESS' | 'READY' | 'FULFILLED' | 'CANCELED'
  /** When it must be ready (ISO 8601 with offset) */
  dueAt?: string
  /** Table */
  table?: string
  /** Who gets it */
  name?: string
  /** Phone number */
  phone?: string
  address?: Address
  /** Instructions for the delivery or the kitchen */
  instructions?: string
}

export type OrderTaxInput = {
  /** The platform's id of the tax rate */
  taxRateExternalId?: string
  /** Display name */
  name?: string
  /** Percent: 8.875 is 8.875 % */
  rate?: number
  /** Amount of the tax, in major currency units */
  amount?: number
  /** Amount that the tax is on, in major currency units */
  base?: number
  /** Whether prices contain it */
  included?: boolean
  /** Whether a marketplace pays it to the authority */
  remittedByMarketplace?: boolean
}

export type OrderNestedModifierInput = {
  /** The platform's id of the modifier */
  modifierExternalId?: string
  /** The platform's id of its group */
  modifierGroupExternalId?: string
  /** Display name */
  name?: string
  /** How often it is on one unit of the line */
  quantity?: number
  /** Price of one, in major currency units */
  price?: number
}

export type OrderModifierInput = {
  /** The platform's id of the modifier */
  modifierExternalId?: string
  /** The platform's id of its group */
  modifierGroupExternalId?: string
  /** Display name */
  name?: string
  /** How often it is on one unit of the line */
  quantity?: number
  /** Price of one, in major currency units */
  price?: number
  /** Modifiers; their prices are part of `unitPrice` */
  modifiers?: OrderNestedModifierInput[]
}

export type OrderLineTaxInput = {
  /** The platform's id of the tax rate */
  taxRateExternalId?: string
  /** Display name */
  name?: string
  /** Percent: 8.875 is 8.875 % */
  rate?: number
  /** Amount of the tax, in major currency units */
  amount?: number
  /** Amount that the tax is on, in major currency units */
  base?: number
  /** Whether prices contain it */
  included?: boolean
  /** Whether a marketplace pays it to the authority */
  remittedByMarketplace?: boolean
}

export type OrderLineItemInput = {
  /** The platform's id of the line; ignored in a POST */
  externalId?: string
  /** In a body, your source id of the product or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  productExternalId?: string
  /** Source SKU */
  sku?: string
  /** Display name; the product id can serve as a fallback label */
  name?: string
  /** A gift card that is sold is a liability, not a sale; ITEM by default */
  kind?: 'ITEM' | 'GIFT_CARD'
  /** Ordered quantity */
  quantity: number
  /** Price of one unit with its modifiers, before discounts; `taxIncluded` says whether with taxes, in major currency units */
  unitPrice?: number
  /** Line tax total, in major currency units */
  lineTax?: number
  /** All that is taken off the line, its share of discounts on the order included, in major currency units */
  lineDiscount?: number
  /** Quantity times price, less `lineDiscount`, in major currency units */
  lineTotal?: number
  /** Modifiers; their prices are part of `unitPrice` */
  modifiers?: OrderModifierInput[]
  /** Each tax by itself */
  taxes?: OrderLineTaxInput[]
  /** Note to the kitchen */
  note?: string
  /** In a body, your source id of the category or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  categoryExternalId?: string
}

/** As it is written, in any vertical. */
export type OrderInput = {
  /** In a POST body, your own stable id of the order (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Human-readable order number, receipt or ticket label */
  orderNumber?: string
  /** When the sale took place: paid, else opened (ISO 8601 with offset) */
  processedAt?: string
  /** When the order was closed for good (ISO 8601 with offset) */
  closedAt?: string
  /** The location's business day (YYYY-MM-DD) */
  businessDate?: string
  /** In a body, your source id of the customer or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  customerExternalId?: string
  /** In a body, your source id of the location or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  locationExternalId?: string
  /** In a body, your source id of the employee or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  employeeExternalId?: string
  /** Where the order comes from, such as POS, ONLINE, DELIVERY or a marketplace */
  channel?: string
  /** Guests */
  guestCount?: number
  fulfillment?: OrderFulfillmentInput
  /** Currency; matters for writes to some targets (ISO 4217) */
  currencyCode?: string
  /** Normalized order state */
  state?: 'OPEN' | 'COMPLETED' | 'CANCELED' | 'PENDING'
  /** Internal or customer-visible note */
  note?: string
  /** Whether prices, line totals and charges contain the taxes. Absent if only some do: see `taxes` */
  taxIncluded?: boolean
  /** Sum of the line totals, in major currency units */
  subtotal?: number
  /** All discounts, which are inside the lines, in major currency units */
  discountTotal?: number
  /** Service charges and automatic gratuity, without tips, in major currency units */
  serviceChargeTotal?: number
  /** Shipping, handling, delivery and wrapping, in major currency units */
  shippingTotal?: number
  /** Tips, in major currency units */
  tipTotal?: number
  /** Whether `total` contains the tips */
  tipIncluded?: boolean
  /** Cash rounding, signed, in major currency units */
  roundingTotal?: number
  /** Refunded so far, with tax; never taken off `total`, in major currency units */
  refundTotal?: number
  /** What the order cost, before refunds, in major currency units */
  total?: number
  /** Order tax total, in major currency units */
  taxTotal?: number
  /** Each service charge by itself */
  serviceCharges?: OrderServiceCharge[]
  /** Each discount by itself; the lines contain them */
  discounts?: OrderDiscount[]
  /** Each tax by itself */
  taxes?: OrderTaxInput[]
  /** Ordered lines, at least one */
  lineItems: OrderLineItemInput[]
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantOrderLineItemInput = Omit<OrderLineItemInput, 'sku'>

export type RestaurantOrderInput = Omit<OrderInput, 'lineItems' | 'shippingTotal'> & {
  lineItems: RestaurantOrderLineItemInput[]
}

export type RetailPosOrderInput = Omit<OrderInput, 'employeeExternalId' | 'guestCount'>

/** As it is read, in any vertical. */
export type Customer = {
  /** The platform's id of the customer: what GET and PUT take in their path */
  externalId: string
  /** Best available display or contact name; the stable cross-system anchor */
  name: string
  /** Given name; some write targets require it */
  firstName?: string
  /** Family name; some write targets require it */
  lastName?: string
  /** Primary email address */
  email?: string
  /** Primary phone number */
  phone?: string
  /** Business or company name */
  companyName?: string
  /** Customer note or memo */
  notes?: string
  address?: Address
  /** Whether the customer or contact is active */
  active?: boolean
  /** Preferred currency (ISO 4217) */
  currencyCode?: string
  /** Whether the customer permits marketing, when the source exposes it */
  marketingAllowed?: boolean
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantCustomer = Omit<Customer, 'active' | 'currencyCode'>

export type RetailPosCustomer = Omit<Customer, 'active' | 'currencyCode' | 'marketingAllowed'>

export type AccountingCustomer = Omit<Customer, 'marketingAllowed'>

/** As it is written, in any vertical. */
export type CustomerInput = {
  /** In a POST body, your own stable id of the customer (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Best available display or contact name; the stable cross-system anchor */
  name: string
  /** Given name; some write targets require it */
  firstName?: string
  /** Family name; some write targets require it */
  lastName?: string
  /** Primary email address */
  email?: string
  /** Primary phone number */
  phone?: string
  /** Business or company name */
  companyName?: string
  /** Customer note or memo */
  notes?: string
  address?: Address
  /** Whether the customer or contact is active */
  active?: boolean
  /** Preferred currency (ISO 4217) */
  currencyCode?: string
  /** Whether the customer permits marketing, when the source exposes it */
  marketingAllowed?: boolean
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantCustomerInput = Omit<CustomerInput, 'active' | 'currencyCode'>

export type RetailPosCustomerInput = Omit<CustomerInput, 'active' | 'currencyCode' | 'marketingAllowed'>

export type AccountingCustomerInput = Omit<CustomerInput, 'marketingAllowed'>

/** As it is read, in any vertical. */
export type Category = {
  /** The platform's id of the category: what GET and PUT take in their path */
  externalId: string
  /** Display name of the category or menu group */
  name: string
  /** Category description */
  description?: string
  /** The platform's id of the category */
  parentExternalId?: string
  /** Whether the category is active or not deleted */
  active?: boolean
  /** Source image identifiers */
  imageIds?: string[]
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantCategory = Category

/** As it is written, in any vertical. */
export type CategoryInput = {
  /** In a POST body, your own stable id of the category (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Display name of the category or menu group */
  name: string
  /** Category description */
  description?: string
  /** In a body, your source id of the parent category or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  parentExternalId?: string
  /** Whether the category is active or not deleted */
  active?: boolean
  /** Source image identifiers */
  imageIds?: string[]
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantCategoryInput = CategoryInput

/** As it is read, in any vertical. */
export type Employee = {
  /** The platform's id of the employee: what GET and PUT take in their path */
  externalId: string
  /** Display name */
  name: string
  /** Nickname or short label */
  nickname?: string
  /** Employee email */
  email?: string
  /** A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role */
  role?: string
  /** System-specific employee code or custom id */
  employeeCode?: string
  /** Whether the employee is active */
  active?: boolean
  /** Whether the employee is marked as owner */
  isOwner?: boolean
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantEmployee = Employee

/** As it is written, in any vertical. */
export type EmployeeInput = {
  /** In a POST body, your own stable id of the employee (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Display name */
  name: string
  /** Nickname or short label */
  nickname?: string
  /** Employee email */
  email?: string
  /** A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role */
  role?: string
  /** System-specific employee code or custom id */
  employeeCode?: string
  /** Whether the employee is active */
  active?: boolean
  /** Whether the employee is marked as owner */
  isOwner?: boolean
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantEmployeeInput = EmployeeInput

/** As it is read, in any vertical. */
export type TimeEntry = {
  /** The platform's id of the time entry: what GET and PUT take in their path */
  externalId: string
  /** The platform's id of the employee */
  employeeExternalId?: string
  /** Job or role identifier */
  jobExternalId?: string
  /** The platform's id of the shift */
  shiftExternalId?: string
  /** Punch-in time (ISO 8601 with offset) */
  startAt?: string
  /** Punch-out time (ISO 8601 with offset) */
  endAt?: string
  /** Regular hours worked */
  regularHours?: number
  /** Overtime hours worked */
  overtimeHours?: number
  /** Source time-entry status */
  status?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantTimeEntry = TimeEntry

/** As it is read, in any vertical. */
export type Shift = {
  /** The platform's id of the shift: what GET and PUT take in their path */
  externalId: string
  /** The platform's id of the employee */
  employeeExternalId?: string
  /** Job or role identifier */
  jobExternalId?: string
  /** The platform's id of the location */
  locationExternalId?: string
  /** Planned start (ISO 8601 with offset) */
  startAt?: string
  /** Planned end (ISO 8601 with offset) */
  endAt?: string
  /** Planned breaks, in minutes */
  breakMinutes?: number
  /** The platform's status of the shift */
  status?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantShift = Shift

/** As it is read, in any vertical. */
export type Location = {
  /** The platform's id of the location: what GET and PUT take in their path */
  externalId: string
  /** Name of the restaurant, store or outlet */
  name: string
  address?: Address
  /** Time zone, as the platform has it: mostly a name of the IANA database */
  timezone?: string
  /** Currency of prices and orders (ISO 4217) */
  currencyCode?: string
  /** Whether the location is open or not deleted */
  active?: boolean
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantLocation = Location

export type RetailPosLocation = Location

/** As it is read, in any vertical. */
export type Payment = {
  /** The platform's id of the payment: what GET and PUT take in their path */
  externalId: string
  /** Paid without the tip, with taxes and surcharge; positive, in major currency units */
  amount: number
  /** Currency of the amounts (ISO 4217) */
  currencyCode?: string
  /** Tip on this payment, in major currency units */
  tip?: number
  /** Surcharge within `amount`, in major currency units */
  surcharge?: number
  /** Processing fee, which may be known later, in major currency units */
  fee?: number
  /** Cash that was handed over, in major currency units */
  cashTendered?: number
  /** Cash that was given back, in major currency units */
  changeGiven?: number
  /** Refunded so far, in major currency units */
  refundedAmount?: number
  /** The platform's id of the order */
  orderExternalId?: string
  /** The platform's id of the location */
  locationExternalId?: string
  /** The platform's id of the employee */
  employeeExternalId?: string
  /** The platform's id of the customer */
  customerExternalId?: string
  /** The platform's id of the payment method */
  paymentMethodExternalId?: string
  /** Kind of money */
  methodType?: 'CASH' | 'CARD' | 'GIFT_CARD' | 'STORE_CREDIT' | 'HOUSE_ACCOUNT' | 'BANK_TRANSFER' | 'WALLET' | 'BNPL' | 'LOYALTY' | 'CHECK' | 'VOUCHER' | 'OTHER'
  /** The platform's name of the method */
  methodName?: string
  /** Whether the money moved */
  state?: 'PENDING' | 'AUTHORIZED' | 'COMPLETED' | 'CANCELED' | 'FAILED'
  /** When the money moved (ISO 8601 with offset) */
  processedAt?: string
  /** Business day that it counts for (YYYY-MM-DD) */
  businessDate?: string
  /** Brand of the card */
  cardBrand?: string
  /** Last four digits of the card */
  cardLast4?: string
  /** Reference of the payment outside of the platform */
  reference?: string
  /** Note */
  note?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantPayment = Payment

export type RetailPosPayment = Omit<Payment, 'employeeExternalId'>

/** As it is written, in any vertical. */
export type PaymentInput = {
  /** In a POST body, your own stable id of the payment (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id. */
  externalId: string
  /** Paid without the tip, with taxes and surcharge; positive, in major currency units */
  amount: number
  /** Currency of the amounts (ISO 4217) */
  currencyCode?: string
  /** Tip on this payment, in major currency units */
  tip?: number
  /** Surcharge within `amount`, in major currency units */
  surcharge?: number
  /** Processing fee, which may be known later, in major currency units */
  fee?: number
  /** Cash that was handed over, in major currency units */
  cashTendered?: number
  /** Cash that was given back, in major currency units */
  changeGiven?: number
  /** Refunded so far, in major currency units */
  refundedAmount?: number
  /** In a body, your source id of the order or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  orderExternalId?: string
  /** In a body, your source id of the location or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  locationExternalId?: string
  /** In a body, your source id of the employee or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  employeeExternalId?: string
  /** In a body, your source id of the customer or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  customerExternalId?: string
  /** In a body, your source id of the payment method or the platform's id, as the query parameter `references` says. In every response, the platform's id. */
  paymentMethodExternalId?: string
  /** Kind of money */
  methodType?: 'CASH' | 'CARD' | 'GIFT_CARD' | 'STORE_CREDIT' | 'HOUSE_ACCOUNT' | 'BANK_TRANSFER' | 'WALLET' | 'BNPL' | 'LOYALTY' | 'CHECK' | 'VOUCHER' | 'OTHER'
  /** The platform's name of the method */
  methodName?: string
  /** Whether the money moved */
  state?: 'PENDING' | 'AUTHORIZED' | 'COMPLETED' | 'CANCELED' | 'FAILED'
  /** When the money moved (ISO 8601 with offset) */
  processedAt?: string
  /** Business day that it counts for (YYYY-MM-DD) */
  businessDate?: string
  /** Brand of the card */
  cardBrand?: string
  /** Last four digits of the card */
  cardLast4?: string
  /** Reference of the payment outside of the platform */
  reference?: string
  /** Note */
  note?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantPaymentInput = PaymentInput

export type RetailPosPaymentInput = Omit<PaymentInput, 'employeeExternalId'>

export type RefundLineItem = {
  /** The platform's id of the line of the order */
  orderLineExternalId?: string
  /** The platform's id of the product */
  productExternalId?: string
  /** Display name */
  name?: string
  /** Units that came back */
  quantity: number
  /** Paid back for them, in major currency units */
  amount?: number
  /** Taxes in `amount`, in major currency units */
  tax?: number
  /** Whether they went back to stock */
  restocked?: boolean
}

/** As it is read, in any vertical. */
export type Refund = {
  /** The platform's id of the refund: what GET and PUT take in their path */
  externalId: string
  /** Paid back with taxes, without the tip; positive, in major currency units */
  amount: number
  /** Taxes in `amount`, in major currency units */
  taxAmount?: number
  /** Tip that was paid back, in major currency units */
  tip?: number
  /** Currency of the amounts (ISO 4217) */
  currencyCode?: string
  /** The platform's id of the order */
  orderExternalId?: string
  /** The platform's id of the payment */
  paymentExternalId?: string
  /** The platform's id of the location */
  locationExternalId?: string
  /** The platform's id of the customer */
  customerExternalId?: string
  /** The platform's id of the employee */
  employeeExternalId?: string
  /** Money only, goods that came back, or a void after the day was closed */
  kind?: 'REFUND' | 'RETURN' | 'VOID'
  /** Reason */
  reason?: string
  /** Note */
  note?: string
  /** Whether the money moved */
  state?: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED'
  /** When the refund took place (ISO 8601 with offset) */
  processedAt?: string
  /** Business day of the refund itself (YYYY-MM-DD) */
  businessDate?: string
  /** Kind of money */
  methodType?: 'CASH' | 'CARD' | 'GIFT_CARD' | 'STORE_CREDIT' | 'HOUSE_ACCOUNT' | 'BANK_TRANSFER' | 'WALLET' | 'BNPL' | 'LOYALTY' | 'CHECK' | 'VOUCHER' | 'OTHER'
  /** The platform's id of the payment method */
  paymentMethodExternalId?: string
  /** Lines of the order that were refunded */
  lineItems?: RefundLineItem[]
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantRefundLineItem = RefundLineItem

export type RestaurantRefund = Omit<Refund, 'lineItems'> & {
  lineItems: RestaurantRefundLineItem[]
}

export type RetailPosRefundLineItem = RefundLineItem

export type RetailPosRefund = Omit<Refund, 'employeeExternalId' | 'lineItems'> & {
  lineItems: RetailPosRefundLineItem[]
}

export type TaxRateComponent = {
  /** Display name */
  name?: string
  /** Percent */
  rate?: number
  /** Whether it is on the price with the other components */
  compound?: boolean
}

/** As it is read, in any vertical. */
export type TaxRate = {
  /** The platform's id of the tax rate: what GET and PUT take in their path */
  externalId: string
  /** Display name */
  name: string
  /** Percent: 8.875 is 8.875 % */
  rate?: number
  /** How the tax is computed */
  type?: 'PERCENT' | 'FIXED' | 'TABLE'
  /** Amount of a fixed tax on one unit, in major currency units */
  amount?: number
  /** Whether prices contain it */
  included?: boolean
  /** Whether it applies where no other one is chosen */
  isDefault?: boolean
  /** Whether it can be used */
  active?: boolean
  /** The platform's code of the tax */
  code?: string
  /** Which documents can have it */
  appliesTo?: 'SALES' | 'PURCHASES' | 'BOTH'
  /** The taxes that it consists of */
  components?: TaxRateComponent[]
  /** Country */
  country?: string
  /** State, province or region */
  region?: string
  /** The platform's id of the location */
  locationExternalId?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantTaxRate = TaxRate

export type RetailPosTaxRate = TaxRate

/** As it is read, in any vertical. */
export type PaymentMethod = {
  /** The platform's id of the payment method: what GET and PUT take in their path */
  externalId: string
  /** Display name */
  name: string
  /** Kind of money */
  type?: 'CASH' | 'CARD' | 'GIFT_CARD' | 'STORE_CREDIT' | 'HOUSE_ACCOUNT' | 'BANK_TRANSFER' | 'WALLET' | 'BNPL' | 'LOYALTY' | 'CHECK' | 'VOUCHER' | 'OTHER'
  /** Whether it can be used */
  active?: boolean
  /** Whether it can have a tip */
  acceptsTips?: boolean
  /** Whether it opens the cash drawer */
  opensDrawer?: boolean
  /** The platform's id of the location */
  locationExternalId?: string
  /** Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it */
  custom?: Record<string, unknown>
}

export type RestaurantPaymentMethod = PaymentMethod

export type RetailPosPaymentMethod = PaymentMethod

export type Choice = {
  value: string
  label: string
}

export type Violation = {
  /** JSON pointer into the body */
  pointer: string
  message: string
  /** Valid values, if the platform reports them */
  choices?: Choice[]
}

export type DownstreamError = {
  platform: string
  status?: number
  code?: string
  message?: string
}

export type KnownReference = {
  /** Your source id */
  externalId: string
  /** The platform's id: use it in the path. Absent while it is not known */
  id?: string
  /** With `possible_duplicate`: what became of that write */
  outcome?: string
}

export type WalkProgress = {
  pages: number
  records: number
}

export type Difference = {
  pointer: string
  written?: unknown
  asked?: unknown
}

export type Problem = {
  /** URL of the error in the reference */
  type: string
  title: string
  status: number
  detail: string
  code: 'malformed_json' | 'malformed_request' | 'unknown_parameter' | 'invalid_parameter' | 'invalid_cursor' | 'filter_unsupported' | 'mapping_key_required' | 'mapping_key_mismatch' | 'unauthorized' | 'forbidden' | 'insufficient_scope' | 'not_found' | 'unknown_account' | 'unknown_entity' | 'entity_not_offered' | 'record_not_found' | 'resource_not_found' | 'method_not_allowed' | 'already_exists' | 'resource_in_use' | 'idempotency_conflict' | 'outcome_unknown' | 'partially_written' | 'write_in_progress' | 'possible_duplicate' | 'reference_pending' | 'stale_record' | 'account_disabled' | 'not_watched' | 'not_ready' | 'cursor_expired' | 'content_erased' | 'totals_differ' | 'precondition_failed' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'validation_failed' | 'target_requires' | 'target_refuses' | 'unknown_reference' | 'downstream_rejected' | 'too_many_requests' | 'header_too_large' | 'request_timeout' | 'internal_error' | 'downstream_error' | 'reconnect_required' | 'unavailable' | 'downstream_timeout'
  requestId: string
  errors?: Violation[]
  downstream?: DownstreamError
  /** The platform's id of the record */
  id?: string
  reference?: KnownReference
  /** With 409 `possible_duplicate`: the record that was written, if that write is done */
  data?: Record<string, unknown>
  /** The idempotency key */
  externalId?: string
  /** With 410 `content_erased` */
  erasedAt?: string
  /** With 410 `cursor_expired`. `pruned`: the changes are older than the service stores them. `restored`: the database was restored. `epoch`: the entity has new records, because of another business or a new watch. `stopped`: the entity is no longer watched */
  reason?: 'pruned' | 'restored' | 'epoch' | 'stopped'
  /** With `not_watched`, `cursor_expired` and `insufficient_scope`: the entities that it is about */
  entityTypes?: string[]
  /** With `insufficient_scope`: the scope that the request needs */
  scope?: string
  /** With `insufficient_scope`: the limit of the credential that excludes the request */
  limit?: 'accounts' | 'entities' | 'hiddenFields'
  /** With `not_ready`: how far the first walk of each entity is */
  progress?: Record<string, WalkProgress>
  differences?: Difference[]
}

export type Warning = {
  code: 'not_stored' | 'not_normalized' | 'refund_left_out' | 'not_a_sale' | 'does_not_add_up' | 'totals_differ' | 'scope_missing' | 'no_lines' | 'derived' | 'kept' | 'value_unknown' | 'reference_assumed' | 'external_id_ignored' | 'end_unconfirmed' | 'search_by_id_only' | 'search_by_some_fields' | 'external_id_unknown'
  pointer?: string
  id?: string
  message: string
}

export type Pagination = {
  /** Opaque cursor of the next page; absent on the last page */
  cursor?: string
  hasMore: boolean
}

export type Reference = {
  /** Your source id, as in the body; the platform's id if a PUT names no known source id */
  externalId: string
  /** The platform's id of the record: what GET and PUT take in their path */
  id: string
  replayed: boolean
}

export type KeyStatus = {
  /** Your source id */
  externalId: string
  outcome: 'in_flight' | 'done' | 'unknown' | 'partial' | 'linked'
  /** The platform's id */
  id?: string
}

export type DryRunStep = {
  name: string
  request: Record<string, unknown>
  recovery: string
}

export type ResolvedReference = {
  pointer: string
  sourceId: string
  nativeId: string
}

export type MissingField = {
  pointer: string
  message: string
}

export type DryRun = {
  dryRun: boolean
  steps: DryRunStep[]
  /** False when later steps depend on responses of the platform */
  complete: boolean
  references: ResolvedReference[]
  missing: MissingField[]
  warnings: Warning[]
  expectedWaitMs: number
  /** If the request would be a replay: the record of the stored response */
  data?: Record<string, unknown>
  reference?: Reference
}

export type Requirement = {
  pointer: string
  /** The whole condition in words; the other members are its parts */
  when: string
  /** Required if this field or setting is not given */
  without?: string
  /** Required if this field is given */
  with?: string
  /** Required if each field has one of its values */
  is?: Record<string, string[]>
  /** Required unless a field has one of its values */
  isNot?: Record<string, string[]>
  /** Required if this is the case at the platform */
  fact?: string
}

export type OrderSums = {
  /** Whether prices contain the taxes */
  prices: 'without_tax' | 'with_tax' | 'either'
  /** Where the platform has tips */
  tips: 'in_total' | 'beside_total' | 'either' | 'none'
  /** Whether the platform takes refunds off its total; `total` never has them */
  refunds: 'in_total' | 'beside_total' | 'apart'
  /** Whether the platform's price of a line contains the modifiers; `unitPrice` always does */
  modifiers: 'in_price' | 'beside_price' | 'none'
}

export type SearchField = 'name' | 'email' | 'phone' | 'sku' | 'number'

export type SearchSupport = {
  /** What `search` finds besides source ids and platform ids. Empty: the platform cannot search */
  by: SearchField[]
  /** Whether the newest records come first */
  newestFirst: boolean
}

export type EntitySupport = {
  read: boolean
  write: boolean
  update: boolean
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  /** The precision of the platform's modification times. With `seconds`, all records of the second of `updatedAfter` are returned. Absent if there is no modification time */
  stampPrecision?: 'milliseconds' | 'seconds'
  /** Fields for which a list makes second calls. With `fields` it makes them only if one of these is selected. Absent if no field needs one */
  details?: string[]
  /** Fields that a POST needs in any case; `/settings/x` is a setting of the account */
  requires: string[]
  /** Fields that a POST needs under a condition */
  requiresWhen: Requirement[]
  /** The only values that the platform takes in a field */
  values: Record<string, string[]>
  /** The most characters that a field may have */
  longest: Record<string, number>
  notStored: string[]
  /** Fields with money that the platform cannot take, and why: a write with one of them is refused */
  refused: Record<string, string>
  /** Fields that the platform may hold in another form; a write then returns a warning `derived` */
  derived: string[]
  sums?: OrderSums
  search: SearchSupport
  /** Native fields that custom fields can write: pointer into the native record -> type. In `[key=*]`, `*` stands for any name. Custom fields with another pointer are read-only */
  customPlaces: Record<string, string>
  /** Of an account: the JSON Schema of `custom` in this entity's records, as the default mappings declare it. Absent if they declare no custom fields */
  custom?: Record<string, unknown>
}

export type ApiVersion = {
  /** The version of the platform's API that the service uses */
  name: string
  /** Upgrade the service by this day: the platform may end the version later */
  reviewBy: string
}

export type PlatformRateLimit = {
  requests: number
  seconds: number
  /** The requests that this service makes at most; the rest is for other integrations of the business that share the limit. Absent: all of them */
  usable?: number
}

export type DailyQuota = {
  calls?: number
  plans?: Record<string, number>
}

export type NativeSupport = {
  /** What `path` of a native call is joined to. In `/platforms`, `{name}` is a setting of the account */
  origin: string
  /** Settings whose values `{name}` in `path` stands for */
  settings: string[]
}

export type PlatformSupport = {
  platform: string
  name: string
  docs: string
  apiVersion: ApiVersion
  verticals: string[]
  rateLimit: PlatformRateLimit[]
  /** Calls of the account that the platform allows at once; absent if it does not limit them */
  concurrency?: number
  dailyQuota?: DailyQuota
  native: NativeSupport
  entities: Record<string, Record<string, EntitySupport>>
}

export type Change = {
  /** Grows with every change of the account */
  sequence: number
  operation: 'created' | 'updated' | 'deleted'
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** The platform's id of the record */
  externalId: string
  /** Your source id, if the record was written or linked under one */
  sourceExternalId?: string
  /** When the service noticed the change */
  detectedAt: string
  /** The platform's modification time. Absent if the platform has none */
  modifiedAt?: string
  /** `write`: made through this service. `hint`: found by a read of this record. `poll`: found by an incremental read. `walk`: found by a full read */
  origin: 'write' | 'hint' | 'poll' | 'walk'
  /** With the origin `write`: the id of the credential. A two-way sync skips its own writes */
  writtenBy?: string
  /** JSON pointers of the fields that differ. Absent if the previous state is not stored */
  changed?: string[]
  /** With `deleted`: the record that this one was merged into */
  replacedBy?: string
  /** The whole record after the change, as in the list of its entity. Absent for `deleted`, if the workspace stores no records, and if the record must be read at the platform and can no longer be read */
  record?: Record<string, unknown>
}

export type CompleteUntil = {
  /** Every create and update that the platform stamped before this time has been reported. Absent if the platform cannot filter by modification time */
  modified?: string
  /** The same for everything, including deletes: the start of the last complete walk */
  all?: string
}

export type NativePart = {
  method: string
  /** A path of the platform's API */
  path: string
  /** JSON pointer of `value` in the body of the response */
  pointer: string
  /** As the platform sent it, without secrets */
  value?: unknown
}

export type NativeParts = {
  /** The parts of responses that the record was made of, the main one first. Single values that come from other responses, such as the currency of the shop, are not among them */
  responses: NativePart[]
}

export type NativePartsByEntity = {
  product?: Record<string, NativeParts>
  order?: Record<string, NativeParts>
  customer?: Record<string, NativeParts>
  category?: Record<string, NativeParts>
  employee?: Record<string, NativeParts>
  time_entry?: Record<string, NativeParts>
  shift?: Record<string, NativeParts>
  location?: Record<string, NativeParts>
  payment?: Record<string, NativeParts>
  refund?: Record<string, NativeParts>
  tax_rate?: Record<string, NativeParts>
  payment_method?: Record<string, NativeParts>
}

export type FeedPagination = {
  /** Opaque cursor of the next page. Every page has one */
  cursor: string
  /** `false`: these are all changes up to now */
  hasMore: boolean
}

export type CompleteUntilByEntity = {
  product?: CompleteUntil
  order?: CompleteUntil
  customer?: CompleteUntil
  category?: CompleteUntil
  employee?: CompleteUntil
  time_entry?: CompleteUntil
  shift?: CompleteUntil
  location?: CompleteUntil
  payment?: CompleteUntil
  refund?: CompleteUntil
  tax_rate?: CompleteUntil
  payment_method?: CompleteUntil
}

export type ChangePage = {
  data: Change[]
  native?: NativePartsByEntity
  pagination: FeedPagination
  completeUntil?: CompleteUntilByEntity
}

export type CompleteWalk = {
  /** Start */
  startedAt: string
  /** End */
  endedAt: string
  /** Records that it read */
  records: number
}

export type RunningWalk = {
  /** Start */
  startedAt: string
  /** Pages so far */
  pages: number
  /** Records so far */
  records: number
}

export type WatchError = {
  /** When it happened */
  at: string
  code: string
  detail: string
  /** Failed reads since the last one that succeeded */
  inARow: number
}

export type WatchStatus = {
  phase: 'first_walk' | 'ready'
  /** `poll`: incremental and full reads. `walk`: full reads only */
  mode: 'poll' | 'walk'
  /** Shortest time between two polls. Absent without polls */
  pollSeconds?: number
  /** Shortest time between two walks */
  walkHours: number
  /** Records in the index */
  records: number
  /** Records that could not be normalized */
  unreadable: number
  /** Records that a walk did not find and that are not proven deleted */
  deletesOnHold: number
  /** Records that are to be read again */
  waitingHints: number
  /** Changes that polls missed and a walk found */
  breaches: number
  /** Revision of the conversion to unified records */
  revision?: number
  completeUntil: CompleteUntil
  /** Seconds since `completeUntil.modified`, or `completeUntil.all` without polls */
  lagSeconds?: number
  /** End of the last poll */
  lastPollAt?: string
  /** When the next poll is due */
  nextPollAt?: string
  lastWalk?: CompleteWalk
  /** When the next walk is due */
  nextWalkAt?: string
  walk?: RunningWalk
  /** Why nothing is read. Absent if the watch is not paused */
  paused?: string
  /** Since when requests of callers leave no calls for the watch */
  starvedSince?: string
  /** After an error, or without free calls: nothing is read before this time */
  retryAt?: string
  lastError?: WatchError
}

export type WatchStatusByEntity = {
  product?: WatchStatus
  order?: WatchStatus
  customer?: WatchStatus
  category?: WatchStatus
  employee?: WatchStatus
  time_entry?: WatchStatus
  shift?: WatchStatus
  location?: WatchStatus
  payment?: WatchStatus
  refund?: WatchStatus
  tax_rate?: WatchStatus
  payment_method?: WatchStatus
}

export type FeedStatus = {
  accountId: string
  /** Sequence of the last change; 0 if there is none */
  head: number
  entities: WatchStatusByEntity
}

export type NativeReference = {
  externalId: string
  /** `true`: this is the stored response of an earlier request */
  replayed: boolean
}

export type NativeResponse = {
  /** Status of the response of the platform */
  status: number
  /** Headers of the response that contain no secret */
  headers: Record<string, string>
  /** Body of the response: JSON as the platform sent it, or a text. Null without a body. Secrets of the account are replaced with ••• */
  body?: unknown
  /** Of `body`, if the platform sent bytes that are no text */
  encoding?: 'base64'
  reference?: NativeReference
}

export type NativeCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path of the platform's API without host and query, such as `/v2/locations`. `{name}` is replaced with a setting of the account; `native.settings` of `GET /unified/{accountId}` lists their names */
  path: string
  /** Query parameters. An array is sent as one parameter per entry */
  query?: Record<string, unknown>
  /** Request headers: accept, accept-language, content-type, idempotency-key, if-match, if-modified-since, if-none-match, if-unmodified-since, prefer */
  headers?: Record<string, string>
  /** Sent as JSON. A string is sent as it is, with the `content-type` in `headers` */
  body?: unknown
  /** Required for POST, PUT, PATCH and DELETE: the idempotency key. The call is sent once; the same request gets the stored response */
  externalId?: string
}

export type DailyLimit = {
  /** Absent if the plan of the business is unknown: calls are then not limited */
  limit?: number
  used: number
  /** What new requests can still use. The last percent, and at least 10 calls, are reserved for writes that have begun */
  remaining?: number
  /** When the oldest calls no longer count. Absent if none are counted */
  resetsAt?: string
}

export type AccountSupport = {
  accountId: string
  platform: string
  /** The platform's name */
  name: string
  vertical: string
  state: string
  /** `true` in a test environment of the platform; absent for a real business */
  test?: boolean
  rateLimit: PlatformRateLimit[]
  /** Calls of the account that the platform allows at once; absent if it does not limit them */
  concurrency?: number
  dailyLimit?: DailyLimit
  native: NativeSupport
  entities: Record<string, EntitySupport>
}

export type Include = 'native'

export type ReferenceMode = 'auto' | 'source' | 'platform'

export type TotalsMode = 'exact'

export type OnUnknown = 'resend'

export type WriteGuard = 'duplicates'

export type DryRunMode = 'true' | 'check'

export type PlatformList = {
  data: PlatformSupport[]
}

/** The entity types, with the fields of all verticals. */
export type AllRecords = {
  product: { record: Product; input: ProductInput }
  order: { record: Order; input: OrderInput }
  customer: { record: Customer; input: CustomerInput }
  category: { record: Category; input: CategoryInput }
  employee: { record: Employee; input: EmployeeInput }
  time_entry: { record: TimeEntry }
  shift: { record: Shift }
  location: { record: Location }
  payment: { record: Payment; input: PaymentInput }
  refund: { record: Refund }
  tax_rate: { record: TaxRate }
  payment_method: { record: PaymentMethod }
}

/** The entities of each vertical. */
export type VerticalRecords = {
  restaurant: {
    product: { record: RestaurantProduct; input: RestaurantProductInput }
    order: { record: RestaurantOrder; input: RestaurantOrderInput }
    customer: { record: RestaurantCustomer; input: RestaurantCustomerInput }
    category: { record: RestaurantCategory; input: RestaurantCategoryInput }
    employee: { record: RestaurantEmployee; input: RestaurantEmployeeInput }
    time_entry: { record: RestaurantTimeEntry }
    shift: { record: RestaurantShift }
    location: { record: RestaurantLocation }
    payment: { record: RestaurantPayment; input: RestaurantPaymentInput }
    refund: { record: RestaurantRefund }
    tax_rate: { record: RestaurantTaxRate }
    payment_method: { record: RestaurantPaymentMethod }
  }
  retail_pos: {
    product: { record: RetailPosProduct; input: RetailPosProductInput }
    order: { record: RetailPosOrder; input: RetailPosOrderInput }
    customer: { record: RetailPosCustomer; input: RetailPosCustomerInput }
    location: { record: RetailPosLocation }
    payment: { record: RetailPosPayment; input: RetailPosPaymentInput }
    refund: { record: RetailPosRefund }
    tax_rate: { record: RetailPosTaxRate }
    payment_method: { record: RetailPosPaymentMethod }
  }
  accounting: {
    customer: { record: AccountingCustomer; input: AccountingCustomerInput }
  }
}
