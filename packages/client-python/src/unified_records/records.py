"""The types of records and responses. Generated from the OpenAPI document by `npm run docs`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _Product(TypedDict):
    #: The platform's id of the product: what GET and PUT take in their path
    externalId: str
    #: Primary product or menu item name
    name: str


class Product(_Product, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantProduct`, `RetailPosProduct`"""

    #: Long or alternate description
    description: str
    #: Primary SKU, PLU or item code
    sku: str
    #: Barcode, UPC, EAN or external item code
    barcode: str
    #: Primary sell price, in major currency units
    price: float
    #: Unit cost, in major currency units
    cost: float
    #: Whether the product is available or active
    active: bool
    #: Whether default taxes apply
    taxable: bool
    #: The platform's id of the category
    categoryExternalId: str
    #: On-hand stock quantity
    stockOnHand: int
    #: Currency of price and cost; needed by some write targets (ISO 4217)
    currencyCode: str
    #: Whether the source item tracks inventory
    trackInventory: bool
    #: How the price is set
    priceType: Literal["FIXED", "VARIABLE", "PER_UNIT"]
    #: Human-readable category or product type name
    categoryName: str
    #: Vendor, manufacturer or brand label
    vendor: str
    #: Searchable tags or labels
    tags: List[str]
    #: Primary product image URL
    imageUrl: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _ProductInput(TypedDict):
    #: In a POST body, your own stable id of the product (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Primary product or menu item name
    name: str


