import { describe, expect, it } from 'vitest'
import { allFlavors, createValidator, type Flavor, flavorOf } from './validation.ts'

const { write } = flavorOf('restaurant', 'customer') as Flavor
const withUnknown = (count: number) => ({
  externalId: 'C-1',
  name: 'Ada',
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
})

it.each([1, 50, 198])('%i unknown fields are refused, with their names', (count) => {
  const violations = write.violations(withUnknown(count))
  expect(violations).toHaveLength(count)
  expect(
    violations.every(
      ({ pointer, message }) => /^\/k\d+$/.test(pointer) && message === 'is not a field of this entity; remove it',
    ),
  ).toBe(true)
})

describe('a body that no record needs', () => {
  it('is refused by the number of its fields, wherever they are', () => {
    expect(write.violations(withUnknown(60_000))).toEqual([
      { pointer: '', message: 'has 60002 fields; at most 200 are read' },
    ])
    const address = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, 1]))
    expect(write.violations({ externalId: 'C-1', name: 'Ada', address })).toEqual([
      { pointer: '/address', message: 'has 201 fields; at most 200 are read' },
    ])
  })

  it('is refused by the number of its entries', () => {
    const order = (flavorOf('restaurant', 'order') as Flavor).write
    const lines = (count: number) => Array.from({ length: count }, () => ({ name: 'Tea', quantity: 1 }))
    expect(order.violations({ externalId: 'O-1', lineItems: lines(1_000) })).toEqual([])
    expect(order.violations({ externalId: 'O-1', lineItems: lines(1_001) })).toEqual([
      { pointer: '/lineItems', message: 'has 1001 entries; at most 1000 are taken in one record' },
    ])
  })

  it('names at most 200 violations', () => {
    const order = (flavorOf('restaurant', 'order') as Flavor).write
    const lineItems = Array.from({ length: 1_000 }, () => ({ quantity: -1, unknown: 1, another: 2 }))
    const { length } = order.violations({ externalId: 'O-1', lineItems })
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThanOrEqual(200)
  })
})

it.each(allFlavors().map((flavor) => [flavor.definition.entityType, flavor.vertical, flavor] as const))(
  'the schema of %s in %s gives the same violations before and after it is compiled',
  (_entityType, _vertical, { write: { schema }, definition: { example } }) => {
    const broken = { ...(example as object), externalId: 7, createdAt: 'soon', name: null, unknown: { deep: [1] } }
    for (const value of [example, broken, {}, [], null, 'text']) {
      const validator = createValidator(schema)
      const first = validator.violations(value)
      for (let check = 0; check < 5; check++) expect(validator.violations(value)).toEqual(first)
      const valid = first.length === 0
      expect([createValidator(schema).check(value), validator.check(value)]).toEqual([valid, valid])
    }
  },
)
