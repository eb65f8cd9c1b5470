// Payments and refunds, which are parts of orders, and what the restaurant sets up for them.
import type { EntityType } from '../../../contract/entity.ts'
import type { Collection } from '../../../sandbox/collection.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { inCents, inDollars } from './checks.ts'
import { type Placed, placedIn } from './payment-routes.ts'
import { isSale, seedTill } from './seed-till.ts'
import { day, wireDate } from './wire.ts'
import { type Configured, newGuid, type Order, type Payment, referenceTo, type TaxRate, type World } from './world.ts'

const single = ['card tip', 'check discount', 'gratuity', 'delivery', 'curbside', 'modifiers']
const withRefund = ['line refunded', 'amount refunded']

const isKept = (order: Order): boolean => isSale(order) && !order.deleted
/** Of checks that are not deleted. */
const kept = (world: World): Placed[] =>
  world.orders
    .filter(isKept)
    .flatMap(placedIn)
    .filter(({ check }) => !check.deleted)
/**
 * A change of a payment modifies all of its order: those that share an order are in the middle, so that one at an end
 * is changed alone.
 */
function paymentsOf(world: World): Placed[] {
  const all = kept(world)
  const alone = all.filter(({ order }) => placedIn(order).length === 1)
  const half = Math.ceil(alone.length / 2)
  return [...alone.slice(0, half), ...all.filter((one) => !alone.includes(one)), ...alone.slice(half)]
}
const refundsOf = (world: World): Placed[] => kept(world).filter(({ payment }) => payment.refund)
/** The oldest is in the middle: it stays in the window in which a walk begins. */
function refundsInTurn(world: World): Placed[] {
  const [oldest, ...others] = refundsOf(world)
  const half = Math.ceil(others.length / 2)
  return [...others.slice(0, half), oldest!, ...others.slice(half)]
}
const refundId = ({ payment }: Placed): string => `${payment.guid}:refund`

const addOrders = (world: World, kinds: readonly string[], count: number): Order[] =>
  Array.from({ length: count }, (_, n) => {
    const at = world.tick()
    const kind = kinds[n % kinds.length]!
    const id = seedTill(world, createSeed(newGuid()), { uuid: newGuid, at: at - 3 * day, kind })
    return world.orders.set(id, { ...world.orders.get(id)!, modifiedDate: wireDate(at) })
  })
function change(world: World, { order }: Placed, changed: (payment: Payment) => Payment): void {
  const checks = order.checks.map((check) => ({ ...check, payments: check.payments.map(changed) }))
  world.orders.set(order.guid, { ...order, checks, modifiedDate: wireDate(world.tick()) })
}
const oneMore = (dollars: number): number => inDollars(inCents(dollars) + 1)

function configured<T extends { guid: string; name: string }>(
  entries: Collection<Configured<T>>,
  tick: () => number,
  make: (guid: string) => T,
  fixed: readonly string[] = [],
): NativeRecords {
  return {
    ids: () => [...entries.ids(), ...fixed],
    add: (count) =>
      Array.from({ length: count }, () => {
        const guid = newGuid()
        entries.set(guid, { shown: make(guid), modified: tick() })
        return guid
      }),
    touch(id) {
      const entry = entries.get(id)
      const name = `Special ${newGuid().slice(0, 6)}`
      if (entry) entries.set(id, { shown: { ...entry.shown, name }, modified: tick() })
    },
    remove: (id) => void entries.delete(id), // archived: no list and no read has it
  }
}

export const moneyRecords = (world: World): Partial<Record<EntityType, NativeRecords>> => ({
  payment: {
    ids: () => paymentsOf(world).map(({ payment }) => payment.guid),
    add: (count) => addOrders(world, single, count).map((order) => placedIn(order)[0]!.payment.guid),
    // The tips are adjusted.
    touch: (id) =>
      change(world, kept(world).find(({ payment }) => payment.guid === id)!, (payment) => ({
        ...payment,
        tipAmount: oneMore(payment.tipAmount),
      })),
  },
  refund: {
    ids: () => refundsInTurn(world).map(refundId),
    add: (count) => addOrders(world, withRefund, count).map((order) => refundId(placedIn(order)[0]!)),
    // More of the tip is given back.
    touch: (id) =>
      change(world, refundsOf(world).find((one) => refundId(one) === id)!, ({ refund, ...payment }) => ({
        ...payment,
        refund: refund && { ...refund, tipRefundAmount: oneMore(refund.tipRefundAmount) },
      })),
  },
  tax_rate: configured(
    world.taxRates,
    () => world.tick(),
    (guid): TaxRate => ({
      guid,
      entityType: 'TaxRate',
      name: `Local ${guid.slice(0, 6)}`,
      isDefault: false,
      rate: 0.01375,
      type: 'PERCENT',
      roundingType: 'HALF_EVEN',
      taxTable: [],
      conditionalTaxRates: [],
    }),
  ),
  payment_method: configured(
    world.paymentTypes,
    () => world.tick(),
    (guid) => ({ ...referenceTo('AlternatePaymentType', guid), name: `Voucher ${guid.slice(0, 6)}` }),
    ['CASH', 'CREDIT', 'GIFTCARD', 'HOUSE_ACCOUNT', 'LEVELUP', 'REWARDCARD', 'TOAST_SV'],
  ),
})
