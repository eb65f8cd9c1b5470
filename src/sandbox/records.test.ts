// Records that change without the API, and the clock and serial numbers they use.
import { expect, it } from 'vitest'
import { createState } from './collection.ts'
import { createAdding, recordsIn } from './records.ts'
import { createClock, createSerial } from './world.ts'

interface Row {
  name: string
  at?: number
  deleted?: boolean
}
const open = () => {
  const state = createState()
  const rows = state.collection<Row>('rows')
  const serial = createSerial(state)
  const adding = createAdding(
    () => `added ${serial('seed')}`,
    () => 7,
  )
  const add = adding((seed, at, index) => {
    const id = `${serial('row')}-${index}`
    rows.set(id, { name: seed.article().name, at })
    return id
  })
  return { rows, add }
}

it('adds records from one seed per call, at the given time', () => {
  const { rows, add } = open()
  const records = recordsIn(rows, { add, touch: (row) => row })
  expect(records.add(2)).toEqual(['1-0', '2-1'])
  expect(records.add(1)).toEqual(['3-0'])
  expect(records.ids()).toEqual(['1-0', '2-1', '3-0'])
  expect(rows.values().map(({ at }) => at)).toEqual([7, 7, 7])
})
it('replaces a touched record, and deletes a record permanently', () => {
  const { rows, add } = open()
  const records = recordsIn(rows, { add, touch: (row) => ({ ...row, name: 'changed' }), remove: 'delete' })
  const [first, second] = records.add(2)
  records.touch(first!)
  records.remove!(second!)
  expect(rows.values()).toEqual([{ name: 'changed', at: 7 }])
})
it('stores a removed record in its deleted form and omits it from the ids', () => {
  const { rows, add } = open()
  const records = recordsIn(rows, {
    isListed: ({ deleted }) => !deleted,
    add,
    touch: (row) => row,
    remove: (row) => ({ ...row, deleted: true }),
  })
  const [first, second] = records.add(2)
  records.remove!(first!)
  expect(records.ids()).toEqual([second])
  expect(rows.get(first!)?.deleted).toBe(true)
})
it('offers no removal if the platform has none', () => {
  const { rows, add } = open()
  expect(recordsIn(rows, { add, touch: (row) => row })).not.toHaveProperty('remove')
})
it('ticks later every time, even if the clock stops or goes back', () => {
  const times = [100, 100, 50, 200]
  const clock = createClock(() => times.shift()!, createState())
  expect([clock.tick(), clock.tick(), clock.tick(), clock.tick()]).toEqual([100, 101, 102, 200])
})
it('numbers each kind from its first number, and continues after a restart', () => {
  const state = createState()
  const serial = createSerial(state)
  expect([serial('order'), serial('order'), serial('sku', 1001), serial('sku', 1001)]).toEqual([1, 2, 1001, 1002])
  expect(createSerial(state)('sku', 1001)).toBe(1003)
})
