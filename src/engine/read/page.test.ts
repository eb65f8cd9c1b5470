import { expect, it } from 'vitest'
import type { EntityAdapter, Listing, ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import type { CursorState } from './cursor.ts'
import { EndedEarly, type Reuse, readPage } from './page.ts'

interface Row {
  id: string
  modified?: string
}
const call = {} as ReadCall
const adapterOf = (list: Partial<Listing<Row, number>> & Pick<Listing<Row, number>, 'page'>) =>
  ({
    id: (row: Row) => row.id,
    list: { pageLimit: 100, updatedAfter: 'service', ...list },
  }) as unknown as EntityAdapter<'product'>
const rows = (from: number, to: number): Row[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `r${from + index}` }))
/** Vendor pages of the given rows; the position is the page number. */
const pages = (...vendor: Row[][]) => ({
  page: async (_: ReadCall, __: unknown, at = 0) => ({
    rows: vendor[at] ?? [],
    ...(at + 1 < vendor.length ? { next: at + 1 } : {}),
  }),
})
const free = { freeNow: async () => true }
const ids = (found: unknown[]) => (found as Row[]).map(({ id }) => id)

async function walk(adapter: EntityAdapter<'product'>, size: number, slots = free): Promise<string[][]> {
  const served: string[][] = []
  for (let state: CursorState | undefined = { size, place: {} }; state; ) {
    const page = await readPage(adapter, call, JSON.parse(JSON.stringify(state)), slots)
    served.push(ids(page.rows))
    state = page.next
  }
  return served
}

it('cuts a vendor page that is larger than the page asked for, and resumes inside it', async () => {
  expect(await walk(adapterOf(pages(rows(1, 5), rows(6, 7))), 2)).toEqual([
    ['r1', 'r2'],
    ['r3', 'r4'],
    ['r5', 'r6'],
    ['r7'],
  ])
})
it('does not fill a page from further vendor pages when that would mean waiting', async () => {
  expect(await walk(adapterOf(pages(rows(1, 3), rows(4, 5))), 2, { freeNow: async () => false })).toEqual([
    ['r1', 'r2'],
    ['r3'],
    ['r4', 'r5'],
  ])
})
it('goes on over empty vendor pages, and ends with a cursor after many of them', async () => {
  const empty = Array.from({ length: 25 }, () => [] as Row[])
  const served = await walk(adapterOf(pages(...empty, rows(1, 2))), 5)
  expect(served).toEqual([[], ['r1', 'r2']])
})
it('ends an empty page with a cursor when its calls have waited long enough', async () => {
  const asked: boolean[] = []
  const slots = { freeNow: async (mayWait: boolean) => asked.push(mayWait) < 2 }
  const empty = Array.from({ length: 5 }, () => [] as Row[])
  const page = await readPage(adapterOf(pages(...empty)), call, { size: 2, place: {} }, slots)
  expect([page.rows, page.next?.place, asked]).toEqual([[], { at: 2 }, [true, true]])
})
it('finds its place by id when rows were added and removed in the vendor page meanwhile', async () => {
  let page = rows(1, 5)
  const adapter = adapterOf({ page: async () => ({ rows: page }) })
  const first = await readPage(adapter, call, { size: 2, place: {} }, free)
  page = [{ id: 'new' }, ...rows(2, 5)]
  const second = await readPage(adapter, call, first.next as CursorState, free)
  expect(ids(second.rows)).toEqual(['r3', 'r4'])
  page = [{ id: 'new' }, { id: 'r4' }, { id: 'last' }] // the next unserved row is gone: after the last served one
  expect(ids((await readPage(adapter, call, second.next as CursorState, free)).rows)).toEqual(['last'])
  page = [{ id: 'all' }, { id: 'others' }] // nothing is left to go by: rather twice than never
  expect(ids((await readPage(adapter, call, second.next as CursorState, free)).rows)).toEqual(['all', 'others'])
})
it('reads a page that had unserved rows once more when it is empty, and says that it was empty twice', async () => {
  for (const empty of [1, 2]) {
    let reads = 0
    const adapter = adapterOf({ page: async () => ({ rows: ++reads > 1 && reads <= 1 + empty ? [] : rows(1, 5) }) })
    const { next } = await readPage(adapter, call, { size: 3, place: {} }, free)
    const page = await readPage(adapter, call, next as CursorState, free)
    expect([reads, ids(page.rows), page.doubtful]).toEqual([
      3,
      ...(empty === 1 ? [['r4', 'r5'], undefined] : [[], true]),
    ])
  }
})
const counting = (vendor: Row[][], totals: (number | undefined)[]) =>
  adapterOf({
    page: async (_, __, at = 0) => ({
      rows: vendor[at] ?? [],
      ...(totals[at] === undefined ? {} : { total: totals[at] }),
      ...(at + 1 < vendor.length ? { next: at + 1 } : {}),
    }),
  })
