// One record of each kind, at a given time: used for the seed and for changes without the API.
import { fitsCategory } from '../../../sandbox/goods.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import {
  type Category,
  type Customer,
  type Employee,
  type Item,
  type LineItem,
  newId,
  type Order,
  type Payment,
  type Shift,
  type World,
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
    modifiedTime: at,
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
    modifiedTime: at,
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
    modifiedTime: at,
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

function makeLines(world: World, { seed, random, at }: Making, item: Item, count: number): LineItem[] {
  const price = item.priceType === 'VARIABLE' ? seed.priceOf(item.name) : item.price
  const measured = item.priceType === 'PER_UNIT'
  const discount = seed.pick([
    undefined,
    undefined,
    undefined,
    undefined,
    { name: 'Regulars', amount: -100 },
    { name: 'Happy hour', percentage: 10 },
  ])
  return Array.from({ length: measured ? 1 : count }, () => ({
    id: newId(random),
    item: { id: item.id },
    name: item.name,
    price,
    ...(item.code && { itemCode: item.code }),
    note: '',
    printed: seed.chance(0.5),
    exchanged: false,
    refunded: false,
    isRevenue: true,
    ...(measured && { unitQty: seed.int(100, 4000), unitName: String(item.unitName) }),
    createdTime: at,
    discountList: discount ? [{ id: newId(random), ...discount }] : [],
    taxRateList: world.taxRates.values().slice(0, 1),
  }))
}
const amountOf = ({ price, unitQty, discountList }: LineItem): number =>
  discountList.reduce(
    (rest, { amount = 0, percentage = 0 }) => rest + amount - Math.round((rest * percentage) / 100),
    Math.round((price * (unitQty ?? 1000)) / 1000),
  )

/** `units`: the number of identical units. */
export function makeOrder(world: World, making: Making, units?: number): Order {
  const { seed, random, at } = making
  const id = newId(random)
  const items = seed.sample(world.items.values(), seed.int(1, 3))
  const lines = items.flatMap((item) => makeLines(world, making, item, seed.int(1, 3)))
  if (units) lines.push(...makeLines(world, making, world.items.find(({ priceType }) => priceType === 'FIXED')!, units))
  if (seed.chance(0.1))
    lines.push({
      id: newId(random),
      name: 'Open food',
      price: 500,
      note: '',
      createdTime: at,
      discountList: [],
      taxRateList: [],
      userData: 'another app',
    })
  const net = lines.reduce((sum, line) => sum + amountOf(line), 0)
  const taxAmount = Math.round(net * 0.0825)
  const paymentState = seed.pick([
    'OPEN',
    'OPEN',
    'PAID',
    'PAID',
    'PAID',
    'PAID',
    'PARTIALLY_PAID',
    'REFUNDED',
    'PARTIALLY_REFUNDED',
  ])
  const done = !['OPEN', 'PARTIALLY_PAID'].includes(paymentState)
  const payment: Payment = {
    id: newId(random),
    amount: net + taxAmount,
    taxAmount,
    tipAmount: 0,
    result: 'SUCCESS',
    createdTime: at,
  }
  const part = Math.floor((net + taxAmount) / 2)
  return world.orders.set(id, {
    id,
    currency: world.merchant.currency,
    employee: { id: seed.pick(world.employees.ids()) },
    total: net + taxAmount,
    ...(seed.chance(0.5) && { title: String(seed.int(1, 999)) }),
    ...(seed.chance(0.3) && { note: seed.note() }),
    taxRemoved: false,
    isVat: false,
    state: done ? 'locked' : 'open',
    paymentState,
    ...(done && { payType: 'FULL' }),
    manualTransaction: false,
    groupLineItems: true,
    testMode: false,
    createdTime: at,
    clientCreatedTime: at - 1000,
    modifiedTime: at,
    customerIds: seed.chance(0.4) ? [seed.pick(world.customers.ids())] : [],
    lines,
    discountList: [],
    paymentList: done
      ? [payment]
      : paymentState === 'OPEN'
        ? []
        : [{ ...payment, amount: part, taxAmount: Math.floor(taxAmount / 2) }],
  })
}
