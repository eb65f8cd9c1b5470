import { describe, expect, it } from 'vitest'
import type { IndexRow, Watch } from '../store/changes.ts'
import { digestOf, fingerprintOf, revisionOf } from './fingerprint.ts'
import { changedIds, type KeptRecord, observe, type Read, type ReadRow } from './observe.ts'

const watch: Watch = { id: 1, entityType: 'product', epoch: 1, state: { phase: 'ready' } }
const rowOf = (nativeId: string, name: string, over: Partial<ReadRow> = {}): ReadRow => ({
  nativeId,
  record: { externalId: nativeId, name },
  fingerprint: fingerprintOf({ externalId: nativeId, name }),
  digest: digestOf({ nativeId, name }),
  modified: 1000,
  ...over,
})
const indexOf = (...rows: ReadRow[]) =>
  new Map(
    rows.map(({ nativeId, group, fingerprint, digest, modified }): [string, IndexRow] => [
      nativeId,
      { nativeId, group, fingerprint, digest, modified, revision: 7 },
    ]),
  )
const seen = (read: Partial<Read>) =>
  observe({
    watch,
    revision: 7,
    origin: 'walk',
    rows: [],
    index: new Map(),
    keepRecords: true,
    settleMs: 5000,
    ...read,
  })
const nothing = { put: [], changes: [], newHints: [], older: [], created: 0, unreadable: 0, stamps: [] }
const old = rowOf('a', 'Tea')

describe('a row that is new', () => {
  it('is created, with its record and time', () => {
    const { put, changes, created, stamps } = seen({ rows: [old], origin: 'poll' })
    expect(put).toEqual([...indexOf(old).values()])
    expect(changes).toEqual([
      { watch, operation: 'created', nativeId: 'a', modifiedAt: 1000, origin: 'poll', record: { data: old.record } },
    ])
    expect([created, stamps]).toEqual([1, [1000]])
  })
  it('is stored and not reported by a first walk', () => {
    expect(seen({ rows: [old], silent: true })).toMatchObject({ put: [{ nativeId: 'a' }], changes: [], created: 1 })
  })
  it('has no record in the log if records are not kept', () => {
    expect(seen({ rows: [old], keepRecords: false }).changes[0]).not.toHaveProperty('record')
  })
  it('keeps the native values of mappings with the record', () => {
    const native = { '/tax': 7 }
    expect(seen({ rows: [rowOf('a', 'Tea', { native })] }).changes[0]?.record).toEqual({ data: old.record, native })
  })
  it('names the credential of an own write', () => {
    expect(seen({ rows: [old], origin: 'write', writtenBy: 'key' }).changes[0]).toMatchObject({
      origin: 'write',
      writtenBy: 'key',
    })
  })
  it('waits for a create that is under way, and not for an update of another record', () => {
    const hint = { entityType: 'product', nativeId: 'a', origin: 'hint', dueInMs: 5000 }
    const writing = { updates: new Set<string>(), creates: true }
    expect(seen({ rows: [old], writing })).toEqual({ ...nothing, newHints: [hint] })
    const other = { updates: new Set(['b']), creates: false }
    expect(seen({ rows: [old], writing: other }).changes).toHaveLength(1)
  })
})