it('refuses a list that ends with an empty page before the count of the platform', async () => {
  for (const size of [1, 3, 100])
    await expect(walk(counting([rows(1, 3), rows(4, 5), []], [9, 9, undefined]), size)).rejects.toMatchObject({
      code: 'downstream_error',
      detail:
        'The platform counts 9 records, and its list ended with an empty page after 5. Start again without a cursor, or retry later.',
      cause: expect.any(EndedEarly),
    })
})
it('accepts an empty last page behind all counted rows, and a page with rows however many are counted', async () => {
  const served = async (vendor: Row[][], totals: (number | undefined)[]) =>
    (await walk(counting(vendor, totals), 2)).flat()
  expect(await served([rows(1, 3), rows(4, 5), []], [5, 5, undefined])).toHaveLength(5)
  // Rows were deleted: the latest count holds.
  expect(await served([rows(1, 3), rows(4, 5), []], [9, 9, 5])).toHaveLength(5)
  expect(await served([rows(1, 3), rows(4, 5)], [9, 9])).toHaveLength(5)
  expect(await served([[]], [9])).toEqual([])
  // A walk of an earlier version has not counted.
  const unknown = counting([rows(1, 3), []], [9, 9])
  expect(await readPage(unknown, call, { size: 2, place: { at: 1 } }, free)).toEqual({ rows: [], gone: [] })
})
it('refuses to walk in a circle', async () => {
  const adapter = adapterOf({ page: async () => ({ rows: [], next: 7 }) })
  await expect(readPage(adapter, call, { size: 2, place: { at: 7 } }, free)).rejects.toMatchObject({
    code: 'downstream_error',
  })
})
it('filters strictly after the instant on the row itself, whatever the platform did', async () => {
  const modified = (id: string, at: string) => ({ id, modified: at })
  const adapter = adapterOf({
    modifiedAt: (row) => row.modified,
    ...pages([
      modified('before', '2026-01-01T00:00:00.999Z'),
      modified('at', '2026-01-01T00:00:01.000Z'),
      modified('after', '2026-01-01T00:00:01.001Z'),
      { id: 'unknown' },
    ]),
  })
  const { rows: found } = await readPage(
    adapter,
    call,
    { size: 10, updatedAfter: '2026-01-01T00:00:01.000Z', place: {} },
    free,
  )
  expect(ids(found)).toEqual(['after', 'unknown'])
})
it('includes the whole second of the instant where stamps are cut to seconds, and asks for it', async () => {
  const queries: (string | undefined)[] = []
  const adapter = adapterOf({
    modifiedAt: (row) => row.modified,
    stampPrecision: 'seconds',
    page: async (_, { updatedAfter }) => {
      queries.push(updatedAfter)
      return {
        rows: [
          { id: 'before', modified: '2026-01-01T00:00:04.000Z' },
          { id: 'in it', modified: '2026-01-01T00:00:05.000Z' },
        ],
      }
    },
  })
  for (const updatedAfter of ['2026-01-01T00:00:05.000Z', '2026-01-01T00:00:05.999Z']) {
    const { rows: found } = await readPage(adapter, call, { size: 10, updatedAfter, place: {} }, free)
    expect(ids(found)).toEqual(['in it'])
  }
  expect(queries).toEqual(['2026-01-01T00:00:04.999Z', '2026-01-01T00:00:04.999Z'])
})
it('cuts the page where the budget for second calls ends, and points exactly behind it', async () => {
  let budget = 3
  const adapter = adapterOf({
    ...pages(rows(1, 5)),
    complete: {
      size: 1,
      rows: async (_, chunk) => {
        if (budget-- <= 0) throw new Problem('too_many_requests', 'no slot')
        return chunk
      },
    },
  })
  const first = await readPage(adapter, call, { size: 5, place: {} }, free)
  expect(ids(first.rows)).toEqual(['r1', 'r2', 'r3'])
  budget = 9
  expect(ids((await readPage(adapter, call, first.next as CursorState, free)).rows)).toEqual(['r4', 'r5'])
  budget = 0
  await expect(readPage(adapter, call, { size: 5, place: {} }, free)).rejects.toMatchObject({
    code: 'too_many_requests',
  })
})

