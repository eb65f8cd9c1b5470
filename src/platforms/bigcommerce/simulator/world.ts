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
/** Amounts of orders are whole ten-thousandths: BigCommerce has four decimals. */
export interface StoredLine {
  id: number
  product_id: number
  variant_id: number
  name: string
  sku: string
  upc: string
  quantity: number
  price: number // of one, with its options, and with the tax if the order has prices with tax
  set?: { ex: number; inc: number } // both prices from a client: the tax is their difference
  cost: number
  type?: 'digital' | 'giftcertificate' // downloaded or sent by email; others are shipped
  untaxed?: boolean
  promotion?: { name: string; amount: number } // a discount on this line alone
  options?: readonly { name: string; value: string; type: string }[]
  parent?: number // the line that it was picked for
  wrapping?: { name: string; price: number } // of all units
  refunded?: number // units
  address?: number // index of the shipping address; the first one without it
}
export interface StoredCost {
  ex: number
  inc: number
}
export interface StoredFee extends StoredCost {
  id: number
  customer: string
  merchant: string
  source: string
  tax_class_id: number | null
}
export interface StoredOrder {
  id: number
  customer_id: number
  status_id: number
  currency: string
  inclusive: boolean // prices with tax, as the store had it when the order was placed
  discount: number // entered by staff or a client
  coupon?: { code: string; name: string; amount: number }
  shipping?: StoredCost
  handling?: StoredCost
  fees: readonly StoredFee[]
  totals?: { ex: number; inc: number } // set by a client, overrides the sum of the lines
  fields: Readonly<Record<string, unknown>> // notes, external ids, payment and similar fields
  billing_address: Readonly<Record<string, unknown>>
  // Empty: the lines are in no consignment, unless they are digital or picked up.
  shipping_addresses: readonly Readonly<Record<string, unknown>>[]
  pickup?: boolean
  lines: readonly StoredLine[]
  created: number
  modified: number
  deleted: boolean
}
export interface StoredRefund {
  id: number
  order_id: number
  created: number
  reason: string
  total: number // with tax
  tax: number
  items: readonly { type: 'PRODUCT' | 'SHIPPING' | 'ORDER'; id: number; quantity?: number; amount: number }[]
  payments: readonly { id: number; provider: string; amount: number; offline: boolean; declined?: true }[]
}
export interface StoredTaxRate {
  id: number
  zone: number
  name: string
  enabled: boolean
  priority: number
  rates: readonly { taxClass: number; rate: number }[] // percent
}
export interface StoredMethod {
  code: string
  name: string
  test_mode: boolean
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
  pricesWithTax: boolean // of products, and of orders that are placed now
  products: Collection<StoredProduct>
  categories: Collection<StoredCategory>
  brands: Collection<{ id: number; name: string }>
  customers: Collection<StoredCustomer>
  orders: Collection<StoredOrder>
  refunds: Collection<StoredRefund>
  taxRates: Collection<StoredTaxRate>
  methods: Collection<StoredMethod>
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
    pricesWithTax: false,
    products: state.collection('products'),
    categories: state.collection('categories'),
    brands: state.collection('brands'),
    customers: state.collection('customers'),
    orders: state.collection('orders'),
    refunds: state.collection('refunds'),
    taxRates: state.collection('tax rates'),
    methods: state.collection('payment methods'),
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
