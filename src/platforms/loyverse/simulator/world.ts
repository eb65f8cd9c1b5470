// One Loyverse account: the collections, the clock and the rules that all endpoints share.
import type { Collection, State } from '../../../sandbox/collection.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import { createSerial } from '../../../sandbox/world.ts'
import type { Stamped } from './wire.ts'

export interface Store extends Stamped {
  id: string
  name: string
}
export interface PaymentType extends Stamped {
  id: string
  name: string
  type: string
  stores: string[]
}
export interface Tax extends Stamped {
  id: string
  name: string
  type: 'INCLUDED' | 'ADDED'
  rate: number
  stores: string[]
}
export interface Discount extends Stamped {
  id: string
  name: string
  type: 'FIXED_PERCENT' | 'FIXED_AMOUNT' | 'VARIABLE_PERCENT' | 'VARIABLE_AMOUNT' | 'DISCOUNT_BY_POINTS'
  discount_amount: number | null
  discount_percent: number | null
  stores: string[]
  restricted_access: boolean
}
export interface Named extends Stamped {
  id: string
  name: string
}
export interface Item extends Stamped {
  id: string
  handle: string
  reference_id: string | null
  item_name: string
  description: string | null
  track_stock: boolean
  sold_by_weight: boolean
  is_composite: boolean
  use_production: boolean
  category_id: string | null
  components: { variant_id: string | null; quantity: number | null }[]
  primary_supplier_id: string | null
  tax_ids: string[]
  modifiers_ids: string[]
  form: string
  color: string
  image_url: string | null
  option1_name: string | null
  option2_name: string | null
  option3_name: string | null
  variant_ids: string[] // not part of the API: variants are in a separate collection
}
export interface Override {
  store_id: string
  pricing_type: 'FIXED' | 'VARIABLE'
  price: number | null
  available_for_sale: boolean
  optimal_stock: number | null
  low_stock: number | null
}
export interface Variant extends Stamped {
  variant_id: string
  item_id: string
  sku: string
  reference_variant_id: string | null
  option1_value: string | null
  option2_value: string | null
  option3_value: string | null
  barcode: string | null
  cost: number
  purchase_cost: number
  default_pricing_type: 'FIXED' | 'VARIABLE'
  default_price: number | null
  stores: Override[]
}
export interface Level {
  variant_id: string
  store_id: string
  in_stock: number
  updated_at: string
}
export interface Customer extends Stamped {
  id: string
  name: string
  email: string | null
  phone_number: string | null
  address: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country_code: string | null
  customer_code: string | null
  note: string | null
  first_visit: string | null
  last_visit: string | null
  total_visits: number
  total_spent: number
  total_points: number
  permanent_deletion_at: string | null
}
export interface ModifierGroup extends Stamped {
  id: string
  name: string
  stores: string[]
  modifier_options: { id: string; name: string; price: number; position: number }[]
}
export interface Line {
  id: string
  item_id: string
  variant_id: string
  item_name: string
  variant_name: string | null
  sku: string
  quantity: number
  price: number
  gross_total_money: number
  total_money: number
  cost: number
  cost_total: number
  line_note: string | null
  line_taxes: { id: string; type: string; name: string; rate: number; money_amount: number }[]
  total_discount: number
  line_discounts: { id: string; type: string; name: string; percentage?: number; money_amount: number }[]
  line_modifiers: {
    id: string
    modifier_option_id: string
    name: string
    option: string
    price: number
    money_amount: number
  }[]
}
/** Of integrated card terminals. */
export interface PaymentDetails {
  authorization_code: string
  reference_id: string
  entry_method: string
  card_company: string
  card_number: string
}
export interface Receipt extends Stamped {
  receipt_number: string
  note: string | null
  receipt_type: 'SALE' | 'REFUND'
  refund_for: string | null
  order: string | null
  source: string
  receipt_date: string
  cancelled_at: string | null
  total_money: number
  total_tax: number
  points_earned: number
  points_deducted: number
  points_balance: number
  customer_id: string | null
  total_discount: number
  employee_id: string | null
  store_id: string
  pos_device_id: string | null
  dining_option: string | null
  total_discounts: object[]
  total_taxes: object[]
  tip: number
  surcharge: number
  line_items: Line[]
  payments: {
    payment_type_id: string
    name: string
    type: string
    money_amount: number
    paid_at: string
    payment_details: PaymentDetails | null
  }[]
}
export interface Webhook extends Stamped {
  id: string
  url: string
  type: string
  status: string
  signed: boolean // not part of the API
}
export interface World {
  merchant: {
    id: string
    business_name: string
    email: string
    country: string
    currency: { code: string; decimal_places: number }
    created_at: string
  }
  unlimitedHistory: boolean // without it receipts older than 31 days are not returned
  stores: Collection<Store>
  paymentTypes: Collection<PaymentType>
  taxes: Collection<Tax>
  discounts: Collection<Discount>
  modifiers: Collection<ModifierGroup>
  categories: Collection<Named>
  suppliers: Collection<Named>
  items: Collection<Item>
  variants: Collection<Variant>
  levels: Collection<Level>
  customers: Collection<Customer>
  receipts: Collection<Receipt>
  webhooks: Collection<Webhook>
  now(): number
  next(counter: 'receipt' | 'sku' | 'record'): number
  uuid(): string
  stamp(last?: string): string // now, in whole seconds, and never before the last change
}
const firstNumbers = { receipt: 1001, sku: 10_000, record: 1 } as const

