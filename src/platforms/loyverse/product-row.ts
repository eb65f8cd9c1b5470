// Reads products: one unified product for each variant, because receipt lines and stock belong to variants.
// https://developer.loyverse.com/docs/#tag/Items
import type { Mapping, ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { merchantCurrency } from './account.ts'
import { namesOf } from './catalog-names.ts'
import { isId, modifiedAt, type Stamped } from './listing.ts'
import { type Level, readLevels, stockOf } from './stock.ts'

export interface StorePrice {
  store_id: string
  pricing_type?: 'FIXED' | 'VARIABLE'
  price?: number | null
  available_for_sale?: boolean
}
export interface NativeVariant extends Stamped {
  variant_id: string
  item_id: string
  sku?: string | null
  option1_value?: string | null
  option2_value?: string | null
  option3_value?: string | null
  barcode?: string | null
  cost?: number | null
  default_pricing_type?: 'FIXED' | 'VARIABLE'
  default_price?: number | null
  stores?: StorePrice[]
}
export interface NativeItem extends Stamped {
  id: string
  item_name: string
  description?: string | null
  reference_id?: string | null
  category_id?: string | null
  track_stock?: boolean
  sold_by_weight?: boolean
  primary_supplier_id?: string | null
  tax_ids?: string[] | null
  modifier_ids?: string[] | null
  image_url?: string | null
  variants?: NativeVariant[]
}
export interface ProductRow {
  item: NativeItem
  variant: NativeVariant
  levels?: readonly Level[]
  currency?: string
  categoryName?: string
  vendor?: string
}
export const variantsOf = (item: NativeItem): NativeVariant[] =>
  list(item.variants).filter(({ deleted_at }) => !deleted_at)
export const rowsOf = (item: NativeItem): ProductRow[] =>
  item.deleted_at ? [] : variantsOf(item).map((variant) => ({ item, variant }))
export const idOf = ({ variant }: ProductRow): string => variant.variant_id
export const rowModifiedAt = ({ item, variant }: ProductRow): string | undefined =>
  modifiedAt(item.updated_at, variant.updated_at)

/** "XL / Red", as on receipts; undefined for the only variant of an item without options. */
export const optionsOf = ({ option1_value, option2_value, option3_value }: NativeVariant): string | undefined =>
  text(
    [option1_value, option2_value, option3_value]
      .map(text)
      .filter((value) => value !== undefined)
      .join(' / '),
  )
export const joinName = (item: string, options: string | undefined): string =>
  options === undefined ? item : `${item} - ${options}`

/** Additional data of every row: stock of tracked items, names, the currency. */
export async function finishRows(call: ReadCall, rows: readonly ProductRow[]): Promise<ProductRow[]> {
  const { code: currency } = await merchantCurrency(call)
  const tracked = rows.filter(({ item }) => item.track_stock).map(idOf)
  const levels = Map.groupBy(tracked.length ? await readLevels(call, tracked) : [], ({ variant_id }) => variant_id)
  const items = rows.map(({ item }) => item)
  const categoryIds = items.map(({ category_id }) => category_id)
  const supplierIds = items.map(({ primary_supplier_id }) => primary_supplier_id)
  const categories = await namesOf(call, 'categories', categoryIds)
  const suppliers = await namesOf(call, 'suppliers', supplierIds)
  return rows.map((row) => ({
    ...row,
    currency,
    levels: levels.get(idOf(row)) ?? [],
    categoryName: categories.get(row.item.category_id ?? ''),
    vendor: suppliers.get(row.item.primary_supplier_id ?? ''),
  }))
}
/** A deleted record can still be read by id, but is in no list. */
export async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const variant: NativeVariant | undefined = isId(id)
    ? (await ifFound(call.read(get(path`/v1.0/variants/${id}`))))?.body
    : undefined
  if (!variant || variant.deleted_at) return undefined
  const item: NativeItem | undefined = (await ifFound(call.read(get(path`/v1.0/items/${variant.item_id}`))))?.body
  const row = item && rowsOf(item).find((candidate) => idOf(candidate) === variant.variant_id)
  return row && (await finishRows(call, [row]))[0]
}
/** All variants of an item. */
export async function readRows(call: ReadCall, itemId: string): Promise<ProductRow[]> {
  const item: NativeItem | undefined = (await ifFound(call.read(get(path`/v1.0/items/${itemId}`))))?.body
  return item ? finishRows(call, rowsOf(item)) : []
}

/** What a store charges, or the default without a store; undefined if the price is set at the sale. */
export const chargedAt = (variant: NativeVariant, store?: StorePrice): number | undefined =>
  (text(store?.pricing_type) ?? text(variant.default_pricing_type)) === 'FIXED'
    ? fromDecimal(store?.price ?? variant.default_price)
    : undefined
/**
 * The different prices of a variant: that of the account's store, or those of all stores that sell it. A till charges
 * the price of its store; the default is only for stores without an entry.
 */
export function pricesOf(variant: NativeVariant, storeId: string | undefined): (number | undefined)[] {
  const stores = list(variant.stores)
  const chosen = storeId === undefined ? stores : stores.filter(({ store_id }) => store_id === storeId)
  const selling = storeId === undefined ? chosen.filter(({ available_for_sale }) => available_for_sale !== false) : []
  const counted: readonly (StorePrice | undefined)[] = selling.length ? selling : chosen.length ? chosen : [undefined]
  return [...new Set(counted.map((store) => chargedAt(variant, store)))]
}
const priceText = (price: number | undefined) => (price === undefined ? 'one that is set at the sale' : String(price))
/** Sold in at least one store. */
const isActive = ({ stores }: NativeVariant): boolean =>
  list(stores).length === 0 || list(stores).some(({ available_for_sale }) => available_for_sale !== false)

export function toUnified(row: ProductRow, { account, warn }: Mapping): Product {
  const { item, variant } = row
  const [price, ...others] = pricesOf(variant, account.settings.storeId)
  if (others.length)
    warn(
      '/price',
      `The stores have different prices (${[price, ...others].map(priceText).join(' and ')}), so none is returned. Set storeId in the settings of the account.`,
    )
  return {
    externalId: variant.variant_id,
    name: joinName(text(item.item_name) ?? variant.variant_id, optionsOf(variant)),
    description: text(item.description),
    sku: text(variant.sku),
    barcode: text(variant.barcode),
    price: others.length ? undefined : price,
    cost: fromDecimal(variant.cost),
    active: isActive(variant),
    taxable: list(item.tax_ids).length > 0,
    categoryExternalId: text(item.category_id),
    stockOnHand: flag(item.track_stock) ? stockOf(list(row.levels)) : undefined,
    currencyCode: row.currency,
    categoryName: row.categoryName,
    vendor: row.vendor,
    imageUrl: text(item.image_url),
  }
}
