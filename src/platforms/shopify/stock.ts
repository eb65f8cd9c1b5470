// Stock is counted per location: https://shopify.dev/docs/apps/build/orders-fulfillment/inventory-management-apps
import type { WriteCall } from '../../contract/connector.ts'
import { stockLocation } from './account.ts'
import { ask, operation } from './api.ts'
import type { ProductRow } from './product-row.ts'

/** Sets one location so that the sum over all locations is `target`. False if nothing had to change. */
export async function setStock(
  call: WriteCall,
  target: number | undefined,
  { inventoryItem, inventoryQuantity }: ProductRow,
): Promise<boolean> {
  const total = inventoryQuantity ?? 0
  if (target === undefined || (target === total && inventoryItem.tracked)) return false
  const location = await stockLocation(call, 'inventoryQuantities')
  const level = (await ask(call, 'stockAt', { item: inventoryItem.id, location })).inventoryItem?.inventoryLevel
  const here: number = level?.quantities[0]?.quantity ?? 0
  const quantity = here + target - total
  // The content alone is not enough: the same stock may be set again after a sale, and Shopify would return the old
  // result for a used key.
  // An update that runs again starts from another count, and Shopify rejects a used key with other parameters.
  const key = call.key(`stock ${call.now} ${level ? here : 'none'} ${quantity}`)
  const request = level
    ? operation('stockSet', {
        input: {
          name: 'available',
          reason: 'correction',
          quantities: [{ inventoryItemId: inventoryItem.id, locationId: location, quantity, changeFromQuantity: here }],
        },
        key,
      })
    : operation('stockActivate', { item: inventoryItem.id, location, available: quantity, key })
  await call.write('stock', { request, read: () => true, recovery: 'key' })
  return true
}
