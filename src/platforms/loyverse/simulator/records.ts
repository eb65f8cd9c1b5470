// What the merchant does in the back office and at the register, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { deleteVariants } from './item-writes.ts'
import { add, seedCustomer, seedItem, seedReceipt, seedRefunded, storeOf } from './seed.ts'
import { liveStores, liveVariants, type Receipt, type World } from './world.ts'

const noted = (world: World, receipt: Receipt): Receipt => ({
  ...receipt,
  note: `Called ${randomInt(1e6)}`,
  updated_at: world.stamp(receipt.updated_at),
})

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
      touch: (receipt) => noted(world, receipt),
    }),
    refund: recordsIn(world.receipts, {
      isListed: ({ receipt_type }) => receipt_type === 'REFUND',
      add: adding((seed, at, index) => seedRefunded(world, seed, at, index)),
      touch: (receipt) => noted(world, receipt),
    }),
    // A payment has no id: it is named by its receipt and its place.
    payment: {
      ids: () =>
        world.receipts
          .filter(({ receipt_type }) => receipt_type === 'SALE')
          .flatMap(({ receipt_number, payments }) => payments.map((_, place) => `${receipt_number}:${place}`)),
      add: adding((seed, at) => `${seedReceipt(world, seed, at, 0)}:0`),
      touch(id) {
        const receipt = world.receipts.get(id.split(':')[0]!)!
        const payments = receipt.payments.map((one) => ({ ...one, name: `Renamed ${randomInt(1e6)}` }))
        world.receipts.set(receipt.receipt_number, {
          ...receipt,
          payments,
          updated_at: world.stamp(receipt.updated_at),
        })
      },
    },
    // Deleted taxes and payment types are listed on request: earlier receipts have them.
    tax_rate: recordsIn(world.taxes, {
      add: adding((seed, at, index) =>
        add(world, seed, 'taxes', at, {
          name: `Levy ${index} ${randomInt(1e6)}`,
          type: index % 2 === 0 ? 'INCLUDED' : 'ADDED',
          rate: seed.int(1, 2000) / 100,
          stores: liveStores(world).map(({ id }) => id),
        }),
      ),
      touch: (tax) => ({ ...tax, name: `Renamed ${randomInt(1e6)}`, updated_at: world.stamp(tax.updated_at) }),
    }),
    payment_method: recordsIn(world.paymentTypes, {
      add: adding((seed, at, index) =>
        add(world, seed, 'paymentTypes', at, {
          name: `Till money ${index} ${randomInt(1e6)}`,
          type: 'OTHER',
          stores: liveStores(world).map(({ id }) => id),
        }),
      ),
      touch: (type) => ({ ...type, name: `Renamed ${randomInt(1e6)}`, updated_at: world.stamp(type.updated_at) }),
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
