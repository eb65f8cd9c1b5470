// Converts a product to Loyverse's format. A POST replaces the whole record, so all existing fields are sent back.
import type { AccountView, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { type Currency, stores, toAmount } from './account.ts'
import { idByName } from './catalog-names.ts'
import { readAll, type Stamped } from './listing.ts'
import {
  chargedAt,
  joinName,
  type NativeItem,
  type NativeVariant,
  optionsOf,
  type ProductRow,
  pricesOf,
  type StorePrice,
  toUnified,
  variantsOf,
} from './product-row.ts'

export const longest = {
  '/description': 32_768,
  '/sku': 40,
  '/barcode': 128,
  '/categoryName': 64,
  '/vendor': 64,
} as const

export function check(record: Product): Refused[] {
  // With its options a name is longer than the item's own name: Loyverse checks those.
  const found = record.name.includes(' - ') ? [] : tooLong('/name', record.name, 64)
  for (const field of ['price', 'cost'] as const)
    if ((record[field] ?? 0) < 0) found.push({ pointer: `/${field}`, message: 'An amount cannot be negative' })
  return found
}

/**
 * A product is taxable if it has a tax, so a tax must be chosen. In an account without taxes nothing is taxable: then
 * the response has a warning.
 */
async function taxIds(call: WriteCall, taxable: boolean): Promise<string[]> {
  if (!taxable) return []
  const chosen = text(call.account.settings.taxId)
  if (chosen !== undefined) return [chosen]
  const taxes = (await readAll<Stamped & { id: string }>(call, 'taxes')).filter(({ deleted_at }) => !deleted_at)
  if (taxes.length > 1) throw requirement('/settings/taxId', 'The account has several taxes: set taxId in its settings')
  return taxes.map(({ id }) => id)
}
const pricing = (price: number | undefined) => ({
  default_pricing_type: price === undefined ? ('VARIABLE' as const) : ('FIXED' as const),
  default_price: price ?? null,
})

export async function creation(call: WriteCall, record: Product, currency: Currency): Promise<object> {
  const price = record.price === undefined ? undefined : toAmount(record.price, currency, 'default_price')
  const { default_pricing_type, default_price } = pricing(price)
  const variant = compact({
    sku: text(record.sku),
    barcode: text(record.barcode),
    reference_variant_id: call.reference,
    cost: record.cost === undefined ? undefined : toAmount(record.cost, currency, 'cost'),
    default_pricing_type,
    default_price,
    stores:
      record.active === false
        ? (await stores(call)).map(({ id }) =>
            compact({
              store_id: id,
              pricing_type: default_pricing_type,
              price: default_price,
              available_for_sale: false,
            }),
          )
        : undefined,
  })
  return compact({
    item_name: record.name,
    description: text(record.description),
    reference_id: call.reference,
    category_id:
      record.categoryExternalId ??
      (text(record.categoryName) ? await idByName(call, 'categories', record.categoryName!) : undefined),
    primary_supplier_id: text(record.vendor) ? await idByName(call, 'suppliers', record.vendor!) : undefined,
    track_stock: record.stockOnHand !== undefined,
    tax_ids: record.taxable === undefined ? undefined : await taxIds(call, record.taxable),
    variants: [variant],
  })
}

export interface Change {
  item: Partial<NativeItem>
  variant: Partial<NativeVariant>
  stock?: number
}
/**
 * The differences from the current item. An absent stock does not change: Loyverse would lose the levels of all stores.
 */
export async function changeOf(call: WriteCall, record: Product, row: ProductRow, currency: Currency): Promise<Change> {
  const before = toUnified(row, { account: call.account, warn: () => {} })
  const changed = (field: keyof Product) => {
    const value = record[field]
    return ((typeof value === 'string' ? text(value) : value) ?? null) !== (before[field] ?? null)
  }
  const item: Partial<NativeItem> = {}
  const variant: Partial<NativeVariant> = {}
  if (changed('name')) item.item_name = itemName(record.name, row)
  if (changed('description')) item.description = text(record.description) ?? null
  if (record.taxable !== undefined && changed('taxable')) item.tax_ids = await taxIds(call, record.taxable)
  Object.assign(item, await categoryOf(call, record, before))
  if (changed('vendor'))
    item.primary_supplier_id = text(record.vendor) ? await idByName(call, 'suppliers', record.vendor!) : null
  const stock = record.stockOnHand !== undefined && changed('stockOnHand') ? record.stockOnHand : undefined
  if (stock !== undefined && !row.item.track_stock) item.track_stock = true
  if (changed('sku')) variant.sku = text(record.sku) ?? null
  if (changed('barcode')) variant.barcode = text(record.barcode) ?? null
  if ((record.cost ?? 0) !== (before.cost ?? 0)) variant.cost = toAmount(record.cost ?? 0, currency, 'cost')
  if (changed('price'))
    Object.assign(
      variant,
      priced(
        row.variant,
        record.price === undefined ? undefined : toAmount(record.price, currency, 'default_price'),
        call.account,
      ),
    )
  if (record.active !== undefined && changed('active'))
    variant.stores = list(variant.stores ?? row.variant.stores).map((store) => ({
      ...store,
      available_for_sale: record.active,
    }))
  refuseShared(item, row)
  return { item, variant, stock }
}
async function categoryOf(call: WriteCall, record: Product, before: Product): Promise<Partial<NativeItem>> {
  if (record.categoryExternalId !== undefined && record.categoryExternalId !== before.categoryExternalId)
    return { category_id: record.categoryExternalId }
  const name = text(record.categoryName)
  if (name !== undefined && name !== before.categoryName)
    return { category_id: await idByName(call, 'categories', name) }
  return before.categoryExternalId !== undefined && record.categoryExternalId === undefined && name === undefined
    ? { category_id: null }
    : {}
}
/** Extracts the item's own name from "T-shirt - XL / Red". */
function itemName(name: string, { item, variant }: ProductRow): string {
  const options = optionsOf(variant)
  const ending = options === undefined ? '' : ` - ${options}`
  if (!name.endsWith(ending) || name.length === ending.length)
    throw refusal('item_name', `The name must end in "${ending}", as in "${joinName(item.item_name, options)}"`)
  return ending === '' ? name : name.slice(0, -ending.length)
}
/**
 * A new price reaches every store that had the price that was read, and the default with them. Where the stores had
 * different prices, none was read: then it reaches all of them.
 */
function priced(variant: NativeVariant, price: number | undefined, { settings }: AccountView): Partial<NativeVariant> {
  const { default_pricing_type, default_price } = pricing(price)
  const before = pricesOf(variant, settings.storeId)
  const follows = (store?: StorePrice) => before.length > 1 || before.includes(chargedAt(variant, store))
  const all = list(variant.stores)
  const stores = all.map((store) =>
    follows(store) ? { ...store, pricing_type: default_pricing_type, price: default_price } : store,
  )
  return {
    ...((follows() || all.every(follows)) && { default_pricing_type, default_price }),
    ...(all.length > 0 && { stores }),
  }
}
const shared = 'This is one variant of an item, and the field is shared by all of them: change it in Loyverse'
/**
 * Name, description, category, supplier, taxes and stock tracking belong to the item: a write to one variant must not
 * change the others.
 */
function refuseShared(item: Partial<NativeItem>, row: ProductRow): void {
  const [field] = Object.keys(item)
  if (field !== undefined && variantsOf(row.item).length > 1) throw refusal(field, shared)
}

const ownByLoyverse = new Set(['handle', 'image_url', 'created_at', 'updated_at', 'deleted_at', 'variants'])
/** All existing writable fields; null values are omitted, cleared fields are null. */
const whole = <T extends object>(current: T, change: Partial<T>): object => ({
  ...compact(Object.fromEntries(Object.entries(current).filter(([name]) => !ownByLoyverse.has(name)))),
  ...change,
})
export const wholeVariant = (variant: NativeVariant, change: Partial<NativeVariant>): object =>
  whole(variant, {
    ...change,
    ...(variant.stores && {
      stores: list(change.stores ?? variant.stores).map((store) => compact(store) as typeof store),
    }),
  })
/**
 * The reference documents `modifiers_ids`, some responses have `modifier_ids`: the first is sent, otherwise an update
 * would remove the modifiers.
 */
export const wholeItem = ({ item, variant }: ProductRow, change: Change): object => ({
  ...compact({ modifiers_ids: item.modifier_ids }),
  ...whole(item, change.item),
  variants: variantsOf(item).map((other) =>
    wholeVariant(other, other.variant_id === variant.variant_id ? change.variant : {}),
  ),
})
