// Fills the restaurant: nested groups, items under several menus, open and size prices, archived staff, orders in every
// state, ties in time.
import { categoryNames, dishes, fitsCategory } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { taxRates } from './configuration.ts'
import { publish } from './menus.ts'
import { otherPayments } from './payments.ts'
import { seedEmployee, seedShift, seedTimeEntry } from './seed-labor.ts'
import { seedOrder } from './seed-orders.ts'
import { seedTill, tillKinds } from './seed-till.ts'
import { day, never, wireDate } from './wire.ts'
import { type DiningOption, type Item, referenceTo, type World } from './world.ts'

interface Amounts {
  groups: number
  items: number
  orders: number
  employees: number
  timeEntries: number
  plannedShifts: number
}
const amounts: Readonly<Record<'small' | 'full', Amounts>> = {
  small: { groups: 5, items: 8, orders: 9, employees: 7, timeEntries: 8, plannedShifts: 3 },
  full: { groups: 40, items: 280, orders: 1300, employees: 45, timeEntries: 2100, plannedShifts: 60 },
}

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('toast restaurant')
  const amount = amounts[size]
  const till = createSeed('toast till')
  seedFacts(world, seed, seededAt)
  seedConfiguration(world, till, seededAt)
  for (const name of categoryNames(dishes, amount.groups)) seedGroup(world, seed, name)
  for (let index = 0; index < amount.items; index += 1) seedItem(world, seed, index)
  publish(world, seededAt - 2 * day)
  for (let index = 0; index < amount.employees; index += 1)
    seedEmployee(world, seed, { guid: seed.uuid(), at: seededAt - seed.int(60, 190) * day, archived: index % 9 === 4 })
  const uuid = guidsOf(seed.uuid())
  // Some orders have the same time to the millisecond, as when an offline POS reconnects.
  for (let index = 0, at = 0; index < amount.orders; index += 1) {
    if (index === 0 || !seed.chance(0.05)) at = seed.instant(seededAt - 90 * day, seededAt - 3_600_000)
    seedOrder(world, seed, { uuid, at, shape: index })
  }
  for (let index = 0; index < amount.timeEntries; index += 1)
    seedTimeEntry(world, seed, {
      guid: uuid(),
      at: seed.instant(seededAt - 60 * day, seededAt - 12 * 3_600_000),
      shape: index,
    })
  for (let index = 0; index < amount.plannedShifts; index += 1)
    seedShift(world, {
      guid: uuid(),
      at: seed.instant(seededAt, seededAt + 21 * day),
      hours: seed.int(4, 9),
      employee: seed.pick(world.employees.ids()),
      job: seed.pick(world.jobs.ids()),
      created: seededAt - seed.int(1, 9) * day,
      deleted: index % 10 === 1,
    })
  // The first one is of the first days of the restaurant.
  for (const [index, kind] of tillKinds.entries()) {
    const days = index === 0 ? 89 : 3 + 2 * index
    seedTill(world, till, { uuid, at: seededAt - days * day - till.int(0, 6 * 3_600_000), kind })
  }
}

/** Cheap guids: numbers from 1, scattered over the first eight digits (an odd factor is injective). */
function guidsOf(first: string): () => string {
  let count = 0
  return () => {
    count += 1
    return (Math.imul(count, 2_654_435_761) >>> 0).toString(16).padStart(8, '0') + first.slice(8)
  }
}

/** From a seed of its own: the other records stay what they are. */
function seedConfiguration(world: World, seed: Seed, seededAt: number): void {
  const curbside = seed.uuid()
  world.diningOptions.set(curbside, {
    ...referenceTo('DiningOption', curbside),
    name: 'Curbside',
    behavior: 'TAKE_OUT',
    curbside: true,
  })
  for (const name of ['1', '2', 'Bar 3']) {
    const guid = seed.uuid()
    world.tables.set(guid, { ...referenceTo('Table', guid), name })
  }
  const modified = seededAt - 90 * day
  for (const shown of taxRates) world.taxRates.set(shown.guid, { shown, modified })
  for (const { guid, name } of otherPayments)
    world.paymentTypes.set(guid, { shown: { ...referenceTo('AlternatePaymentType', guid), name }, modified })
}

