// What the merchant and the customers do in the control panel and the storefront, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { methodRecords, paymentRecords } from './payments.ts'
import { variantViews } from './products.ts'
import { refundRecords } from './refunds.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { addOrder, seedRefund } from './seed-orders.ts'
import { taxRecords } from './taxes.ts'
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
  const orders = recordsIn(world.orders, {
    isListed: ({ deleted }) => !deleted,
    add: adding((seed, at, index) => String(addOrder(world, seed, at, index))),
    touch: (order) => changed(order, { payment_method: `Manual ${world.tick()}` }),
    remove: (order) => ({ ...order, deleted: true, modified: world.tick() }),
  })
  return {
    product: {
      ids: () => world.products.values().flatMap(idsOf),
      add: products.add,
      touch: (id) => products.touch(productId(id)),
      remove: (id) => void world.products.delete(productId(id)),
    },
    order: orders,
    payment: paymentRecords(
      world,
      orders,
      adding((seed, at, index) => String(addOrder(world, seed, at, index, true))),
    ),
    refund: refundRecords(
      world,
      adding((seed, at) => String(seedRefund(world, seed, at))),
    ),
    tax_rate: taxRecords(world),
    payment_method: methodRecords(world),
    customer: recordsIn(world.customers, {
      add: adding((seed, at) => String(seedCustomer(world, seed, at))),
      touch: (customer) => changed(customer, { tax_exempt_category: String(world.tick()) }),
      remove: 'delete',
    }),
    location: soleRecord(world.storeHash, () => world.names.set(world.storeHash, `Maple ${world.tick()}`)),
  }
}
