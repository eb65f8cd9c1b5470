// The shop's own hands: what happens at the till and in the admin, past the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { putCustomer } from './customers.ts'
import { deleteVariant } from './product-writes.ts'
import { seedCustomer, seedOrder, seedProduct } from './seed.ts'
import { touchProduct, variantsOf, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (seed: Seed, at: number) => string) => (count: number) => {
    const seed = createSeed(`shopify ${randomUUID()}`)
    return Array.from({ length: count }, () => make(seed, world.tick()))
  }
  const mark = () => randomUUID().slice(0, 6)
  const product: NativeRecords = {
    ids: () => world.variants.ids(),
    add: adding((seed, at) => seedProduct(world, seed, at, 1)[0]!),
    // In the admin one edits the product: its variants keep their own time.
    touch(id) {
      const current = world.products.get(world.variants.get(id)!.productId)!
      touchProduct(world, current, { title: `${current.title.replace(/ \(.*\)$/, '')} (${mark()})` })
    },
    remove(id) {
      const variant = world.variants.get(id)!
      deleteVariant(world, variant)
      const product = world.products.get(variant.productId)!
      if (variantsOf(world, product.id).length === 0) world.products.delete(product.id)
      else touchProduct(world, product, {})
    },
  }
  const customer: NativeRecords = {
    ids: () => world.customers.ids(),
    add: adding((seed, at) => seedCustomer(world, seed, at)),
    touch: (id) => void putCustomer(world, world.customers.get(id)!, { note: `Seen ${mark()}` }),
    remove: (id) => void world.customers.delete(id),
  }
  const order: NativeRecords = {
    ids: () => world.orders.ids(),
    add: adding((seed, at) => {
      const id = seedOrder(world, seed, at)
      world.orders.set(id, { ...world.orders.get(id)!, updatedAt: at })
      return id
    }),
    touch: (id) => void world.orders.set(id, { ...world.orders.get(id)!, note: `Moved ${mark()}`, updatedAt: world.tick() }),
    remove: (id) => void world.orders.delete(id),
  }
  return { product, order, customer }
}
