// One Shopify shop: the collections and the clock that all resolvers share. Amounts are whole minor units of the shop's
// currency.
import type { Collection, State } from '../../../sandbox/collection.ts'
import { type Clock, createClock } from '../../../sandbox/world.ts'

export interface Product {
  id: string
  title: string
  handle: string
  descriptionHtml: string
  vendor: string
  productType: string
  tags: string[]
  status: string
  categoryId?: string
  imageUrl?: string
  options: { name: string; values: string[] }[]
  createdAt: number
  updatedAt: number
}
export interface Variant {
  id: string
  productId: string
  position: number
  optionValues: string[]
  sku?: string
  barcode?: string
  price: number
  taxable: boolean
  itemId: string
  cost?: number
  tracked: boolean
  createdAt: number
  updatedAt: number
}
export interface Address {
  id: string
  address1?: string
  address2?: string
  city?: string
  company?: string
  countryCode?: string
  provinceCode?: string
  zip?: string
}
export interface Customer {
  id: string
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  note?: string
  tags: string[]
  addresses: Address[] // the default address first
  metafields: { namespace: string; key: string; value: string }[]
  createdAt: number
  updatedAt: number
}
/** `rate`: of the price, such as 0.05. */
export interface TaxLine {
  title: string
  rate: number
  amount: number
  channelLiable?: boolean
}
/** The part of a discount application, by its index, that a line got. */
export interface Allocation {
  application: number
  amount: number
}
export interface Application {
  kind: 'code' | 'manual' | 'automatic'
  name: string
  target: 'ALL' | 'ENTITLED' | 'EXPLICIT'
  shipping?: true
  percent?: number
  amount?: number
}
export interface Line {
  id: string
  variantId?: string
  title: string
  variantTitle?: string
  sku?: string
  kind?: 'gift_card' | 'tip'
  quantity: number
  price: number
  taxable: boolean
  requiresShipping: boolean
  discounts: Allocation[]
  taxes: TaxLine[]
  duty?: number
}
/** A shipping line, or an additional fee. */
export interface Charge {
  id: string
  title: string
  price: number
  discounts: Allocation[]
  taxes: TaxLine[]
}
/** What an edit added, and the units that it took out: they stay in the quantity of their line. */
export interface Edit {
  id: string
  at: number
  added: string[]
  removed: Units[]
}
export interface Transaction {
  id: string
  kind: 'AUTHORIZATION' | 'CAPTURE' | 'CHANGE' | 'REFUND' | 'SALE' | 'VOID'
  status: 'FAILURE' | 'PENDING' | 'SUCCESS'
  gateway: string
  amount: number
  rounding?: number
  fee?: number
  card?: { company: string; last4: string }
  parentId?: string
  locationId?: string
  createdAt: number
  processedAt: number
}
/** Some units of a line, and what they were worth. */
export interface Units {
  lineId: string
  quantity: number
  net: number
  taxes: TaxLine[]
}
export interface RefundedUnits extends Units {
  id: string
  restock: 'CANCEL' | 'NO_RESTOCK' | 'RETURN'
}
export interface Refund {
  id: string
  createdAt: number
  processedAt: number
  note?: string
  lines: RefundedUnits[]
  shipping: { id: string; chargeId: string; net: number; taxes: TaxLine[] }[]
  adjustments: { id: string; reason: string; amount: number; tax: number }[]
  transactionIds: string[]
}
export interface Order {
  id: string
  name: string
  processedAt: number
  createdAt: number
  updatedAt: number
  cancelledAt?: number
  cancelReason?: string
  closedAt?: number
  note?: string
  sourceIdentifier?: string
  sourceName: string
  test: boolean
  customerId?: string
  locationId?: string
  financial: string | null
  fulfillment: string
  taxesIncluded: boolean
  dutiesIncluded: boolean
  lines: Line[]
  shipping: Charge[]
  fees: Charge[]
  applications: Application[]
  edits: Edit[]
  transactions: Transaction[]
  refunds: Refund[]
}
export interface Location {
  id: string
  name: string
  isActive: boolean
  createdAt: number
  updatedAt: number
}
export interface Subscription {
  id: string
  topic: string // PRODUCTS_UPDATE
  uri: string
  includeFields: string[]
  createdAt: number
  failures: number // in a row
}
export interface World extends Clock {
  name: string
  domain: string
  currency: string
  timezone: string
  products: Collection<Product>
  variants: Collection<Variant>
  levels: Collection<number> // "item/location" -> available
  locations: Collection<Location>
  customers: Collection<Customer>
  orders: Collection<Order>
  jobs: Collection<{ id: string; orderId: string; dueAt: number; done: boolean }>
  keys: Collection<{ parameters: string; result: object }>
  subscriptions: Collection<Subscription>
  isPlus: boolean // the plan Shopify Plus
  paceScale: number
  nextId(type: string): string
}

