// What the merchant does at the register and in the admin, without the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { putCustomer } from './customers.ts'
import { deleteVariant } from './product-writes.ts'
import { seedCustomer, seedLocation, seedProduct } from './seed.ts'
import { extraKinds, seedOrder } from './seed-orders.ts'
import { hasRefund, hasTransaction, orderWith, paymentsOf, refundsOf } from './transactions.ts'
import { type Order, touchProduct, variantsOf, type World } from './world.ts'

const paidKinds = ['shipped', 'tipped', 'cash', 'split', 'returned', 'captured'] as const
const realKinds = extraKinds.filter((kind) => kind !== 'test')

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `shopify ${randomUUID()}`, world.tick)
  const mark = () => randomUUID().slice(0, 6)
  /** All payments and refunds of an order name its customer. */
  const touchCustomerOf = (holds: (order: Order) => boolean) => {
    const order = orderWith(world, holds)!
    const customerId = world.customers.ids().find((id) => id !== order.customerId)
    world.orders.set(order.id, { ...order, customerId, updatedAt: world.tick() })
  }
  /** What happens to an order takes some hours: it was placed before. */
  const place = (seed: Seed, at: number, kind: string | undefined): Order => {
    return world.orders.get(seedOrder(world, seed, { at: at - 3 * 3_600_000, updatedAt: at, kind }))!
  }
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
        if (index % 40 === 39) place(seed, at, 'test')
        return place(seed, at, index % 2 === 1 ? realKinds[Math.floor(index / 2) % realKinds.length] : undefined).id
      }),
      touch: (order) => ({ ...order, note: `Moved ${mark()}`, updatedAt: world.tick() }),
      remove: 'delete',
    }),
    payment: {
      ids: () => world.orders.values().flatMap((order) => paymentsOf(order).map(({ id }) => id)),
      add: adding((seed, at, index) => {
        const kind = paidKinds[index % paidKinds.length]!
        return paymentsOf(place(seed, at, kind))[0]!.id
      }),
      touch: (id) => touchCustomerOf(hasTransaction(id)),
    },
    refund: {
      ids: () => world.orders.values().flatMap((order) => refundsOf(order).map(({ id }) => id)),
      add: adding((seed, at, index) => {
        const kind = ['returned', 'goodwill'][index % 2]!
        return place(seed, at, kind).refunds[0]!.id
      }),
      touch: (id) => touchCustomerOf(hasRefund(id)),
    },
    payment_method: {
      // Shopify has no list: what it documents for its own gateways.
      ids: () => [
        'cash',
        'gift_card',
        'manual',
        'paypal',
        'shop_pay_installments',
        'shopify_payments',
        'shopify_store_credit',
      ],
      add: () => [],
      touch: () => {},
    },
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
