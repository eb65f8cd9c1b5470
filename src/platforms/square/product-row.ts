// Reads products: one unified product for each variation, because order lines reference variations.
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { flag, list, members, text } from '../../kit/fields.ts'
import { type CatalogObject, type ItemData, readAny, readObject, readObjects, type VariationData } from './catalog.ts'
import { fromMoney } from './money.ts'
import { type Count, readCounts, stockOf } from './stock.ts'

export interface ProductRow {
  item: CatalogObject
  variation: CatalogObject
  counts: Count[]
  categoryName?: string
  imageUrl?: string
}
const separator = ' - '
const unnamed = 'Regular' // Square's name for the only variation of an item

const variationsOf = (item: CatalogObject): CatalogObject[] =>
  list(item.item_data?.variations).filter(({ is_deleted }) => !flag(is_deleted))
export const rowsOf = (item: CatalogObject): ProductRow[] =>
  variationsOf(item).map((variation) => ({ item, variation, counts: [] }))

export interface NameParts {
  item: string
  variation: string
  alone: boolean // the item has no other variation
}
export const namesOf = ({ item, variation }: Pick<ProductRow, 'item' | 'variation'>): NameParts => ({
  item: text(item.item_data?.name) ?? '',
  variation: text(variation.item_variation_data?.name) ?? '',
  alone: variationsOf(item).length === 1,
})
export const joinName = ({ item, variation, alone }: NameParts): string =>
  alone || !variation || variation === unnamed ? item : `${item}${separator}${variation}`

/** Splits a changed name; undefined if it matches neither the item, which other variations share, nor the variation. */
export function takeApart(name: string, current: NameParts): Pick<NameParts, 'item' | 'variation'> | undefined {
  if (name === joinName(current)) return current
  if (current.alone) return { item: name, variation: current.variation }
  const [before, after] = [`${current.item}${separator}`, `${separator}${current.variation}`]
  if (name.startsWith(before) && name.length > before.length)
    return { item: current.item, variation: name.slice(before.length) }
  if (joinName(current) === current.item) return { item: name, variation: current.variation }
  return name.endsWith(after) && name.length > after.length
    ? { item: name.slice(0, -after.length), variation: current.variation }
    : undefined
}

export const categoryOf = (data: ItemData): string | undefined =>
  text(data.reporting_category?.id) ?? text(list(data.categories)[0]?.id) ?? text(data.category_id)
export const descriptionOf = (data: ItemData): string | undefined =>
  text(data.description_plaintext) ?? text(data.description)

/**
 * The value of a location overrides that of the variation: the account's own location if it has one, otherwise any that
 * tracks stock.
 */
export function trackedAt(data: VariationData, account: AccountView): boolean | undefined {
  const overrides = list(data.location_overrides).filter(({ track_inventory }) => track_inventory !== undefined)
  const own = overrides.find(({ location_id }) => location_id === account.settings.locationId)
  if (own) return own.track_inventory
  return overrides.length && !account.settings.locationId
    ? overrides.some(({ track_inventory }) => track_inventory) || data.track_inventory
    : data.track_inventory
}
export const priceTypeOf = (data: VariationData): Product['priceType'] =>
  data.pricing_type === 'VARIABLE_PRICING'
    ? 'VARIABLE'
    : data.measurement_unit_id
      ? 'PER_UNIT'
      : data.pricing_type === 'FIXED_PRICING'
        ? 'FIXED'
        : undefined

const imageOf = ({ item, variation }: ProductRow): string | undefined =>
  list(variation.item_variation_data?.image_ids)[0] ?? list(item.item_data?.image_ids)[0]

/** Reads the stock; in retail also the names of categories and the URLs of images, with one more call. */
export async function finishRows(call: ReadCall, rows: ProductRow[]): Promise<ProductRow[]> {
  if (!rows.length) return []
  const counts = Map.groupBy(
    await readCounts(
      call,
      rows.map(({ variation }) => variation.id),
    ),
    (count) => count.catalog_object_id,
  )
  const retail = call.account.vertical === 'retail_pos'
  const target = retail
    ? rows.flatMap((row) => [categoryOf(row.item.item_data ?? {}), imageOf(row)]).filter((id) => id !== undefined)
    : []
  const related = await readObjects(call, target)
  return rows.map((row) => ({
    ...row,
    counts: counts.get(row.variation.id) ?? [],
    categoryName: text(related.get(categoryOf(row.item.item_data ?? {}) ?? '')?.category_data?.name),
    imageUrl: text(related.get(imageOf(row) ?? '')?.image_data?.url),
  }))
}
export async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const itemId = (await readObject(call, 'ITEM_VARIATION', id))?.item_variation_data?.item_id
  const item = itemId === undefined ? undefined : await readObject(call, 'ITEM', itemId)
  const row = item && rowsOf(item).find(({ variation }) => variation.id === id)
  return row && (await finishRows(call, [row]))[0]
}
/** All variations of an item, also by the id of one of them: a webhook about stock has no other. */
export async function readRows(call: ReadCall, id: string): Promise<ProductRow[]> {
  const object = await readAny(call, id)
  const itemId = object?.type === 'ITEM_VARIATION' ? object.item_variation_data?.item_id : undefined
  const item = itemId === undefined ? object : await readAny(call, itemId)
  return item?.type === 'ITEM' ? finishRows(call, rowsOf(item)) : []
}

export function toUnified(
  { item, variation, counts, categoryName, imageUrl }: ProductRow,
  { account }: { account: AccountView },
): Product {
  const item_data = members(item.item_data)
  const data = members(variation.item_variation_data)
  const variable = text(data.pricing_type) === 'VARIABLE_PRICING'
  const cost = list(data.vendor_information)[0]?.unit_cost_money
  return {
    externalId: variation.id,
    name: text(joinName(namesOf({ item, variation }))) ?? variation.id,
    description: descriptionOf(item_data),
    sku: text(data.sku),
    barcode: text(data.upc),
    price: variable ? undefined : fromMoney(data.price_money),
    cost: fromMoney(cost),
    active: !flag(item_data.is_archived),
    taxable: item_data.is_taxable,
    categoryExternalId: categoryOf(item_data),
    stockOnHand: stockOf(list(counts)),
    currencyCode: (variable ? undefined : text(data.price_money?.currency)) ?? text(cost?.currency),
    trackInventory: trackedAt(data, account),
    priceType: priceTypeOf(data),
    categoryName,
    imageUrl,
  }
}
