// The platform's product and how it is read. Every variant is a separate product.
// https://x-series-api.lightspeedhq.com/reference/listproducts
import type { ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney } from '../../kit/money.ts'
import { get, path, post } from '../../kit/requests.ts'
import { readShop, type Shop } from './account.ts'
import { api, isId, living, may, readAll, readPages, type Stamped, type VersionPage } from './api.ts'

export interface Named {
  id?: string
  name?: string
}
export interface Code {
  type?: string
  code: string
}
export interface NativeProduct extends Stamped {
  name?: string // of the whole family
  variant_name?: string | null
  description?: string | null
  sku?: string | null
  product_codes?: Code[]
  source_id?: string | null
  active?: boolean
  is_active?: boolean
  has_inventory?: boolean
  has_variants?: boolean
  variant_parent_id?: string | null
  price_including_tax?: number | null
  price_excluding_tax?: number | null
  supply_price?: number | null
  product_suppliers?: { supplier_id?: string | null }[]
  product_type_id?: string | null
  type?: Named | null
  product_category?: Named | null
  brand?: Named | null
  categories?: Named[] // these are the tags
  image_url?: string
  images?: { url?: string }[]
  skuImages?: { url?: string }[]
  outlet_taxes?: { tax_id?: string }[] // only if they are not the default taxes
}
export interface ProductRow {
  product: NativeProduct
  shop: Shop
  levels?: Levels
}
export const idOf = ({ product }: ProductRow): string => product.id
export const isFamily = ({ has_variants, variant_parent_id }: NativeProduct): boolean =>
  has_variants === true || Boolean(variant_parent_id)

export async function finishRows(call: ReadCall, products: readonly NativeProduct[]): Promise<ProductRow[]> {
  const shop = await readShop(call)
  const levels = await levelsOf(
    call,
    products.filter(({ has_inventory }) => has_inventory !== false).map(({ id }) => id),
  )
  return products.map((product) => ({ product, shop, levels: levels.get(product.id) }))
}
async function readProduct(call: ReadCall, id: string): Promise<NativeProduct | undefined> {
  if (!isId(id)) return undefined
  const product: NativeProduct | undefined = (await ifFound(call.read(get(`${api}${path`/products/${id}`}`))))?.body
    ?.data
  return product && living(product) ? product : undefined
}
export async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const product = await readProduct(call, id)
  return product && (await finishRows(call, [product]))[0]
}

const isCustom = ({ type }: Code): boolean => (text(type) ?? 'CUSTOM').toUpperCase() === 'CUSTOM'
/** The sku is one of the codes; the barcode is the first code of a standard type, otherwise the first other code. */
export function barcodeOf({ product_codes, sku }: NativeProduct): string | undefined {
  const codes = list(product_codes)
  return text((codes.find((code) => !isCustom(code)) ?? codes.find(({ code }) => code !== sku))?.code)
}
/** Without an image, responses have the URL of a placeholder. */
function imageOf({ skuImages, images, image_url }: NativeProduct): string | undefined {
  const own = text(list(skuImages)[0]?.url) ?? text(list(images)[0]?.url) ?? text(image_url)
  return own?.includes('/placeholder/') ? undefined : own
}
export const nameOf = (product: NativeProduct): string => text(product.variant_name) ?? text(product.name) ?? product.id
export const priceField = ({ taxExclusive }: Shop) => (taxExclusive ? 'price_excluding_tax' : 'price_including_tax')

export function toUnified({ product, shop, levels }: ProductRow): Product {
  const money = (value: unknown) => {
    const amount = fromDecimal(value) // with five decimals
    return amount === undefined ? undefined : roundMoney(amount, shop.currency)
  }
  const stock = sumOf(levels)
  const taxes = list(product.outlet_taxes)
  const tags = list(product.categories).flatMap(({ name }) => text(name) ?? [])
  return {
    externalId: product.id,
    name: nameOf(product),
    description: text(product.description),
    sku: text(product.sku),
    barcode: barcodeOf(product),
    price: money(product[priceField(shop)]),
    cost: money(product.supply_price),
    active: product.active ?? product.is_active,
    taxable: !(taxes.length > 0 && taxes.every(({ tax_id }) => text(tax_id) === shop.noTax)),
    categoryExternalId: text(product.product_category?.id) ?? text(product.product_type_id) ?? text(product.type?.id),
    stockOnHand: stock === undefined ? undefined : Math.floor(stock),
    currencyCode: text(shop.currency),
    categoryName: text(product.product_category?.name) ?? text(product.type?.name),
    vendor: text(product.brand?.name),
    tags: tags.length ? tags : undefined,
    imageUrl: imageOf(product),
  }
}

