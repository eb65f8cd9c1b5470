// What the shop does at the register and in the back office, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import type { Collection } from '../../../sandbox/collection.ts'
import { createAdding, type MakeRecord, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { seedSale } from './seed-sales.ts'
import { type Changed, changed, deleted, isRefund, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `added ${world.serial('added')}`, world.now)
  const records = <T extends Changed>(
    all: Collection<T>,
    make: MakeRecord,
    edit: (record: T, mark: string) => T,
    counts: (record: T) => boolean = () => true,
  ): NativeRecords =>
    recordsIn(all, {
      isListed: (record) => record.deleted === undefined && counts(record),
      add: adding(make),
      touch: (record) => changed(world, edit(record, String(randomInt(1e6)))),
      remove: (record) => deleted(world, record),
    })
  return {
    product: records(
      world.products,
      // Only every sixth product has variants, and the index stays below that: one product each.
      (seed, at, index) => seedProduct(world, seed, at, index % 3)[0]!,
      (product, mark) => ({ ...product, description: `Edited ${mark}` }),
    ),
    customer: records(
      world.customers,
      (seed, at, index) => seedCustomer(world, seed, at, index),
      (customer, mark) => ({ ...customer, fields: { ...customer.fields, note: `Called ${mark}` } }),
    ),
    order: records(
      world.sales,
      (seed, at, index) => seedSale(world, seed, at, index),
      (sale, mark) => ({ ...sale, note: `Called ${mark}` }),
      (sale) => !isRefund(world, sale), // a return is not an order
    ),
    // A closed outlet is listed on request: its sales remain.
    location: recordsIn(world.outlets, {
      add: adding((seed) => {
        const id = world.uuid()
        world.outlets.set(id, { id, name: `Market ${seed.int(1, 1e6)}`, version: world.version() })
        return id
      }),
      touch: (outlet) => ({ ...outlet, name: `Renamed ${randomInt(1e6)}`, version: world.version() }),
    }),
  }
}
