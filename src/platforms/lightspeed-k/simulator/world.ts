// One K-Series business: items, accounts (open checks and closed sales are the same object in two stages), staff,
// shifts.
import type { Collection, State } from '../../../sandbox/collection.ts'
import { type Clock, createClock, createSerial, type Serial } from '../../../sandbox/world.ts'

export interface Item {
  id: number
  name: string
  docketName: string | null
  sku: string
  active: boolean
  barcodes: readonly string[]
  accountingGroupId: number
  costPrice: number | null
  prices: readonly { name: string; amount: number }[] // the first is the default price list
  sharingType: 'GLOBAL_NO_BL' | 'GLOBAL' | 'LOCAL' | 'SHARED'
  priceMode: 'AMOUNT' | 'PERCENT' | 'POSITIVE_OPEN_PRICE' | 'NEGATIVE_OPEN_PRICE'
  inventorySource: 'PURCHASED' | 'PRODUCED'
  disabled: boolean
  contentDimension: 'DIMENSION_LESS' | 'VOLUME' | 'MASS'
  contentUom: string
  contentValue: number
  itemType: 'ITEM' | 'SEQUENCE' | 'GROUP' | 'SUB_ITEM'
}
export interface AccountingGroup {
  accountingGroupId: number
  name: string
  statisticGroup: string
  code: string | null
}
export interface RichItem {
  businessId: number
  sku: string
  descriptions: readonly { localeCode: string; description?: string | null; displayName?: string | null }[]
  allergenCodes: readonly string[]
  creationDate: string
  lastUpdateDate: string
}
export interface Tax {
  taxId: string
  code: string
  description: string
  multiplier: string // as the platform writes a rate: "1.2" is 20 %
  ppm: number // the same in millionths: 200000
  included: boolean
}
export interface Method {
  pmId: number
  name: string
  code: string
  accountingReference: string | null
}
export interface Line {
  id: string
  parentLineId: string | null
  sku: string
  name: string
  nameOverride: string | null
  instructions: readonly string[] // production instructions: only an open check shows them
  quantity: number // thousandths
  unit: number // cents, before discounts
  discount: number // cents, of the line
  accountDiscount: number // cents, its share of the discount on the account
  chargePpm: number // service charge, in millionths
  taxes: readonly Tax[]
  accountingGroupId: number
  cost: number | null
  at: number
  staffId: number
  voidReason: string | null
}
export interface Consumer {
  id: string
  customerId: number
  firstName: string
  lastName: string | null
  email: string | null
  phoneNumber1: string | null
  companyName: string | null
  addressLine1: string | null
  zipCode: string | null
  city: string | null
}
export interface Payment {
  fiscId: string
  uuid: string
  code: string // of the payment method
  amount: number // cents, without tip and surcharge
  tip: number
  surcharge: number
  rounding: number // of cash, within the amount
  at: number
  reference: string | null
  consumer: Consumer | null
}
export type SaleType =
  | 'SALE'
  | 'VOID'
  | 'RECALL'
  | 'REFUND'
  | 'SPLIT'
  | 'UPDATE'
  | 'TRANSFER'
  | 'FLOAT'
  | 'TRANSITORY'
  | 'CROSS_BL'
  | 'CANCEL'