// Stock is counted per outlet, separately from the products. Both calls return bare arrays.
// https://x-series-api.lightspeedhq.com/reference/listinventoryrecords
interface Inventory {
  product_id: string
  outlet_id: string
  current_inventory_level?: number
  deleted_at?: string | null
  version?: number
}
/** Levels by outlet. */
type Levels = Readonly<Record<string, number>>
const levelOf = ({ product_id, outlet_id, current_inventory_level = 0, deleted_at }: Inventory) => ({
  product_id,
  outlet_id,
  level: deleted_at ? 0 : current_inventory_level,
})
const largest = 5000

async function levelsOfOne(call: ReadCall, id: string): Promise<Levels> {
  const { body } = await call.read(get(`${api}${path`/inventory/${id}`}`, { page_size: largest }))
  return Object.fromEntries(list<Inventory>(body).map((row) => [row.outlet_id, levelOf(row).level]))
}
/** The order is descending unless the request says otherwise: then the end would come before the changes. */
async function readLevels(call: ReadCall, after: number): Promise<VersionPage<Inventory>> {
  const { body } = await call.read(
    post(`${api}/inventory`, { after, size: largest, sort_direction: 'asc', include_deleted: true }),
  )
  const rows = list<Inventory>(body)
  if (!rows.length) return { rows }
  const versions = rows.flatMap(({ version }) => number(version) ?? [])
  if (versions.length < rows.length) throw new NativeFailure({ kind: 'unavailable', message: 'Stock has no versions' })
  return { rows, max: Math.max(...versions) }
}
/** One call each for a few products; for more, the whole list, of which only the newest part is read again. */
const few = 2
async function levelsOf(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, Levels>> {
  if (!may(call, 'inventory:read')) return new Map()
  const found = new Map<string, Levels>()
  if (ids.length <= few) {
    for (const id of ids) found.set(id, await levelsOfOne(call, id))
    return found
  }
  const target = new Set(ids)
  const levels = await readPages(call, '/inventory', levelOf, (after) => readLevels(call, after))
  for (const { product_id, outlet_id, level } of levels)
    if (target.has(product_id)) found.set(product_id, { ...found.get(product_id), [outlet_id]: level })
  return found
}
const sumOf = (levels: Levels | undefined): number | undefined =>
  levels ? Object.values(levels).reduce((sum, level) => sum + (number(level) ?? 0), 0) : undefined

// Skus and names of the products on sales.
export interface Label {
  id: string
  sku?: string
  name: string
  deleted: boolean
}
const labelOf = (product: NativeProduct): Label => ({
  id: product.id,
  sku: text(product.sku),
  name: nameOf(product),
  deleted: Boolean(product.deleted_at),
})

/** A deleted product is still on its sales: the search finds it even if a read by id does not. */
async function labelOfOne(call: ReadCall, id: string): Promise<Label | undefined> {
  const product: NativeProduct | undefined =
    (await ifFound(call.read(get(`${api}${path`/products/${id}`}`))))?.body?.data ??
    list<NativeProduct>(
      (await call.read(get(`${api}/search`, { type: 'products', _id: id, deleted: true }))).body?.data,
    ).find((found) => found.id === id)
  return product && labelOf(product)
}
/** As above. */
const fewLabels = 3
export async function labelsOf(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, Label>> {
  const target = new Set(ids.filter(isId))
  const found = new Map<string, Label>()
  if (target.size > fewLabels) {
    for (const label of await readAll(call, '/products', { deleted: true, include_images: false }, labelOf))
      if (target.has(label.id)) found.set(label.id, label)
    return found
  }
  for (const id of target) {
    const label = await labelOfOne(call, id)
    if (label) found.set(id, label)
  }
  return found
}
