import type { ListQuery, ReadCall } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import type { PageFunction } from './paging.ts'

export interface NumberPlace {
  page: number
  seen: string[] // ids of the rows served last
}
interface NumberedPage<Row> {
  rows: readonly Row[]
  more: boolean
}
const remembered = 20
const reach = 20 // pages searched around the position before the walk gives up

/**
 * Walks by page number (1, 2, …; an offset is `(page - 1) * query.size`). A row deleted or added in front shifts all
 * others, so the page before is read again: what follows the rows served last, and is none of them, comes next.
 * The platform must sort by something that does not change (id, creation time); by a modification time or a name a
 * changed row can still be missed.
 */
export function walkByNumber<Row>(options: {
  id(row: Row): string
  fetch(call: ReadCall, query: ListQuery, page: number): Promise<NumberedPage<Row>>
}): PageFunction<Row, NumberPlace> {
  const { id } = options
  return async (call, query, at = { page: 1, seen: [] }) => {
    const fetch = (page: number) => options.fetch(call, query, page)
    const seen = new Set(at.seen)
    // While all rows served so far are remembered, every other row is to be served. After that, only those behind the
    // first remembered one: what lies before it was served long ago.
    const complete = at.seen.length < remembered
    const sighted = (rows: readonly Row[]) =>
      complete ? rows[0] !== undefined && seen.has(id(rows[0])) : rows.some((row) => seen.has(id(row)))
    let { page: last } = at
    // This page before the one before it: the other way round, a row deleted between the two calls would be missed on
    // both.
    let { rows, more } = await fetch(last)
    let first = Math.max(1, last - 1)
    if (first < last) rows = [...(await fetch(first)).rows, ...rows]
    // Nothing known in sight: it moved, or is gone.
    while (seen.size > 0 && !sighted(rows) && (first > 1 || (!complete && more))) {
      if (last - first > reach) throw lost()
      if (first > 1) rows = [...(await fetch(--first)).rows, ...rows]
      if (!complete && more && !sighted(rows)) {
        const further = await fetch(++last)
        rows = [...rows, ...further.rows]
        more = further.more
      }
    }
    const start = complete
      ? 0
      : Math.max(
          0,
          rows.findIndex((row) => seen.has(id(row))),
        )
    const fresh = [...new Map(rows.slice(start).map((row) => [id(row), row])).values()].filter(
      (row) => !seen.has(id(row)),
    )
    if (!more) return { rows: fresh }
    return { rows: fresh, next: { page: last + 1, seen: [...at.seen, ...fresh.map(id)].slice(-remembered) } }
  }
}
const lost = (): NativeFailure =>
  new NativeFailure({ kind: 'cursor', message: 'The list changed so much that the place of this cursor is gone' })
