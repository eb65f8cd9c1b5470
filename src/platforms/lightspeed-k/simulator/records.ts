// What the staff does at the register and in the back office, without the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { locationsOf } from './sales.ts'
import { seedGroup, seedItem, seedShift, seedStaff } from './seed.ts'
import { isOrder, openCheck, storyKinds, tell } from './stories.ts'
import { type Account, encodedUuid, isOpen, isoSeconds, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(randomUUID, world.tick)
  const suffix = () => randomUUID().slice(0, 6)
  return {
    product: recordsIn(world.items, {
      add: adding((seed, at) => seedItem(world, seed, { at })),
      touch: (item) => ({ ...item, name: `${item.name.replace(/ \(.*\)$/, '')} (${suffix()})` }),
    }),
    order: {
      ...recordsIn(world.accounts, {
        // Several may close in the same millisecond, none in the future.
        add: adding((seed, _, index) => {
          const till = { world, seed, at: world.now() }
          if (index % 4 === 3) return openCheck(till, seed.int(0, 99))
          return tell(seed.chance(0.4) ? 'plain' : seed.pick(storyKinds), till)
        }),
        touch: (account) => withAnotherRound(world, account),
      }),
      // Open checks first. Only sales are orders: no refund, no transfer, and no change for the drawer.
      ids: () =>
        [
          ...world.accounts.filter(isOpen),
          ...world.accounts.filter((account) => !isOpen(account) && isOrder(account)),
        ].map(({ id }) => id),
    },
    category: recordsIn(world.groups, {
      add: adding((seed) => seedGroup(world, seed)),
      touch: (group) => ({ ...group, name: `Group ${suffix()}` }),
    }),
    employee: recordsIn(world.staff, {
      add: adding((seed, at) => seedStaff(world, seed, { at, types: ['POS'] })),
      touch: (member) => ({ ...member, lastName: `Renamed ${suffix()}`, modifiedOn: isoSeconds(world.tick()) }),
      remove: 'delete', // removes the access to the location
    }),
    time_entry: recordsIn(world.shifts, {
      add: adding((seed, at) => {
        const id = seedShift(world, seed, { at: at - 5 * 3_600_000, open: false })
        world.shifts.set(id, { ...world.shifts.get(id)!, dateInUTC: isoSeconds(at) })
        return id
      }),
      touch(shift) {
        const at = isoSeconds(world.tick())
        const correction = {
          uuid: encodedUuid(randomUUID()),
          eventType: 'CLOCK_OUT' as const,
          timestamp: at,
          createdOn: at,
        }
        return { ...shift, dateInUTC: at, events: [...shift.events, correction] }
      },
      remove: 'delete',
    }),
    location: {
      ids: () => locationsOf(world).map(({ id }) => String(id)),
      add: adding((seed) => {
        const id = world.locationId + seed.int(1, 1e9)
        world.branches.set(String(id), { id, name: `${world.name} - ${suffix()}` })
        return String(id)
      }),
      touch: (id) => void world.branches.set(id, { id: Number(id), name: `${world.name} - ${suffix()}` }),
    },
  }
}

/** A guest orders another round. A closed account is final: corrections are separate sales. */
function withAnotherRound(world: World, account: Account): Account {
  if (!isOpen(account)) return account
  return {
    ...account,
    lines: [...account.lines, { ...account.lines[0]!, id: `S65315.${world.serial('line')}`, at: world.tick() }],
  }
}
