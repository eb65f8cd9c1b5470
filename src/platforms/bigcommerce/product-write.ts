// Bodies of product writes. An update sends only the differences, so a record that is sent back as it was read sends
// nothing.
import type { Product } from '../../contract/entities/product.ts'
import { tooLong } from '../../kit/checks.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { isActive, isSimple, type ProductRow, pricesOf, tagsOf, unitOf, variantLabel } from './product-row.ts'

const money = (amount: number | undefined, currency: string, native: string): number | undefined =>
  amount === undefined ? undefined : Number(toDecimal(amount, currency, native))

export function creation(record: Product, currency: string, category: number | undefined) {
  return compact({
    name: record.name,
    type: 'physical',
    weight: 0, // required; the unified record has none
    price: money(record.price, currency, 'price'),
    sku: record.sku,
    description: record.description,
    cost_price: money(record.cost, currency, 'cost_price'),
    upc: record.barcode,
    is_visible: record.active ?? true, // BigCommerce itself hides a new product
    categories: category === undefined ? undefined : [category],
    brand_name: record.vendor,
    search_keywords: record.tags?.join(','),
    ...(record.stockOnHand === undefined ? {} : { inventory_tracking: 'product', inventory_level: record.stockOnHand }),
    images: record.imageUrl === undefined ? undefined : [{ image_url: record.imageUrl, is_thumbnail: true }],
  })
}

/** Extracts the product name from "Shirt - Red / L". The rest consists of option names and must not change. */
function ownName(record: Product, row: ProductRow): string {
  const label = variantLabel(row)
  if (!label) return record.name
  const ending = ` - ${label}`
  if (!record.name.endsWith(ending) || record.name.length === ending.length)
    throw refusal('name', `The name of this variant must end with "${ending}"`)
  return record.name.slice(0, -ending.length)
}

export interface ProductChange {
  product: Record<string, unknown>
  variant: Record<string, unknown>
}
/** `category` is undefined if it does not change, null if the product is removed from all categories. */
export function changeOf(
  record: Product,
  row: ProductRow,
  currency: string,
  category: number | null | undefined,
): ProductChange {
  const { product } = row
  const change: Record<string, unknown> = {}
  const set = (name: string, target: unknown, current: unknown, native: unknown = target) => {
    if ((target ?? '') !== (current ?? '')) change[name] = native
  }
  set('name', ownName(record, row), product.name)
  set('description', record.description, text(product.description), record.description ?? '')
  set('search_keywords', record.tags?.join(','), tagsOf(product)?.join(','), record.tags?.join(',') ?? '')
  if (category !== undefined)
    change.categories =
      category === null ? [] : [category, ...(product.categories ?? []).slice(1).filter((id) => id !== category)]
  if ((record.vendor ?? '').toLowerCase() !== (row.brandName ?? '').toLowerCase())
    Object.assign(change, record.vendor === undefined ? { brand_id: 0 } : { brand_name: record.vendor })
  if (record.active !== undefined && record.active !== isActive(product))
    Object.assign(
      change,
      { is_visible: record.active },
      record.active && product.availability === 'disabled' ? { availability: 'available' } : {},
    )
  const { unit, tracking } = unitChange(record, row, currency)
  const { shared, ...own } = unit
  return isSimple(row)
    ? { product: { ...change, ...tracking, ...shared, ...own }, variant: {} }
    : { product: { ...change, ...tracking, ...shared }, variant: own }
}

/**
 * Makes `price` what a customer pays. In a sale, a price below the list price is the new sale price. Any other price
 * ends the sale, because it would hide it. A variant may share the sale of its product, which has to stay for the other
 * variants, so its own sale price always follows.
 */
function priceChange(price: number | undefined, row: ProductRow): object {
  const { list = 0, onSale } = pricesOf(row)
  if (!onSale || price === undefined) return { price }
  if (price < list) return { sale_price: price }
  return { price, sale_price: isSimple(row) ? 0 : price }
}

/** `shared` is the stock that all variants of a product share. */
function unitChange(record: Product, row: ProductRow, currency: string) {
  const { product, variant } = row
  const current = unitOf(row)
  const barcodeField = (isSimple(row) ? product.gtin : variant.gtin) ? 'gtin' : 'upc'
  const unit: Record<string, unknown> & { shared?: object } = {}
  if ((record.sku ?? '') !== (current.sku ?? '')) unit.sku = record.sku ?? ''
  if (record.price !== current.price) Object.assign(unit, priceChange(money(record.price, currency, 'price'), row))
  if (record.cost !== current.cost) unit.cost_price = money(record.cost ?? 0, currency, 'cost_price')
  if ((record.barcode ?? '') !== (current.barcode ?? '')) unit[barcodeField] = record.barcode ?? ''
  let tracking: { inventory_tracking?: string } = {}
  // An omitted stock level does not change: others count it too, and turning off tracking would lose the count.
  if (record.stockOnHand !== undefined && record.stockOnHand !== current.stockOnHand) {
    const tracked = product.inventory_tracking ?? 'none'
    if (tracked === 'none') tracking = { inventory_tracking: isSimple(row) ? 'product' : 'variant' }
    if (tracked === 'product' && !isSimple(row)) unit.shared = { inventory_level: record.stockOnHand }
    else unit.inventory_level = record.stockOnHand
  }
  return { unit, tracking }
}

/** Limits: https://developer.bigcommerce.com/docs/rest-catalog/products#create-a-product */
export const longest = { '/name': 250, '/sku': 255, '/barcode': 14, '/imageUrl': 255 } as const
export function check(record: Product): { pointer: `/${string}`; message: string }[] {
  const tagged = (record.tags ?? []).flatMap((tag, index) =>
    tag.includes(',')
      ? [
          {
            pointer: `/tags/${index}` as const,
            message: 'must not contain a comma: BigCommerce separates keywords with commas',
          },
        ]
      : [],
  )
  const negative = (['price', 'cost', 'stockOnHand'] as const).flatMap((field) =>
    (record[field] ?? 0) < 0 ? [{ pointer: `/${field}` as const, message: 'must not be negative' }] : [],
  )
  const named = record.categoryExternalId === undefined ? tooLong('/categoryName', record.categoryName, 50) : []
  return [...tagged, ...named, ...negative]
}
