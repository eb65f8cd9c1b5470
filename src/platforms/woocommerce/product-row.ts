// Reads products: one unified product for each simple product and for each variation, because order lines and stock
// belong to them.
// https://woocommerce.github.io/woocommerce-rest-api-docs/#products, #product-variations
import type { ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { get } from '../../kit/requests.ts'
import { api, isId, keys, type Marked, metaOf, modifiedAt, perPage, readPage, shopCurrency } from './api.ts'
import { plain, unwrapped } from './html.ts'

export interface Term {
  id: number
  name?: string
}
interface Image {
  id?: number
  src?: string
}
interface Sellable extends Marked {
  status?: string
  description?: string
  sku?: string
  global_unique_id?: string // since WooCommerce 9.2
  price?: string
  regular_price?: string
  sale_price?: string
  tax_status?: string
  manage_stock?: boolean | 'parent'
  stock_quantity?: number | null
  date_modified_gmt?: string | null
  cost_of_goods_sold?: { total_value?: number } // only if the shop records costs
}
export interface NativeProduct extends Sellable {
  type?: string
  name?: string
  short_description?: string
  parent_id?: number
  categories?: Term[]
  tags?: Term[]
  brands?: Term[] // since WooCommerce 9.6
  images?: Image[]
  variations?: number[]
}
export interface Variation extends Sellable {
  attributes?: { name?: string; option?: string }[]
  image?: Image | null
}
export interface ProductRow {
  product: NativeProduct
  variationId?: number
  variation?: Variation
  currency?: string
}
/** Without it texts are formatted for the shop's pages, with paragraphs and curly quotes. */
export const editing = { context: 'edit' }

/** A product with variations is not sold itself, so it is not a row. */
export const isVariable = ({ type }: NativeProduct): boolean => type === 'variable'
export const rowsOf = (product: NativeProduct): ProductRow[] =>
  isVariable(product) ? list(product.variations).map((variationId) => ({ product, variationId })) : [{ product }]
export const idOf = ({ product, variationId }: ProductRow): string => String(variationId ?? product.id)
export const rowModifiedAt = ({ product, variation }: ProductRow): string | undefined =>
  modifiedAt(product.date_modified_gmt, variation?.date_modified_gmt)

/**
 * Changing a variation does not reliably update its product's modification time: each product's variations are
 * requested.
 */
export async function readVariations(
  call: ReadCall,
  productId: number,
  query: Record<string, string | boolean>,
): Promise<Variation[]> {
  const found: Variation[] = []
  for (let page = 1; ; page++) {
    const { rows, more } = await readPage<Variation>(call, `${api}/products/${productId}/variations`, {
      ...editing,
      ...query,
      orderby: 'id',
      order: 'asc',
      per_page: perPage,
      page,
    })
    found.push(...rows)
    if (!more) return found
  }
}
/** Reads missing variations of rows, one call per product; a product that was deleted in the meantime is omitted. */
export async function finishRows(call: ReadCall, rows: ProductRow[]): Promise<ProductRow[]> {
  const currency = await shopCurrency(call)
  const found = new Map<number, Variation>()
  const lacking = Map.groupBy(
    rows.filter(({ variationId, variation }) => variationId !== undefined && !variation),
    ({ product }) => product.id,
  )
  for (const [productId, group] of lacking) {
    const include = group.map(({ variationId }) => variationId).join(',')
    for (const variation of await readVariations(call, productId, { include })) found.set(variation.id, variation)
  }
  return rows
    .map((row) => ({ ...row, currency, variation: row.variation ?? found.get(row.variationId ?? 0) }))
    .filter(({ variationId, variation }) => variationId === undefined || variation !== undefined)
}

const gone = new Set(['trash', 'auto-draft'])
/**
 * A product or a variation: both have the same path. A record in the trash can still be read there, but is in no list.
 */
export async function readProduct(call: ReadCall, id: string): Promise<NativeProduct | undefined> {
  if (!isId(id)) return undefined
  const product: NativeProduct | undefined = (await ifFound(call.read(get(`${api}/products/${id}`, editing))))?.body
  return product && !gone.has(product.status ?? '') ? product : undefined
}
/** A variation is read from the same path as in the list: elsewhere the same text has another format. */
export async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const found = await readProduct(call, id)
  if (!found || isVariable(found)) return undefined
  if (found.type !== 'variation') return (await finishRows(call, [{ product: found }]))[0]
  const product = await readProduct(call, String(found.parent_id))
  return product && (await finishRows(call, [{ product, variationId: found.id }]))[0]
}
/** A product without variations, or all its variations. */
export async function readRows(call: ReadCall, productId: string): Promise<ProductRow[]> {
  const product = await readProduct(call, productId)
  return product ? finishRows(call, rowsOf(product)) : []
}

/**
 * The shop copies an image and returns the URL of the copy: as long as the copy has the file name of the original, it
 * is the same image.
 */
export function imageOf({ product, variation }: ProductRow): string | undefined {
  const src = text(variation?.image?.src) ?? text(list(product.images)[0]?.src)
  const source = metaOf(variation ?? product, keys.image)
  return src && source && fileName(src).startsWith(fileName(source).replace(/\.[a-z0-9]+$/i, '')) ? source : src
}
const fileName = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1)!
    .toLowerCase()

function nameOf({ product, variation }: ProductRow): string {
  const options = list(variation?.attributes).map(({ option }) => plain(option))
  const name = plain(product.name) ?? String(product.id)
  return options.length ? `${name} - ${options.join(', ')}` : name
}
export function toUnified(row: ProductRow): Product {
  const { product, variation, currency } = row
  const own = variation ?? product
  const category = list(product.categories)[0]
  const tags = list(product.tags)
  const stock = number(own.stock_quantity)
  return {
    externalId: idOf(row),
    name: nameOf(row),
    description: unwrapped(variation?.description) ?? plain(product.description) ?? plain(product.short_description),
    sku: text(own.sku),
    barcode: text(own.global_unique_id),
    price: fromDecimal(own.price),
    cost: fromDecimal(own.cost_of_goods_sold?.total_value),
    active: text(own.status) === 'publish' && text(product.status) === 'publish',
    taxable: (text(own.tax_status) ?? text(product.tax_status)) === 'taxable',
    categoryExternalId: text(category?.id),
    stockOnHand: own.manage_stock && stock !== undefined ? Math.floor(stock) : undefined,
    currencyCode: currency,
    categoryName: plain(category?.name),
    vendor: plain(list(product.brands)[0]?.name),
    tags: tags.length ? tags.map(({ name }) => plain(name)).filter((name) => name !== undefined) : undefined,
    imageUrl: imageOf(row),
  }
}
