import { expect, it } from 'vitest'
import { type Flavor, flavorOf } from './validation.ts'

it.each([1, 199, 200, 201, 5_000])('%i unknown fields are refused, with their names', (count) => {
  const { write } = flavorOf('restaurant', 'customer') as Flavor
  const record = {
    externalId: 'C-1',
    name: 'Ada',
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
  }
  const violations = write.violations(record)
  expect(violations.length).toBeGreaterThan(0)
  expect(
    violations.every(({ pointer, message }) => /^\/k\d+$/.test(pointer) && message === 'is not a field of this entity'),
  ).toBe(true)
})
