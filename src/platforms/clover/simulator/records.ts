// What the merchant does at the register and in the dashboard, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { changeCategory, changeItem, removeCategory } from './inventory.ts'
import { changePayment } from './money.ts'
import { visibleOrders } from './orders.ts'
import { kinds, makeOrder } from './seed-orders.ts'
import { type Making, makeCategory, makeCustomer, makeEmployee, makeItem, makeShift } from './seed-records.ts'
import { changeOrder, newId, type Order, type Payment, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const add = createAdding(newId, world.tick)
  const adding = (make: (world: World, making: Making, index: number) => { id: string }) =>
    add((seed, at, index) => make(world, { seed, random: (below: number) => seed.int(0, below - 1), at }, index).id)
  const eachKind = Object.values(kinds)
  const making = (seed: Seed, at: number, kind: (typeof eachKind)[number]) =>
    makeOrder(world, { seed, random: (below) => seed.int(0, below - 1), at }, { kind })
  const sales = () => visibleOrders(world).filter((order) => !order.testMode && !isManualRefund(order))
  const suffix = () => newId().slice(0, 6)
  return {
    product: recordsIn(world.items, {
      add: adding(makeItem),
      touch: (item) => changeItem(world, item, { name: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    category: {
      ...recordsIn(world.categories, {
        add: adding((into, making) => makeCategory(into, making)),
        touch: (category) => changeCategory(world, category, { name: `Renamed ${suffix()}` }),
      }),
      remove: (id) => removeCategory(world, id),
    },
    order: {
      ...recordsIn(world.orders, {
        add: adding((into, making, index) => makeOrder(into, making, { kind: eachKind[index % eachKind.length]! })),
        touch: (order) => changeOrder(world, order, { title: suffix() }),
        remove: (order) => changeOrder(world, order, { deletedTimestamp: world.now() }),
      }),
      ids: () => sales().map(({ id }) => id),
    },
    payment: {
      ids: () => sales().flatMap(({ paymentList }) => paymentList.filter(isMoney).map(({ id }) => id)),
      add: add((seed, at) => making(seed, at, kinds.tipped!).paymentList[0]!.id),
      touch(id) {
        const order = world.orders.find(({ paymentList }) => paymentList.some((one) => one.id === id))!
        changePayment(world, order.id, id, { note: suffix() })
      },
    },
    refund: {
      ids: () =>
        visibleOrders(world).flatMap(({ id, refundList, creditList }) => [
          ...refundList.map((refund) => refund.id),
          ...creditList.map((credit) => `${id}:${credit.id}`),
        ]),
      add: add((seed, at) => making(seed, at, kinds['line refunded']!).refundList[0]!.id),
      touch(id) {
        const order = world.orders.find((one) =>
          [...one.refundList, ...one.creditList].some((back) => id.endsWith(back.id)),
        )!
        const reasoned = <T extends { id: string }>(list: T[]): T[] =>
          list.map((one) => (id.endsWith(one.id) ? { ...one, reason: suffix() } : one))
        changeOrder(world, order, { refundList: reasoned(order.refundList), creditList: reasoned(order.creditList) })
      },
    },
    tax_rate: recordsIn(world.taxRates, {
      add: add((seed) => {
        const id = newId((below) => seed.int(0, below - 1))
        return world.taxRates.set(id, {
          id,
          name: `County ${id.slice(0, 3)}`,
          rate: seed.int(1, 100) * 1000,
          isDefault: false,
        }).id
      }),
      touch: (rate) => ({ ...rate, name: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    payment_method: recordsIn(world.tenders, {
      add: add((seed) => {
        const id = newId((below) => seed.int(0, below - 1))
        return world.tenders.set(id, {
          id,
          label: `App ${id.slice(0, 3)}`,
          enabled: true,
          visible: true,
          editable: true,
        }).id
      }),
      touch: (tender) => ({ ...tender, label: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    customer: recordsIn(world.customers, {
      add: adding(makeCustomer),
      touch: (customer) => ({ ...customer, lastName: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    employee: recordsIn(world.employees, {
      add: adding((into, making) => makeEmployee(into, making)),
      touch: (employee) => ({ ...employee, nickname: suffix(), modifiedTime: world.stamp() }),
      remove: 'delete',
    }),
    time_entry: recordsIn(world.shifts, {
      add: adding((into, making) => makeShift(into, making)),
      touch: (shift) => ({
        ...shift,
        overrideOutTime: (shift.overrideOutTime ?? shift.outTime ?? shift.inTime) + 60_000,
      }),
      remove: 'delete',
    }),
    // A merchant is one location.
    location: soleRecord(world.merchant.id, () => world.names.set(world.merchant.id, `Harbor ${suffix()}`)),
  }
}
/** A discount that is kept as a payment. */
const isMoney = ({ result }: Payment) => result !== 'DISCOUNT'
/** Money back without a sale: the till keeps it as an order. */
const isManualRefund = ({ creditList, paymentList }: Order) => creditList.length > 0 && paymentList.length === 0
