// What the seller does at the register and in the dashboard, without the API.
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { findObject } from './catalog.ts'
import { deleteObject } from './catalog-writes.ts'
import { orderKinds, seedKind } from './order-kinds.ts'
import { customLine, settle, storeReturn } from './returns.ts'
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
        ? seedOrder(world, seed, { ...options, quick: true })
        : seedKind(world, seed, seed.pick(orderKinds), { ...options, quick: true }),
    ),
    touch: (current) => ({
      ...current,
      ticket_name: `Moved ${newId('uid').slice(0, 6)}`,
      updated_at: iso(world.tick()),
      ...(current.version !== undefined && { version: current.version + 1 }),
    }),
  })
  const payment = recordsIn(world.payments, {
    add: adding((seed, options) => paymentOf(world, seed, options)),
    // The fee is known.
    touch: (current) => {
      const at = iso(world.tick())
      const fee = { effective_at: at, type: 'ADJUSTMENT', amount_money: { amount: 1, currency: world.currency } }
      return { ...current, processing_fee: [...(current.processing_fee ?? []), fee], updated_at: at }
    },
  })
  const refund = recordsIn(world.refunds, {
    add: adding((seed, options) => {
      const { location_id: location, order_id } = world.payments.get(paymentOf(world, seed, options))!
      const source = world.orders.get(order_id)!
      const lines = [customLine(world, seed.int(1, 90))]
      const back = storeReturn(world, { location, source, lines, ...options, pending: seed.chance(0.5) })
      return world.refunds.find(({ order_id: order }) => order === back.id)!.id
    }),
    // The money moves.
    touch: (current) => {
      const updated_at = iso(world.tick())
      if (current.status === 'PENDING') settle(world, current.id, updated_at)
      return { ...current, status: 'COMPLETED' as const, reason: `Cold ${newId('uid').slice(0, 6)}`, updated_at }
    },
  })
  const tax_rate = catalogRecords(world, 'TAX', (name) => ({
    name,
    percentage: '7.25',
    calculation_phase: 'TAX_SUBTOTAL_PHASE',
    inclusion_type: 'ADDITIVE',
    enabled: true,
  }))
  const payment_method: NativeRecords = { ids: () => [...methods], add: () => [], touch: () => {} }
  const money = { payment, refund, tax_rate, payment_method }
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
  if (world.vertical !== 'restaurant') return { product, order, customer, location, ...money }
  return {
    product,
    order,
    customer,
    category: categories(world),
    employee: employees(world, adding),
    time_entry: timecards(world, adding),
    shift: shifts(world, adding),
    location,
    ...money,
  }
}

/** The sources of payments, which no call lists. */
const methods = [
  ...['OTHER', 'CHECK', 'BANK_TRANSFER', 'OTHER_GIFT_CARD', 'FOOD_VOUCHER', 'STORED_BALANCE', 'CARD', 'EMONEY'],
  ...['SQUARE_CASH', 'CRYPTO', 'SOCIAL', 'EXTERNAL'],
]
  .map((type) => `EXTERNAL_${type}`)
  .concat('CARD', 'SQUARE_GIFT_CARD', 'CASH', 'WALLET', 'BANK_ACCOUNT', 'BUY_NOW_PAY_LATER', 'SQUARE_ACCOUNT')
function paymentOf(world: World, seed: Seed, options: SeedOptions): string {
  const order = world.orders.get(seedKind(world, seed, 'tip', { ...options, quick: true }))!
  return order.tenders![0]!.id
}

type Adding = (make: (seed: Seed, options: SeedOptions) => string) => (count: number) => string[]

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

const categories = (world: World): NativeRecords =>
  catalogRecords(world, 'CATEGORY', (name) => ({
    name,
    category_type: 'REGULAR_CATEGORY',
    is_top_level: true,
    online_visibility: true,
  }))
function catalogRecords(world: World, type: 'CATEGORY' | 'TAX', dataOf: (name: string) => object): NativeRecords {
  const member = `${type.toLowerCase()}_data`
  const put = (object: Pick<CatalogObject, 'id'> & object, data: object) => {
    const at = world.tick()
    world.catalog.set(object.id, { ...object, version: at, updated_at: iso(at), [member]: data } as CatalogObject)
    return object.id
  }
  const name = () => `${type} ${newId('uid').slice(0, 6)}`
  return {
    ids: () => world.catalog.filter((object) => object.type === type && !object.is_deleted).map(({ id }) => id),
    add: (count) =>
      Array.from({ length: count }, () =>
        put({ ...{ type, is_deleted: false, present_at_all_locations: true }, id: newId('catalog') }, dataOf(name())),
      ),
    touch: (id) => {
      const object = findObject(world, id)!
      put(object, { ...(object[member] as object), name: name() })
    },
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
