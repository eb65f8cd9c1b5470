// What the merchant and the customers do in the control panel and the storefront, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { variantViews } from './products.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { kindsOfOrders, seedKind, seedOrder } from './seed-orders.ts'
import type { StoredProduct, World } from './world.ts'

const idsOf = (product: StoredProduct): string[] => variantViews(product).map(({ id }) => `${product.id}:${String(id)}`)
const productId = (id: string): string => id.split(':')[0]!

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `bigcommerce ${world.tick()}`, world.tick)
  const changed = <T extends { fields: object }>(record: T, fields: object): T => ({
    ...record,
    fields: { ...record.fields, ...fields },
    modified: world.tick(),
  })
  const products = recordsIn(world.products, {
    add: adding((seed, at) => idsOf(seedProduct(world, seed, at, 0))[0]!),
    touch: (product) => changed(product, { page_title: `Seen ${world.tick()}` }),
  })
  return {
    product: {
      ids: () => world.products.values().flatMap(idsOf),
      add: products.add,
      touch: (id) => products.touch(productId(id)),
      remove: (id) => void world.products.delete(productId(id)),
    },
    order: recordsIn(world.orders, {
      isListed: ({ deleted }) => !deleted,
      // Every kind in turn, after a plain one.
      add: adding((seed, at, index) => {
        const kind = (index % (kindsOfOrders.length + 1)) - 1
        const id = String(kind < 0 ? seedOrder(world, seed, at) : seedKind(world, seed, at, kind))
        world.orders.set(id, { ...world.orders.get(id)!, modified: at })
        return id
      }),
      touch: (order) => changed(order, { payment_method: `Manual ${world.tick()}` }),
      remove: (order) => ({ ...order, deleted: true, modified: world.tick() }),
    }),
    customer: recordsIn(world.customers, {
      add: adding((seed, at) => String(seedCustomer(world, seed, at))),
      touch: (customer) => changed(customer, { tax_exempt_category: String(world.tick()) }),
      remove: 'delete',
    }),
    location: soleRecord(world.storeHash, () => world.names.set(world.storeHash, `Maple ${world.tick()}`)),
  }
}
