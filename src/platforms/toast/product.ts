import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { list, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { displayName } from '../../kit/names.ts'
import { get, post } from '../../kit/requests.ts'
import { restaurant } from './account.ts'
import { type ItemRow, type MenuItem, menus } from './menu.ts'

interface Inventory {
  guid: string
  status?: 'IN_STOCK' | 'QUANTITY' | 'OUT_OF_STOCK'
  quantity?: number | null
}
type ProductRow = ItemRow & { inventory?: Inventory | null; currency?: string }

async function finish(
  call: ReadCall,
  rows: readonly ItemRow[],
  inventories: readonly Inventory[],
): Promise<ProductRow[]> {
  const { currency } = await restaurant(call)
  const byGuid = new Map(inventories.map((inventory) => [inventory.guid, inventory]))
  return rows.map((row) => ({ ...row, inventory: byGuid.get(row.guid), currency }))
}
/** Lists only items that are limited or out of stock; other items are in stock without a count. */
const limited = async (call: ReadCall): Promise<readonly Inventory[]> =>
  list<Inventory>((await call.read(get('/stock/v1/inventory'))).body)

export function stockOf(inventory: Inventory | null | undefined): number | undefined {
  const status = text(inventory?.status)
  if (status === 'OUT_OF_STOCK') return 0
  const quantity = inventory && status === 'QUANTITY' ? fromDecimal(inventory.quantity) : undefined
  return quantity === undefined ? undefined : Math.trunc(quantity)
}
/** Open prices are entered at the POS and size prices belong to a modifier: neither item has its own price. */
export function priceTypeOf(item: MenuItem): 'VARIABLE' | 'PER_UNIT' | 'FIXED' {
  const [pricingStrategy, unitOfMeasure] = [text(item.pricingStrategy), text(item.unitOfMeasure)]
  if (pricingStrategy === 'OPEN_PRICE' || pricingStrategy === 'SIZE_PRICE') return 'VARIABLE'
  return unitOfMeasure && unitOfMeasure !== 'NONE' ? 'PER_UNIT' : 'FIXED'
}

export const product: EntityAdapter<'product', ProductRow, never> = {
  id: (row) => row.guid,
  toUnified: (row) => ({
    externalId: row.guid,
    name: displayName(row.name, row.guid)!,
    description: text(row.description),
    sku: text(row.sku),
    barcode: text(row.plu),
    price: fromDecimal(row.price),
    active: list(row.visibility).length > 0,
    taxable: list(row.taxInfo).length > 0,
    categoryExternalId: row.groupGuid,
    stockOnHand: stockOf(row.inventory),
    currencyCode: row.currency,
    trackInventory: Boolean(row.inventory) && row.inventory?.status !== 'IN_STOCK',
    priceType: priceTypeOf(row),
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'none', // the publication date is the same for all
    page: async (call) => ({ rows: (await menus(call)).items }),
    complete: {
      size: 200,
      fields: ['/stockOnHand', '/trackInventory', '/currencyCode', '/price', '/cost'],
      rows: async (call, rows) => finish(call, rows, await limited(call)),
    },
  },
  get: async (call, id) => {
    const item = (await menus(call)).items.find(({ guid }) => guid === id)
    if (!item) return undefined
    const found = await call.read(post('/stock/v1/inventory/search', { guids: [id] }))
    return (await finish(call, [item], list<Inventory>(found.body)))[0]
  },
}
