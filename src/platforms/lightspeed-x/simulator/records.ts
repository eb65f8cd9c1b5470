// The shop's own hands: what happens at the till and in the back office, past the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import type { Collection } from '../../../sandbox/collection.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { seedCustomer, seedProduct, seedSale } from './seed.ts'
import { type Changed, changed, deleted, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const records = <T extends Changed>(all: Collection<T>, make: (seed: Seed, at: number, index: number) => string, edit: (record: T, mark: string) => T): NativeRecords => ({
    ids: () => all.filter((record) => record.deleted === undefined).map(({ id }) => id),
    add(count) {
      const seed = createSeed(`added ${world.counter('added', 1)}`)
      return Array.from({ length: count }, (_, index) => make(seed, world.now(), index))
    },
    touch: (id) => void all.set(id, changed(world, edit(all.get(id)!, String(randomInt(1e6))))),
    remove: (id) => void all.set(id, deleted(world, all.get(id)!)),
  })
  return {
    product: records(
      world.products,
      // Families only at every sixth, which is not reached: one product each.
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
    ),
  }
}
