import { expect, it } from 'vitest'
import { isWithin, takerAt, valueAt } from './pointer.ts'

it('reads what a record has itself, and never what it inherits', () => {
  const own = { length: 3, map: 'm', constructor: { name: 'own' }, lines: [{ at: 1 }] }
  const pointers = ['/constructor', '/constructor/name', '/toString', '/__proto__', '/length', '/map', '/lines/map']
  for (const read of [valueAt, (record: unknown, pointer: string) => takerAt(pointer)(record)]) {
    for (const record of [{}, [], { lines: [] }, 'text', 7, null, undefined])
      for (const pointer of pointers)
        expect(read(record, pointer), pointer).toBe(pointer === '/length' && Array.isArray(record) ? 0 : undefined)
    expect(pointers.map((pointer) => read(own, pointer))).toEqual([
      own.constructor,
      'own',
      undefined,
      undefined,
      3,
      'm',
      undefined,
    ])
    expect(['/lines/0/at', '/lines/1/at', '/lines/0/at/toString', ''].map((pointer) => read(own, pointer))).toEqual([
      1,
      undefined,
      undefined,
      own,
    ])
  }
})
it('knows what is within an object or an array, by whole steps', () => {
  const within = (pattern: string) =>
    ['/address', '/address/line1', '/addressee', '/lines/0/tax', '/lines/0/tax/rate', '/lines/0'].filter((pointer) =>
      isWithin(pointer, pattern),
    )
  expect(within('/address')).toEqual(['/address', '/address/line1'])
  expect(within('/address/line1')).toEqual(['/address/line1'])
  expect(within('/lines/*/tax')).toEqual(['/lines/0/tax', '/lines/0/tax/rate'])
})
