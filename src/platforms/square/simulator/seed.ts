// Fills a seller with realistic records: several variations per item, archived items, variable prices, closed
// locations, orders from the POS.
import { articles, categoryNames, dishes } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { orderKinds, seedKind } from './order-kinds.ts'
import { seedOrder, seedReturn, seedServiceCharge } from './seed-orders.ts'
import { money, seedCustomer, seedItem, seedLocation, seedMember, seedShift, seedTimecard } from './seed-records.ts'
import { storePayment } from './tenders.ts'
import { type CatalogObject, iso, newId, type World } from './world.ts'

interface Amounts {
  items: number
  variations: readonly number[] // possible numbers of variations of an item
  categories: number
  customers: number
  orders: number
  members: number
  timecards: number
  shifts: number
}
const amounts: Readonly<Record<'small' | 'full', Amounts>> = {
  small: {
    items: 5,
    variations: [1, 2, 1, 2, 1],
    categories: 5,
    customers: 7,
    orders: 7,
    members: 5,
    timecards: 7,
    shifts: 6,
  },
  full: {
    items: 400,
    variations: [1, 1, 2, 3, 1],
    categories: 60,
    customers: 400,
    orders: 1200,
    members: 45,
    timecards: 2000,
    shifts: 200,
  },
}
export const day = 86_400_000

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed(`square ${world.vertical}`)
  const random = (below: number) => seed.int(0, below - 1)
  const amount = amounts[size]
  seedLocations(world, seed, seededAt)
  seedFacts(world, seed, amount.categories, seededAt)
  for (let index = 0; index < amount.items; index += 1)
    seedItem(world, seed, {
      random,
      at: seededAt - seed.int(1, 300) * day,
      variations: amount.variations[index % amount.variations.length]!,
    })
  for (let index = 0; index < amount.customers; index += 1)
    seedCustomer(world, seed, { random, at: seed.instant(seededAt - 400 * day, seededAt - day) })
  for (let index = 0; index < amount.members; index += 1)
    seedMember(world, seed, { random, at: seededAt - seed.int(30, 600) * day, owner: index === 0 })
  // Some orders share their times to the millisecond, as imports do.
  for (let index = 0, at = 0; index < amount.orders; index += 1) {
    if (index === 0 || !seed.chance(0.05)) at = seed.instant(seededAt - 90 * day, seededAt - 3_600_000)
    seedOrder(world, seed, { random, at })
  }
  if (world.vertical === 'restaurant')
    for (let index = 0; index < amount.timecards; index += 1)
      seedTimecard(world, seed, {
        random,
        at: seed.instant(seededAt - 60 * day, seededAt - 3_600_000),
        open: index % 40 === 3,
      })
  seedServiceCharge(world, random)
  seedReturn(world, { random, at: seededAt - 1_800_000 })
  if (world.vertical === 'restaurant')
    for (let index = 0; index < amount.shifts; index += 1)
      seedShift(world, seed, { random, at: seed.instant(seededAt - 30 * day, seededAt + 14 * day), shape: index })
  seedMoney(world, seededAt)
}

