// Fills the merchant with difficult orders over a few hundred days, so that some are older than Clover's 90 days.
import type { Collection } from '../../../sandbox/collection.ts'
import { categoryNames, dishes } from '../../../sandbox/goods.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import { kinds, makeOrder, oddKinds } from './seed-orders.ts'
import { type Making, makeCategory, makeCustomer, makeEmployee, makeItem, makeShift } from './seed-records.ts'
import { newId, type World } from './world.ts'

const amounts = {
  small: { categories: 5, items: 7, customers: 7, employees: 5, shifts: 7, orders: 7 },
  full: { categories: 40, items: 260, customers: 300, employees: 42, shifts: 2000, orders: 1200 },
}
const day = 86_400_000
/** The time of the oldest records: no record is older than the merchant. */
export const openedAgo = 400 * day

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): { unbalanced: string[] } {
  const seed = createSeed('clover restaurant')
  const random = (below: number) => seed.int(0, below - 1)
  const ago = (from: number, to: number): Making => ({
    seed,
    random,
    at: seed.instant(seededAt - from * day, seededAt - to * day),
  })
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  const { categories, items, customers, employees, shifts, orders } = amounts[size]
  const newOne = <T extends { id: string }>(collection: Collection<T>, one: Omit<T, 'id'>) => {
    const id = newId(random)
    collection.set(id, { ...one, id } as T)
  }
  newOne(world.taxRates, { name: 'Sales', rate: 825_000, isDefault: true })
  newOne(world.taxRates, { name: 'Alcohol', rate: 1_050_000, isDefault: false })
  newOne(world.taxRates, { name: 'Bottle deposit', rate: 0, taxAmount: 5, isDefault: false })
  for (const [label, key, opensCashDrawer, supportsTipping] of [
    ['Delivery app', undefined, false, false],
    ['Cash', 'com.clover.tender.cash', true, false],
    ['Credit Card', 'com.clover.tender.credit_card', false, true],
    ['Debit Card', 'com.clover.tender.debit_card', false, true],
    ['Check', 'com.clover.tender.check', true, false],
    ['External Gift Card', 'com.clover.tender.external_gift_card', false, false],
    ['External Payment', 'com.clover.tender.external_payment', false, false],
    ['Venmo', 'com.clover.venmo', false, false],
  ] as const)
    newOne(world.tenders, {
      ...(key && { labelKey: key }),
      ...{
        label,
        opensCashDrawer,
        supportsTipping,
        enabled: key !== 'com.clover.venmo',
        visible: true,
        editable: !key,
      },
    })
  const modifierGroup = { id: newId(random) }
  for (const [name, price] of [
    ['Oat milk', 60],
    ['Extra cheese', 100],
    ['Bacon', 250],
    ['No onions', 0],
  ] as const)
    newOne(world.modifiers, { name, price, available: true, modifierGroup })
  for (const [label, key, system] of [
    ['Dine-in', 'dine_in', 'DINE-IN-TYPE'],
    ['Take-out', 'take_out', 'TAKE-OUT-TYPE'],
    ['Delivery', 'delivery', 'DELIVERY-TYPE'],
  ] as const)
    newOne(world.orderTypes, { label, labelKey: `com.clover.order.type.${key}`, systemOrderTypeId: system })
  for (const name of categoryNames(dishes, categories)) makeCategory(world, ago(399, 300), name)
  // Items of one import share their time to the millisecond.
  const imported = ago(299, 298)
  many(items, (index) => makeItem(world, index % 3 === 0 ? imported : ago(299, 2)))
  many(customers, () => makeCustomer(world, ago(399, 1)))
  many(employees, (index) => makeEmployee(world, ago(399, 200), index === 0))
  many(shifts, (index) => makeShift(world, ago(199, 1), index % 40 === 3))
  let making = ago(380, 370)
  many(orders, (index) => {
    if (!seed.chance(0.05)) making = index % 3 === 0 ? ago(380, 91) : ago(90, 1)
    return makeOrder(world, making, { units: index === 2 ? 140 : 0 }) // more lines than a nested list contains
  })
  for (const kind of Object.values(kinds)) makeOrder(world, ago(80, 2), { kind })
  const odd = Object.values(oddKinds).map((kind) => [kind, makeOrder(world, ago(2, 1), { kind }).id] as const)
  return { unbalanced: odd.flatMap(([kind, id]) => (kind === oddKinds.unbalanced ? [id] : [])) }
}
