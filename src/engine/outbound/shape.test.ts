import { expect, it } from 'vitest'
import type { Shape } from '../../contract/connector.ts'
import { misshapen } from './shape.ts'

it('believes an empty array only with the header that its shape names', () => {
  const rows: Shape = [
    { '/0/id': 'id', '/*/id': 'id' },
    { '/*/id': 'id', 'header x-total': 'string' },
  ]
  expect(misshapen(rows, [])).toBeDefined()
  expect(misshapen(rows, [], { 'x-total': '0' })).toBeUndefined()
  expect(misshapen(rows, [{ id: 7 }])).toBeUndefined()
  for (const body of [{}, null, 'ok', [{}], [{ id: 7 }, {}]])
    expect(misshapen(rows, body, { 'x-total': '2' })).toBeDefined()
})

it('accepts one of several shapes', () => {
  const collection: Shape = [{ '/_embedded/rows/*/id': 'id' }, { '/_links': 'object' }]
  expect(misshapen(collection, { _embedded: { rows: [{ id: 'a' }] } })).toBeUndefined()
  expect(misshapen(collection, { _links: {} })).toBeUndefined()
  for (const body of [{}, null, [], { message: 'Service temporarily unavailable' }])
    expect(misshapen(collection, body)).toBeDefined()
})

const believed = (shape: Parameters<typeof misshapen>[0], bodies: readonly unknown[]) =>
  bodies.filter((body) => misshapen(shape, body) === undefined)
const bodies = [undefined, null, {}, [], 'ok', { message: 'no' }, [{ id: 1 }], [{}]]

it('believes a list, and no body in its place only if the elements are optional', () => {
  expect(believed({ '/*/id': 'id' }, bodies)).toEqual([[], [{ id: 1 }]])
  expect(believed({ '/*/id': 'id?' }, bodies)).toEqual([undefined, [], [{ id: 1 }]])
})
it('believes an empty object only if every member is optional, and never a missing body in its place', () => {
  expect(believed({ '/orders/*/id': 'id' }, bodies)).toEqual([])
  expect(believed({ '/orders/*/id': 'id?' }, bodies)).toEqual([{}])
})
it('believes only a 204 where nothing is expected', () => {
  expect(believed('nothing', bodies)).toEqual([undefined])
})
