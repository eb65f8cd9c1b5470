import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

it('evicts the key that was set longest ago, and only when a new key needs its place', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ])
  map.get('b')
  map.set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
  map.delete('a')
  map.set('d', 5)
  expect([...map.keys()]).toEqual(['c', 'd'])
})

it('evicts the key undefined like any other', () => {
  const map = new BoundedMap<string | undefined, number>(1)
  map.set(undefined, 1).set('a', 2)
  expect([...map.keys()]).toEqual(['a'])
})

it('holds exactly the keys that were set last, up to its limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 0, max: 9 })), (limit, keys) => {
      const map = new BoundedMap<number, number>(limit)
      for (const [index, key] of keys.entries()) map.set(key, index)
      const last = [...new Set(keys.toReversed())].slice(0, limit).toReversed()
      expect([...map]).toEqual(last.map((key) => [key, keys.lastIndexOf(key)]))
    }),
  )
})
