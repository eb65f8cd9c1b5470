// The merchant's own hands: what happens in the control panel and the storefront, past the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { variantViews } from './products.ts'
import { seedCustomer, seedOrder, seedProduct } from './seed.ts'
import type { StoredProduct, World } from './world.ts'

const idsOf = (product: StoredProduct): string[] => variantViews(product).map(({ id }) => `${product.id}:${String(id)}`)
const productId = (id: string): string => id.split(':')[0]!

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (seed: Seed, at: number) => string) => (count: number) => {
    const seed = createSeed(`bigcommerce ${world.tick()}`)
    return Array.from({ length: count }, () => make(seed, world.tick()))
  }
  return {
    product: {
      ids: () => world.products.values().flatMap(idsOf),
      add: adding((seed, at) => idsOf(seedProduct(world, seed, at, 0))[0]!),
      touch(id) {
        const current = world.products.get(productId(id))!
        world.products.set(productId(id), { ...current, fields: { ...current.fields, page_title: `Seen ${world.tick()}` }, modified: world.tick() })
      },
      remove: (id) => void world.products.delete(productId(id)),
    },
    order: {
      ids: () => world.orders.filter(({ deleted }) => !deleted).map(({ id }) => String(id)),
      add: adding((seed, at) => {
        const id = String(seedOrder(world, seed, at))
        world.orders.set(id, { ...world.orders.get(id)!, modified: at })
        return id
      }),
      touch(id) {
        const current = world.orders.get(id)!
        world.orders.set(id, { ...current, fields: { ...current.fields, payment_method: `Manual ${world.tick()}` }, modified: world.tick() })
      },
      remove: (id) => void world.orders.set(id, { ...world.orders.get(id)!, deleted: true, modified: world.tick() }),
    },
    customer: {
      ids: () => world.customers.ids(),
      add: adding((seed, at) => String(seedCustomer(world, seed, at))),
      touch(id) {
        const current = world.customers.get(id)!
        world.customers.set(id, { ...current, fields: { ...current.fields, tax_exempt_category: String(world.tick()) }, modified: world.tick() })
      },
      remove: (id) => void world.customers.delete(id),
    },
  }
}