describe('a row that the index has', () => {
  const index = indexOf(old)
  it('is silent if nothing changed, listed or read by id', () => {
    expect(seen({ rows: [old], index })).toEqual(nothing)
    expect(seen({ rows: [{ ...old, digest: undefined }], index })).toEqual(nothing)
    expect(seen({ rows: [{ ...old, modified: undefined }], index })).toEqual(nothing)
  })
  it('is updated, with what changed if the form before is in the log', () => {
    const rows = [rowOf('a', 'Green tea', { modified: 2000 })]
    const before: KeptRecord = { data: { externalId: 'a', name: 'Tea', gone: 1 } }
    const { changes, created, put } = seen({ rows, index, last: new Map([['a', { record: before }]]) })
    expect(changes).toMatchObject([{ operation: 'updated', modifiedAt: 2000, changed: ['/gone', '/name'] }])
    expect([created, put[0]?.modified]).toEqual([0, 2000])
    expect(seen({ rows, index }).changes[0]).not.toHaveProperty('changed')
    expect(seen({ rows, index, last: new Map([['a', {}]]) }).changes[0]).not.toHaveProperty('changed')
  })
  it('is stored and not reported when only its stamp, its native row or its group changed', () => {
    for (const over of [{ modified: 2000 }, { digest: digestOf('other') }, { group: 'g' }])
      expect(seen({ rows: [{ ...old, ...over }], index })).toMatchObject({ put: [over], changes: [], stamps: [] })
  })
  it('loses its digest when a read by id finds a change', () => {
    const rows = [rowOf('a', 'Green tea', { digest: undefined })]
    expect(seen({ rows, index }).put[0]?.digest).toBeUndefined()
  })
  it('keeps digest, group and stamp that a read by id does not have', () => {
    const grouped = indexOf({ ...old, group: 'g' })
    const rows = [rowOf('a', 'Green tea', { digest: undefined, modified: undefined })]
    expect(seen({ rows, index: grouped }).put).toMatchObject([{ group: 'g', modified: 1000 }])
    expect(seen({ rows: [{ ...old, digest: undefined, modified: 3000 }], index: grouped }).put).toMatchObject([
      { group: 'g', modified: 3000, digest: old.digest },
    ])
  })
  it('becomes a hint when it is older than the index, even if the content differs', () => {
    const rows = [rowOf('a', 'Green tea', { modified: 999 })]
    const hint = { entityType: 'product', nativeId: 'a', origin: 'hint', dueInMs: 5000 }
    expect(seen({ rows, index })).toEqual({ ...nothing, older: ['a'], newHints: [hint] })
    expect(seen({ rows, index, acceptOlder: true }).changes).toMatchObject([{ operation: 'updated' }])
  })
  it('waits for its hint and for its write, whatever it shows', () => {
    const rows = [rowOf('a', 'Green tea')]
    expect(seen({ rows, index, hinted: new Set(['a']) })).toEqual(nothing)
    const writing = { updates: new Set(['a']), creates: false }
    expect(seen({ rows, index, writing })).toMatchObject({ put: [], changes: [], newHints: [{ nativeId: 'a' }] })
    expect(seen({ rows: [old], index, writing })).toEqual(nothing)
    const creates = { updates: new Set<string>(), creates: true }
    expect(seen({ rows, index, writing: creates }).changes).toHaveLength(1)
  })
  it('stays as it is when the record cannot be normalized', () => {
    expect(seen({ rows: [{ ...old, record: undefined }], index })).toEqual({ ...nothing, unreadable: 1 })
  })
  it('is reported by a first walk neither when it is new nor when it changed', () => {
    expect(seen({ rows: [rowOf('a', 'Green tea')], index, silent: true })).toMatchObject({
      put: [{ nativeId: 'a' }],
      changes: [],
    })
  })
  it('counts twice in a page only if it changed in between', () => {
    const newer = rowOf('a', 'Green tea', { modified: 2000 })
    expect(seen({ rows: [old, old, newer, newer], index })).toMatchObject({ put: [{ modified: 2000 }] })
    expect(seen({ rows: [newer, newer], index }).changes).toHaveLength(1)
    expect(seen({ rows: [newer, old], index })).toMatchObject({ changes: [{ modifiedAt: 2000 }], older: ['a'] })
    const created = seen({ rows: [old, newer] })
    expect(created.changes).toMatchObject([{ operation: 'created' }, { operation: 'updated', changed: ['/name'] }])
    expect([created.created, created.put.length]).toEqual([1, 1])
  })
})

describe('a row that the index has with another revision', () => {
  const index = indexOf(old)
  const remapped = { ...rowOf('a', 'TEA'), digest: old.digest }
  it('is silent as long as the platform sends the same', () => {
    const { put, changes } = seen({ rows: [remapped], index, revision: 8 })
    expect(changes).toEqual([])
    expect(put).toMatchObject([{ revision: 8, fingerprint: remapped.fingerprint }])
  })
  it('is silent when the record is the same, whatever the platform sends', () => {
    expect(seen({ rows: [{ ...old, digest: digestOf('other') }], index, revision: 8 })).toMatchObject({
      put: [{ revision: 8 }],
      changes: [],
    })
  })
  it('is updated when the native row differs or is unknown on either side', () => {
    const unknown = indexOf({ ...old, digest: undefined })
    for (const [row, known] of [
      [{ ...remapped, digest: digestOf('other') }, index],
      [{ ...remapped, digest: undefined }, index],
      [remapped, unknown],
    ] as const)
      expect(seen({ rows: [row], index: known, revision: 8 }).changes).toMatchObject([{ operation: 'updated' }])
  })
})

it('names the records that need more to be decided', () => {
  const read = { watch, revision: 7, origin: 'walk', keepRecords: true, settleMs: 1 } as const
  const rows = [old, rowOf('b', 'Milk'), rowOf('c', 'new'), rowOf('d', 'older', { modified: 1 })]
  const index = indexOf(old, rowOf('b', 'Cream'), rowOf('d', 'newer'))
  expect(changedIds({ ...read, rows, index })).toEqual(['b', 'c'])
})

describe('a fingerprint', () => {
  it('has 16 bytes, and is the same for the same content in any order', () => {
    const print = fingerprintOf({ a: 1, b: { c: [1, 2], d: undefined } }, { '/x': 1 })
    expect(print).toHaveLength(16)
    expect(fingerprintOf({ b: { c: [1, 2] }, a: 1 }, { '/x': 1 })).toEqual(print)
    for (const other of [
      fingerprintOf({ a: 1, b: { c: [2, 1] } }, { '/x': 1 }),
      fingerprintOf({ a: 1, b: { c: [1, 2] } }, { '/x': 2 }),
      fingerprintOf({ a: '1', b: { c: [1, 2] } }, { '/x': 1 }),
    ])
      expect(other).not.toEqual(print)
    expect(fingerprintOf({ a: 1 })).toEqual(fingerprintOf({ a: 1 }, {}))
  })
  it('belongs to a revision of the adapter and the pointers of mappings', () => {
    expect(revisionOf(1, ['/a', '/b'])).toBe(revisionOf(1, ['/b', '/a']))
    expect(new Set([revisionOf(1, []), revisionOf(2, []), revisionOf(1, ['/a'])]).size).toBe(3)
    expect(digestOf({ a: 1 })).toHaveLength(8)
  })
})