function seedFacts(world: World, seed: Seed, seededAt: number): void {
  for (const name of ['Lunch', 'Dinner']) {
    const guid = seed.uuid()
    world.menus.set(guid, { guid, name, description: '' })
  }
  const dining: [string, DiningOption['behavior']][] = [
    ['Take out', 'TAKE_OUT'],
    ['Dine in', 'DINE_IN'],
    ['Delivery', 'DELIVERY'],
  ]
  for (const [name, behavior] of dining) {
    const guid = seed.uuid()
    world.diningOptions.set(guid, { ...referenceTo('DiningOption', guid), name, behavior, curbside: false })
  }
  const titles = ['Server', 'Bartender', 'Line cook', 'MANAGER', 'Host', 'Busser (old)']
  for (const [index, title] of titles.entries()) {
    const guid = seed.uuid()
    const at = wireDate(seededAt - 195 * day)
    const deleted = index === titles.length - 1
    world.jobs.set(guid, {
      ...referenceTo('RestaurantJob', guid),
      title,
      deleted,
      wageFrequency: title === 'MANAGER' ? 'SALARY' : 'HOURLY',
      defaultWage: seed.int(12, 40),
      tipped: index < 2,
      code: index < 3 ? `J${index}` : '',
      createdDate: at,
      modifiedDate: at,
      deletedDate: deleted ? at : never,
    })
  }
}

export function seedGroup(world: World, seed: Seed, name: string, guid = seed.uuid()): string {
  const others = world.groups.values()
  const parent = others.find((group) => name.startsWith(`${group.name}: `))
  world.groups.set(guid, {
    guid,
    menuGuid: parent?.menuGuid ?? seed.pick(world.menus.ids()),
    ...(parent && { parentGuid: parent.guid }),
    name,
    description: seed.chance(0.3) ? seed.note() : '',
    image: seed.chance(0.3) ? `https://example.com/images/${guid}.png` : null,
    visibility: seed.chance(0.1) ? [] : ['POS', 'KIOSK'],
  })
  return guid
}

/**
 * Cycles through item types: open price, size price, sold by weight, priced by menu, by time of day, with a required
 * modifier. The first is simple.
 */
export function seedItem(world: World, seed: Seed, index: number, guid = seed.uuid()): string {
  const all = world.groups.values()
  const good = seed.dish({ categories: all.map(({ name }) => name) })
  const fitting = all.filter(({ name }) => fitsCategory(name, good.category))
  const count = seed.chance(0.15) || index % 12 === 3 ? 2 : 1
  const groups = seed.sample(fitting.length >= count ? fitting : all, count).map(({ guid }) => guid)
  const price = good.cents / 100
  const shape: Partial<Item> =
    {
      1: { pricingStrategy: 'OPEN_PRICE' as const, price: null },
      2: { unitOfMeasure: 'LB' },
      3: { pricingStrategy: 'MENU_SPECIFIC_PRICE' as const, dinnerPrice: good.sizes[1]! / 100 },
      4: { pricingStrategy: 'SIZE_PRICE' as const, price: null },
      5: { needsModifier: true },
      6: { pricingStrategy: 'TIME_SPECIFIC_PRICE' as const, taxInclusive: true as const, taxed: true },
      7: { localTax: true as const, taxed: true },
    }[index % 12] ?? {}
  const item: Item = {
    guid,
    groups,
    name: good.name,
    description: seed.chance(0.4) ? seed.note() : '',
    sku: seed.chance(0.6) ? seed.sku() : '',
    plu: seed.chance(0.4) ? seed.ean13() : '',
    price,
    pricingStrategy: 'BASE_PRICE',
    unitOfMeasure: 'NONE',
    visibility: seed.chance(0.08) ? [] : ['POS', 'TOAST_ONLINE_ORDERING', 'ORDERING_PARTNERS'],
    taxed: index === 0 || seed.chance(0.9),
    needsModifier: false,
    multiLocationId: `1000000${seed.id('0123456789', 8)}`,
    ...shape,
  }
  world.items.set(guid, item)
  if (index > 0 && seed.chance(0.2))
    world.inventory.set(guid, {
      guid,
      multiLocationId: item.multiLocationId,
      ...(seed.chance(0.4)
        ? { status: 'OUT_OF_STOCK', quantity: null }
        : { status: 'QUANTITY', quantity: seed.int(1, 60) / 2 }),
    })
  return guid
}