/** Rows that are completed by a call each, and may be used again. */
function completing(completedAt?: string) {
  const calls: string[] = []
  const kept = new Map<string, unknown>()
  const adapter = (listed: Row[], most?: number) =>
    adapterOf({
      ...pages(listed),
      modifiedAt: (row) => row.modified,
      complete: {
        size: 2,
        most,
        version: ({ modified }) => modified,
        rows: async (_, wanted) => {
          calls.push(...wanted.map(({ id }) => id))
          return wanted.map((row) => ({ ...row, modified: completedAt ?? row.modified, full: true }))
        },
      },
    })
  const keyOf = ({ id, version }: { id: string; version: string }) => `${id} ${version}`
  const reuse: Reuse = {
    find: async (versions) => versions.map((version) => kept.get(keyOf(version))),
    keep: async (found) => void found.map((row) => kept.set(keyOf(row), row.row)),
  }
  return { adapter, reuse, takeCalls: () => calls.splice(0) }
}
const stamped = (from: number, to: number) =>
  rows(from, to).map((row) => ({ ...row, modified: '2026-01-01T00:00:00.000Z' }))

it('completes only the rows that are new, changed or without a version', async () => {
  const { adapter, reuse, takeCalls } = completing()
  const read = async (listed: Row[]) =>
    (await readPage(adapter(listed), call, { size: 9, place: {} }, free, reuse)).rows
  await read([...stamped(1, 4), { id: 'none' }])
  expect(takeCalls()).toEqual(['r1', 'r2', 'r3', 'r4', 'none'])
  const changed = { id: 'r3', modified: '2026-01-02T00:00:00.000Z' }
  const found = await read([...stamped(1, 2), changed, ...stamped(4, 5), { id: 'none' }])
  expect(takeCalls()).toEqual(['r3', 'r5', 'none'])
  expect([ids(found), found.every((row) => (row as { full?: true }).full)]).toEqual([
    ['r1', 'r2', 'r3', 'r4', 'r5', 'none'],
    true,
  ])
})
it('does not use a completed row again that was older than the listed one', async () => {
  const { adapter, reuse, takeCalls } = completing('2025-12-31T00:00:00.000Z')
  for (let walks = 0; walks < 2; walks++)
    await readPage(adapter(stamped(1, 1)), call, { size: 9, place: {} }, free, reuse)
  expect(takeCalls()).toEqual(['r1', 'r1'])
})
it('ends a page before the row that needs one call too many, and goes on there', async () => {
  const { adapter, reuse } = completing()
  await readPage(adapter(stamped(3, 4)), call, { size: 9, place: {} }, free, reuse)
  const served: string[][] = []
  for (let state: CursorState | undefined = { size: 9, place: {} }; state; ) {
    const page = await readPage(adapter(stamped(1, 8), 3), call, state, free, reuse)
    served.push(ids(page.rows))
    state = page.next
  }
  expect(served).toEqual([
    ['r1', 'r2', 'r3', 'r4', 'r5'],
    ['r6', 'r7', 'r8'],
  ])
})
