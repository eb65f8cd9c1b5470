// One Toast restaurant: the collections and the clock that all endpoints share.
import { randomUUID } from 'node:crypto'
import type { Collection, State } from '../../../sandbox/collection.ts'
import { type Clock, createClock } from '../../../sandbox/world.ts'

export interface Reference {
  guid: string
  entityType: string
  externalId: string | null
}
export const referenceTo = (entityType: string, guid: string): Reference => ({ guid, entityType, externalId: null })

export interface Menu {
  guid: string
  name: string
  description: string
}
export interface Group {
  guid: string
  menuGuid: string
  parentGuid?: string
  name: string
  description: string
  image: string | null
  visibility: string[]
}
export interface Item {
  guid: string
  groups: string[] // an item can be in several
  name: string
  description: string
  sku: string
  plu: string
  price: number | null
  dinnerPrice?: number // for MENU_SPECIFIC_PRICE: the price everywhere except in its first group
  pricingStrategy: 'BASE_PRICE' | 'MENU_SPECIFIC_PRICE' | 'TIME_SPECIFIC_PRICE' | 'SIZE_PRICE' | 'OPEN_PRICE'
  unitOfMeasure: string
  visibility: string[]
  taxed: boolean
  localTax?: true | undefined // a second tax
  taxInclusive?: true | undefined
  needsModifier: boolean
  multiLocationId: string
}
export interface Inventory {
  guid: string
  multiLocationId: string
  status: 'IN_STOCK' | 'QUANTITY' | 'OUT_OF_STOCK'
  quantity: number | null
}
export interface AppliedTax {
  guid: string
  entityType: 'AppliedTaxRate'
  taxRate: { guid: string; entityType: 'TaxRate' } | null
  name: string
  rate: number | null
  taxAmount: number
  type: 'PERCENT' | 'EXTERNAL'
  facilitatorCollectAndRemitTax: boolean | null
}
export interface AppliedDiscount {
  guid: string
  entityType: 'AppliedCustomDiscount'
  externalId: null
  name: string
  discountAmount: number
  nonTaxDiscountAmount: number
  discountType: string
  discountPercent: number | null
}
export interface RefundDetails {
  refundAmount: number
  taxRefundAmount: number
  refundTransaction: { guid: string; entityType: string }
}
export interface Selection extends Reference {
  item: (Reference & { multiLocationId?: string }) | null
  itemGroup: Reference | null
  optionGroup: Reference | null
  displayName: string
  quantity: number
  unitOfMeasure: string
  selectionType: string
  deferred: boolean
  preDiscountPrice: number
  price: number
  receiptLinePrice: number | null
  tax: number
  voided: boolean
  voidDate: string | null
  voidBusinessDate: number | null
  fulfillmentStatus: string
  taxInclusion: 'INCLUDED' | 'NOT_INCLUDED' | 'INHERITED'
  plu: string
  modifiers: Selection[]
  appliedDiscounts: AppliedDiscount[]
  appliedTaxes: AppliedTax[]
  refundDetails: RefundDetails | null
  createdDate: string
  modifiedDate: string
}
export interface AppliedServiceCharge extends Reference {
  name: string
  serviceCharge: Reference
  chargeAmount: number
  chargeType: 'FIXED' | 'PERCENT' | 'OPEN'
  delivery: boolean
  takeout: boolean
  dineIn: boolean
  gratuity: boolean
  taxable: boolean
  appliedTaxes: AppliedTax[]
  serviceChargeCalculation: 'PRE_DISCOUNT' | 'POST_DISCOUNT' | null
  serviceChargeCategory: 'SERVICE_CHARGE' | 'CREDIT_CARD_SURCHARGE' | 'FUNDRAISING_CAMPAIGN' | 'CASH_ROUNDING'
  paymentGuid: string | null
  refundDetails: RefundDetails | null
}
export interface Refund {
  refundAmount: number
  tipRefundAmount: number
  refundDate: string
  refundBusinessDate: number
  refundTransaction: { guid: string; entityType: string }
}
export interface Payment extends Reference {
  paidDate: string
  paidBusinessDate: number
  type: 'CASH' | 'CREDIT' | 'GIFTCARD' | 'HOUSE_ACCOUNT' | 'OTHER'
  cardEntryMode: string | null
  amount: number
  tipAmount: number
  amountTendered: number | null
  cardType: string | null
  first6Digits: string | null
  last4Digits: string | null
  originalProcessingFee: number | null
  server: Reference | null
  cashDrawer: Reference | null
  refundStatus: 'NONE' | 'PARTIAL' | 'FULL'
  refund: Refund | null
  paymentStatus: string | null
  voidInfo: { voidDate: string; voidBusinessDate: number; [field: string]: unknown } | null
  houseAccount: Reference | null
  otherPayment: Reference | null
  mcaRepaymentAmount: number | null
}
export interface Check extends Reference {
  displayNumber: string
  openedDate: string
  createdDate: string
  modifiedDate: string
  closedDate: string | null
  paidDate: string | null
  deletedDate: string
  paymentStatus: 'OPEN' | 'PAID' | 'CLOSED'
  voided: boolean
  deleted: boolean
  tabName: string | null
  taxExempt: boolean
  amount: number
  taxAmount: number
  totalAmount: number
  customer: object | null
  selections: Selection[]
  appliedDiscounts: AppliedDiscount[]
  appliedServiceCharges: AppliedServiceCharge[]
  payments: Payment[]
}
export interface Order extends Reference {
  source: string
  businessDate: number
  displayNumber: string
  openedDate: string
  createdDate: string
  modifiedDate: string
  closedDate: string | null
  paidDate: string | null
  promisedDate: string | null
  voided: boolean
  voidDate: string | null
  deleted: boolean
  deletedDate: string
  approvalStatus: string
  numberOfGuests: number
  diningOption: Reference
  server: Reference | null
  table: Reference | null
  revenueCenter: Reference | null
  deliveryInfo: object | null
  curbsidePickupInfo: object | null
  createdInTestMode: boolean
  excessFood: boolean
  pricingFeatures: string[]
  checks: Check[]
}
export interface Employee extends Reference {
  createdDate: string
  modifiedDate: string
  deletedDate: string
  deleted: boolean
  firstName: string | null
  chosenName: string | null
  lastName: string | null
  email: string
  phoneNumber: string | null
  phoneNumberCountryCode: string | null
  externalEmployeeId: string | null
  jobReferences: Reference[]
  wageOverrides: object[]
  v2EmployeeGuid: string
}
export interface Job extends Reference {
  title: string
  deleted: boolean
  wageFrequency: 'HOURLY' | 'SALARY'
  defaultWage: number
  tipped: boolean
  code: string
  createdDate: string
  modifiedDate: string
  deletedDate: string
}
export interface TimeEntry extends Reference {
  createdDate: string
  modifiedDate: string
  deletedDate: string
  deleted: boolean
  jobReference: Reference | null
  employeeReference: Reference
  shiftReference: Reference | null
  inDate: string
  outDate: string | null
  autoClockedOut: boolean
  businessDate: string
  regularHours: number | null
  overtimeHours: number | null
  hourlyWage: number | null
  breaks: { missed: boolean; [field: string]: unknown }[]
  declaredCashTips: number
  nonCashTips: number
}
export interface Shift extends Reference {
  createdDate: string
  modifiedDate: string
  deletedDate: string
  deleted: boolean
  jobReference: Reference
  employeeReference: Reference
  inDate: string
  outDate: string
  scheduleConfig: {
    minBeforeClockIn: number
    minAfterClockIn: number
    minBeforeClockOut: number
    minAfterClockOut: number
  }
}
export interface DiningOption extends Reference {
  name: string
  behavior: 'DINE_IN' | 'TAKE_OUT' | 'DELIVERY'
  curbside: boolean
}
export interface Table extends Reference {
  name: string
}
export interface TaxRate {
  guid: string
  entityType: 'TaxRate'
  name: string
  isDefault: boolean
  rate: number | null
  type: 'PERCENT' | 'FIXED' | 'TABLE' | 'NONE' | 'EXTERNAL'
  roundingType: 'HALF_UP' | 'HALF_EVEN' | 'ALWAYS_UP' | 'ALWAYS_DOWN' | null
  taxTable: object[]
  conditionalTaxRates: object[]
}
/** In the configuration; `modified` is not shown. */
export interface Configured<T> {
  shown: T
  modified: number
}
export interface PaymentType extends Reference {
  name: string
}
export interface World extends Clock {
  guid: string
  name: string
  currency: string
  timeZone: string
  closeoutHour: number
  firstBusinessDate: number
  taxRates: Collection<Configured<TaxRate>>
  paymentTypes: Collection<Configured<PaymentType>>
  tables: Collection<Table>
  menus: Collection<Menu>
  groups: Collection<Group>
  items: Collection<Item>
  publication: Collection<{ lastUpdated: string }>
  inventory: Collection<Inventory>
  orders: Collection<Order>
  employees: Collection<Employee>
  jobs: Collection<Job>
  timeEntries: Collection<TimeEntry>
  shifts: Collection<Shift>
  diningOptions: Collection<DiningOption>
  names: Collection<string> // what the owner renamed
}

export function createWorld(state: State, now: () => number, seededAt: number): World {
  return {
    guid: '4d1c6c1e-5b5d-4c5a-9a55-8a5d3f7e0a01',
    name: 'Harbor Street Grill',
    currency: 'USD',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    firstBusinessDate: businessDate(seededAt - 90 * 86_400_000), // of the oldest orders
    taxRates: state.collection('tax-rates'),
    paymentTypes: state.collection('payment-types'),
    tables: state.collection('tables'),
    menus: state.collection('menus'),
    groups: state.collection('groups'),
    items: state.collection('items'),
    publication: state.collection('publication'),
    inventory: state.collection('inventory'),
    orders: state.collection('orders'),
    employees: state.collection('employees'),
    jobs: state.collection('jobs'),
    timeEntries: state.collection('time-entries'),
    shifts: state.collection('shifts'),
    diningOptions: state.collection('dining-options'),
    names: state.collection('names'),
    ...createClock(now, state),
  }
}

/** The day ends at 4 a.m. New York time; UTC-5 all year is precise enough here. */
export const businessDate = (time: number): number =>
  Number(new Date(time - 9 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', ''))
export const newGuid = (): string => randomUUID()
