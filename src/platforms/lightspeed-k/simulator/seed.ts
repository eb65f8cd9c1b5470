// Fills the business with difficult data: archived and open-price items, items without cost, sub-items, checks of every
// kind, ties in time, corrected shifts.
import { categoryNames, dishes, fitsCategory } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { methods, taxes } from './menu.ts'
import { float, openCheck, overpaid, storyKinds, tell } from './stories.ts'
import { encodedUuid, type Item, iso, isoSeconds, type Shift, type World } from './world.ts'

export const day = 86_400_000
const amounts = {
  small: { groups: 6, items: 7, sales: 16, open: 5, staff: 8, shifts: 7 },
  full: { groups: 40, items: 270, sales: 1200, open: 25, staff: 48, shifts: 2000 },
} as const
export interface SeedOptions {
  at: number
}

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('lightspeed-k')
  const amount = amounts[size]
  world.endpoints.set(world.endpointId, { endpointId: world.endpointId, url: 'https://hooks.example.com/lightspeed-k' })
  for (const name of ['MANAGER', 'Bar Staff', 'Kitchen', 'Service']) {
    const id = 1200 + world.serial('staff-group')
    world.staffGroups.set(String(id), { id, name })
  }
  for (const tax of Object.values(taxes)) world.taxes.set(tax.code, tax)
  for (const method of methods) world.methods.set(method.code, method)
  for (const name of categoryNames(dishes, amount.groups)) seedGroup(world, seed, name)
  for (let index = 0; index < amount.items; index += 1) seedItem(world, seed, { at: seededAt - seed.int(1, 300) * day })
  for (let index = 0; index < amount.staff; index += 1)
    seedStaff(world, seed, { at: seededAt - seed.int(30, 600) * day, types: staffTypes[index % staffTypes.length]! })
  seedSales(world, seed, amount.sales, seededAt)
  float({ world, seed, at: seededAt - 2 * day })
  for (let index = 0; index < amount.open; index += 1)
    openCheck({ world, seed, at: seededAt - seed.int(1, 240) * 60_000 }, index)
  for (let index = 0; index < amount.shifts; index += 1)
    seedShift(world, seed, { at: seed.instant(seededAt - 60 * day, seededAt - 12 * 3_600_000), open: index % 40 === 3 })
}
/** Every kind once, then mostly plain ones. */
function seedSales(world: World, seed: Seed, count: number, seededAt: number): void {
  for (let index = 0, at = 0; index < count; index += 1) {
    if (index === 0 || !seed.chance(0.05)) at = seed.instant(seededAt - 420 * day, seededAt - 3_600_000)
    const kind = storyKinds[index] ?? (index % 3 === 0 ? storyKinds[(index / 3) % storyKinds.length] : undefined)
    tell(kind ?? 'plain', { world, seed, at })
  }
  overpaid({ world, seed, at: seededAt - 3 * day })
}
const staffTypes: readonly (readonly ('POS' | 'BACK_OFFICE')[])[] = [
  ['POS'],
  ['POS'],
  ['BACK_OFFICE'],
  ['POS'],
  ['POS', 'BACK_OFFICE'],
  ['POS'],
]

export function seedGroup(world: World, seed: Seed, given?: string): string {
  const serial = world.serial('group')
  const name = given ?? `Specials ${serial}`
  const accountingGroupId = 141948669100000 + serial
  world.groups.set(String(accountingGroupId), {
    accountingGroupId,
    name,
    statisticGroup: JSON.stringify([{ category: 'default', value: name.split(': ')[0] }]),
    code: seed.chance(0.6) ? String(1000 + serial) : null,
  })
  return String(accountingGroupId)
}