export function createWorld(state: State, now: () => number, paceScale: number, isPlus: boolean): World {
  const counters = state.collection<number>('counters')
  return {
    name: 'Maple Goods',
    domain: 'maple-goods-sandbox.myshopify.com',
    currency: 'CAD',
    timezone: 'America/Toronto',
    products: state.collection('products'),
    variants: state.collection('variants'),
    levels: state.collection('levels'),
    locations: state.collection('locations'),
    customers: state.collection('customers'),
    orders: state.collection('orders'),
    jobs: state.collection('jobs'),
    keys: state.collection('keys'),
    subscriptions: state.collection('subscriptions'),
    isPlus,
    paceScale,
    // Ids only increase, even after deletions: lists are sorted by them.
    nextId(type) {
      const number = counters.get(type) ?? 7_000_000_000
      counters.set(type, number + 1 + ((number * 7) % 13))
      return String(number)
    },
    ...createClock(now, state),
  }
}

export const gid = (type: string, id: string): string => `gid://shopify/${type}/${id}`
/** Shopify returns whole seconds. */
export const iso = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
export const money = (minor: number): string => (minor / 100).toFixed(2)
/** Decimals have at least one digit after the point: "24.0". */
export const decimal = (minor: number): string => money(minor).replace(/0$/, '')
export const bag = (world: Pick<World, 'currency'>, amount: number): object => {
  const money = { amount: decimal(amount), currencyCode: world.currency }
  return { shopMoney: money, presentmentMoney: money }
}
export const taxLineView = (world: World, { title, rate, amount, channelLiable = false }: TaxLine): object => ({
  title,
  rate,
  ratePercentage: Math.round(rate * 1e6) / 1e4,
  channelLiable,
  priceSet: bag(world, amount),
})
export const minor = (amount: string): number => Math.round(Number(amount) * 100)
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const variantsOf = (world: World, productId: string): Variant[] =>
  world.variants.filter((variant) => variant.productId === productId).sort((a, b) => a.position - b.position)
export const availableOf = (world: World, itemId: string): number =>
  sum(world.locations.ids().map((location) => world.levels.get(`${itemId}/${location}`) ?? 0))
export const isDefaultOnly = ({ options }: Product): boolean =>
  options.length === 1 && options[0]!.name === 'Title' && options[0]!.values.length === 1

/** A variant change updates its product's time; a product change does not update its variants' times. */
export function touchVariant(world: World, variant: Variant, changes: Partial<Variant>): Variant {
  const updatedAt = world.tick()
  touchProduct(world, world.products.get(variant.productId)!, {}, updatedAt)
  return world.variants.set(variant.id, { ...variant, ...changes, updatedAt })
}
export const touchProduct = (
  world: World,
  product: Product,
  changes: Partial<Product>,
  updatedAt = world.tick(),
): Product => world.products.set(product.id, { ...product, ...changes, updatedAt })