class ProductInput(_ProductInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantProductInput`, `RetailPosProductInput`"""

    #: Long or alternate description
    description: str
    #: Primary SKU, PLU or item code
    sku: str
    #: Barcode, UPC, EAN or external item code
    barcode: str
    #: Primary sell price, in major currency units
    price: float
    #: Unit cost, in major currency units
    cost: float
    #: Whether the product is available or active
    active: bool
    #: Whether default taxes apply
    taxable: bool
    #: In a body, your source id of the category or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    categoryExternalId: str
    #: On-hand stock quantity
    stockOnHand: int
    #: Currency of price and cost; needed by some write targets (ISO 4217)
    currencyCode: str
    #: Whether the source item tracks inventory
    trackInventory: bool
    #: How the price is set
    priceType: Literal["FIXED", "VARIABLE", "PER_UNIT"]
    #: Human-readable category or product type name
    categoryName: str
    #: Vendor, manufacturer or brand label
    vendor: str
    #: Searchable tags or labels
    tags: List[str]
    #: Primary product image URL
    imageUrl: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class Address(TypedDict, total=False):
    #: Street address, first line
    line1: str
    #: Street address, second line
    line2: str
    #: City or locality
    city: str
    #: State, province or region: a name or an ISO 3166-2 code, with or without the country
    state: str
    #: ZIP or postal code
    postalCode: str
    #: Country: an English name or an ISO 3166-1 code of two or three letters
    country: str


class OrderFulfillment(TypedDict, total=False):
    #: How the guest gets the order
    type: Literal["DINE_IN", "TAKEOUT", "CURBSIDE", "DELIVERY", "SHIPPING", "IN_STORE"]
    #: State of the preparation
    state: Literal["NEW", "IN_PROGRESS", "READY", "FULFILLED", "CANCELED"]
    #: When it must be ready (ISO 8601 with offset)
    dueAt: str
    #: Table
    table: str
    #: Who gets it
    name: str
    #: Phone number
    phone: str
    address: Address
    #: Instructions for the delivery or the kitchen
    instructions: str


class OrderServiceCharge(TypedDict, total=False):
    #: Display name
    name: str
    #: Kind of the charge
    kind: Literal["SERVICE", "GRATUITY", "DELIVERY", "SURCHARGE", "OTHER"]
    #: Amount of the charge, in major currency units
    amount: float
    #: Tax on the charge, in major currency units
    taxAmount: float


class OrderDiscount(TypedDict, total=False):
    #: Display name
    name: str
    #: Whether it is on the whole order
    scope: Literal["ORDER", "LINE"]
    #: Amount that is taken off, in major currency units
    amount: float
    #: Percent, where it is one
    percent: float


class OrderTax(TypedDict, total=False):
    #: The platform's id of the tax rate
    taxRateExternalId: str
    #: Display name
    name: str
    #: Percent: 8.875 is 8.875 %
    rate: float
    #: Amount of the tax, in major currency units
    amount: float
    #: Amount that the tax is on, in major currency units
    base: float
    #: Whether prices contain it
    included: bool
    #: Whether a marketplace pays it to the authority
    remittedByMarketplace: bool


class OrderNestedModifier(TypedDict, total=False):
    #: The platform's id of the modifier
    modifierExternalId: str
    #: The platform's id of its group
    modifierGroupExternalId: str
    #: Display name
    name: str
    #: How often it is on one unit of the line
    quantity: float
    #: Price of one, in major currency units
    price: float


class OrderModifier(TypedDict, total=False):
    #: The platform's id of the modifier
    modifierExternalId: str
    #: The platform's id of its group
    modifierGroupExternalId: str
    #: Display name
    name: str
    #: How often it is on one unit of the line
    quantity: float
    #: Price of one, in major currency units
    price: float
    #: Modifiers; their prices are part of `unitPrice`
    modifiers: List[OrderNestedModifier]


class OrderLineTax(TypedDict, total=False):
    #: The platform's id of the tax rate
    taxRateExternalId: str
    #: Display name
    name: str
    #: Percent: 8.875 is 8.875 %
    rate: float
    #: Amount of the tax, in major currency units
    amount: float
    #: Amount that the tax is on, in major currency units
    base: float
    #: Whether prices contain it
    included: bool
    #: Whether a marketplace pays it to the authority
    remittedByMarketplace: bool


class _OrderLineItem(TypedDict):
    #: Ordered quantity
    quantity: float


class OrderLineItem(_OrderLineItem, total=False):
    #: The platform's id of the line; ignored in a POST
    externalId: str
    #: The platform's id of the product
    productExternalId: str
    #: Source SKU
    sku: str
    #: Display name; the product id can serve as a fallback label
    name: str
    #: A gift card that is sold is a liability, not a sale; ITEM by default
    kind: Literal["ITEM", "GIFT_CARD"]
    #: Price of one unit with its modifiers, before discounts; `taxIncluded` says whether with taxes, in major currency units
    unitPrice: float
    #: Line tax total, in major currency units
    lineTax: float
    #: All that is taken off the line, its share of discounts on the order included, in major currency units
    lineDiscount: float
    #: Quantity times price, less `lineDiscount`, in major currency units
    lineTotal: float
    #: Modifiers; their prices are part of `unitPrice`
    modifiers: List[OrderModifier]
    #: Each tax by itself
    taxes: List[OrderLineTax]
    #: Note to the kitchen
    note: str
    #: The platform's id of the category
    categoryExternalId: str


class _Order(TypedDict):
    #: The platform's id of the order: what GET and PUT take in their path
    externalId: str
    #: Ordered lines, at least one
    lineItems: List[OrderLineItem]


class Order(_Order, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantOrder`, `RetailPosOrder`"""

    #: Human-readable order number, receipt or ticket label
    orderNumber: str
    #: When the sale took place: paid, else opened (ISO 8601 with offset)
    processedAt: str
    #: When the order was closed for good (ISO 8601 with offset)
    closedAt: str
    #: The location's business day (YYYY-MM-DD)
    businessDate: str
    #: The platform's id of the customer
    customerExternalId: str
    #: The platform's id of the location
    locationExternalId: str
    #: The platform's id of the employee
    employeeExternalId: str
    #: Where the order comes from, such as POS, ONLINE, DELIVERY or a marketplace
    channel: str
    #: Guests
    guestCount: int
    fulfillment: OrderFulfillment
    #: Currency; matters for writes to some targets (ISO 4217)
    currencyCode: str
    #: Normalized order state
    state: Literal["OPEN", "COMPLETED", "CANCELED", "PENDING"]
    #: Internal or customer-visible note
    note: str
    #: Whether prices, line totals and charges contain the taxes. Absent if only some do: see `taxes`
    taxIncluded: bool
    #: Sum of the line totals, in major currency units
    subtotal: float
    #: All discounts, which are inside the lines, in major currency units
    discountTotal: float
    #: Service charges and automatic gratuity, without tips, in major currency units
    serviceChargeTotal: float
    #: Shipping, handling, delivery and wrapping, in major currency units
    shippingTotal: float
    #: Tips, in major currency units
    tipTotal: float
    #: Whether `total` contains the tips
    tipIncluded: bool
    #: Cash rounding, signed, in major currency units
    roundingTotal: float
    #: Refunded so far, with tax; never taken off `total`, in major currency units
    refundTotal: float
    #: What the order cost, before refunds, in major currency units
    total: float
    #: Order tax total, in major currency units
    taxTotal: float
    #: Each service charge by itself
    serviceCharges: List[OrderServiceCharge]
    #: Each discount by itself; the lines contain them
    discounts: List[OrderDiscount]
    #: Each tax by itself
    taxes: List[OrderTax]
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class OrderFulfillmentInput(TypedDict, total=False):
    #: How the guest gets the order
    type: Literal["DINE_IN", "TAKEOUT", "CURBSIDE", "DELIVERY", "SHIPPING", "IN_STORE"]
    #: State of the preparation
    state: Literal["NEW", "IN_PROGRESS", "READY", "FULFILLED", "CANCELED"]
    #: When it must be ready (ISO 8601 with offset)
    dueAt: str
    #: Table
    table: str
    #: Who gets it
    name: str
    #: Phone number
    phone: str
    address: Address
    #: Instructions for the delivery or the kitchen
    instructions: str


class OrderTaxInput(TypedDict, total=False):
    #: The platform's id of the tax rate
    taxRateExternalId: str
    #: Display name
    name: str
    #: Percent: 8.875 is 8.875 %
    rate: float
    #: Amount of the tax, in major currency units
    amount: float
    #: Amount that the tax is on, in major currency units
    base: float
    #: Whether prices contain it
    included: bool
    #: Whether a marketplace pays it to the authority
    remittedByMarketplace: bool


class OrderNestedModifierInput(TypedDict, total=False):
    #: The platform's id of the modifier
    modifierExternalId: str
    #: The platform's id of its group
    modifierGroupExternalId: str
    #: Display name
    name: str
    #: How often it is on one unit of the line
    quantity: float
    #: Price of one, in major currency units
    price: float


class OrderModifierInput(TypedDict, total=False):
    #: The platform's id of the modifier
    modifierExternalId: str
    #: The platform's id of its group
    modifierGroupExternalId: str
    #: Display name
    name: str
    #: How often it is on one unit of the line
    quantity: float
    #: Price of one, in major currency units
    price: float
    #: Modifiers; their prices are part of `unitPrice`
    modifiers: List[OrderNestedModifierInput]


class OrderLineTaxInput(TypedDict, total=False):
    #: The platform's id of the tax rate
    taxRateExternalId: str
    #: Display name
    name: str
    #: Percent: 8.875 is 8.875 %
    rate: float
    #: Amount of the tax, in major currency units
    amount: float
    #: Amount that the tax is on, in major currency units
    base: float
    #: Whether prices contain it
    included: bool
    #: Whether a marketplace pays it to the authority
    remittedByMarketplace: bool


class _OrderLineItemInput(TypedDict):
    #: Ordered quantity
    quantity: float


class OrderLineItemInput(_OrderLineItemInput, total=False):
    #: The platform's id of the line; ignored in a POST
    externalId: str
    #: In a body, your source id of the product or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    productExternalId: str
    #: Source SKU
    sku: str
    #: Display name; the product id can serve as a fallback label
    name: str
    #: A gift card that is sold is a liability, not a sale; ITEM by default
    kind: Literal["ITEM", "GIFT_CARD"]
    #: Price of one unit with its modifiers, before discounts; `taxIncluded` says whether with taxes, in major currency units
    unitPrice: float
    #: Line tax total, in major currency units
    lineTax: float
    #: All that is taken off the line, its share of discounts on the order included, in major currency units
    lineDiscount: float
    #: Quantity times price, less `lineDiscount`, in major currency units
    lineTotal: float
    #: Modifiers; their prices are part of `unitPrice`
    modifiers: List[OrderModifierInput]
    #: Each tax by itself
    taxes: List[OrderLineTaxInput]
    #: Note to the kitchen
    note: str
    #: In a body, your source id of the category or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    categoryExternalId: str


class _OrderInput(TypedDict):
    #: In a POST body, your own stable id of the order (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Ordered lines, at least one
    lineItems: List[OrderLineItemInput]


class OrderInput(_OrderInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantOrderInput`, `RetailPosOrderInput`"""

    #: Human-readable order number, receipt or ticket label
    orderNumber: str
    #: When the sale took place: paid, else opened (ISO 8601 with offset)
    processedAt: str
    #: When the order was closed for good (ISO 8601 with offset)
    closedAt: str
    #: The location's business day (YYYY-MM-DD)
    businessDate: str
    #: In a body, your source id of the customer or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    customerExternalId: str
    #: In a body, your source id of the location or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    locationExternalId: str
    #: In a body, your source id of the employee or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    employeeExternalId: str
    #: Where the order comes from, such as POS, ONLINE, DELIVERY or a marketplace
    channel: str
    #: Guests
    guestCount: int
    fulfillment: OrderFulfillmentInput
    #: Currency; matters for writes to some targets (ISO 4217)
    currencyCode: str
    #: Normalized order state
    state: Literal["OPEN", "COMPLETED", "CANCELED", "PENDING"]
    #: Internal or customer-visible note
    note: str
    #: Whether prices, line totals and charges contain the taxes. Absent if only some do: see `taxes`
    taxIncluded: bool
    #: Sum of the line totals, in major currency units
    subtotal: float
    #: All discounts, which are inside the lines, in major currency units
    discountTotal: float
    #: Service charges and automatic gratuity, without tips, in major currency units
    serviceChargeTotal: float
    #: Shipping, handling, delivery and wrapping, in major currency units
    shippingTotal: float
    #: Tips, in major currency units
    tipTotal: float
    #: Whether `total` contains the tips
    tipIncluded: bool
    #: Cash rounding, signed, in major currency units
    roundingTotal: float
    #: Refunded so far, with tax; never taken off `total`, in major currency units
    refundTotal: float
    #: What the order cost, before refunds, in major currency units
    total: float
    #: Order tax total, in major currency units
    taxTotal: float
    #: Each service charge by itself
    serviceCharges: List[OrderServiceCharge]
    #: Each discount by itself; the lines contain them
    discounts: List[OrderDiscount]
    #: Each tax by itself
    taxes: List[OrderTaxInput]
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Customer(TypedDict):
    #: The platform's id of the customer: what GET and PUT take in their path
    externalId: str
    #: Best available display or contact name; the stable cross-system anchor
    name: str


class Customer(_Customer, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantCustomer`, `RetailPosCustomer`, `AccountingCustomer`"""

    #: Given name; some write targets require it
    firstName: str
    #: Family name; some write targets require it
    lastName: str
    #: Primary email address
    email: str
    #: Primary phone number
    phone: str
    #: Business or company name
    companyName: str
    #: Customer note or memo
    notes: str
    address: Address
    #: Whether the customer or contact is active
    active: bool
    #: Preferred currency (ISO 4217)
    currencyCode: str
    #: Whether the customer permits marketing, when the source exposes it
    marketingAllowed: bool
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _CustomerInput(TypedDict):
    #: In a POST body, your own stable id of the customer (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Best available display or contact name; the stable cross-system anchor
    name: str


class CustomerInput(_CustomerInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantCustomerInput`, `RetailPosCustomerInput`, `AccountingCustomerInput`"""

    #: Given name; some write targets require it
    firstName: str
    #: Family name; some write targets require it
    lastName: str
    #: Primary email address
    email: str
    #: Primary phone number
    phone: str
    #: Business or company name
    companyName: str
    #: Customer note or memo
    notes: str
    address: Address
    #: Whether the customer or contact is active
    active: bool
    #: Preferred currency (ISO 4217)
    currencyCode: str
    #: Whether the customer permits marketing, when the source exposes it
    marketingAllowed: bool
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Category(TypedDict):
    #: The platform's id of the category: what GET and PUT take in their path
    externalId: str
    #: Display name of the category or menu group
    name: str


class Category(_Category, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantCategory`"""

    #: Category description
    description: str
    #: The platform's id of the category
    parentExternalId: str
    #: Whether the category is active or not deleted
    active: bool
    #: Source image identifiers
    imageIds: List[str]
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _CategoryInput(TypedDict):
    #: In a POST body, your own stable id of the category (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Display name of the category or menu group
    name: str


class CategoryInput(_CategoryInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantCategoryInput`"""

    #: Category description
    description: str
    #: In a body, your source id of the parent category or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    parentExternalId: str
    #: Whether the category is active or not deleted
    active: bool
    #: Source image identifiers
    imageIds: List[str]
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Employee(TypedDict):
    #: The platform's id of the employee: what GET and PUT take in their path
    externalId: str
    #: Display name
    name: str


class Employee(_Employee, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantEmployee`"""

    #: Nickname or short label
    nickname: str
    #: Employee email
    email: str
    #: A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role
    role: str
    #: System-specific employee code or custom id
    employeeCode: str
    #: Whether the employee is active
    active: bool
    #: Whether the employee is marked as owner
    isOwner: bool
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _EmployeeInput(TypedDict):
    #: In a POST body, your own stable id of the employee (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Display name
    name: str


class EmployeeInput(_EmployeeInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantEmployeeInput`"""

    #: Nickname or short label
    nickname: str
    #: Employee email
    email: str
    #: A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role
    role: str
    #: System-specific employee code or custom id
    employeeCode: str
    #: Whether the employee is active
    active: bool
    #: Whether the employee is marked as owner
    isOwner: bool
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _TimeEntry(TypedDict):
    #: The platform's id of the time entry: what GET and PUT take in their path
    externalId: str


class TimeEntry(_TimeEntry, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantTimeEntry`"""

    #: The platform's id of the employee
    employeeExternalId: str
    #: Job or role identifier
    jobExternalId: str
    #: The platform's id of the shift
    shiftExternalId: str
    #: Punch-in time (ISO 8601 with offset)
    startAt: str
    #: Punch-out time (ISO 8601 with offset)
    endAt: str
    #: Regular hours worked
    regularHours: float
    #: Overtime hours worked
    overtimeHours: float
    #: Source time-entry status
    status: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Shift(TypedDict):
    #: The platform's id of the shift: what GET and PUT take in their path
    externalId: str


class Shift(_Shift, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantShift`"""

    #: The platform's id of the employee
    employeeExternalId: str
    #: Job or role identifier
    jobExternalId: str
    #: The platform's id of the location
    locationExternalId: str
    #: Planned start (ISO 8601 with offset)
    startAt: str
    #: Planned end (ISO 8601 with offset)
    endAt: str
    #: Planned breaks, in minutes
    breakMinutes: float
    #: The platform's status of the shift
    status: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Location(TypedDict):
    #: The platform's id of the location: what GET and PUT take in their path
    externalId: str
    #: Name of the restaurant, store or outlet
    name: str


class Location(_Location, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantLocation`, `RetailPosLocation`"""

    address: Address
    #: Time zone, as the platform has it: mostly a name of the IANA database
    timezone: str
    #: Currency of prices and orders (ISO 4217)
    currencyCode: str
    #: Whether the location is open or not deleted
    active: bool
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _Payment(TypedDict):
    #: The platform's id of the payment: what GET and PUT take in their path
    externalId: str
    #: Paid without the tip, with taxes and surcharge; positive, in major currency units
    amount: float


class Payment(_Payment, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantPayment`, `RetailPosPayment`"""

    #: Currency of the amounts (ISO 4217)
    currencyCode: str
    #: Tip on this payment, in major currency units
    tip: float
    #: Surcharge within `amount`, in major currency units
    surcharge: float
    #: Processing fee, which may be known later, in major currency units
    fee: float
    #: Cash that was handed over, in major currency units
    cashTendered: float
    #: Cash that was given back, in major currency units
    changeGiven: float
    #: Refunded so far, in major currency units
    refundedAmount: float
    #: The platform's id of the order
    orderExternalId: str
    #: The platform's id of the location
    locationExternalId: str
    #: The platform's id of the employee
    employeeExternalId: str
    #: The platform's id of the customer
    customerExternalId: str
    #: The platform's id of the payment method
    paymentMethodExternalId: str
    #: Kind of money
    methodType: Literal["CASH", "CARD", "GIFT_CARD", "STORE_CREDIT", "HOUSE_ACCOUNT", "BANK_TRANSFER", "WALLET", "BNPL", "LOYALTY", "CHECK", "VOUCHER", "OTHER"]
    #: The platform's name of the method
    methodName: str
    #: Whether the money moved
    state: Literal["PENDING", "AUTHORIZED", "COMPLETED", "CANCELED", "FAILED"]
    #: When the money moved (ISO 8601 with offset)
    processedAt: str
    #: Business day that it counts for (YYYY-MM-DD)
    businessDate: str
    #: Brand of the card
    cardBrand: str
    #: Last four digits of the card
    cardLast4: str
    #: Reference of the payment outside of the platform
    reference: str
    #: Note
    note: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _PaymentInput(TypedDict):
    #: In a POST body, your own stable id of the payment (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.
    externalId: str
    #: Paid without the tip, with taxes and surcharge; positive, in major currency units
    amount: float


class PaymentInput(_PaymentInput, total=False):
    """A body with the fields of all verticals. Those of one vertical: `RestaurantPaymentInput`, `RetailPosPaymentInput`"""

    #: Currency of the amounts (ISO 4217)
    currencyCode: str
    #: Tip on this payment, in major currency units
    tip: float
    #: Surcharge within `amount`, in major currency units
    surcharge: float
    #: Processing fee, which may be known later, in major currency units
    fee: float
    #: Cash that was handed over, in major currency units
    cashTendered: float
    #: Cash that was given back, in major currency units
    changeGiven: float
    #: Refunded so far, in major currency units
    refundedAmount: float
    #: In a body, your source id of the order or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    orderExternalId: str
    #: In a body, your source id of the location or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    locationExternalId: str
    #: In a body, your source id of the employee or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    employeeExternalId: str
    #: In a body, your source id of the customer or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    customerExternalId: str
    #: In a body, your source id of the payment method or the platform's id, as the query parameter `references` says. In every response, the platform's id.
    paymentMethodExternalId: str
    #: Kind of money
    methodType: Literal["CASH", "CARD", "GIFT_CARD", "STORE_CREDIT", "HOUSE_ACCOUNT", "BANK_TRANSFER", "WALLET", "BNPL", "LOYALTY", "CHECK", "VOUCHER", "OTHER"]
    #: The platform's name of the method
    methodName: str
    #: Whether the money moved
    state: Literal["PENDING", "AUTHORIZED", "COMPLETED", "CANCELED", "FAILED"]
    #: When the money moved (ISO 8601 with offset)
    processedAt: str
    #: Business day that it counts for (YYYY-MM-DD)
    businessDate: str
    #: Brand of the card
    cardBrand: str
    #: Last four digits of the card
    cardLast4: str
    #: Reference of the payment outside of the platform
    reference: str
    #: Note
    note: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _RefundLineItem(TypedDict):
    #: Units that came back
    quantity: float


class RefundLineItem(_RefundLineItem, total=False):
    #: The platform's id of the line of the order
    orderLineExternalId: str
    #: The platform's id of the product
    productExternalId: str
    #: Display name
    name: str
    #: Paid back for them, in major currency units
    amount: float
    #: Taxes in `amount`, in major currency units
    tax: float
    #: Whether they went back to stock
    restocked: bool


class _Refund(TypedDict):
    #: The platform's id of the refund: what GET and PUT take in their path
    externalId: str
    #: Paid back with taxes, without the tip; positive, in major currency units
    amount: float


class Refund(_Refund, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantRefund`, `RetailPosRefund`"""

    #: Taxes in `amount`, in major currency units
    taxAmount: float
    #: Tip that was paid back, in major currency units
    tip: float
    #: Currency of the amounts (ISO 4217)
    currencyCode: str
    #: The platform's id of the order
    orderExternalId: str
    #: The platform's id of the payment
    paymentExternalId: str
    #: The platform's id of the location
    locationExternalId: str
    #: The platform's id of the customer
    customerExternalId: str
    #: The platform's id of the employee
    employeeExternalId: str
    #: Money only, goods that came back, or a void after the day was closed
    kind: Literal["REFUND", "RETURN", "VOID"]
    #: Reason
    reason: str
    #: Note
    note: str
    #: Whether the money moved
    state: Literal["PENDING", "COMPLETED", "FAILED", "CANCELED"]
    #: When the refund took place (ISO 8601 with offset)
    processedAt: str
    #: Business day of the refund itself (YYYY-MM-DD)
    businessDate: str
    #: Kind of money
    methodType: Literal["CASH", "CARD", "GIFT_CARD", "STORE_CREDIT", "HOUSE_ACCOUNT", "BANK_TRANSFER", "WALLET", "BNPL", "LOYALTY", "CHECK", "VOUCHER", "OTHER"]
    #: The platform's id of the payment method
    paymentMethodExternalId: str
    #: Lines of the order that were refunded
    lineItems: List[RefundLineItem]
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class TaxRateComponent(TypedDict, total=False):
    #: Display name
    name: str
    #: Percent
    rate: float
    #: Whether it is on the price with the other components
    compound: bool


class _TaxRate(TypedDict):
    #: The platform's id of the tax rate: what GET and PUT take in their path
    externalId: str
    #: Display name
    name: str


class TaxRate(_TaxRate, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantTaxRate`, `RetailPosTaxRate`"""

    #: Percent: 8.875 is 8.875 %
    rate: float
    #: How the tax is computed
    type: Literal["PERCENT", "FIXED", "TABLE"]
    #: Amount of a fixed tax on one unit, in major currency units
    amount: float
    #: Whether prices contain it
    included: bool
    #: Whether it applies where no other one is chosen
    isDefault: bool
    #: Whether it can be used
    active: bool
    #: The platform's code of the tax
    code: str
    #: Which documents can have it
    appliesTo: Literal["SALES", "PURCHASES", "BOTH"]
    #: The taxes that it consists of
    components: List[TaxRateComponent]
    #: Country
    country: str
    #: State, province or region
    region: str
    #: The platform's id of the location
    locationExternalId: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class _PaymentMethod(TypedDict):
    #: The platform's id of the payment method: what GET and PUT take in their path
    externalId: str
    #: Display name
    name: str


class PaymentMethod(_PaymentMethod, total=False):
    """The fields of all verticals. With `fields`, a record has only those that were selected; what else is always there says the schema of its vertical: `RestaurantPaymentMethod`, `RetailPosPaymentMethod`"""

    #: Kind of money
    type: Literal["CASH", "CARD", "GIFT_CARD", "STORE_CREDIT", "HOUSE_ACCOUNT", "BANK_TRANSFER", "WALLET", "BNPL", "LOYALTY", "CHECK", "VOUCHER", "OTHER"]
    #: Whether it can be used
    active: bool
    #: Whether it can have a tip
    acceptsTips: bool
    #: Whether it opens the cash drawer
    opensDrawer: bool
    #: The platform's id of the location
    locationExternalId: str
    #: Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it
    custom: Dict[str, Any]


class Choice(TypedDict):
    value: str
    label: str


class _Violation(TypedDict):
    #: JSON pointer into the body
    pointer: str
    message: str


class Violation(_Violation, total=False):
    #: Valid values, if the platform reports them
    choices: List[Choice]


class _DownstreamError(TypedDict):
    platform: str


class DownstreamError(_DownstreamError, total=False):
    status: int
    code: str
    message: str


class _KnownReference(TypedDict):
    #: Your source id
    externalId: str


class KnownReference(_KnownReference, total=False):
    """With 404 `record_not_found`: the id in the path is your source id of this record. With 409 `possible_duplicate`: the write that has the same content. With 410 `content_erased`: the write whose content was erased"""

    #: The platform's id: use it in the path. Absent while it is not known
    id: str
    #: With `possible_duplicate`: what became of that write
    outcome: str


class WalkProgress(TypedDict):
    pages: int
    records: int


class _Difference(TypedDict):
    pointer: str


class Difference(_Difference, total=False):
    written: Any
    asked: Any


class _Problem(TypedDict):
    #: URL of the error in the reference
    type: str
    title: str
    status: int
    detail: str
    code: Literal["malformed_json", "malformed_request", "unknown_parameter", "invalid_parameter", "invalid_cursor", "filter_unsupported", "mapping_key_required", "mapping_key_mismatch", "unauthorized", "forbidden", "insufficient_scope", "not_found", "unknown_account", "unknown_entity", "entity_not_offered", "record_not_found", "resource_not_found", "method_not_allowed", "already_exists", "resource_in_use", "idempotency_conflict", "outcome_unknown", "partially_written", "write_in_progress", "possible_duplicate", "reference_pending", "stale_record", "account_disabled", "not_watched", "not_ready", "cursor_expired", "content_erased", "totals_differ", "precondition_failed", "payload_too_large", "uri_too_long", "unsupported_media_type", "validation_failed", "target_requires", "target_refuses", "unknown_reference", "downstream_rejected", "too_many_requests", "header_too_large", "request_timeout", "internal_error", "downstream_error", "reconnect_required", "unavailable", "downstream_timeout"]
    requestId: str


class Problem(_Problem, total=False):
    errors: List[Violation]
    downstream: DownstreamError
    #: The platform's id of the record
    id: str
    reference: KnownReference
    #: With 409 `possible_duplicate`: the record that was written, if that write is done
    data: Dict[str, Any]
    #: The idempotency key
    externalId: str
    #: With 410 `content_erased`
    erasedAt: str
    #: With 410 `cursor_expired`. `pruned`: the changes are older than the service stores them. `restored`: the database was restored. `epoch`: the entity has new records, because of another business or a new watch. `stopped`: the entity is no longer watched
    reason: Literal["pruned", "restored", "epoch", "stopped"]
    #: With `not_watched`, `cursor_expired` and `insufficient_scope`: the entities that it is about
    entityTypes: List[str]
    #: With `insufficient_scope`: the scope that the request needs
    scope: str
    #: With `insufficient_scope`: the limit of the credential that excludes the request
    limit: Literal["accounts", "entities", "hiddenFields"]
    #: With `not_ready`: how far the first walk of each entity is
    progress: Dict[str, WalkProgress]
    differences: List[Difference]


class _Warning(TypedDict):
    code: Literal["not_stored", "not_normalized", "refund_left_out", "not_a_sale", "does_not_add_up", "totals_differ", "scope_missing", "no_lines", "derived", "kept", "value_unknown", "reference_assumed", "external_id_ignored", "end_unconfirmed", "search_by_id_only", "search_by_some_fields", "external_id_unknown"]
    message: str


class Warning(_Warning, total=False):
    pointer: str
    id: str


class _Pagination(TypedDict):
    hasMore: bool


class Pagination(_Pagination, total=False):
    #: Opaque cursor of the next page; absent on the last page
    cursor: str


class Reference(TypedDict):
    #: Your source id, as in the body; the platform's id if a PUT names no known source id
    externalId: str
    #: The platform's id of the record: what GET and PUT take in their path
    id: str
    replayed: bool


class _KeyStatus(TypedDict):
    #: Your source id
    externalId: str
    outcome: Literal["in_flight", "done", "unknown", "partial", "linked"]


class KeyStatus(_KeyStatus, total=False):
    #: The platform's id
    id: str


class DryRunStep(TypedDict):
    name: str
    request: Dict[str, Any]
    recovery: str


class ResolvedReference(TypedDict):
    pointer: str
    sourceId: str
    nativeId: str


class MissingField(TypedDict):
    pointer: str
    message: str


class _DryRun(TypedDict):
    dryRun: bool
    steps: List[DryRunStep]
    #: False when later steps depend on responses of the platform
    complete: bool
    references: List[ResolvedReference]
    missing: List[MissingField]
    warnings: List[Warning]
    expectedWaitMs: int


class DryRun(_DryRun, total=False):
    #: If the request would be a replay: the record of the stored response
    data: Dict[str, Any]
    reference: Reference


Requirement = TypedDict(
    "Requirement",
    {
        "pointer": "str",
        "when": "str",
        "without": "str",
        "with": "str",
        "is": "Dict[str, List[str]]",
        "isNot": "Dict[str, List[str]]",
        "fact": "str",
    },
    total=False,
)


class OrderSums(TypedDict):
    #: Whether prices contain the taxes
    prices: Literal["without_tax", "with_tax", "either"]
    #: Where the platform has tips
    tips: Literal["in_total", "beside_total", "either", "none"]
    #: Whether the platform takes refunds off its total; `total` never has them
    refunds: Literal["in_total", "beside_total", "apart"]
    #: Whether the platform's price of a line contains the modifiers; `unitPrice` always does
    modifiers: Literal["in_price", "beside_price", "none"]


SearchField = Literal["name", "email", "phone", "sku", "number"]


class SearchSupport(TypedDict):
    #: What `search` finds besides source ids and platform ids. Empty: the platform cannot search
    by: List[SearchField]
    #: Whether the newest records come first
    newestFirst: bool


class _EntitySupport(TypedDict):
    read: bool
    write: bool
    update: bool
    pageLimit: int
    updatedAfter: Literal["platform", "service", "none"]
    #: Fields that a POST needs in any case; `/settings/x` is a setting of the account
    requires: List[str]
    #: Fields that a POST needs under a condition
    requiresWhen: List[Requirement]
    #: The only values that the platform takes in a field
    values: Dict[str, List[str]]
    #: The most characters that a field may have
    longest: Dict[str, int]
    notStored: List[str]
    #: Fields with money that the platform cannot take, and why: a write with one of them is refused
    refused: Dict[str, str]
    #: Fields that the platform may hold in another form; a write then returns a warning `derived`
    derived: List[str]
    search: SearchSupport
    #: Native fields that custom fields can write: pointer into the native record -> type. In `[key=*]`, `*` stands for any name. Custom fields with another pointer are read-only
    customPlaces: Dict[str, str]


class EntitySupport(_EntitySupport, total=False):
    #: The precision of the platform's modification times. With `seconds`, all records of the second of `updatedAfter` are returned. Absent if there is no modification time
    stampPrecision: Literal["milliseconds", "seconds"]
    #: Fields for which a list makes second calls. With `fields` it makes them only if one of these is selected. Absent if no field needs one
    details: List[str]
    sums: OrderSums
    #: Of an account: the JSON Schema of `custom` in this entity's records, as the default mappings declare it. Absent if they declare no custom fields
    custom: Dict[str, Any]


class ApiVersion(TypedDict):
    #: The version of the platform's API that the service uses
    name: str
    #: Upgrade the service by this day: the platform may end the version later
    reviewBy: str


class _PlatformRateLimit(TypedDict):
    requests: int
    seconds: float


class PlatformRateLimit(_PlatformRateLimit, total=False):
    #: The requests that this service makes at most; the rest is for other integrations of the business that share the limit. Absent: all of them
    usable: int


class DailyQuota(TypedDict, total=False):
    calls: int
    plans: Dict[str, int]


class NativeSupport(TypedDict):
    #: What `path` of a native call is joined to. In `/platforms`, `{name}` is a setting of the account
    origin: str
    #: Settings whose values `{name}` in `path` stands for
    settings: List[str]


class _PlatformSupport(TypedDict):
    platform: str
    name: str
    docs: str
    apiVersion: ApiVersion
    verticals: List[str]
    rateLimit: List[PlatformRateLimit]
    native: NativeSupport
    entities: Dict[str, Dict[str, EntitySupport]]


class PlatformSupport(_PlatformSupport, total=False):
    #: Calls of the account that the platform allows at once; absent if it does not limit them
    concurrency: int
    dailyQuota: DailyQuota


class _Change(TypedDict):
    #: Grows with every change of the account
    sequence: int
    operation: Literal["created", "updated", "deleted"]
    entityType: Literal["product", "order", "customer", "category", "employee", "time_entry", "shift", "location", "payment", "refund", "tax_rate", "payment_method"]
    #: The platform's id of the record
    externalId: str
    #: When the service noticed the change
    detectedAt: str
    #: `write`: made through this service. `hint`: found by a read of this record. `poll`: found by an incremental read. `walk`: found by a full read
    origin: Literal["write", "hint", "poll", "walk"]


class Change(_Change, total=False):
    #: Your source id, if the record was written or linked under one
    sourceExternalId: str
    #: The platform's modification time. Absent if the platform has none
    modifiedAt: str
    #: With the origin `write`: the id of the credential. A two-way sync skips its own writes
    writtenBy: str
    #: JSON pointers of the fields that differ. Absent if the previous state is not stored
    changed: List[str]
    #: With `deleted`: the record that this one was merged into
    replacedBy: str
    #: The whole record after the change, as in the list of its entity. Absent for `deleted`, if the workspace stores no records, and if the record must be read at the platform and can no longer be read
    record: Dict[str, Any]


class CompleteUntil(TypedDict, total=False):
    #: Every create and update that the platform stamped before this time has been reported. Absent if the platform cannot filter by modification time
    modified: str
    #: The same for everything, including deletes: the start of the last complete walk
    all: str


class _NativePart(TypedDict):
    method: str
    #: A path of the platform's API
    path: str
    #: JSON pointer of `value` in the body of the response
    pointer: str


class NativePart(_NativePart, total=False):
    #: As the platform sent it, without secrets
    value: Any


class NativeParts(TypedDict):
    #: The parts of responses that the record was made of, the main one first. Single values that come from other responses, such as the currency of the shop, are not among them
    responses: List[NativePart]


class NativePartsByEntity(TypedDict, total=False):
    product: Dict[str, NativeParts]
    order: Dict[str, NativeParts]
    customer: Dict[str, NativeParts]
    category: Dict[str, NativeParts]
    employee: Dict[str, NativeParts]
    time_entry: Dict[str, NativeParts]
    shift: Dict[str, NativeParts]
    location: Dict[str, NativeParts]
    payment: Dict[str, NativeParts]
    refund: Dict[str, NativeParts]
    tax_rate: Dict[str, NativeParts]
    payment_method: Dict[str, NativeParts]


class FeedPagination(TypedDict):
    #: Opaque cursor of the next page. Every page has one
    cursor: str
    #: `false`: these are all changes up to now
    hasMore: bool


class CompleteUntilByEntity(TypedDict, total=False):
    product: CompleteUntil
    order: CompleteUntil
    customer: CompleteUntil
    category: CompleteUntil
    employee: CompleteUntil
    time_entry: CompleteUntil
    shift: CompleteUntil
    location: CompleteUntil
    payment: CompleteUntil
    refund: CompleteUntil
    tax_rate: CompleteUntil
    payment_method: CompleteUntil


class _ChangePage(TypedDict):
    data: List[Change]
    pagination: FeedPagination


class ChangePage(_ChangePage, total=False):
    native: NativePartsByEntity
    completeUntil: CompleteUntilByEntity


class CompleteWalk(TypedDict):
    #: Start
    startedAt: str
    #: End
    endedAt: str
    #: Records that it read
    records: int


class RunningWalk(TypedDict):
    #: Start
    startedAt: str
    #: Pages so far
    pages: int
    #: Records so far
    records: int


class WatchError(TypedDict):
    #: When it happened
    at: str
    code: str
    detail: str
    #: Failed reads since the last one that succeeded
    inARow: int


class _WatchStatus(TypedDict):
    phase: Literal["first_walk", "ready"]
    #: `poll`: incremental and full reads. `walk`: full reads only
    mode: Literal["poll", "walk"]
    #: Shortest time between two walks
    walkHours: float
    #: Records in the index
    records: int
    #: Records that could not be normalized
    unreadable: int
    #: Records that a walk did not find and that are not proven deleted
    deletesOnHold: int
    #: Records that are to be read again
    waitingHints: int
    #: Changes that polls missed and a walk found
    breaches: int
    completeUntil: CompleteUntil


class WatchStatus(_WatchStatus, total=False):
    #: Shortest time between two polls. Absent without polls
    pollSeconds: int
    #: Revision of the conversion to unified records
    revision: int
    #: Seconds since `completeUntil.modified`, or `completeUntil.all` without polls
    lagSeconds: int
    #: End of the last poll
    lastPollAt: str
    #: When the next poll is due
    nextPollAt: str
    lastWalk: CompleteWalk
    #: When the next walk is due
    nextWalkAt: str
    walk: RunningWalk
    #: Why nothing is read. Absent if the watch is not paused
    paused: str
    #: Since when requests of callers leave no calls for the watch
    starvedSince: str
    #: After an error, or without free calls: nothing is read before this time
    retryAt: str
    lastError: WatchError


class WatchStatusByEntity(TypedDict, total=False):
    product: WatchStatus
    order: WatchStatus
    customer: WatchStatus
    category: WatchStatus
    employee: WatchStatus
    time_entry: WatchStatus
    shift: WatchStatus
    location: WatchStatus
    payment: WatchStatus
    refund: WatchStatus
    tax_rate: WatchStatus
    payment_method: WatchStatus


class FeedStatus(TypedDict):
    accountId: str
    #: Sequence of the last change; 0 if there is none
    head: int
    entities: WatchStatusByEntity


class NativeReference(TypedDict):
    """Of a call with an `externalId`"""

    externalId: str
    #: `true`: this is the stored response of an earlier request
    replayed: bool


class _NativeResponse(TypedDict):
    #: Status of the response of the platform
    status: int
    #: Headers of the response that contain no secret
    headers: Dict[str, str]


class NativeResponse(_NativeResponse, total=False):
    #: Body of the response: JSON as the platform sent it, or a text. Null without a body. Secrets of the account are replaced with •••
    body: Any
    #: Of `body`, if the platform sent bytes that are no text
    encoding: Literal["base64"]
    reference: NativeReference


class _NativeCall(TypedDict):
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    #: A path of the platform's API without host and query, such as `/v2/locations`. `{name}` is replaced with a setting of the account; `native.settings` of `GET /unified/{accountId}` lists their names
    path: str


class NativeCall(_NativeCall, total=False):
    #: Query parameters. An array is sent as one parameter per entry
    query: Dict[str, Any]
    #: Request headers: accept, accept-language, content-type, idempotency-key, if-match, if-modified-since, if-none-match, if-unmodified-since, prefer
    headers: Dict[str, str]
    #: Sent as JSON. A string is sent as it is, with the `content-type` in `headers`
    body: Any
    #: Required for POST, PUT, PATCH and DELETE: the idempotency key. The call is sent once; the same request gets the stored response
    externalId: str


class _DailyLimit(TypedDict):
    used: int


class DailyLimit(_DailyLimit, total=False):
    #: Absent if the plan of the business is unknown: calls are then not limited
    limit: int
    #: What new requests can still use. The last percent, and at least 10 calls, are reserved for writes that have begun
    remaining: int
    #: When the oldest calls no longer count. Absent if none are counted
    resetsAt: str


class _AccountSupport(TypedDict):
    accountId: str
    platform: str
    #: The platform's name
    name: str
    vertical: str
    state: str
    rateLimit: List[PlatformRateLimit]
    native: NativeSupport
    entities: Dict[str, EntitySupport]


class AccountSupport(_AccountSupport, total=False):
    #: `true` in a test environment of the platform; absent for a real business
    test: bool
    #: Calls of the account that the platform allows at once; absent if it does not limit them
    concurrency: int
    dailyLimit: DailyLimit


Include = Literal["native"]


ReferenceMode = Literal["auto", "source", "platform"]


TotalsMode = Literal["exact"]


OnUnknown = Literal["resend"]


WriteGuard = Literal["duplicates"]


DryRunMode = Literal["true", "check"]


class PlatformList(TypedDict):
    data: List[PlatformSupport]
