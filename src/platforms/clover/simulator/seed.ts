// Fills the merchant with difficult orders over a few hundred days, so that some are older than Clover's 90 days.
import { categoryNames, dishes } from '../../../sandbox/goods.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import {
  type Making,
  makeCategory,
  makeCustomer,
  makeEmployee,
  makeItem,
  makeOrder,
  makeShift,
} from './seed-records.ts'
import { newId, type World } from './world.ts'

const amounts = {
  small: { categories: 5, items: 7, customers: 7, employees: 5, shifts: 7, orders: 7 },
  full: { categories: 40, items: 260, customers: 300, employees: 42, shifts: 2000, orders: 1200 },
}
const day = 86_400_000
/** The time of the oldest records: no record is older than the merchant. */
export const openedAgo = 400 * day

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
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
  for (const [name, rate, isDefault] of [['Sales', 825_000, true] as const, ['Alcohol', 1_050_000, false] as const]) {
    const id = newId(random)
    world.taxRates.set(id, { id, name, rate, isDefault })
  }
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
    return makeOrder(world, making, index === 2 ? 140 : undefined) // more lines than a nested list contains
  })
}