/** One order of each kind, with what they refer to. */
function seedMoney(world: World, seededAt: number): void {
  const seed = createSeed(`square ${world.vertical} money`)
  const random = (below: number) => seed.int(0, below - 1)
  const stamp = { version: seededAt - 200 * day, updated_at: iso(seededAt - 200 * day), is_deleted: false }
  const object = (type: string, data: object): CatalogObject => ({
    type,
    id: newId('catalog', random),
    ...stamp,
    present_at_all_locations: true,
    [`${type.toLowerCase()}_data`]: data,
  })
  for (const [name, percentage, inclusion_type] of [
    ['County tax', '1.25', 'ADDITIVE'],
    ['Tax in the price', '10', 'INCLUSIVE'],
  ]) {
    const tax = { name, percentage, calculation_phase: 'TAX_SUBTOTAL_PHASE', inclusion_type, enabled: true }
    const stored = object('TAX', tax)
    world.catalog.set(stored.id, stored)
  }
  for (const [name, options] of modifierLists[world.vertical as keyof typeof modifierLists]) {
    const list = object('MODIFIER_LIST', { name, modifier_type: 'LIST', selection_type: 'MULTIPLE' })
    const modifiers = Object.entries(options).map(([one, price], ordinal) =>
      object('MODIFIER', {
        name: one,
        ...(price > 0 && { price_money: money(world, price) }),
        ordinal,
        modifier_list_id: list.id,
      }),
    )
    world.catalog.set(list.id, { ...list, modifier_list_data: { ...list.modifier_list_data, modifiers } })
  }
  const places = world.locations.ids()
  for (const [index, kind] of orderKinds.entries()) {
    const location = places[index % places.length]!
    seedKind(world, seed, kind, { random, at: seededAt - (20 - index) * 3 * 3_600_000, location })
  }
  // A card that is not charged yet, and others that were not charged in the end.
  const unpaid = world.orders.filter(({ state, tenders }) => state === 'OPEN' && tenders === undefined)[0]!
  for (const status of ['APPROVED', 'CANCELED', 'FAILED'] as const) {
    const at = Date.parse(unpaid.created_at)
    const card = { status: 'AUTHORIZED', card: { card_brand: 'VISA', last_4: '1111' } }
    const tender = { id: newId('uid', random), type: 'CARD', created_at: iso(at), amount_money: unpaid.total_money! }
    const payment = storePayment(world, unpaid, { ...tender, card_details: card }, { at })
    world.payments.set(payment.id, { ...payment, status })
  }
}
const modifierLists: Record<'restaurant' | 'retail_pos', readonly [string, Readonly<Record<string, number>>][]> = {
  restaurant: [
    ['Milk', { 'Oat milk': 60 }],
    ['Extras', { 'Extra shot': 90, 'Extra hot': 0 }],
  ],
  retail_pos: [
    ['Wrapping', { 'Gift wrap': 75 }],
    ['Extras', { Engraving: 1200, 'Name tag': 0 }],
  ],
}

function seedLocations(world: World, seed: Seed, seededAt: number): void {
  const count = world.vertical === 'restaurant' ? 3 : 12 // more than the ten that one order search accepts
  for (let index = 0; index < count; index += 1)
    seedLocation(world, seed, {
      number: index + 1,
      at: seededAt - (700 - index) * day,
      status: index === count - 1 ? 'INACTIVE' : 'ACTIVE',
    })
}

function seedFacts(world: World, seed: Seed, categories: number, seededAt: number): void {
  const random = (below: number) => seed.int(0, below - 1)
  const put = (type: string, data: object) => {
    const at = seededAt - seed.int(300, 400) * day
    const id = newId('catalog', random)
    world.catalog.set(id, {
      type,
      id,
      version: at,
      updated_at: iso(at),
      is_deleted: false,
      present_at_all_locations: true,
      [`${type.toLowerCase()}_data`]: data,
    })
    return id
  }
  put('TAX', {
    name: 'Sales tax',
    percentage: '8.5',
    calculation_phase: 'TAX_SUBTOTAL_PHASE',
    inclusion_type: 'ADDITIVE',
    enabled: true,
  })
  put('MEASUREMENT_UNIT', { measurement_unit: { weight_unit: 'METRIC_KILOGRAM', type: 'TYPE_WEIGHT' }, precision: 3 })
  put('IMAGE', { name: 'Front', url: 'https://example.com/front.jpg', caption: 'Front' })
  const names = categoryNames(world.vertical === 'restaurant' ? dishes : articles, categories)
  const parents = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const parent = parents.get(name.split(': ')[0]!)
    const id = put('CATEGORY', {
      name,
      category_type: seed.chance(0.1) ? 'MENU_CATEGORY' : 'REGULAR_CATEGORY',
      is_top_level: parent === undefined,
      ...(parent && { parent_category: { id: parent, ordinal: index } }),
      online_visibility: true,
    })
    if (!parent) parents.set(name, id)
  }
  for (let index = 0; index < 5; index += 1) {
    const at = iso(seededAt - 500 * day)
    const id = newId('uid', random)
    world.jobs.set(id, {
      id,
      title: `${seed.job()}${index > 2 ? ` ${index}` : ''}`,
      is_tip_eligible: seed.chance(0.5),
      created_at: at,
      updated_at: at,
      version: 1,
    })
  }
}
