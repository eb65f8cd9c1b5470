// What a store is paid with. A payment has no list of its own: orders say how and how much of them was paid.
import type { Routes } from '../../../sandbox/router.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { moneyOf } from './order-money.ts'
import { page } from './orders.ts'
import type { StoredMethod, StoredOrder, World } from './world.ts'

// Deprecated: https://developer.bigcommerce.com/docs/rest-payments/methods
export const methodRoutes: Routes<World> = {
  'GET /payments/methods': ({ request: { query }, context: world }) =>
    page(
      world.methods.values().toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      query,
      (method) => ({ ...method }),
    ),
}
const seeds: readonly StoredMethod[] = [
  { code: 'braintree', name: 'Credit Card', test_mode: false },
  { code: 'cod', name: 'Cash on Delivery', test_mode: false },
  { code: 'bankdeposit', name: 'Bank Deposit', test_mode: false },
  { code: 'paypalcommerce', name: 'PayPal', test_mode: false },
  { code: 'testgateway', name: 'Test Payment Gateway', test_mode: true },
]
export function seedMethods(world: World): void {
  for (const method of seeds) world.methods.set(method.code, method)
}
export const methodRecords = (world: World): NativeRecords => ({
  ids: () => world.methods.ids(),
  add: (count) =>
    Array.from({ length: count }, () => {
      const code = `gateway${world.nextId('method')}`
      return world.methods.set(code, { code, name: `Gateway ${code}`, test_mode: false }).code
    }),
  touch: (code) => {
    world.methods.set(code, { ...world.methods.get(code)!, name: `Renamed ${world.tick()}` })
  },
  remove: (code) => void world.methods.delete(code),
})

/** Nothing was paid for an order that was left at the checkout. */
function paymentsOf(order: StoredOrder): string[] {
  if (order.deleted || order.status_id === 0) return []
  const units = (name: string) => Math.round(Number(order.fields[name] ?? 0) * 10_000)
  const [credit, certificate] = [units('store_credit_amount'), units('gift_certificate_amount')]
  return [
    ...(moneyOf(order).total.inc > credit + certificate ? [`${order.id}:payment`] : []),
    ...(credit > 0 ? [`${order.id}:store_credit`] : []),
    ...(certificate > 0 ? [`${order.id}:gift_certificate`] : []),
  ]
}
export function paymentRecords(world: World, orders: NativeRecords, addPaid: NativeRecords['add']): NativeRecords {
  const orderOf = (id: string) => id.split(':')[0]!
  return {
    ids: () => world.orders.values().flatMap(paymentsOf),
    add: (count) => addPaid(count).map((id) => paymentsOf(world.orders.get(id)!)[0]!),
    touch: (id) => orders.touch(orderOf(id)),
    remove: (id) => orders.remove!(orderOf(id)),
  }
}
