// Orders as a seller has them: plain ones, and one for each kind of money.
import type { Seed } from '../../../sandbox/seeds.ts'
import { withTotals } from './order-totals.ts'
import type { StoredOrder } from './orders.ts'
import { storeReturn } from './returns.ts'
import { money, type SeedOptions } from './seed-records.ts'
import { paid } from './tenders.ts'
import { iso, type LineItem, newId, type World } from './world.ts'

/** `quick`: it is paid or canceled in the moment in which it is opened. */
export function seedOrder(
  world: World,
  seed: Seed,
  { random, at, quick = false }: SeedOptions & { quick?: boolean },
): string {
  const id = newId('order', random)
  const state = seed.pick(['OPEN', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'CANCELED', 'DRAFT'] as const)
  const lines = Array.from({ length: seed.int(1, 4) }, (_, index) => seedLine(world, seed, `line-${index + 1}`))
  if (state === 'OPEN' && seed.chance(0.25)) lines.push({ ...seedLine(world, seed, 'line-voided'), quantity: '0' })
  const location = seed.pick(world.locations.ids())
  const customer = seed.chance(0.5) ? seed.pick(world.customers.ids()) : undefined
  const lasts = seed.int(5, 90) * 60_000
  const ended = state === 'COMPLETED' || state === 'CANCELED'
  const closed = ended ? iso(quick ? at : at + lasts) : undefined
  const fromPos = seed.chance(0.3) && state !== 'DRAFT'
  const order = withTotals<StoredOrder>(
    {
      id,
      location_id: location,
      source: { name: fromPos ? 'Square Point of Sale' : 'Online store' },
      state,
      ...(!fromPos && { version: seed.int(1, 6) }), // orders from the POS have no version
      created_at: iso(at),
      updated_at: closed ?? iso(quick ? at : at + seed.int(0, 50) * 60_000),
      ...(closed && { closed_at: closed }),
      ...(seed.chance(0.4) && { ticket_name: `Table ${seed.int(1, 30)}` }),
      ...(seed.chance(0.2) && { reference_id: `web-${seed.int(1000, 9999)}` }),
      ...(customer && seed.chance(0.6) && { customer_id: customer }),
      line_items: lines,
      taxes: [{ uid: 'sales-tax', name: 'Sales tax', percentage: '8.5', type: 'ADDITIVE', scope: 'ORDER' }],
      ...(seed.chance(0.15) && {
        discounts: [
          { uid: 'happy-hour', name: 'Happy hour', percentage: '10', type: 'FIXED_PERCENTAGE', scope: 'ORDER' },
        ],
      }),
      ...(seed.chance(0.2) && { metadata: { note: seed.note() } }),
    },
    world,
  )
  const paidAt = Date.parse(closed ?? iso(at))
  const by = [{ type: seed.pick(['CASH', 'CARD', 'CARD', 'WALLET', 'OTHER'] as const) }]
  const pay = { at: paidAt, random, by, customer, ...(quick ? {} : { settled: paidAt + 60_000 }) }
  world.orders.set(id, state === 'COMPLETED' ? paid(world, order, pay) : order)
  return id
}

/** The newest completed order is one of a large party. */
export function seedServiceCharge(world: World, random: SeedOptions['random']): void {
  const order = world.orders
    .filter(({ state }) => state === 'COMPLETED')
    .toSorted((left, right) => String(right.created_at).localeCompare(String(left.created_at)))[0]
  if (!order) return
  const charge = { uid: 'large-party', name: 'Large party', percentage: '18', calculation_phase: 'SUBTOTAL_PHASE' }
  const service_charges = [{ ...charge, taxable: true, type: 'CUSTOM', treatment_type: 'LINE_ITEM_TREATMENT' }]
  const by = [{ type: 'CASH' as const }]
  const at = Date.parse(String(order.closed_at))
  const customer = order.tenders?.[0]?.customer_id as string | undefined
  world.orders.set(order.id, paid(world, { ...order, service_charges }, { at, random, by, customer }))
}
/** A guest brings back everything that was sold last. */
export function seedReturn(world: World, { random, at }: SeedOptions): void {
  const sold = world.orders.filter(({ state }) => state === 'COMPLETED').at(-1)
  const lines = (sold ?? world.orders.values()[0]!).line_items ?? []
  const location = sold?.location_id ?? world.locations.ids()[0]!
  storeReturn(world, { location, source: sold, lines, at, random })
}

export function seedLine(world: World, seed: Seed, uid: string): LineItem {
  const quantity = seed.chance(0.1) ? `${seed.int(1, 3)}.5` : String(seed.int(1, 4))
  if (seed.chance(0.1))
    return {
      uid,
      quantity,
      name: world.vertical === 'restaurant' ? 'Corkage' : 'Alteration',
      item_type: 'CUSTOM_AMOUNT',
      base_price_money: money(world, seed.cents(1000, 2000)),
    }
  const variation = seed.pick(world.itemOf.ids())
  const item = world.catalog.get(world.itemOf.get(variation)!)!
  const { version, item_variation_data: data } = item.item_data!.variations!.find(({ id }) => id === variation)!
  return {
    uid,
    catalog_object_id: variation,
    catalog_version: version,
    name: item.item_data!.name,
    variation_name: data?.name,
    quantity,
    item_type: 'ITEM',
    base_price_money: data?.price_money ?? money(world, seed.priceOf(item.item_data!.name ?? '')),
    ...(seed.chance(0.15) && { note: seed.note() }),
  }
}

/** An open order of another client, of which this amount is due. */
export function seedDue(world: World, amount: number): string {
  const at = iso(world.tick())
  const id = newId('order')
  const line = { uid: 'line', quantity: '1', name: 'Dinner', base_price_money: money(world, amount) }
  const stamps = { version: 1, created_at: at, updated_at: at }
  const location_id = world.locations.ids()[0]!
  world.orders.set(
    id,
    withTotals<StoredOrder>({ id, location_id, state: 'OPEN', line_items: [line], ...stamps }, world),
  )
  return id
}
