// What the seller does at the register and in the dashboard, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { findObject } from './catalog.ts'
import { deleteObject } from './catalog-writes.ts'
import { orderKinds, seedKind } from './order-kinds.ts'
import { seedOrder } from './seed-orders.ts'
import {
  type SeedOptions,
  seedCustomer,
  seedItem,
  seedLocation,
  seedMember,
  seedShift,
  seedTimecard,
} from './seed-records.ts'
import { type CatalogObject, iso, isoSeconds, newId, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  // newId is random by default, so records that are added after a restart cannot collide with older ones.
  const add = createAdding(() => `${world.vertical} ${newId('uid')}`, world.tick)
  const adding: Adding = (make) => add((seed, at) => make(seed, { random: (below) => seed.int(0, below - 1), at }))
  const product: NativeRecords = {
    ids: () => world.itemOf.ids(),
    add: adding((seed, options) => seedItem(world, seed, { ...options, variations: 1 })[0]!),
    touch: (id) => touchItem(world, world.itemOf.get(id)!),
    remove: (id) => void deleteObject(world, id),
  }
  const order = recordsIn(world.orders, {
    isListed: ({ returns, line_items }) => !returns || (line_items?.length ?? 0) > 0,
    // Every third one is plain.
    add: adding((seed, options) =>
      seed.chance(0.3)
        ? stamped(world, seedOrder(world, seed, options), options.at)
        : seedKind(world, seed, seed.pick(orderKinds), { ...options, quick: true }),
    ),
    touch: (current) => ({
      ...current,
      ticket_name: `Moved ${newId('uid').slice(0, 6)}`,
      updated_at: iso(world.tick()),
      ...(current.version !== undefined && { version: current.version + 1 }),
    }),
  })
  const customer = recordsIn(world.customers, {
    add: adding((seed, options) => {
      const id = seedCustomer(world, seed, options)
      world.customers.set(id, { ...world.customers.get(id)!, updated_at: isoSeconds(options.at) })
      return id
    }),
    touch: (current) => ({
      ...current,
      note: `Seen ${newId('uid').slice(0, 6)}`,
      version: current.version + 1,
      updated_at: isoSeconds(world.tick()),
    }),
    remove: 'delete',
  })
  const location = recordsIn(world.locations, {
    add: adding((seed, { at }) =>
      seedLocation(world, seed, { number: world.locations.ids().length + 1, at, status: 'ACTIVE' }),
    ),
    // A location is closed, and never deleted.
    touch: (current) => ({ ...current, name: `${world.name} ${newId('uid').slice(0, 6)}` }),
  })
  if (world.vertical !== 'restaurant') return { product, order, customer, location }
  return {
    product,
    order,
    customer,
    category: categories(world),
    employee: employees(world, adding),
    time_entry: timecards(world, adding),
    shift: shifts(world, adding),
    location,
  }
}

type Adding = (make: (seed: Seed, options: SeedOptions) => string) => (count: number) => string[]

function stamped(world: World, id: string, at: number): string {
  const { closed_at, tenders, ...order } = world.orders.get(id)!
  const closed = {
    ...(closed_at && { closed_at: iso(at) }),
    ...(tenders && { tenders: tenders.map((tender) => ({ ...tender, created_at: iso(at) })) }),
  }
  world.orders.set(id, { ...order, updated_at: iso(at), ...closed })
  return id
}

function touchItem(world: World, id: string): void {
  const item = world.catalog.get(id)!
  const at = world.tick()
  const stamp = { version: at, updated_at: iso(at) }
  const variations = item.item_data!.variations!.map((variation) => ({ ...variation, ...stamp }))
  world.catalog.set(id, {
    ...item,
    ...stamp,
    item_data: {
      ...item.item_data,
      name: `${String(item.item_data!.name).replace(/ \(.*\)$/, '')} (${newId('uid').slice(0, 6)})`,
      variations,
    },
  })
}

function categories(world: World): NativeRecords {
  const put = (object: CatalogObject, name: string) => {
    const at = world.tick()
    world.catalog.set(object.id, {
      ...object,
      version: at,
      updated_at: iso(at),
      category_data: { ...object.category_data, name },
    })
    return object.id
  }
  return {
    ids: () => world.catalog.filter(({ type, is_deleted }) => type === 'CATEGORY' && !is_deleted).map(({ id }) => id),
    add: (count) =>
      Array.from({ length: count }, () => {
        const data = { category_type: 'REGULAR_CATEGORY', is_top_level: true, online_visibility: true }
        return put(
          {
            type: 'CATEGORY',
            id: newId('catalog'),
            version: 0,
            updated_at: '',
            is_deleted: false,
            present_at_all_locations: true,
            category_data: data,
          },
          `Category ${newId('uid').slice(0, 6)}`,
        )
      }),
    touch: (id) => void put(findObject(world, id)!, `Category ${newId('uid').slice(0, 6)}`),
    remove: (id) => void deleteObject(world, id),
  }
}

const employees = (world: World, adding: Adding): NativeRecords =>
  recordsIn(world.team, {
    add: adding((seed, options) => {
      const id = seedMember(world, seed, options)
      world.team.set(id, {
        ...world.team.get(id)!,
        email_address: `${newId('uid').toLowerCase()}@example.com`,
        updated_at: isoSeconds(options.at),
      })
      return id
    }),
    touch: (member) => ({
      ...member,
      reference_id: `emp-${newId('uid').slice(0, 6)}`,
      updated_at: isoSeconds(world.tick()),
    }),
  })

const timecards = (world: World, adding: Adding): NativeRecords =>
  recordsIn(world.timecards, {
    add: adding((seed, options) => {
      const id = seedTimecard(world, seed, { ...options, open: false })
      world.timecards.set(id, { ...world.timecards.get(id)!, updated_at: isoSeconds(options.at) })
      return id
    }),
    touch: (current) => ({ ...current, version: Number(current.version) + 1, updated_at: isoSeconds(world.tick()) }),
    remove: 'delete',
  })

const shifts = (world: World, adding: Adding): NativeRecords =>
  recordsIn(world.shifts, {
    add: adding((seed, options) => seedShift(world, seed, { ...options, shape: seed.int(0, 11), created: options.at })),
    // A draft that is published again, an hour later.
    touch: (current) => {
      const later = (time: string) => `${iso(Date.parse(time) - 4 * 3_600_000).slice(0, 16)}:00-05:00`
      const { start_at, end_at, ...details } = current.draft_shift_details
      const moved = { ...details, start_at: later(start_at), end_at: later(end_at) }
      return {
        ...current,
        draft_shift_details: moved,
        published_shift_details: moved,
        version: current.version + 1,
        updated_at: isoSeconds(world.tick()),
      }
    },
    remove: 'delete',
  })
