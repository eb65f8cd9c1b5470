// One Square seller: the collections and the clock that all endpoints share.

import { createHash, randomInt } from 'node:crypto'
import type { Vertical } from '../../../contract/entity.ts'
import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { canonical, cursorPage } from '../../../sandbox/paging.ts'
import { alphanumeric, upperAlphanumeric } from '../../../sandbox/seeds.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { type Clock, createClock } from '../../../sandbox/world.ts'
import { invalid } from './wire.ts'

export interface Money {
  amount: number
  currency: string
}
export interface CatalogObject extends Fields {
  type: string
  id: string
  updated_at: string
  version: number
  is_deleted: boolean
  item_data?: ItemData
  item_variation_data?: VariationData
  category_data?: Fields & { name?: string; parent_category?: { id?: string } }
  modifier_list_data?: Fields & { name?: string; modifiers?: CatalogObject[] }
  modifier_data?: Fields & { name?: string; price_money?: Money; modifier_list_id?: string }
  tax_data?: Fields & { name?: string; percentage?: string }
}
export interface ItemData extends Fields {
  name?: string
  variations?: CatalogObject[]
  tax_ids?: string[]
  categories?: { id: string; ordinal?: number }[]
  reporting_category?: { id: string; ordinal?: number }
  image_ids?: string[]
  is_archived?: boolean
}
export interface VariationData extends Fields {
  item_id?: string
  name?: string
  sku?: string
  pricing_type?: string
  price_money?: Money
}
export interface InventoryCount {
  catalog_object_id: string
  catalog_object_type: 'ITEM_VARIATION'
  state: string
  location_id: string
  quantity: string
  calculated_at: string
}
export interface Location {
  id: string
  name: string
  status: 'ACTIVE' | 'INACTIVE'
  currency: string
  [field: string]: unknown
}
export interface Stamped extends Fields {
  id: string
  created_at: string
  updated_at: string
}
export interface World extends Clock {
  vertical: Vertical
  name: string
  merchantId: string
  currency: string
  country: string
  timezone: string
  locations: Collection<Location>
  // Items with their variations inside, and all other objects except variations that are not deleted.
  catalog: Collection<CatalogObject>
  itemOf: Collection<string> // variation id -> item id
  counts: Collection<InventoryCount>
  changes: Collection<{ id: string; change: Fields & { type: string } }>
  orders: Collection<Stamped & Order>
  customers: Collection<Stamped & { version: number }>
  team: Collection<Stamped & { is_owner: boolean; status: string }>
  jobs: Collection<Stamped & { title: string }>
  timecards: Collection<Stamped & Timecard>
  shifts: Collection<Stamped & ScheduledShift>
  payments: Collection<Payment>
  refunds: Collection<Refund>
  keys: Collection<{ body: string; response: WireResponse }>
}
export interface Order {
  location_id: string
  state: 'OPEN' | 'COMPLETED' | 'CANCELED' | 'DRAFT'
  version?: number // absent on orders from the seller's own point of sale
  line_items?: LineItem[]
  taxes?: OrderTax[]
  discounts?: OrderDiscount[]
  service_charges?: ServiceCharge[]
  fulfillments?: Fields[]
  tenders?: Tender[]
  rounding_adjustment?: { uid: string; name: string; amount_money: Money }
  returns?: object[] // what came back: without lines, such an order is no sale
  return_amounts?: Amounts
  net_amounts?: object
  closed_at?: string
  customer_id?: string
  total_money?: Money
}
export type Amounts = Record<`${'total' | 'tax' | 'discount' | 'tip' | 'service_charge'}_money`, Money>
export interface Tender extends Fields {
  id: string
  type: string
  created_at: string
  amount_money: Money // with the tip
  tip_money?: Money
}
export interface Applied extends Fields {
  uid?: string
  applied_money?: Money
}
export interface LineItem extends Fields {
  uid: string
  quantity: string
  name?: string
  catalog_object_id?: string
  item_type?: string
  base_price_money?: Money
  modifiers?: LineModifier[]
  applied_discounts?: (Applied & { discount_uid: string })[]
  applied_taxes?: (Applied & { tax_uid: string })[]
  applied_service_charges?: (Applied & { service_charge_uid: string })[]
}
export interface Payment extends Stamped {
  amount_money: Money // without the tip
  tip_money?: Money
  total_money: Money
  refunded_money?: Money
  refund_ids?: string[]
  processing_fee?: object[]
  status: 'APPROVED' | 'PENDING' | 'COMPLETED' | 'CANCELED' | 'FAILED'
  source_type: string
  location_id: string
  order_id: string
}
export interface Refund extends Stamped {
  amount_money: Money
  status: 'PENDING' | 'COMPLETED' | 'REJECTED' | 'FAILED'
  location_id: string
  order_id: string // of the return
  payment_id?: string
}
export interface LineModifier extends Fields {
  uid: string
  quantity?: string // on one unit of the line
  base_price_money?: Money
}
export interface OrderTax extends Fields {
  uid: string
  percentage?: string
  type?: string
  scope?: string
}
export interface OrderDiscount extends Fields {
  uid: string
  percentage?: string
  amount_money?: Money
  scope?: string
}
export interface ServiceCharge extends Fields {
  uid: string
  percentage?: string
  amount_money?: Money
  calculation_phase?: string
  treatment_type?: string
  scope?: string
  taxable?: boolean
  applied_taxes?: (Applied & { tax_uid: string })[]
}
export interface Timecard {
  location_id: string
  team_member_id: string
  start_at: string
  end_at?: string
  status: 'OPEN' | 'CLOSED'
}
export interface ShiftDetails extends Fields {
  team_member_id?: string
  location_id: string
  job_id: string
  start_at: string
  end_at: string
  is_deleted?: boolean
}
export interface ScheduledShift {
  draft_shift_details: ShiftDetails
  published_shift_details?: ShiftDetails
  version: number
}
export interface SellerFacts {
  vertical: Vertical
  name: string
  merchantId: string
  currency: string
  country: string
  timezone: string
}

