// What the merchant does in the back office and at the register, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { deleteVariants } from './item-writes.ts'
import { add, seedCustomer, seedItem, seedReceipt, storeOf } from './seed.ts'
import { liveVariants, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `added ${world.next('record')}`, world.now)
  return {
    product: {
      ...recordsIn(world.variants, {
        add: adding((seed, at, index) => seedItem(world, seed, at, index % 3)[0]!),
        // Changing a variant does not change its item.
        touch: (variant) => ({ ...variant, cost: randomInt(1, 900), updated_at: world.stamp(variant.updated_at) }),
      }),
      ids: () =>
        world.items
          .filter(({ deleted_at }) => !deleted_at)
          .flatMap((item) => liveVariants(world, item))
          .map(({ variant_id }) => variant_id),
      remove(id) {
        const item = world.items.get(world.variants.get(id)!.item_id)!
        deleteVariants(world, [id])
        if (liveVariants(world, item).length === 0)
          world.items.set(item.id, { ...item, updated_at: world.stamp(item.updated_at), deleted_at: world.stamp() })
      },
    },
    // Receipts are never deleted, and refunds are not orders.
    order: recordsIn(world.receipts, {
      isListed: ({ receipt_type }) => receipt_type === 'SALE',
      add: adding((seed, at, index) => seedReceipt(world, seed, at, index)),
      touch: (receipt) => ({
        ...receipt,
        note: `Called ${randomInt(1e6)}`,
        updated_at: world.stamp(receipt.updated_at),
      }),
    }),
    customer: recordsIn(world.customers, {
      isListed: ({ deleted_at }) => !deleted_at,
      add: adding((seed, at, index) => seedCustomer(world, seed, at, index)),
      touch: (customer) => ({
        ...customer,
        name: `Renamed ${randomInt(1e6)}`,
        updated_at: world.stamp(customer.updated_at),
      }),
      remove: 'delete',
    }),
    // A deleted store is listed on request: its receipts remain.
    location: recordsIn(world.stores, {
      add: adding((seed, at, index) => add(world, seed, 'stores', at, storeOf(`Market ${index} ${randomInt(1e6)}`))),
      touch: (store) => ({ ...store, name: `Renamed ${randomInt(1e6)}`, updated_at: world.stamp(store.updated_at) }),
    }),
  }
}
