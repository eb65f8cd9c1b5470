import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import type { Tenant } from '../../../sandbox/simulator.ts'
import { createSquareSimulator } from './simulator.ts'

let sandbox: Sandbox
let restaurant: Tenant
beforeAll(async () => {
  sandbox = await createSandbox({ simulators: { square: createSquareSimulator }, size: 'full', strict: false })
  restaurant = sandbox.simulator('square').tenants.find(({ vertical }) => vertical === 'restaurant')!
})
afterAll(() => sandbox.close())

describe('shows records that are added, changed and removed without the API', () => {
  it.each([
    ...(['product', 'order', 'customer', 'category', 'employee', 'time_entry'] as const),
    ...(['payment', 'refund', 'tax_rate'] as const),
  ])('%s', (entity) => {
    const records = restaurant.records[entity]!
    const before = records.ids()
    const added = records.add(3)
    expect(records.ids()).toEqual([...before, ...added])
    for (const id of added) records.touch(id)
    if (records.remove) for (const id of added) records.remove(id)
    expect(records.ids()).toEqual(records.remove ? before : [...before, ...added])
  })
  it('seeds few records with size small', async () => {
    const small = await createSandbox({ simulators: { square: createSquareSimulator }, size: 'small' })
    const counts = Object.entries(small.simulator('square').tenants[0]!.records).map(([entity, { ids: list }]) => [
      entity,
      list().length,
    ])
    expect(Object.fromEntries(counts)).toEqual({
      product: 7,
      order: 22,
      customer: 7,
      category: 5,
      employee: 5,
      time_entry: 7,
      shift: 6,
      location: 3,
      payment: 23,
      refund: 3,
      tax_rate: 3,
      payment_method: 19,
    })
    await small.close()
  })
})
