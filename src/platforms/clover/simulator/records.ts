// What the merchant does at the register and in the dashboard, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { changeCategory, changeItem, removeCategory } from './inventory.ts'
import { visibleOrders } from './orders.ts'
import { kinds, makeOrder } from './seed-orders.ts'
import { type Making, makeCategory, makeCustomer, makeEmployee, makeItem, makeShift } from './seed-records.ts'
import { changeOrder, newId, type Order, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const add = createAdding(newId, world.tick)
  const adding = (make: (world: World, making: Making, index: number) => { id: string }) =>
    add((seed, at, index) => make(world, { seed, random: (below: number) => seed.int(0, below - 1), at }, index).id)
  const eachKind = Object.values(kinds)
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
      ids: () =>
        visibleOrders(world)
          .filter((order) => !order.testMode && !isManualRefund(order))
          .map(({ id }) => id),
    },
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
/** Money back without a sale: the till keeps it as an order. */
const isManualRefund = ({ creditList, paymentList }: Order) => creditList.length > 0 && paymentList.length === 0
