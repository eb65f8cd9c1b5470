// Stock per location: https://shopify.dev/docs/apps/build/orders-fulfillment/inventory-management-apps
import { type Arguments, idempotent, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import { decimal, gid, touchVariant, type Variant, type World } from './world.ts'

const reasons = new Set([
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_created',
  'other',
  'promotion',
  'received',
  'restock',
  'shrinkage',
])

const levelView = (itemId: string, locationId: string, available: number): object => ({
  id: `${gid('InventoryLevel', locationId)}?inventory_item_id=${itemId}`,
  quantities: ({ names }: { names: string[] }) =>
    names.map((name) => ({ name, quantity: name === 'available' || name === 'on_hand' ? available : 0 })),
})
export const inventoryItemView = (world: World, { itemId, sku, tracked, cost }: Variant): object => ({
  id: gid('InventoryItem', itemId),
  sku: sku ?? null,
  tracked,
  unitCost: cost === undefined ? null : { amount: decimal(cost), currencyCode: world.currency },
  inventoryLevel({ locationId }: { locationId: string }) {
    const location = idIn('Location', locationId)
    const available = world.levels.get(`${itemId}/${location}`)
    return available === undefined ? null : levelView(itemId, location, available)
  },
})
const variantOfItem = (world: World, itemId: string): Variant | undefined =>
  world.variants.find((variant) => variant.itemId === itemId)

/** Sets a level and updates the times that depend on it. */
function setLevel(world: World, variant: Variant, location: string, quantity: number): void {
  world.levels.set(`${variant.itemId}/${location}`, quantity)
  touchVariant(world, variant, {})
}
const isOpen = (world: World, location: string): boolean => world.locations.get(location)?.isActive === true

export const inventoryQueries: Resolvers = {
  inventoryItem: ({ id }, { world }) => {
    const variant = variantOfItem(world, idIn('InventoryItem', id))
    return variant ? inventoryItemView(world, variant) : null
  },
}
export const inventoryMutations: Resolvers = {
  inventorySetQuantities: mutation(
    idempotent(
      ({ input }: Arguments, { world }) => {
        if (!['available', 'on_hand'].includes(input.name))
          refuse(['input', 'name'], "The quantity name must be either 'available' or 'on_hand'.", 'INVALID_NAME')
        if (!reasons.has(input.reason))
          refuse(['input', 'reason'], 'The specified reason is invalid.', 'INVALID_REASON')
        const changes = input.quantities.map((one: Arguments, index: number) => {
          const at = (field: string) => ['input', 'quantities', String(index), field]
          const location = idIn('Location', one.locationId)
          const variant = variantOfItem(world, idIn('InventoryItem', one.inventoryItemId))
          if (!variant)
            return refuse(
              at('inventoryItemId'),
              'The specified inventory item could not be found.',
              'INVALID_INVENTORY_ITEM',
            )
          if (!isOpen(world, location))
            refuse(at('locationId'), 'The specified location could not be found.', 'INVALID_LOCATION')
          const present = world.levels.get(`${variant.itemId}/${location}`)
          if (present === undefined)
            refuse(
              at('locationId'),
              'The specified inventory item is not stocked at the location.',
              'ITEM_NOT_STOCKED_AT_LOCATION',
            )
          if (one.changeFromQuantity === undefined)
            refuse(
              at('changeFromQuantity'),
              'The changeFromQuantity argument must be given.',
              'CHANGE_FROM_QUANTITY_STALE',
            )
          if (one.changeFromQuantity !== null && one.changeFromQuantity !== present)
            refuse(
              at('changeFromQuantity'),
              'The changeFromQuantity value does not match persisted value.',
              'CHANGE_FROM_QUANTITY_STALE',
            )
          if (Math.abs(one.quantity) > 1_000_000_000)
            refuse(
              at('quantity'),
              "The total quantity can't be higher than 1,000,000,000.",
              'INVALID_QUANTITY_TOO_HIGH',
            )
          return { variant, location, quantity: one.quantity }
        })
        for (const { variant, location, quantity } of changes) setLevel(world, variant, location, quantity)
        return { id: gid('InventoryAdjustmentGroup', world.nextId('adjustment')) }
      },
      (inventoryAdjustmentGroup) => ({ inventoryAdjustmentGroup }),
    ),
  ),
  inventoryActivate: mutation(
    idempotent(
      ({ inventoryItemId, locationId, available }: Arguments, { world }) => {
        const variant = variantOfItem(world, idIn('InventoryItem', inventoryItemId))
        const location = idIn('Location', locationId)
        if (!variant) return refuse(['inventoryItemId'], 'The product could not be found.')
        if (!isOpen(world, location)) refuse(['locationId'], 'The location could not be found.')
        if (world.levels.has(`${variant.itemId}/${location}`) && available != null)
          refuse(
            ['available'],
            'Not allowed to set available quantity when the item is already active at the location.',
          )
        setLevel(world, variant, location, available ?? 0)
        return { item: variant.itemId, location }
      },
      ({ item, location }, { world }) => ({
        inventoryLevel: levelView(item, location, world.levels.get(`${item}/${location}`) ?? 0),
      }),
    ),
  ),
}
