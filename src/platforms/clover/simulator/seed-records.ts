// One record of each kind, at a given time: used for the seed and for changes without the API.
import { fitsCategory } from '../../../sandbox/goods.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import {
  type Category,
  type Customer,
  type Employee,
  type Item,
  newId,
  type Shift,
  type World,
  wholeSecond,
} from './world.ts'

export interface Making {
  seed: Seed
  random(below: number): number
  at: number
}

export function makeCategory(world: World, { random, at }: Making, name?: string): Category {
  const id = newId(random)
  return world.categories.set(id, {
    id,
    name: name ?? `Specials ${id.slice(0, 3)}`,
    sortOrder: world.categories.count() + 1,
    createdTime: at,
    modifiedTime: wholeSecond(at),
  })
}

export function makeItem(world: World, { seed, random, at }: Making): Item {
  const id = newId(random)
  const priceType = seed.pick(['FIXED', 'FIXED', 'FIXED', 'FIXED', 'VARIABLE', 'PER_UNIT'] as const)
  const good = seed.dish({ categories: world.categories.values().map(({ name }) => name) })
  const categories = world.categories
    .filter(({ name }) => fitsCategory(name, good.category))
    .map((category) => category.id)
  return world.items.set(id, {
    id,
    hidden: seed.chance(0.05),
    available: !seed.chance(0.1),
    autoManage: seed.chance(0.3),
    name: good.name,
    ...(seed.chance(0.3) && { alternateName: good.name.toUpperCase() }),
    ...(seed.chance(0.6) ? { sku: seed.sku() } : { sku: '' }),
    ...(seed.chance(0.4) && { code: seed.ean13() }),
    ...(seed.chance(0.5) && { cost: Math.round(good.cents * 0.3) }),
    price: priceType === 'VARIABLE' ? 0 : good.cents,
    priceType,
    ...(priceType === 'PER_UNIT' && { unitName: seed.pick(['lb', 'oz', 'kg']) }),
    defaultTaxRates: seed.chance(0.7),
    isRevenue: true,
    createdTime: at,
    modifiedTime: wholeSecond(at),
    categoryIds: categories.length ? seed.sample(categories, seed.pick([0, 1, 1, 1, 2])) : [],
    taxRateIds: seed.chance(0.1) ? world.taxRates.ids().slice(-1) : [],
    ...(seed.chance(0.6) && {
      stock: { quantity: seed.pick([0, seed.int(1, 80), seed.int(1, 80), 2.5]), modifiedTime: at },
    }),
  })
}

export function makeCustomer(world: World, { seed, random, at }: Making): Customer {
  const id = newId(random)
  const kind = seed.int(1, 10)
  const person = seed.person()
  const address = seed.address('US')
  return world.customers.set(id, {
    id,
    ...(kind > 1 && { firstName: person.givenName }),
    ...(kind > 2 && { lastName: person.familyName }),
    marketingAllowed: seed.chance(0.4),
    customerSince: at,
    addressList: seed.chance(0.4)
      ? [
          {
            id: newId(random),
            address1: address.line1,
            address2: address.line2 ?? '',
            address3: seed.chance(0.2) ? 'Back door' : '',
            city: address.city,
            state: address.state,
            zip: address.postalCode,
            country: address.country,
          },
        ]
      : [],
    emailList: seed.chance(0.7) ? [{ id: newId(random), emailAddress: person.email, primaryEmail: true }] : [],
    phoneList: seed.chance(0.6) ? [{ id: newId(random), phoneNumber: seed.phone('US') }] : [],
    metadata: {
      ...((kind === 1 || seed.chance(0.2)) && { businessName: seed.company() }),
      ...(seed.chance(0.3) && { note: seed.note() }),
      ...(seed.chance(0.3) && { modifiedTime: at }),
    },
  })
}

export function makeEmployee(world: World, { seed, random, at }: Making, owner = false): Employee {
  const id = newId(random)
  const person = seed.person()
  return world.employees.set(id, {
    id,
    name: `${person.givenName} ${person.familyName}`,
    ...(seed.chance(0.5) && { nickname: person.givenName }),
    ...(seed.chance(0.6) && { customId: `E-${id.slice(0, 5)}` }),
    ...(seed.chance(0.6) && { email: `${id.toLowerCase()}@example.com` }),
    inviteSent: seed.chance(0.5),
    ...(seed.chance(0.5) && { claimedTime: at }),
    pin: `hash-${id}`,
    role: owner ? 'ADMIN' : seed.pick(['ADMIN', 'MANAGER', 'EMPLOYEE', 'EMPLOYEE', 'EMPLOYEE']),
    isOwner: owner,
    createdTime: at,
    modifiedTime: wholeSecond(at),
  })
}

export function makeShift(world: World, { seed, random, at }: Making, open = false): Shift {
  const id = newId(random)
  const outTime = at + seed.int(120, 600) * 60_000
  return world.shifts.set(id, {
    id,
    employee: { id: seed.pick(world.employees.ids()) },
    inTime: at,
    ...(seed.chance(0.1) && { overrideInTime: at + 300_000 }),
    ...(!open && { outTime, ...(seed.chance(0.1) && { overrideOutTime: outTime + 600_000 }) }),
    serverBanking: false,
  })
}
