// What the merchant does in the shop's admin, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { centsOf, ofCents } from './amounts.ts'
import { refundsOf } from './orders.ts'
import { variationsOf } from './product-rows.ts'
import { refundOrder } from './refunds.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { seedOrder } from './seed-orders.ts'
import { type Order, type TaxRate, trashed, type World } from './world.ts'

const mark = () => String(randomInt(1e6))

const listedOrders = (world: World): Order[] => world.orders.filter((order) => !trashed(order))
/** What pays for an order: its gateway, if one was chosen or money came in, and gift cards. */
function paymentIds({ id, total, paid, payment_method, gift_cards }: Order): string[] {
  const own = total > 0 && (paid !== null || payment_method !== '') ? [String(id)] : []
  return [...own, ...gift_cards.flatMap((card) => (card.amount > 0 ? [`${id}:${card.id}`] : []))]
}
/** An order of any kind, for which somebody paid. */
function seedPaid(world: World, seed: Seed, at: number, index: number): string {
  const id = String(seedOrder(world, seed, at, index))
  const order = world.orders.get(id)!
  if (order.total === 0) return seedPaid(world, seed, at, index + 1)
  world.orders.set(id, { ...order, payment_method: 'cod', paid: at })
  return id
}
const newRate = (id: number, index: number, rate: string): TaxRate => ({
  id,
  country: index % 3 === 2 ? '' : 'US',
  state: index % 2 === 0 ? 'CA' : '*',
  name: index % 5 === 4 ? '' : `Rate ${id}`,
  rate,
  priority: 1,
  compound: index % 4 === 3,
  shipping: true,
  order: id,
  class: 'standard',
})

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
    payment: {
      ids: () => listedOrders(world).flatMap(paymentIds),
      add: adding((seed, at, index) => paymentIds(world.orders.get(seedPaid(world, seed, at, index))!)[0]!),
      touch(id) {
        const order = world.orders.get(id.replace(/:.*/, ''))!
        world.orders.set(String(order.id), { ...order, transaction_id: `tx_${mark()}`, modified: world.second() })
      },
      remove(id) {
        const order = world.orders.get(id.replace(/:.*/, ''))!
        world.orders.set(String(order.id), { ...order, status: 'trash', modified: world.second() })
      },
    },
    refund: {
      ids: () =>
        world.refunds
          .filter(({ order }) => listedOrders(world).some(({ id }) => id === order))
          .map(({ id }) => String(id)),
      add: adding((seed, at, index) => {
        const order = world.orders.get(seedPaid(world, seed, at, index))!
        const [before] = refundsOf(world, order.id)
        if (before) return String(before.id)
        const amount = ofCents(Math.ceil(centsOf(order.total) / 5))
        const [line] = order.lines
        const lines = index % 2 === 0 ? [{ item: line!.id, quantity: 1 }] : []
        return String(refundOrder(world, order, { at, lines, ...(lines.length === 0 && { amount }) }).id)
      }),
      // The reason can be changed by plugins only, and the time of a change is not shown.
      touch(id) {
        const refund = world.refunds.get(id)!
        world.refunds.set(id, { ...refund, reason: `Case ${mark()}`, modified: world.second() })
      },
      remove: (id) => void world.refunds.delete(id),
    },
    tax_rate: recordsIn(world.taxRates, {
      add: adding((seed, _, index) => {
        const id = world.next('taxRate')
        const percent = (seed.int(1, 1800) / 100).toFixed(4)
        world.taxRates.set(String(id), newRate(id, index, percent))
        return String(id)
      }),
      touch: (rate) => ({ ...rate, name: `Tax ${mark()}` }),
      remove: 'delete',
    }),
    payment_method: recordsIn(world.gateways, {
      add: adding((seed, _, index) => {
        const id = `plugin_${world.next('gateway')}`
        const title = seed.company()
        const own = { id, title, method_title: title, enabled: index % 2 === 0, supports: [], settings: {} }
        return world.gateways.set(id, own).id
      }),
      touch: (gateway) => ({ ...gateway, title: `Pay ${mark()}` }),
      remove: 'delete',
    }),
    customer: recordsIn(world.customers, {
      add: adding((seed, at, index) => String(seedCustomer(world, seed, at, index))),
      touch: (customer) => ({ ...customer, last_name: `Renamed ${mark()}`, saved: true, modified: world.second() }),
      remove: 'delete',
    }),
    location: soleRecord('general', () => world.settings.set('woocommerce_store_city', `Toronto ${mark()}`)),
  }
}