export function seedItem(world: World, seed: Seed, { at }: SeedOptions): string {
  const serial = world.serial('item')
  const id = 141948669132000 + serial
  const groups = world.groups.values()
  const good = seed.dish({ categories: groups.map(({ name }) => name) })
  const price = good.cents / 100
  const fitting = groups.filter(({ name }) => fitsCategory(name, good.category))
  const sku = seed.chance(0.05)
    ? `LONG-SKU-${seed.id('0123456789', 12)}-${String(serial).padStart(6, '0')}`
    : seed.chance(0.5)
      ? String(serial)
      : `K-${seed.id('ABCDEFGH', 3)}-${serial}`
  const item: Item = {
    id,
    name: good.name,
    docketName: seed.chance(0.4) ? good.name.toUpperCase().slice(0, 64) : null,
    sku,
    active: !seed.chance(0.1),
    barcodes: seed.chance(0.4) ? [seed.ean13(), ...(seed.chance(0.3) ? [seed.ean13()] : [])] : [],
    accountingGroupId: seed.pick(fitting.length > 0 ? fitting : groups).accountingGroupId,
    costPrice: seed.chance(0.7) ? Math.round(price * 30) / 100 : null,
    prices: [
      { name: 'Default', amount: price },
      ...(seed.chance(0.3) ? [{ name: 'Tuesday Special', amount: Math.round(price * 80) / 100 }] : []),
    ],
    sharingType: seed.pick(['GLOBAL', 'LOCAL', 'SHARED'] as const),
    priceMode: serial % 8 === 3 ? 'POSITIVE_OPEN_PRICE' : serial % 60 === 20 ? 'PERCENT' : 'AMOUNT',
    inventorySource: seed.pick(['PURCHASED', 'PRODUCED'] as const),
    disabled: seed.chance(0.5),
    contentDimension: seed.chance(0.2) ? 'VOLUME' : 'DIMENSION_LESS',
    contentUom: '',
    contentValue: 1,
    itemType: seed.chance(0.05) ? 'SUB_ITEM' : 'ITEM',
  }
  world.items.set(String(id), item)
  if (sku.length <= 25 && seed.chance(0.5)) {
    const descriptions = world.locales
      .slice(0, seed.int(1, world.locales.length))
      .map((localeCode) => ({ localeCode, description: `${seed.note()} (${localeCode})`, displayName: item.name }))
    world.rich.set(sku, {
      businessId: world.businessId,
      sku,
      descriptions,
      allergenCodes: seed.chance(0.3) ? ['milk'] : [],
      creationDate: iso(at),
      lastUpdateDate: iso(at),
    })
  }
  if (seed.chance(0.3)) world.counts.set(sku, { count: seed.int(0, 60), updatedAt: iso(at) })
  return String(id)
}

export function seedStaff(
  world: World,
  seed: Seed,
  { at, types }: SeedOptions & { types: readonly ('POS' | 'BACK_OFFICE')[] },
): string {
  const staffId = 14_000 + world.serial('staff')
  const person = seed.person()
  const till = types.includes('POS')
  world.staff.set(String(staffId), {
    staffId,
    username: till ? (seed.chance(0.3) ? person.givenName : `${person.givenName} ${person.familyName}`) : null,
    userTypes: types,
    firstName: till && seed.chance(0.1) ? '' : person.givenName,
    lastName: till && seed.chance(0.2) ? '' : person.familyName,
    email: types.includes('BACK_OFFICE') ? person.email : null,
    active: !seed.chance(0.15),
    pinLength: till ? 4 : null,
    createdOn: isoSeconds(at),
    modifiedOn: isoSeconds(at),
    groups: seed.chance(0.7) ? [Number(seed.pick(world.staffGroups.ids()))] : [],
    roles: [{ id: 1234, name: 'ROLE_CAN_LOGIN' }],
  })
  return String(staffId)
}

export function seedShift(world: World, seed: Seed, { at, open }: SeedOptions & { open: boolean }): string {
  const uuid = encodedUuid(seed.uuid())
  const end = at + seed.int(2, 11) * 1_800_000
  const event = (eventType: 'CLOCK_IN' | 'CLOCK_OUT', time: number, created = time) => ({
    uuid: encodedUuid(seed.uuid()),
    eventType,
    timestamp: isoSeconds(time),
    createdOn: isoSeconds(created),
  })
  const events: Shift['events'][number][] = [event('CLOCK_IN', at)]
  if (!open) events.push(event('CLOCK_OUT', end))
  // Corrected by the manager.
  if (!open && seed.chance(0.1)) events.push(event('CLOCK_OUT', end + 900_000, end + 3_600_000))
  const tills = world.staff.filter(({ userTypes }) => userTypes.includes('POS'))
  world.shifts.set(uuid, {
    uuid,
    deviceId: 75_125,
    staffId: seed.pick(tills).staffId,
    declaredCashTips: decimalTips(seed),
    dateInUTC: events.at(-1)!.createdOn,
    events,
  })
  return uuid
}
const decimalTips = (seed: Seed): string => (seed.int(0, 4000) / 100).toFixed(2)
