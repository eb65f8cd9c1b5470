// What the merchant does in the shop's admin, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { variationsOf } from './product-rows.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { seedOrder } from './seed-orders.ts'
import { trashed, type World } from './world.ts'

const mark = () => String(randomInt(1e6))

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `added ${world.next('item')}`, world.second)
  const products = recordsIn(world.products, {
    add: adding((seed, at, index) =>
      String(seedProduct(world, seed, { at, variations: index % 4 === 3 ? 1 : 0, index })[0]!),
    ),
    touch: (product) => ({
      ...product,
      name: `${product.name.replace(/ \(.*\)$/, '')} (${mark()})`,
      modified: world.second(),
    }),
  })
  return {
    product: {
      ids: () =>
        world.products
          .values()
          .filter((product) => !trashed(product))
          .flatMap((product) =>
            (product.type === 'variable'
              ? variationsOf(world, product.id).filter((row) => !trashed(row))
              : [product]
            ).map(({ id }) => String(id)),
          ),
      add: products.add,
      // Changing a variation does not change its product.
      touch(id) {
        const variation = world.variations.get(id)
        if (variation)
          world.variations.set(id, { ...variation, regular_price: `${randomInt(1, 99)}.00`, modified: world.second() })
        else products.touch(id)
      },
      // In the admin pages a variation is deleted for good; a product and an order move to the trash.
      remove(id) {
        const product = world.products.get(id)
        if (product) world.products.set(id, { ...product, status: 'trash', modified: world.second() })
        else world.variations.delete(id)
      },
    },
    order: recordsIn(world.orders, {
      isListed: (order) => !trashed(order),
      add: adding((seed, at, index) => String(seedOrder(world, seed, at, index))),
      touch: (order) => ({ ...order, customer_note: `Called ${mark()}`, modified: world.second() }),
      remove: (order) => ({ ...order, status: 'trash', modified: world.second() }),
    }),
    customer: recordsIn(world.customers, {
      add: adding((seed, at, index) => String(seedCustomer(world, seed, at, index))),
      touch: (customer) => ({ ...customer, last_name: `Renamed ${mark()}`, saved: true, modified: world.second() }),
      remove: 'delete',
    }),
    location: soleRecord('general', () => world.settings.set('woocommerce_store_city', `Toronto ${mark()}`)),
  }
}
