// Clover's item and how it is read.
import type { ReadCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { below, currencyOf, type Elements, elementsOf } from './account.ts'

export interface NativeItem {
  id: string
  name?: string
  sku?: string
  code?: string
  price?: number
  cost?: number
  priceType?: Product['priceType']
  unitName?: string
  hidden?: boolean
  available?: boolean
  autoManage?: boolean
  defaultTaxRates?: boolean
  modifiedTime?: number
  deletedTime?: number
  categories?: Elements<{ id: string }>
  taxRates?: Elements<{ id: string }>
  itemStock?: { quantity?: number }
}
/** An item with the merchant's currency, which items do not contain. */
export interface ItemRow extends NativeItem {
  currency: string
}
export const itemExpand = 'categories,taxRates,itemStock' // three is the maximum

export async function readItem(call: ReadCall, id: string): Promise<ItemRow | undefined> {
  const item: NativeItem | undefined = (
    await ifFound(call.read(get(below(call, path`/items/${id}`), { expand: itemExpand })))
  )?.body
  return item && { ...item, currency: await currencyOf(call) }
}

export const categoryIdsOf = (item: NativeItem): string[] => elementsOf(item.categories).map(({ id }) => id)
export const activeOf = (item: NativeItem): boolean =>
  !flag(item.hidden) && flag(item.available) !== false && text(item.deletedTime) === undefined
export const taxableOf = (item: NativeItem): boolean =>
  flag(item.defaultTaxRates) === true || elementsOf(item.taxRates).length > 0
/** Items sold by measure have fractional stock. */
export function stockOf(item: NativeItem): number | undefined {
  const quantity = number(item.itemStock?.quantity)
  return quantity === undefined ? undefined : Math.trunc(quantity)
}

export const toUnified = (row: ItemRow): Product => ({
  externalId: row.id,
  name: text(row.name) ?? row.id,
  sku: text(row.sku),
  barcode: text(row.code),
  price: row.priceType === 'VARIABLE' ? undefined : fromMinor(row.price, row.currency),
  cost: fromMinor(row.cost, row.currency),
  active: activeOf(row),
  taxable: taxableOf(row),
  categoryExternalId: categoryIdsOf(row)[0],
  stockOnHand: stockOf(row),
  currencyCode: row.currency,
  trackInventory: row.autoManage ?? false,
  priceType: row.priceType,
})
