// The merchant, the stores with their stock, and the records that receipts reference.
// https://developer.loyverse.com/docs/#tag/Inventory
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import {
  acceptObject,
  bodyOf,
  invalid,
  listed,
  listFilter,
  listOfObjects,
  ok,
  paged,
  required,
  unknown,
} from './wire.ts'
import { setLevel, type World } from './world.ts'

const byId = <T extends { id: string }>({ id }: T): string => id

export const merchantRoutes: Routes<World> = { 'GET /v1.0/merchant/': ({ context: { merchant } }) => ok(merchant) }
export const storeRoutes: Routes<World> = {
  'GET /v1.0/stores': ({ request, context }) =>
    listed(request, context.stores.values(), { name: 'stores', id: byId, ids: 'store_ids', deletable: true }),
}
export const paymentTypeRoutes: Routes<World> = {
  'GET /v1.0/payment_types': ({ request, context }) =>
    listed(request, context.paymentTypes.values(), {
      name: 'payment_types',
      id: byId,
      ids: 'payment_type_ids',
      deletable: true,
    }),
}
export const taxRoutes: Routes<World> = {
  'GET /v1.0/taxes': ({ request, context }) =>
    listed(request, context.taxes.values(), { name: 'taxes', id: byId, ids: 'tax_ids', deletable: true }),
}
export const discountRoutes: Routes<World> = {
  'GET /v1.0/discounts': ({ request, context }) =>
    listed(request, context.discounts.values(), { name: 'discounts', id: byId, ids: 'discount_ids', deletable: true }),
}

export const inventoryRoutes: Routes<World> = {
  /** Only levels of tracked items, one for each variant and store. */
  'GET /v1.0/inventory': ({ request, context: world }) => {
    const variants = listFilter(request.query, 'variant_ids')
    const stores = listFilter(request.query, 'store_ids')
    const rows = world.levels.filter((level) => {
      if ((variants && !variants(level.variant_id)) || (stores && !stores(level.store_id))) return false
      const variant = world.variants.get(level.variant_id)!
      return !variant.deleted_at && world.items.get(variant.item_id)!.track_stock
    })
    return paged(
      request,
      'inventory_levels',
      rows,
      (level) => `${level.variant_id}/${level.store_id}`,
      false,
      (level) => level,
    )
  },
  'POST /v1.0/inventory': ({ request, context: world }) => {
    const { inventory_levels } = acceptObject(
      { inventory_levels: listOfObjects({ variant_id: 'uuid', store_id: 'uuid', stock_after: 'number' }) },
      bodyOf(request),
    )
    const changes = (inventory_levels as Fields[] | null) ?? []
    for (const change of changes) {
      required(change, 'variant_id', 'store_id', 'stock_after')
      const variant = world.variants.get(change.variant_id as string)
      if (!variant || variant.deleted_at) return unknown('variant_id')
      if (!world.stores.has(change.store_id as string)) return unknown('store_id')
      if (!world.items.get(variant.item_id)!.track_stock)
        return invalid('variant_id', 'Inventory of this item is not tracked')
      if (Math.abs(change.stock_after as number) > 9_999_999.999)
        return invalid('stock_after', 'The value is too large')
    }
    return ok({
      inventory_levels: changes.map(({ variant_id, store_id, stock_after }) =>
        setLevel(world, variant_id as string, store_id as string, stock_after as number),
      ),
    })
  },
}
