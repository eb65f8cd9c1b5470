// One product per variant: sku, price and stock belong to the variant, and an order line references it. A product
// without options has one base variant.
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { storeCurrency } from './account.ts'
import { namesOf } from './catalog-names.ts'

export interface NativeVariant {
  id: number
  sku?: string
  price?: number | null // null: the product's price
  sale_price?: number | null // null: the product's sale price
  calculated_price?: number
  cost_price?: number | null
  upc?: string
  gtin?: string
  inventory_level?: number | null
  image_url?: string
  option_values?: { label?: string }[]
}
export interface NativeProduct {
  id: number
  name: string
  description?: string
  sku?: string
  price?: number
  sale_price?: number // 0: no sale
  calculated_price?: number
  cost_price?: number
  upc?: string
  gtin?: string
  categories?: number[]
  brand_id?: number
  inventory_level?: number
  inventory_tracking?: 'none' | 'product' | 'variant'
  is_visible?: boolean
  availability?: string
  search_keywords?: string
  date_modified?: string
  base_variant_id?: number | null
  primary_image?: { url_standard?: string } | null
  variants?: NativeVariant[]
}
export interface ProductRow {
  product: NativeProduct
  variant: NativeVariant
  categoryName?: string
  brandName?: string
  currency?: string
}
export const rowId = ({ product, variant }: Pick<ProductRow, 'product' | 'variant'>): string =>
  `${product.id}:${variant.id}`

export function rowsOf(product: NativeProduct): ProductRow[] {
  const variants = list(product.variants)
  return (variants.length ? variants : [{ id: product.base_variant_id ?? 0 }]).map((variant) => ({ product, variant }))
}
/** A product without options has sku, price and stock itself. */
export const isSimple = ({ variant }: ProductRow): boolean => list(variant.option_values).length === 0
export const variantLabel = ({ variant }: ProductRow): string =>
  list(variant.option_values)
    .map(({ label }) => text(label))
    .join(' / ')

/** Names of categories and brands, and the currency: additional calls, only for returned rows. */
export async function finishRows(call: ReadCall, rows: readonly ProductRow[]): Promise<ProductRow[]> {
  const categories = await namesOf(
    call,
    'categories',
    rows.map(({ product }) => list(product.categories)[0]),
  )
  const brands = await namesOf(
    call,
    'brands',
    rows.map(({ product }) => product.brand_id),
  )
  const currency = await storeCurrency(call)
  return rows.map((row) => ({
    ...row,
    categoryName: categories.get(list(row.product.categories)[0] ?? 0),
    brandName: brands.get(row.product.brand_id ?? 0),
    currency,
  }))
}

/** The prices of the sold unit. `charged` is what a customer pays now. */
export function pricesOf(row: ProductRow): { charged?: number; list?: number; onSale: boolean } {
  const { product } = row
  const variant: Partial<NativeVariant> = isSimple(row) ? {} : row.variant
  const list = fromDecimal(variant.price) ?? fromDecimal(product.price)
  const sale = (fromDecimal(variant.sale_price) ?? fromDecimal(product.sale_price)) || undefined
  const calculated = fromDecimal(isSimple(row) ? product.calculated_price : variant.calculated_price)
  return { charged: calculated ?? sale ?? list, list, onSale: sale !== undefined }
}
/** The fields of the sold unit, from the product or the variant. */
export function unitOf(row: ProductRow): Pick<Product, 'sku' | 'price' | 'cost' | 'barcode' | 'stockOnHand'> {
  const { product, variant } = row
  const simple = isSimple(row)
  const cost = (simple ? undefined : fromDecimal(variant.cost_price)) ?? fromDecimal(product.cost_price)
  return {
    sku: text(simple ? product.sku : variant.sku),
    price: pricesOf(row).charged,
    cost: cost || undefined, // 0 means none at BigCommerce
    barcode: simple ? (text(product.gtin) ?? text(product.upc)) : (text(variant.gtin) ?? text(variant.upc)),
    stockOnHand: stockOf(row, simple),
  }
}
function stockOf({ product, variant }: ProductRow, simple: boolean): number | undefined {
  const tracking = text(product.inventory_tracking) ?? 'none'
  if (tracking === 'none') return undefined
  return fromDecimal(tracking === 'variant' && !simple ? variant.inventory_level : product.inventory_level)
}
export const isActive = ({ is_visible, availability }: NativeProduct): boolean =>
  flag(is_visible) !== false && text(availability) !== 'disabled'
export const tagsOf = ({ search_keywords }: NativeProduct): string[] | undefined => {
  const tags = (text(search_keywords) ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return tags.length ? tags : undefined
}
export const imageOf = (row: ProductRow): string | undefined =>
  (isSimple(row) ? undefined : text(row.variant.image_url)) ?? text(row.product.primary_image?.url_standard)

export function nameOf(row: ProductRow): string {
  const name = text(row.product.name) ?? String(row.product.id)
  const label = variantLabel(row)
  return label ? `${name} - ${label}` : name
}
export function toUnified(row: ProductRow, _mapping: { account: AccountView }): Product {
  const { product } = row
  const category = list(product.categories)[0]
  return {
    externalId: rowId(row),
    name: nameOf(row),
    description: text(product.description),
    ...unitOf(row),
    active: isActive(product),
    categoryExternalId: text(category),
    currencyCode: row.currency,
    categoryName: row.categoryName,
    vendor: row.brandName,
    tags: tagsOf(product),
    imageUrl: imageOf(row),
  }
}
