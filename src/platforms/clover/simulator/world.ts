// One Clover merchant: the collections and the clock that all endpoints share.

import { randomInt } from 'node:crypto'
import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { type Clock, createClock } from '../../../sandbox/world.ts'

export interface Reference {
  id: string
}
export interface Item extends Fields {
  id: string
  name: string
  price: number
  priceType: 'FIXED' | 'VARIABLE' | 'PER_UNIT'
  sku?: string
  code?: string
  unitName?: string
  hidden: boolean
  available: boolean
  autoManage: boolean
  defaultTaxRates: boolean
  createdTime: number // not in responses: the default sort key
  modifiedTime: number
  categoryIds: string[]
  taxRateIds: string[]
  stock?: { quantity: number; modifiedTime: number }
}
export interface Category extends Fields {
  id: string
  name: string
  sortOrder: number
  createdTime: number
  modifiedTime: number
}
export interface Discount extends Fields {
  id: string
  name: string
  amount?: number // negative
  percentage?: number
  percentageDecimal?: number // 10 000 is one percent
}
export interface Modifier extends Fields {
  id: string
  name: string
  price: number
  modifierGroup: Reference
}
/** Name and amount are those at the time of the sale. */
export interface Modification extends Fields {
  id: string
  name: string
  amount: number
  modifier: Reference
}
export interface TaxRate extends Fields {
  id: string
  name: string
  rate: number // 10 000 000 is 100 percent
  taxAmount?: number // of each line
  isDefault: boolean
}
export interface LineItem extends Fields {
  id: string
  item?: Reference
  name: string
  price: number
  unitQty?: number
  unitName?: string
  userData?: string
  createdTime: number
  exchanged?: boolean
  refunded?: boolean
  isRevenue?: boolean
  isOrderFee?: boolean
  orderFeeType?: string
  percentage?: number // of an order fee; 10 000 is one percent
  discountList: Discount[]
  modificationList: Modification[]
  taxRateList: TaxRate[]
}
export interface Tender extends Fields {
  id: string
  label: string
  labelKey?: string // of Clover's own
  enabled: boolean
}
export interface Payment extends Fields {
  id: string
  tender: Reference
  amount: number // without the tip
  taxAmount: number
  tipAmount: number
  result: string
  createdTime: number
  clientCreatedTime: number
  modifiedTime: number
}
export interface Refund extends Fields {
  id: string
  payment: Reference
  amount: number // with tax and tip
  taxAmount: number
  tipAmount: number
  status: string
  voided: boolean
  createdTime: number
}
/** Money back without a payment. */
export interface Credit extends Fields {
  id: string
  amount: number
  taxAmount: number
  result: string
  voided: boolean
  createdTime: number
}
export interface ServiceCharge extends Fields {
  id: string
  name: string
  percentageDecimal: number // 10 000 is one percent
  isAutoApplied: boolean
}
export interface Order extends Fields {
  id: string
  state: string | null
  paymentState: string
  total: number
  title?: string
  note?: string
  externalReferenceId?: string
  createdTime: number
  clientCreatedTime: number
  modifiedTime: number
  customerIds: string[]
  lines: LineItem[]
  discountList: Discount[]
  paymentList: Payment[]
  refundList: Refund[]
  creditList: Credit[]
  serviceChargeOf?: ServiceCharge
  orderTypeId?: string
  taxRemoved: boolean
  isVat: boolean
  testMode: boolean
  deletedTimestamp?: number
}
export interface Contact extends Fields {
  id: string
}
export interface Customer extends Fields {
  id: string
  firstName?: string
  lastName?: string
  marketingAllowed: boolean
  customerSince: number
  addressList: Contact[]
  emailList: (Contact & { emailAddress: string })[]
  phoneList: (Contact & { phoneNumber: string })[]
  metadata: Fields
}
export interface Employee extends Fields {
  id: string
  name: string
  nickname?: string
  customId?: string
  email?: string
  role: string
  isOwner: boolean
  createdTime: number
  modifiedTime: number // can be filtered by, not in responses
}
export interface Shift extends Fields {
  id: string
  employee: Reference
  inTime: number
  outTime?: number
  overrideInTime?: number
  overrideOutTime?: number
}
export interface Merchant {
  id: string
  name: string
  currency: string
  timezone: string
  createdTime: number
}
export interface World extends Clock {
  /** Clover's times are milliseconds that it cuts to seconds. */
  stamp(): number
  merchant: Merchant
  base: string // URL of the merchant, for links
  items: Collection<Item>
  categories: Collection<Category>
  orders: Collection<Order>
  customers: Collection<Customer>
  employees: Collection<Employee>
  shifts: Collection<Shift>
  names: Collection<string> // of the merchant, if its owner changed it
  taxRates: Collection<TaxRate>
  modifiers: Collection<Modifier>
  orderTypes: Collection<Fields & Reference>
  tenders: Collection<Tender>
}

export function createWorld(merchant: Merchant, origin: string, state: State, now: () => number): World {
  const clock = createClock(now, state)
  return {
    merchant,
    base: `${origin}/v3/merchants/${merchant.id}`,
    items: state.collection('items'),
    categories: state.collection('categories'),
    orders: state.collection('orders'),
    customers: state.collection('customers'),
    employees: state.collection('employees'),
    names: state.collection('names'),
    shifts: state.collection('shifts'),
    taxRates: state.collection('tax-rates'),
    modifiers: state.collection('modifiers'),
    orderTypes: state.collection('order-types'),
    tenders: state.collection('tenders'),
    ...clock,
    stamp: () => wholeSecond(clock.tick()),
  }
}

export const wholeSecond = (at: number): number => at - (at % 1000)

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 13 characters of Crockford's base 32. */
export const newId = (random: (below: number) => number = randomInt): string =>
  Array.from({ length: 13 }, () => alphabet[random(32)]).join('')

/** Every change of an order or its lines updates its time. */
export function changeOrder(world: World, order: Order, change: Partial<Order>): Order {
  return world.orders.set(order.id, {
    ...order,
    ...change,
    modifiedTime: Math.max(world.stamp(), order.modifiedTime),
  })
}
