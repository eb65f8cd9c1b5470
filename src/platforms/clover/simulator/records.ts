// The merchant's own hands: what happens at the register and in the back office, past the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { changeCategory, changeItem, removeCategory } from './inventory.ts'
import { visibleOrders } from './orders.ts'
import { type Making, makeCategory, makeCustomer, makeEmployee, makeItem, makeOrder, makeShift } from './seed-records.ts'
import { changeOrder, newId, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (making: Making) => { id: string }) => (count: number) => {
    const seed = createSeed(newId()) // other ones than before, also after a restart
    const random = (below: number) => seed.int(0, below - 1)
    return Array.from({ length: count }, () => make({ seed, random, at: world.tick() }).id)
  }
  const suffix = () => newId().slice(0, 6)
  return {
    product: {
      ids: () => world.items.ids(),
      add: adding((making) => makeItem(world, making)),
      touch: (id) => void changeItem(world, world.items.get(id)!, { name: `Renamed ${suffix()}` }),
      remove: (id) => void world.items.delete(id),
    },
    category: {
      ids: () => world.categories.ids(),
      add: adding((making) => makeCategory(world, making)),
      touch: (id) => void changeCategory(world, world.categories.get(id)!, { name: `Renamed ${suffix()}` }),
      remove: (id) => removeCategory(world, id),
    },
    order: {
      ids: () => visibleOrders(world).map(({ id }) => id),
      add: adding((making) => makeOrder(world, making)),
      touch: (id) => void changeOrder(world, world.orders.get(id)!, { title: suffix() }),
      remove: (id) => void changeOrder(world, world.orders.get(id)!, { deletedTimestamp: world.now() }),
    },
    customer: {
      ids: () => world.customers.ids(),
      add: adding((making) => makeCustomer(world, making)),
      touch: (id) => void world.customers.set(id, { ...world.customers.get(id)!, lastName: `Renamed ${suffix()}` }),
      remove: (id) => void world.customers.delete(id),
    },
    employee: {
      ids: () => world.employees.ids(),
      add: adding((making) => makeEmployee(world, making)),
      touch: (id) => void world.employees.set(id, { ...world.employees.get(id)!, nickname: suffix(), modifiedTime: world.tick() }),
      remove: (id) => void world.employees.delete(id),
    },
    time_entry: {
      ids: () => world.shifts.ids(),
      add: adding((making) => makeShift(world, making)),
      touch(id) {
        const shift = world.shifts.get(id)!
        world.shifts.set(id, { ...shift, overrideOutTime: (shift.overrideOutTime ?? shift.outTime ?? shift.inTime) + 60_000 })
      },
      remove: (id) => void world.shifts.delete(id),
    },
  }
}
