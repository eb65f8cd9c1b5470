// What happens at the till and in the back office, past the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { seedAccount, seedGroup, seedItem, seedShift, seedStaff } from './seed.ts'
import { encodedUuid, isOpen, iso, type Line, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = (make: (seed: Seed, at: number) => string) => (count: number) => {
    const seed = createSeed(randomUUID())
    return Array.from({ length: count }, () => make(seed, world.tick()))
  }
  return {
    product: {
      ids: () => world.items.ids(),
      add: adding((seed, at) => seedItem(world, seed, { at })),
      touch(id) {
        const item = world.items.get(id)!
        world.items.set(id, { ...item, name: `${item.name.replace(/ \(.*\)$/, '')} (${randomUUID().slice(0, 6)})` })
      },
    },
    order: {
      // Open checks first. A float is a closed account without lines: no order.
      ids: () => [...world.accounts.filter(isOpen), ...world.accounts.filter((account) => !isOpen(account) && account.lines.length > 0)].map(({ id }) => id),
      add: adding((seed) => seedAccount(world, seed, { at: world.now(), closed: seed.chance(0.7), type: 'SALE' })), // several may close in the same millisecond, none in the future
      touch: (id) => touchAccount(world, id),
    },
    category: {
      ids: () => world.groups.ids(),
      add: adding((seed) => seedGroup(world, seed)),
      touch(id) {
        world.groups.set(id, { ...world.groups.get(id)!, name: `Group ${randomUUID().slice(0, 6)}` })
      },
    },
    employee: {
      ids: () => world.staff.ids(),
      add: adding((seed, at) => seedStaff(world, seed, { at, types: ['POS'] })),
      touch(id) {
        world.staff.set(id, { ...world.staff.get(id)!, lastName: `Renamed ${randomUUID().slice(0, 6)}`, modifiedOn: iso(world.tick()) })
      },
      remove: (id) => void world.staff.delete(id), // access to the location is taken away
    },
    time_entry: {
      ids: () => world.shifts.ids(),
      add: adding((seed, at) => {
        const id = seedShift(world, seed, { at: at - 5 * 3_600_000, open: false })
        world.shifts.set(id, { ...world.shifts.get(id)!, dateInUTC: iso(at) })
        return id
      }),
      touch(id) {
        const shift = world.shifts.get(id)!
        const at = world.tick()
        const correction = { uuid: encodedUuid(randomUUID()), eventType: 'CLOCK_OUT' as const, timestamp: iso(at), createdOn: iso(at) }
        world.shifts.set(id, { ...shift, dateInUTC: iso(at), events: [...shift.events, correction] })
      },
      remove: (id) => void world.shifts.delete(id),
    },
  }
}

/** A guest orders another round. What is closed is final: corrections are sales of their own. */
function touchAccount(world: World, id: string): void {
  const account = world.accounts.get(id)!
  if (!isOpen(account)) return
  const round: Line = { ...account.lines[0]!, id: `S65315.${world.serial('line')}`, at: world.tick() }
  world.accounts.set(id, { ...account, lines: [...account.lines, round] })
}
