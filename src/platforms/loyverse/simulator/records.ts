// The merchant's own hands: what happens in the back office and at the till, past the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { deleteVariants } from './item-writes.ts'
import { seedCustomer, seedItem, seedReceipt } from './seed.ts'
import { liveVariants, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (seed: Seed, at: number, index: number) => string) => (count: number) => {
    const seed = createSeed(`added ${world.next('record')}`)
    return Array.from({ length: count }, (_, index) => make(seed, world.now(), index))
  }
  return {
    product: {
      ids: () =>
        world.items
          .filter(({ deleted_at }) => !deleted_at)
          .flatMap((item) => liveVariants(world, item))
          .map(({ variant_id }) => variant_id),
      add: adding((seed, at, index) => seedItem(world, seed, at, index % 3)[0]!),
      // A variant that is changed leaves its item as it was.
      touch(id) {
        const variant = world.variants.get(id)!
        world.variants.set(id, { ...variant, cost: randomInt(1, 900), updated_at: world.stamp(variant.updated_at) })
      },
      remove(id) {
        const item = world.items.get(world.variants.get(id)!.item_id)!
        deleteVariants(world, [id])
        if (liveVariants(world, item).length === 0) world.items.set(item.id, { ...item, updated_at: world.stamp(item.updated_at), deleted_at: world.stamp() })
      },
    },
    // Receipts are never deleted, and refunds are no orders.
    order: {
      ids: () => world.receipts.filter(({ receipt_type }) => receipt_type === 'SALE').map(({ receipt_number }) => receipt_number),
      add: adding((seed, at, index) => seedReceipt(world, seed, at, index)),
      touch(id) {
        const receipt = world.receipts.get(id)!
        world.receipts.set(id, { ...receipt, note: `Called ${randomInt(1e6)}`, updated_at: world.stamp(receipt.updated_at) })
      },
    },
    customer: {
      ids: () => world.customers.filter(({ deleted_at }) => !deleted_at).map(({ id }) => id),
      add: adding((seed, at, index) => seedCustomer(world, seed, at, index)),
      touch(id) {
        const customer = world.customers.get(id)!
        world.customers.set(id, { ...customer, name: `Renamed ${randomInt(1e6)}`, updated_at: world.stamp(customer.updated_at) })
      },
      remove: (id) => void world.customers.delete(id),
    },
  }
}
