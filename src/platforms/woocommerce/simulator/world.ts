// One shop: the collections, the counters and the clock that all endpoints share. Times are stored in whole seconds, as
// in the database.

import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { createSerial } from '../../../sandbox/world.ts'
import { listOf } from './wire.ts'

export interface Meta {
  id: number
  key: string
  value: unknown
}
export interface Stamped {
  id: number
  created: number
  modified: number
  meta: Meta[]
}
export interface Term {
  id: number
  name: string // as WordPress stores it: with &amp;
  slug: string
}
export interface Image {
  id: number
  src: string
  name: string
  alt: string
}
interface Sellable extends Stamped {
  status: string
  description: string
  sku: string
  global_unique_id: string
  regular_price: string
  sale_price: string
  manage_stock: boolean
  stock_quantity: number | null
  stock_status: string
  backorders: string
  cost?: number
}
export interface Product extends Sellable {
  type: string
  name: string
  short_description: string
  tax_status: string
  categories: number[]
  tags: number[]
  brands: number[]
  images: Image[]
  attributes: { id: number; name: string; position: number; visible: boolean; variation: boolean; options: string[] }[]
}
export interface Variation extends Sellable {
  parent: number
  image?: Image
  attributes: { id: number; name: string; option: string }[]
}
export interface Line {
  id: number
  name: string
  product_id: number
  variation_id: number
  quantity: number
  subtotal: number // amounts are in millionths
  total: number
  taxes: TaxShare[]
  subtotal_taxes: TaxShare[]
  meta: Meta[]
}
export interface TaxRate {
  id: number
  country: string
  state: string
  name: string
  rate: string // percent, with four decimals
  priority: number
  compound: boolean
  shipping: boolean
  order: number
  class: string
}
export interface TaxShare {
  rate: number
  amount: number
}
export interface TaxLine {
  id: number
  rate_id: number
  rate_code: string
  label: string
  compound: boolean
  rate_percent: number
  tax_total: number
  shipping_tax_total: number
}
export interface Fee {
  id: number
  name: string
  tax_status: string
  total: number
  taxes: TaxShare[]
  meta: Meta[]
}
export interface ShippingLine {
  id: number
  method_title: string
  method_id: string
  instance_id: string
  total: number
  taxes: TaxShare[]
  meta: Meta[]
}
export interface Coupon {
  id: number
  code: string
  discount: number
  discount_type: string
  nominal_amount: number
}
/** Of a plugin that redeems gift cards. */
export interface GiftCard {
  id: number
  code: string
  amount: number
}
/** Amounts are positive; a response shows those of the lines below zero. */
export interface RefundLine extends Pick<Line, 'id' | 'name' | 'product_id' | 'variation_id' | 'quantity'> {
  item: number // of the order
  total: number
  taxes: TaxShare[]
}
export interface Refund extends Stamped {
  order: number
  amount: number
  reason: string
  refunded_by: number
  refunded_payment: boolean
  restocked: boolean
  lines: RefundLine[]
  fees: RefundLine[]
  shipping_lines: RefundLine[]
}
export type Address = Readonly<Record<string, string>>
export interface Order extends Stamped {
  status: string
  currency: string
  customer_id: number
  customer_note: string
  created_via: string
  billing: Address
  shipping: Address
  payment_method: string
  payment_method_title: string
  transaction_id: string
  paid: number | null
  completed: number | null
  stock_reduced: boolean
  prices_include_tax: boolean
  rounds_subtotal: boolean // the shop's option when the order was calculated
  lines: Line[]
  fees: Fee[]
  shipping_lines: ShippingLine[]
  coupons: Coupon[]
  gift_cards: GiftCard[]
  tax_lines: TaxLine[]
  shipping_total: number
  shipping_tax: number
  cart_tax: number
  discount_total: number
  total: number
}
export interface Gateway {
  id: string
  title: string
  method_title: string
  enabled: boolean
  supports: string[]
  settings: Readonly<Record<string, string>>
}
export interface Customer extends Stamped {
  email: string
  first_name: string
  last_name: string
  username: string
  role: string
  saved: boolean // false: never changed since registration, so it has no modification time
  billing: Address
  shipping: Address
}
export interface Webhook extends Stamped {
  name: string
  status: string
  topic: string
  delivery_url: string
  secret: string
  failures: number // in a row
}
export interface World {
  shop: string
  origin: string
  currency: string
  offsetMs: number
  products: Collection<Product>
  variations: Collection<Variation>
  orders: Collection<Order>
  refunds: Collection<Refund>
  taxRates: Collection<TaxRate>
  gateways: Collection<Gateway>
  customers: Collection<Customer>
  categories: Collection<Term>
  tags: Collection<Term>
  brands: Collection<Term>
  images: Collection<Image>
  webhooks: Collection<Webhook>
  keys: Collection<{ secret: string; permissions: 'read' | 'read_write' }>
  settings: Collection<string> // what the merchant changed, by the id of the setting
  second(): number // now, in whole seconds
  next(counter: 'post' | 'term' | 'user' | 'item' | 'meta' | 'webhook' | 'taxRate' | 'gateway'): number
}
const firstIds = { post: 100, term: 16, user: 2, item: 1, meta: 1, webhook: 1, taxRate: 7, gateway: 1 } as const
export const uncategorized = 15

export function createWorld(state: State, now: () => number, origin: string): World {
  const serial = createSerial(state)
  return {
    shop: 'maple-goods.example.com',
    origin,
    currency: 'CAD',
    offsetMs: -5 * 3_600_000,
    products: state.collection('products'),
    variations: state.collection('variations'),
    orders: state.collection('orders'),
    refunds: state.collection('refunds'),
    taxRates: state.collection('taxRates'),
    gateways: state.collection('gateways'),
    customers: state.collection('customers'),
    categories: state.collection('categories'),
    tags: state.collection('tags'),
    brands: state.collection('brands'),
    images: state.collection('images'),
    webhooks: state.collection('webhooks'),
    keys: state.collection('keys'),
    settings: state.collection('settings'),
    second: () => Math.floor(now() / 1000) * 1000,
    next: (counter) => serial(counter, firstIds[counter]),
  }
}

/** `date_x` on the shop's wall clock, `date_x_gmt` in UTC; neither has an offset. */
export const dates = ({ offsetMs }: World, name: string, time: number | null): Fields => ({
  [name]: time === null ? null : new Date(time + offsetMs).toISOString().slice(0, 19),
  [`${name}_gmt`]: time === null ? null : new Date(time).toISOString().slice(0, 19),
})

/** By id, otherwise the first with that key; a null value deletes. */
export function mergeMeta(world: World, current: readonly Meta[], given: unknown): Meta[] {
  let merged = [...current]
  for (const { id, key, value } of (given as Partial<Meta>[] | undefined) ?? []) {
    const at = merged.findIndex((meta) => (id ? meta.id === id : meta.key === key))
    if (value === null || value === undefined) merged = merged.filter((_, index) => index !== at)
    else if (at >= 0) merged[at] = { ...merged[at]!, ...(key !== undefined && { key }), value }
    else merged.push({ id: world.next('meta'), key: String(key), value })
  }
  return merged
}
export const metaSchema = listOf({ id: 'integer', key: 'string', value: 'mixed' })

/** Text is stored as HTML: a bare ampersand becomes an entity, scripts are removed. */
export const kses = (text: string): string =>
  text
    .replace(/<\/?(script|style|iframe)\b[^>]*>/gi, '')
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replace(/<(?![a-z/!])/gi, '&lt;')
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'item'
export const trashed = ({ status }: { status: string }): boolean => status === 'trash' || status === 'auto-draft'
