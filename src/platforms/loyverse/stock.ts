// Inventory levels, one for each variant and store. https://developer.loyverse.com/docs/#tag/Inventory
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import { refusal } from '../../kit/errors.ts'
import { number } from '../../kit/fields.ts'
import { post } from '../../kit/requests.ts'
import { homeStore } from './account.ts'
import { paths, readByIds } from './listing.ts'

export interface Level {
  variant_id: string
  store_id: string
  in_stock: number // up to three decimals, and negative if more was sold than counted
}
export const readLevels = (call: ReadCall, variantIds: readonly string[]): Promise<Level[]> =>
  readByIds<Level>(call, 'inventory_levels', 'variant_ids', variantIds)

const sum = (levels: readonly Level[]): number =>
  levels.reduce((total, { in_stock }) => total + (number(in_stock) ?? 0), 0)
/** The sum over all stores in whole units. */
export const stockOf = (levels: readonly Level[]): number => Math.round(sum(levels)) || 0

/**
 * The change that sets the stock to `target`, determined before anything is written. `levels` are the current levels of
 * the variant.
 */
export async function planStock(
  call: WriteCall,
  target: number | undefined,
  levels: readonly Level[],
): Promise<(variantId: string) => Promise<unknown>> {
  if (target === undefined) return async () => undefined
  const store_id = await homeStore(call, 'stock_after')
  const elsewhere = sum(levels.filter((level) => level.store_id !== store_id))
  const stock_after = Number((target - elsewhere).toFixed(3))
  if (stock_after < 0 && elsewhere > 0) throw refusal('stock_after', `Other stores already have ${elsewhere}`)
  return (variant_id) =>
    call.write('stock', {
      request: post(paths.inventory_levels, { inventory_levels: [{ variant_id, store_id, stock_after }] }),
      read: () => variant_id,
      recovery: 'repeat', // it sets an absolute level
    })
}
