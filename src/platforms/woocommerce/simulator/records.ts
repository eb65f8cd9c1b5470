// The merchant's own hands: what happens in the shop's back office, past the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { variationsOf } from './product-rows.ts'
import { seedCustomer, seedOrder, seedProduct } from './seed.ts'
import { trashed, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (seed: Seed, at: number, index: number) => number) => (count: number) => {
    const seed = createSeed(`added ${world.next('item')}`)
    return Array.from({ length: count }, (_, index) => String(make(seed, world.second(), index)))
  }
  return { product: products(world, adding), order: orders(world, adding), customer: customers(world, adding) }
}
type Adding = (make: (seed: Seed, at: number, index: number) => number) => (count: number) => string[]
const mark = () => String(randomInt(1e6))

function products(world: World, adding: Adding): NativeRecords {
  return {
    ids: () =>
      world.products
        .values()
        .filter((product) => !trashed(product))
        .flatMap((product) => (product.type === 'variable' ? variationsOf(world, product.id).filter((row) => !trashed(row)) : [product]).map(({ id }) => String(id))),
    add: adding((seed, at, index) => seedProduct(world, seed, { at, variations: index % 4 === 3 ? 1 : 0, index })[0]!),
    // A variation that is changed leaves its product as it was.
    touch(id) {
      const variation = world.variations.get(id)
      if (variation) world.variations.set(id, { ...variation, regular_price: `${randomInt(1, 99)}.00`, modified: world.second() })
      else {
        const product = world.products.get(id)!
        world.products.set(id, { ...product, name: `${product.name.replace(/ \(.*\)$/, '')} (${mark()})`, modified: world.second() })
      }
    },
    remove: (id) => void (world.variations.delete(id) || world.products.delete(id)),
  }
}
function orders(world: World, adding: Adding): NativeRecords {
  return {
    ids: () => world.orders.filter((order) => !trashed(order)).map(({ id }) => String(id)),
    add: adding((seed, at, index) => seedOrder(world, seed, at, index)),
    touch: (id) => void world.orders.set(id, { ...world.orders.get(id)!, customer_note: `Called ${mark()}`, modified: world.second() }),
    remove: (id) => void world.orders.delete(id),
  }
}
function customers(world: World, adding: Adding): NativeRecords {
  return {
    ids: () => world.customers.ids(),
    add: adding((seed, at, index) => seedCustomer(world, seed, at, index)),
    touch: (id) => void world.customers.set(id, { ...world.customers.get(id)!, last_name: `Renamed ${mark()}`, saved: true, modified: world.second() }),
    remove: (id) => void world.customers.delete(id),
  }
}
