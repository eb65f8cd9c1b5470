// What the merchant does at the register and in the dashboard, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn, soleRecord } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { changeCategory, changeItem, removeCategory } from './inventory.ts'
import { visibleOrders } from './orders.ts'
import {
  type Making,
  makeCategory,
  makeCustomer,
  makeEmployee,
  makeItem,
  makeOrder,
  makeShift,
} from './seed-records.ts'
import { changeOrder, newId, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const add = createAdding(newId, world.tick)
  const adding = (make: (world: World, making: Making) => { id: string }) =>
    add((seed, at) => make(world, { seed, random: (below: number) => seed.int(0, below - 1), at }).id)
  const suffix = () => newId().slice(0, 6)
  return {
    product: recordsIn(world.items, {
      add: adding(makeItem),
      touch: (item) => changeItem(world, item, { name: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    category: {
      ...recordsIn(world.categories, {
        add: adding(makeCategory),
        touch: (category) => changeCategory(world, category, { name: `Renamed ${suffix()}` }),
      }),
      remove: (id) => removeCategory(world, id),
    },
    order: {
      ...recordsIn(world.orders, {
        add: adding(makeOrder),
        touch: (order) => changeOrder(world, order, { title: suffix() }),
        remove: (order) => changeOrder(world, order, { deletedTimestamp: world.now() }),
      }),
      ids: () => visibleOrders(world).map(({ id }) => id),
    },
    customer: recordsIn(world.customers, {
      add: adding(makeCustomer),
      touch: (customer) => ({ ...customer, lastName: `Renamed ${suffix()}` }),
      remove: 'delete',
    }),
    employee: recordsIn(world.employees, {
      add: adding(makeEmployee),
      touch: (employee) => ({ ...employee, nickname: suffix(), modifiedTime: world.tick() }),
      remove: 'delete',
    }),
    time_entry: recordsIn(world.shifts, {
      add: adding(makeShift),
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
