// One retailer: the collections, the version counter that all changes share, and the clock.
import { randomUUID } from 'node:crypto'
import type { Collection, State } from '../../../sandbox/collection.ts'
import { createSerial, type Serial } from '../../../sandbox/world.ts'
import type { Versioned } from './wire.ts'

export interface Changed extends Versioned {
  created: number
  updated: number
}
export interface Label extends Versioned {
  name: string
}
export interface Category {
  id: string
  name: string
  parent?: string
  deleted?: number
}
/** A tax may be a group of several. */
export interface Tax extends Label {
  rates: { id: string; name: string; rate: number }[]
  isDefault: boolean
}
export interface Register extends Label {
  outlet: string
  prefix: string
  suffix: string
  sequence: number
}
export interface PaymentType extends Label {
  typeId: number
  category: string
  internal: boolean
}
export interface User extends Label {
  username: string
  email: string
  accountType: 'admin' | 'manager' | 'cashier'
  primary: boolean
}
export interface Code {
  type: string
  code: string
}
export interface Product extends Changed {
  name: string
  handle: string
  sku: string
  codes: Code[]
  description: string | null
  source_id: string | null
  source_variant_id: string | null
  active: boolean
  tracked: boolean
  options: { name: string; value: string }[]
  parent?: string // of a variant; the first of the family has none
  family: boolean
  price: number // with or without tax, as the shop's prices are
  cost: number
  supplier?: string
  category?: string
  brand?: string
  tags: string[]
  images: string[] // URLs of copies
  tax?: string // the product's own tax, for all outlets
}
export interface Inventory extends Versioned {
  product: string
  outlet: string
  level: number
  reorder_point: number | null
  reorder_amount: number | null
}
export interface Customer extends Changed {
  fields: Readonly<Record<string, unknown>> // all writable fields
}
export interface SaleLine {
  id: string
  product: string
  quantity: number
  price: number // of a unit, after its discount, without tax
  discount: number
  cost: number
  loyalty: number
  tax: { id: string; amount: number }
  status: string
  note: string | null
  salesperson: string | null
  sequence: number
  override: boolean
  isReturn: boolean
  giftCard: string | null
}
export interface SalePayment {
  id: string
  amount: number
  date: number
  type: string
  register: string
  surcharge?: { amount: number; rule: string } // within the amount
  card?: string // the last four digits
  deleted?: number
}
/** Tips and fees of the whole sale; discounts are negative. */
export interface SaleAdjustment {
  type: 'TIP' | 'SURCHARGE' | 'NON_CASH_FEE' | 'DISCOUNT'
  name: string
  total: number // without tax
  tax: number // by the default tax
}
/** Of a web shop. */
export interface EcomCharge {
  source: string
  name: string
  total: number
  tax: number
}
export interface Sale extends Changed {
  date: number
  state: string
  attributes: string[]
  customer: string | null
  invoice: string
  shortCode: string
  note: string
  author: string
  register: string
  outlet: string
  source: { id: string | null; type: string }
  isReturn: boolean
  original: string | null
  lines: SaleLine[]
  adjustments: SaleAdjustment[]
  charges: EcomCharge[]
  payments: SalePayment[]
}
export interface Webhook {
  id: string
  url: string
  type: string
  active: boolean
}
export interface Facts {
  domainPrefix: string
  name: string
  currency: string
  symbol: string
  country: string
  timezone: string
  taxExclusive: boolean
}
export interface World extends Facts {
  brands: Collection<Label>
  tags: Collection<Label>
  suppliers: Collection<Label>
  categories: Collection<Category>
  taxes: Collection<Tax>
  outlets: Collection<Label>
  registers: Collection<Register>
  users: Collection<User>
  paymentTypes: Collection<PaymentType>
  products: Collection<Product>
  inventory: Collection<Inventory>
  customers: Collection<Customer>
  sales: Collection<Sale>
  webhooks: Collection<Webhook>
  noTax: string
  /** Of a discount on a whole sale, which is a line. The shop cannot see or change it. */
  discountProduct: string
  now(): number
  /** The search lags slightly behind the lists. */
  searchLagMs: number
  /** The next version: higher than any earlier one of any record. */
  version(): number
  serial: Serial
  uuid(): string
}

export function createWorld(facts: Facts, state: State, now: () => number, paceScale: number): World {
  const serial = createSerial(state)
  return {
    ...facts,
    brands: state.collection('brands'),
    tags: state.collection('tags'),
    suppliers: state.collection('suppliers'),
    categories: state.collection('categories'),
    taxes: state.collection('taxes'),
    outlets: state.collection('outlets'),
    registers: state.collection('registers'),
    users: state.collection('users'),
    paymentTypes: state.collection('payment types'),
    products: state.collection('products'),
    inventory: state.collection('inventory'),
    customers: state.collection('customers'),
    sales: state.collection('sales'),
    webhooks: state.collection('webhooks'),
    noTax: 'b1c50056-f019-11e3-a0f5-b8ca3a64f8f4',
    discountProduct: '9a84e9e1-f038-11e3-a0f5-b8ca3a64f8f4',
    now,
    searchLagMs: 1000 * paceScale,
    version: () => serial('version', 49_760_899_614),
    serial,
    uuid: randomUUID,
  }
}

/** Updates the version and the timestamp, as every change does. */
export const changed = <T extends Changed>(world: World, record: T): T => ({
  ...record,
  updated: Math.max(world.now(), record.updated + 1),
  version: world.version(),
})
/** Soft delete: the record stays, with a new version and the timestamp of its last change. */
export const deleted = <T extends Versioned>(world: World, record: T): T => ({
  ...record,
  deleted: world.now(),
  version: world.version(),
})

const inventoryKey = (product: string, outlet: string): string => `${product} ${outlet}`
export function setLevel(world: World, product: string, outlet: string, level: number): void {
  const key = inventoryKey(product, outlet)
  const current = world.inventory.get(key)
  world.inventory.set(key, {
    id: current?.id ?? world.uuid(),
    product,
    outlet,
    level: Number(level.toFixed(5)),
    reorder_point: current?.reorder_point ?? null,
    reorder_amount: current?.reorder_amount ?? null,
    version: world.version(),
  })
}
export const levelAt = (world: World, product: string, outlet: string): number =>
  world.inventory.get(inventoryKey(product, outlet))?.level ?? 0

export const defaultTax = (world: World): Tax => world.taxes.find(({ isDefault }) => isDefault)!
export const rateOf = (tax: Tax | undefined): number =>
  Number((tax?.rates ?? []).reduce((sum, { rate }) => sum + rate, 0).toFixed(5))
/** Lines of goods that count: neither the discount on the whole sale nor what was taken off the sale again. */
const goodsOf = (world: World, { state, lines }: Sale): SaleLine[] =>
  lines.filter(
    ({ product, status }) => product !== world.discountProduct && (status !== 'VOIDED' || state === 'voided'),
  )
/** A return of goods that sells nothing. */
export const isRefund = (world: World, sale: Sale): boolean =>
  sale.isReturn && goodsOf(world, sale).every(({ isReturn }) => isReturn)