export function createWorld(facts: SellerFacts, state: State, now: () => number): World {
  const collection = <T>(name: string) => state.collection<T>(`${facts.vertical}/${name}`)
  return {
    ...facts,
    locations: collection('locations'),
    catalog: collection('catalog'),
    itemOf: collection('item-of'),
    counts: collection('counts'),
    changes: collection('changes'),
    orders: collection('orders'),
    customers: collection('customers'),
    team: collection('team'),
    jobs: collection('jobs'),
    timecards: collection('timecards'),
    shifts: collection('shifts'),
    payments: collection('payments'),
    refunds: collection('refunds'),
    keys: collection('keys'),
    ...createClock(now, state),
  }
}

export const iso = (time: number): string => new Date(time).toISOString()
/** Changes of customers, team members and timecards have whole seconds, as in the examples of the API reference. */
export const isoSeconds = (time: number): string => iso(time).replace(/\.\d{3}Z$/, 'Z')

const looks = {
  catalog: { alphabet: upperAlphanumeric, length: 24, start: '' },
  order: { alphabet: alphanumeric, length: 26, start: 'CA' },
  customer: { alphabet: upperAlphanumeric, length: 26, start: '' },
  team: { alphabet: alphanumeric, length: 14, start: 'TM' },
  timecard: { alphabet: upperAlphanumeric, length: 13, start: '' },
  uid: { alphabet: alphanumeric, length: 22, start: '' },
} as const
export function newId(kind: keyof typeof looks, random: (below: number) => number = randomInt): string {
  const { alphabet, length, start } = looks[kind]
  return start + Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
}

/** The same key with the same body returns the first result again; a rejected request does not use up its key. */
export function once(
  world: World,
  endpoint: string,
  key: string | undefined,
  body: Fields,
  run: () => WireResponse,
): WireResponse {
  if (key === undefined) return run()
  const id = `${endpoint} ${key}`
  const digest = createHash('sha256').update(canonical(body)).digest('base64url')
  const known = world.keys.get(id)
  if (known && known.body !== digest)
    return invalid(
      'IDEMPOTENCY_KEY_REUSED',
      'The idempotency key can only be retried with the same request data.',
      'idempotency_key',
    )
  if (known) return known.response
  return world.keys.set(id, { body: digest, response: run() }).response
}

/**
 * A page and the cursor of the next one. The cursor is bound to everything in the request except itself and the page
 * size.
 */
export function pageOf<T>(
  rows: readonly T[],
  request: Fields,
  options: { limit: number; key(row: T): string; descending?: boolean; carried?: unknown },
): { rows: T[]; rest: { cursor?: string } } {
  const { cursor, limit: _, ...query } = request
  const page = cursorPage(rows, { ...options, cursor: cursor as string | undefined, query })
  if (!page) return invalid('INVALID_CURSOR', 'The pagination cursor is invalid.', 'cursor')
  return { rows: page.rows, rest: { ...(page.cursor && { cursor: page.cursor }) } }
}

export function locationOf(world: World, id: unknown, field: string): Location {
  return (
    world.locations.get(String(id)) ??
    invalid('INVALID_VALUE', `Location \`${String(id)}\` was not found for this merchant.`, field)
  )
}
