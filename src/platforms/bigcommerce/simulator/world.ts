// One BigCommerce store. Records are stored as facts; derived fields are calculated when a record is requested.
import type { Collection, State } from '../../../sandbox/collection.ts'
import { createSerial } from '../../../sandbox/world.ts'

export interface StoredVariant {
  id: number
  sku: string
  price: number | null
  sale_price?: number | null
  cost_price: number | null
  upc: string
  gtin: string
  inventory_level: number
  image_url: string
  label: { option: string; value: string }
}
export interface StoredImage {
  id: number
  source: string
  is_thumbnail: boolean
  description: string
  modified: number
}
export interface StoredProduct {
  id: number
  fields: Readonly<Record<string, unknown>> // all writable fields, with BigCommerce's names
  base_variant_id: number | null // null if there are options
  variants: readonly StoredVariant[]
  images: readonly StoredImage[]
  created: number
  modified: number
}
export interface StoredCategory {
  id: number
  parent_id: number
  name: string
}
export interface StoredAddress {
  id: number
  first_name: string
  last_name: string
  company: string
  address1: string
  address2: string
  city: string
  state_or_province: string
  postal_code: string
  country_code: string
  phone: string
  address_type: string
}
export interface StoredCustomer {
  id: number
  fields: Readonly<Record<string, unknown>>
  addresses: readonly StoredAddress[]
  created: number
  modified: number
}
export interface StoredLine {
  id: number
  product_id: number
  variant_id: number
  name: string
  sku: string
  upc: string
  quantity: number
  price_ex_tax: number
  price_inc_tax: number
  cost: number
  digital?: boolean // downloaded, not shipped
}
export interface StoredOrder {
  id: number
  customer_id: number
  status_id: number
  currency: string
  discount: number
  totals?: { ex: number; inc: number } // set by a client, overrides the sum of the lines
  fields: Readonly<Record<string, unknown>> // notes, external ids and similar fields
  billing_address: Readonly<Record<string, unknown>>
  shipping_address?: Readonly<Record<string, unknown>> // absent: the lines are in no consignment, unless they are digital
  lines: readonly StoredLine[]
  created: number
  modified: number
  deleted: boolean
}
export interface StoredHook {
  id: number
  scope: string
  destination: string
  is_active: boolean
  created: number
  modified: number
}
export interface World {
  storeHash: string
  name: string
  currency: string
  products: Collection<StoredProduct>
  categories: Collection<StoredCategory>
  brands: Collection<{ id: number; name: string }>
  customers: Collection<StoredCustomer>
  orders: Collection<StoredOrder>
  hooks: Collection<StoredHook>
  names: Collection<string> // of the store, if the merchant changed it
  now(): number
  tick(): number // like now, but never the same twice
  nextId(of: string): number
}

export function createWorld(
  facts: { storeHash: string; name: string; currency: string },
  state: State,
  now: () => number,
): World {
  const counters = state.collection<number>('counters')
  const serial = createSerial(state)
  return {
    ...facts,
    products: state.collection('products'),
    categories: state.collection('categories'),
    brands: state.collection('brands'),
    customers: state.collection('customers'),
    orders: state.collection('orders'),
    hooks: state.collection('hooks'),
    names: state.collection('names'),
    now,
    tick: () => counters.set('clock', Math.max(now(), (counters.get('clock') ?? 0) + 1)),
    nextId: (of) => serial(of, 77),
  }
}

/** All times are whole seconds: products with an offset, customers with Z, orders as RFC 2822 dates. */
export const isoSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00')
export const zuluSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
export const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')
export const inSeconds = (at: number): number => Math.floor(at / 1000) * 1000

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })
export const countryName = (code: string): string => regionNames.of(code) ?? code