export interface Account {
  id: string // A65315.17
  uuid: string
  name: string | null
  type: SaleType
  cancelled: boolean
  initial: string // the account it corrects, otherwise itself
  previous?: string // the account it follows directly
  openedAt: number
  closedAt?: number
  receiptId: string | null
  references: readonly string[]
  table: number | null
  covers: number
  profile: string | null // order profile
  staffId: number
  lines: readonly Line[]
  payments: readonly Payment[]
  voidReason: string | null
}
/** An accepted order that no POS has fetched yet. */
export interface Task {
  reference: string
  order: {
    items: readonly TaskLine[]
    collectionCode: string | null
    clientCount: number
    tableNumber: number | null
    profile: string | null
    staffId: number | null
    toGo: boolean
  }
  acceptedAt: number
  looks: number
  state: 'waiting' | 'delivered' | 'failed'
  reason?: string
}
/** A payment of an API client that no POS has fetched yet. */
export interface PayTask {
  reference: string
  account: string
  code: string
  amount: number // cents, without the tip
  tip: number
  acceptedAt: number
  looks: number
  state: 'waiting' | 'delivered' | 'failed'
  reason?: string
}
export interface TaskLine {
  sku: string
  quantity: number
  customItemPrice?: number
  discountCode?: string
  discountAmountOverride?: number
  modifiers?: readonly { modifierId: string }[]
  subItems?: readonly TaskLine[]
}
export interface Staff {
  staffId: number
  username: string | null
  userTypes: readonly ('POS' | 'BACK_OFFICE' | 'API')[]
  firstName: string
  lastName: string
  email: string | null
  active: boolean
  pinLength: number | null
  createdOn: string
  modifiedOn: string
  groups: readonly number[]
  roles: readonly { id: number; name: string }[]
}
export interface Shift {
  uuid: string
  deviceId: number
  staffId: number
  declaredCashTips: string
  dateInUTC: string
  events: readonly { uuid: string; eventType: 'CLOCK_IN' | 'CLOCK_OUT'; timestamp: string; createdOn: string }[]
}
export interface StaffWebhook {
  uuid: string
  notificationType: string
  url: string
  webhookName: string
  businessLocationId: number
  createdAt: string
  updatedAt: string
}
export interface World extends Clock {
  businessId: number
  locationId: number
  name: string
  currency: string
  country: string
  timezone: string
  locales: readonly string[]
  endpointId: string
  openedAt: number // the location's first day
  items: Collection<Item>
  groups: Collection<AccountingGroup>
  rich: Collection<RichItem> // by sku
  counts: Collection<{ count: number; updatedAt: string }> // sales restrictions, by sku
  accounts: Collection<Account>
  tasks: Collection<Task> // by third-party reference
  pays: Collection<PayTask> // likewise
  taxes: Collection<Tax> // by code
  methods: Collection<Method> // by code
  endpoints: Collection<{ endpointId: string; url: string }>
  staff: Collection<Staff>
  staffGroups: Collection<{ id: number; name: string }>
  shifts: Collection<Shift>
  staffWebhooks: Collection<StaffWebhook>
  branches: Collection<{ id: number; name: string }> // other locations of the business, and new names
  serial: Serial
}
export interface BusinessFacts {
  businessId: number
  locationId: number
  name: string
  currency: string
  country: string
  timezone: string
  locales: readonly string[]
  endpointId: string
  openedAt: number
}

export function createWorld(facts: BusinessFacts, state: State, now: () => number): World {
  return {
    ...facts,
    items: state.collection('items'),
    groups: state.collection('groups'),
    rich: state.collection('rich'),
    branches: state.collection('branches'),
    counts: state.collection('counts'),
    accounts: state.collection('accounts'),
    tasks: state.collection('tasks'),
    pays: state.collection('pays'),
    taxes: state.collection('taxes'),
    methods: state.collection('payment-methods'),
    endpoints: state.collection('endpoints'),
    staff: state.collection('staff'),
    staffGroups: state.collection('staff-groups'),
    shifts: state.collection('shifts'),
    staffWebhooks: state.collection('staff-webhooks'),
    ...createClock(now, state),
    serial: createSerial(state),
  }
}

export const iso = (time: number): string => new Date(time).toISOString()
/** The staff API shows no fraction of a second. */
export const isoSeconds = (time: number): string => iso(time).replace(/\.\d{3}Z$/, 'Z')
export const decimal = (cents: number): string => (cents / 100).toFixed(2)
/** Ids of sales and shifts are the base64url of a UUID, including padding. */
export const encodedUuid = (uuid: string): string =>
  `${Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')}==`
export const isOpen = (account: Account): boolean => account.closedAt === undefined
