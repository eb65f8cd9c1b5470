// What the merchant does at the register and in the admin, without the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { putCustomer } from './customers.ts'
import { deleteVariant } from './product-writes.ts'
import { seedCustomer, seedLocation, seedProduct } from './seed.ts'
import { extraKinds, seedOrder } from './seed-orders.ts'
import { touchProduct, variantsOf, type World } from './world.ts'

const realKinds = extraKinds.filter((kind) => kind !== 'test')

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `shopify ${randomUUID()}`, world.tick)
  const mark = () => randomUUID().slice(0, 6)
  return {
    product: {
      ids: () => world.variants.ids(),
      add: adding((seed, at) => seedProduct(world, seed, at, 1)[0]!),
      // The admin edits the product: the times of its variants do not change.
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
    },
    order: recordsIn(world.orders, {
      isListed: ({ test }) => !test,
      // Every second one is of a further kind; a test order comes beside one that is real.
      add: adding((seed, at, index) => {
        const add = (kind: string | undefined) => {
          const id = seedOrder(world, seed, { at, kind })
          world.orders.set(id, { ...world.orders.get(id)!, updatedAt: at })
          return id
        }
        if (index % 40 === 39) add('test')
        return add(index % 2 === 1 ? realKinds[Math.floor(index / 2) % realKinds.length] : undefined)
      }),
      touch: (order) => ({ ...order, note: `Moved ${mark()}`, updatedAt: world.tick() }),
      remove: 'delete',
    }),
    customer: recordsIn(world.customers, {
      add: adding((seed, at) => seedCustomer(world, seed, at)),
      touch: (customer) => putCustomer(world, customer, { note: `Seen ${mark()}` }),
      remove: 'delete',
    }),
    location: recordsIn(world.locations, {
      add: adding((_, at) => seedLocation(world, `Market ${mark()}`, true, at)),
      touch: (location) => ({ ...location, name: `Renamed ${mark()}`, updatedAt: world.tick() }),
    }),
  }
}
