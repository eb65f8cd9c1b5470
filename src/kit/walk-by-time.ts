import type { ListQuery, ReadCall } from '../contract/connector.ts'
import type { PageFunction } from './paging.ts'

export interface TimePlace<Time> {
  since: Time // modification time of the last row served
  seen: string[] // ids served with that time, the newest of them
  skip: number // rows with that time before those: only when more than can be remembered share one time
}
const remembered = 100

/**
 * Walks by modification time, ascending: the position is a time and the ids already served with it, never an offset
 * over the whole list, because a served row that is modified would shift every row behind it.
 * `fetch` returns rows with time >= `since` (absent at first: take `query.updatedAfter`, or the beginning), oldest
 * first, `offset` rows later, `limit` at most; fewer rows than `limit` end the walk.
 * `maximum` is the platform's largest limit: page size and remembered ids must fit into it together.
 */
export function walkByTime<Row, Time extends string | number>(options: {
  id(row: Row): string
  time(row: Row): Time
  fetch(
    call: ReadCall,
    query: ListQuery,
    from: { since?: Time; limit: number; offset: number },
  ): Promise<readonly Row[]>
  maximum?: number
}): PageFunction<Row, TimePlace<Time>> {
  const { id, time, fetch } = options
  return async (call, query, at) => {
    const cap = Math.max(1, Math.min(remembered, (options.maximum ?? Number.POSITIVE_INFINITY) - query.size))
    let skip = at?.skip ?? 0
    const seen = new Set(at?.seen)
    const limit = query.size + seen.size
    let fetched = await fetch(call, query, { since: at?.since, limit, offset: skip })
    // More rows of this time were deleted than are remembered, and no remembered row is left on the page: the rows of
    // this time are read again from the first.
    if (skip > 0 && !fetched.some((row) => seen.has(id(row)))) {
      skip = 0
      fetched = await fetch(call, query, { since: at?.since, limit, offset: 0 })
    }
    // The rows served with that time are listed again, unless all of them were deleted meanwhile: a page without any row
    // is read once more before it ends the walk.
    if (seen.size > 0 && fetched.length === 0)
      fetched = await fetch(call, query, { since: at?.since, limit, offset: skip })
    const rows = fetched.filter((row) => !seen.has(id(row)))
    const last = fetched.at(-1)
    if (last === undefined && seen.size > 0) return { rows, doubtful: true }
    if (last === undefined || fetched.length < limit) return { rows }
    const since = time(last)
    const same = fetched.filter((row) => time(row) === since).map(id)
    // Ids seen earlier stay remembered although a fetch did not show them: ties have no promised order.
    const known = since === at?.since ? [...new Set([...seen, ...same])] : same
    const dropped = Math.max(0, known.length - cap)
    return { rows, next: { since, seen: known.slice(dropped), skip: (since === at?.since ? skip : 0) + dropped } }
  }
}
