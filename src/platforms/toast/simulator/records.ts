// What the restaurant does at the register and in the back office, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { recordsIn, soleRecord } from '../../../sandbox/records.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { publish } from './menus.ts'
import { moneyRecords } from './money-records.ts'
import { seedGroup, seedItem } from './seed.ts'
import { seedEmployee, seedShift, seedTimeEntry } from './seed-labor.ts'
import { seedOrder } from './seed-orders.ts'
import { isSale, seedTill, tillKinds } from './seed-till.ts'
import { day, timeOf, wireDate } from './wire.ts'
import { newGuid, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  // Random GUIDs: records added after a restart cannot collide with older ones.
  const adding = (make: (seed: Seed, guid: string, at: number) => void) => (count: number) =>
    Array.from({ length: count }, () => {
      const guid = newGuid()
      make(createSeed(guid), guid, world.tick())
      return guid
    })
  const republish = () => publish(world, world.tick())
  const now = () => wireDate(world.tick())
  return {
    product: {
      ids: () => world.items.ids(),
      add(count) {
        const guids = adding((seed, guid) => seedItem(world, seed, 0, guid))(count)
        republish()
        return guids
      },
      touch(id) {
        world.items.set(id, { ...world.items.get(id)!, name: `Today's special ${newGuid().slice(0, 6)}` })
        republish()
      },
      remove(id) {
        world.items.delete(id)
        republish()
      },
    },
    category: {
      ids: () => world.groups.ids(),
      add(count) {
        const guids = adding((seed, guid) => seedGroup(world, seed, `Specials ${guid.slice(0, 6)}`, guid))(count)
        republish()
        return guids
      },
      touch(id) {
        world.groups.set(id, { ...world.groups.get(id)!, name: `Specials ${newGuid().slice(0, 6)}` })
        republish()
      },
      remove: (id) => removeGroup(world, id),
    },
    order: recordsIn(world.orders, {
      isListed: isSale,
      // After as many common orders comes one of each kind that a till has.
      add(count) {
        const added: string[] = []
        for (let index = 0; added.length < count; index += 1) {
          const at = world.tick()
          const till = (index % (10 + tillKinds.length)) - 10
          const seed = createSeed(newGuid())
          const id =
            till < 0
              ? seedOrder(world, seed, { uuid: newGuid, at, shape: index })
              : seedTill(world, seed, { uuid: newGuid, at: at - 3 * day, kind: tillKinds[till]! })
          const order = world.orders.set(id, { ...world.orders.get(id)!, modifiedDate: wireDate(at) })
          if (isSale(order)) added.push(id)
        }
        return added
      },
      touch: (order) => ({ ...order, numberOfGuests: 9, modifiedDate: now() }),
    }),
    ...moneyRecords(world),
    employee: recordsIn(world.employees, {
      add: adding((seed, guid, at) =>
        seedEmployee(world, seed, { guid, at, archived: false, email: `${guid}@example.com` }),
      ),
      touch: (employee) => ({ ...employee, externalEmployeeId: `E${newGuid().slice(0, 6)}`, modifiedDate: now() }),
    }),
    time_entry: recordsIn(world.timeEntries, {
      add: adding((seed, guid, at) => {
        seedTimeEntry(world, seed, { guid, at: at - 12 * 3_600_000, shape: 0 })
        world.timeEntries.set(guid, { ...world.timeEntries.get(guid)!, modifiedDate: wireDate(at) })
      }),
      touch: (entry) => ({ ...entry, declaredCashTips: 99, modifiedDate: now() }),
    }),
    shift: recordsIn(world.shifts, {
      // Planned at once, so that no stamp is ahead of the clock.
      add: adding((seed, guid) => {
        const at = world.now()
        const [employee, job] = [seed.pick(world.employees.ids()), seed.pick(world.jobs.ids())]
        seedShift(world, { guid, at: at + seed.int(-40, 60) * day, hours: seed.int(4, 9), employee, job, created: at })
      }),
      // Moved to an earlier week, so that a walk meets it at another place.
      touch: (shift) => ({
        ...shift,
        inDate: wireDate(timeOf(shift.inDate) - 7 * day),
        outDate: wireDate(timeOf(shift.outDate) - 7 * day),
        modifiedDate: now(),
      }),
    }),
    // An account is one restaurant.
    location: soleRecord(world.guid, () => world.names.set('location', `Harbor ${newGuid().slice(0, 6)}`)),
  }
}

/** Its items and nested groups move to another group: a menu does not lose them. */
function removeGroup(world: World, id: string): void {
  const { menuGuid, parentGuid } = world.groups.get(id)!
  const heir = parentGuid ?? world.groups.find((group) => group.guid !== id && !isBelow(world, group.guid, id))!.guid
  for (const group of world.groups.filter((inner) => inner.parentGuid === id)) {
    const { parentGuid: _, ...top } = group
    world.groups.set(group.guid, { ...top, menuGuid, ...(parentGuid && { parentGuid }) })
  }
  for (const item of world.items.filter(({ groups }) => groups.includes(id)))
    world.items.set(item.guid, {
      ...item,
      groups: [...new Set(item.groups.map((guid) => (guid === id ? heir : guid)))],
    })
  world.groups.delete(id)
  publish(world, world.tick())
}
function isBelow(world: World, id: string, ancestor: string): boolean {
  const parent = world.groups.get(id)?.parentGuid
  return parent !== undefined && (parent === ancestor || isBelow(world, parent, ancestor))
}