export function createWorld(state: State, now: () => number, openedAt: number, unlimitedHistory: boolean): World {
  const serial = createSerial(state)
  const next: World['next'] = (counter) => serial(counter, firstNumbers[counter])
  return {
    merchant: {
      id: '6f1c0b52-2a44-4b1e-9d0c-5b1a7c0e9d11',
      business_name: 'Lotus Lane Market',
      email: 'owner@example.com',
      country: 'th',
      currency: { code: 'THB', decimal_places: 2 },
      created_at: new Date(openedAt).toISOString(),
    },
    unlimitedHistory,
    stores: state.collection('stores'),
    paymentTypes: state.collection('payment types'),
    taxes: state.collection('taxes'),
    discounts: state.collection('discounts'),
    modifiers: state.collection('modifiers'),
    categories: state.collection('categories'),
    suppliers: state.collection('suppliers'),
    items: state.collection('items'),
    variants: state.collection('variants'),
    levels: state.collection('levels'),
    customers: state.collection('customers'),
    receipts: state.collection('receipts'),
    webhooks: state.collection('webhooks'),
    now,
    next,
    uuid: () => createSeed(`loyverse record ${next('record')}`).uuid(),
    stamp: (last) => wholeSecond(Math.max(now(), last ? Date.parse(last) : 0)),
  }
}
/** The milliseconds of all stamps are 000. */
export const wholeSecond = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}.000Z`
export const money = (amount: number): number => Math.round(Number((amount * 100).toPrecision(15))) / 100

export const liveStores = (world: World): Store[] => world.stores.filter(({ deleted_at }) => !deleted_at)
export const liveVariants = (world: World, item: Item): Variant[] =>
  item.variant_ids.map((id) => world.variants.get(id)!).filter(({ deleted_at }) => !deleted_at)
/** `modifiers_ids` of a request is `modifier_ids` in the response. */
export const itemView = (world: World, item: Item): object => {
  const { variant_ids: _, modifiers_ids: modifier_ids, ...own } = item
  return { ...own, modifier_ids, variants: liveVariants(world, item) }
}
export const variantName = ({ option1_value, option2_value, option3_value }: Variant): string | null =>
  [option1_value, option2_value, option3_value].filter((value) => value !== null).join(' / ') || null

export function setLevel(world: World, variantId: string, storeId: string, in_stock: number): Level {
  const key = `${variantId}/${storeId}`
  return world.levels.set(key, {
    variant_id: variantId,
    store_id: storeId,
    in_stock,
    updated_at: world.stamp(world.levels.get(key)?.updated_at),
  })
}
export const stockAt = (world: World, variantId: string, storeId: string): number =>
  world.levels.get(`${variantId}/${storeId}`)?.in_stock ?? 0
