// Converts a product to WooCommerce's format. Only keys that are sent change; "" clears, null is ignored.
import type { WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import type { Pointer } from '../../contract/entity.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { fromDecimal, toDecimal } from '../../kit/money.ts'
import { keys, type Meta, shopCurrency } from './api.ts'
import { categoryById, categoryByName } from './category-write.ts'
import { type ProductRow, type Term, toUnified } from './product-row.ts'

export function check(record: Product): { pointer: Pointer; message: string }[] {
  const found: { pointer: Pointer; message: string }[] = []
  if (record.barcode !== undefined && !/^[\d-]+X?$/.test(record.barcode))
    found.push({ pointer: '/barcode', message: 'WooCommerce accepts only digits and hyphens in a barcode' })
  if ((record.price ?? 0) < 0) found.push({ pointer: '/price', message: 'A price cannot be negative' })
  return found
}
export interface Body {
  name?: string
  description?: string
  sku?: string
  global_unique_id?: string
  regular_price?: string
  sale_price?: string
  status?: string
  tax_status?: string
  manage_stock?: boolean
  stock_quantity?: number
  categories?: { id: number }[]
  tags?: { name: string }[]
  images?: ({ src: string } | { id?: number })[]
  image?: { src: string } | ''
  meta_data?: Meta[]
}
/** Prices are in the shop's currency; another one cannot be stored. */
export async function checkCurrency(call: WriteCall, record: Product): Promise<string> {
  const currency = await shopCurrency(call)
  if ((record.currencyCode ?? currency) !== currency) throw refusal('currency', `The shop's currency is ${currency}`)
  return currency
}
const stockOf = (quantity: number | undefined): Body =>
  quantity === undefined ? { manage_stock: false } : { manage_stock: true, stock_quantity: quantity }

async function categoriesOf(
  call: WriteCall,
  record: Product,
  current: readonly Term[] = [],
  before?: Product,
): Promise<Body> {
  const byId = record.categoryExternalId !== before?.categoryExternalId ? record.categoryExternalId : undefined
  const byName = record.categoryName !== before?.categoryName ? record.categoryName : undefined
  const cleared =
    before?.categoryExternalId !== undefined &&
    record.categoryExternalId === undefined &&
    record.categoryName === undefined
  if (!byId && !byName && !cleared) return {}
  const chosen = byId ? [await categoryById(call, byId)] : byName ? [await categoryByName(call, byName)] : []
  return { categories: [...chosen, ...current.slice(1)].map(({ id }) => ({ id })) }
}
export async function creation(call: WriteCall, record: Product, currency: string): Promise<object> {
  const source = record.imageUrl === undefined ? [] : [{ key: keys.image, value: record.imageUrl }]
  return compact({
    type: 'simple',
    name: record.name,
    description: record.description,
    sku: record.sku,
    global_unique_id: record.barcode,
    regular_price: record.price === undefined ? undefined : toDecimal(record.price, currency, 'regular_price'),
    status: record.active === false ? 'draft' : 'publish',
    tax_status: record.taxable === undefined ? undefined : record.taxable ? 'taxable' : 'none',
    ...(record.stockOnHand === undefined ? {} : stockOf(record.stockOnHand)),
    tags: record.tags?.map((name) => ({ name })),
    images: record.imageUrl === undefined ? undefined : [{ src: record.imageUrl }],
    meta_data: [{ key: keys.reference, value: call.reference }, ...source],
    ...(await categoriesOf(call, record)),
  })
}

/**
 * The differences from the current product: a sale price, the formatting of a text and a gallery do not change unless
 * the record does.
 */
export async function changeOf(call: WriteCall, record: Product, row: ProductRow, currency: string): Promise<Body> {
  const before = toUnified(row)
  const single = row.variation !== undefined
  const body: Body = {}
  const changed = <K extends keyof Product>(field: K) => !same(record[field], before[field])
  if (changed('description')) body.description = record.description ?? ''
  if (changed('sku')) body.sku = record.sku ?? ''
  if (changed('barcode')) body.global_unique_id = record.barcode ?? ''
  if (changed('price')) Object.assign(body, priceOf(record.price, row, currency))
  if (record.active !== undefined && changed('active'))
    body.status = record.active ? 'publish' : single ? 'private' : 'draft'
  if (changed('stockOnHand')) Object.assign(body, stockOf(record.stockOnHand))
  if (changed('imageUrl')) Object.assign(body, imagesOf(record.imageUrl, row))
  if (single) return withoutShared(body, changed)
  if (changed('name')) body.name = record.name
  if (record.taxable !== undefined && changed('taxable')) body.tax_status = record.taxable ? 'taxable' : 'none'
  if (changed('tags')) body.tags = list(record.tags).map((name) => ({ name }))
  return { ...body, ...(await categoriesOf(call, record, row.product.categories, before)) }
}
/**
 * Makes `price` what a customer pays. In a sale, a price below the regular one is the new sale price. Any other price
 * ends the sale, because it would hide it.
 */
function priceOf(price: number | undefined, { product, variation }: ProductRow, currency: string): Body {
  const own = variation ?? product
  const regular = fromDecimal(own.regular_price) ?? 0
  const onSale = fromDecimal(own.sale_price) !== undefined && fromDecimal(own.price) !== regular
  const native = price === undefined ? '' : toDecimal(price, currency, 'regular_price')
  if (!onSale) return { regular_price: native }
  return price !== undefined && price < regular ? { sale_price: native } : { regular_price: native, sale_price: '' }
}
function imagesOf(src: string | undefined, { variation, product }: ProductRow): Body {
  const source = { meta_data: [{ key: keys.image, value: src ?? null }] }
  if (variation) return { image: src === undefined ? '' : { src }, ...source }
  const gallery = list(product.images)
    .slice(1)
    .map(({ id }) => ({ id }))
  return { images: src === undefined ? gallery : [{ src }, ...gallery], ...source }
}
const shared = {
  name: 'name',
  taxable: 'tax_status',
  tags: 'tags',
  categoryExternalId: 'categories',
  categoryName: 'categories',
} as const
/**
 * Name, taxability, tags and category belong to the product with all its variations: a write to one variation must not
 * change the others.
 */
function withoutShared(body: Body, changed: (field: keyof Product) => boolean): Body {
  for (const [field, native] of Object.entries(shared))
    if (changed(field as keyof typeof shared))
      throw refusal(
        native,
        'This is one variation of a product, and the field is shared by all of them: change it in WooCommerce',
      )
  return body
}
const same = (left: unknown, right: unknown): boolean => JSON.stringify(blank(left)) === JSON.stringify(blank(right))
const blank = (value: unknown): unknown =>
  Array.isArray(value) ? (value.length ? value : undefined) : typeof value === 'string' ? text(value) : value
