// FreshBooks numbers its pages and does not document the order of rows. This walk is exact in any order and makes one
// call per page, because a call costs ten seconds.
import type { ListQuery, ReadCall } from '../../contract/connector.ts'
import type { PageFunction } from '../../kit/paging.ts'
import { addMs, compareInstants, toUnixMs } from '../../kit/time.ts'
import { walkByNumber } from '../../kit/walk-by-number.ts'

export interface Place {
  read: number // number of rows before this position
  seen: string[] // the rows read last
  began: string
  recent: string[] // returned rows that changed since the walk began, with their times
  closing?: true // the second list: rows that changed since the walk began
}
export interface ClientList<Row> {
  rows: readonly Row[]
  pages: number
}
interface Stretch<Row> {
  rows: readonly Row[] // the rows after the ones read last
  read: number
  more: boolean
}
export const largestPage = 100
const overlap = 5
const rememberedRows = 20
const rememberedChanges = 200
const clockDifferenceMs = 2 * 60_000

/**
 * A row that is deleted, or moves because it is changed, shifts the others: every page begins a few rows early and
 * continues after the rows read last.
 * A changed row may move to a position that was already read: at the end, rows that changed since the beginning are
 * requested and returned unless that version was already returned.
 */
export function walkClients<Row>(options: {
  id(row: Row): string
  changedAt(row: Row): string | undefined
  fetch(call: ReadCall, updatedAfter: string | undefined, page: number, size: number): Promise<ClientList<Row>>
}): PageFunction<Row, Place> {
  const { id, changedAt } = options
  return async (call, query, at) => {
    const place = at ?? { read: 0, seen: [], began: call.now, recent: [] }
    const start = addMs(place.began, -clockDifferenceMs)
    const markOf = (row: Row): string | undefined => {
      const changed = changedAt(row)
      return changed === undefined || compareInstants(changed, start) < 0
        ? undefined
        : `${id(row)} ${Math.floor((toUnixMs(changed) - toUnixMs(start)) / 1000)}`
    }
    // A row that changed since it was read may be anywhere now, so it cannot mark the position of the walk.
    const key = (row: Row): string => markOf(row) ?? id(row)
    const list = (page: number, size: number) =>
      options.fetch(call, place.closing ? start : query.updatedAfter, page, size)
    const { rows, read, more } = await following(list, key, place, query, call)
    const known = new Set(place.recent)
    const unserved = place.closing
      ? rows.filter((row) => markOf(row) !== undefined && !known.has(markOf(row)!))
      : [...rows]
    const recent = [...known, ...unserved.map(markOf).filter((mark) => mark !== undefined)].slice(-rememberedChanges)
    if (more)
      return {
        rows: unserved,
        next: { ...place, read, seen: [...place.seen, ...rows.map(key)].slice(-rememberedRows), recent },
      }
    // A list in a single response is consistent.
    if (place.closing || at === undefined) return { rows: unserved }
    return { rows: unserved, next: { read: 0, seen: [], began: place.began, recent, closing: true } }
  }
}

async function following<Row>(
  list: (page: number, size: number) => Promise<ClientList<Row>>,
  key: (row: Row) => string,
  place: Place,
  query: ListQuery,
  call: ReadCall,
): Promise<Stretch<Row>> {
  const window = windowAfter(place.read, Math.min(query.size, largestPage))
  const { rows, pages } = await list(window.page, window.size)
  const seen = new Set(place.seen)
  const first = place.read === 0 ? 0 : rows.findIndex((row) => seen.has(key(row)))
  if (first < 0) {
    // The shift exceeds the overlap: search in both directions.
    const walk = walkByNumber<Row>({
      id: key,
      async fetch(_call, _query, page) {
        const answer = await list(page, largestPage)
        return { rows: answer.rows, more: page < answer.pages }
      },
    })
    const found = await walk(call, query, { page: Math.floor(place.read / largestPage) + 1, seen: place.seen })
    return { rows: found.rows, read: ((found.next?.page ?? 1) - 1) * largestPage, more: found.next !== undefined }
  }
  const fresh = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => index >= first && !seen.has(key(row)))
  const served = fresh.slice(0, query.size)
  const cut = fresh[served.length]
  return {
    rows: served.map(({ row }) => row),
    read: (window.page - 1) * window.size + (cut?.index ?? rows.length),
    more: cut !== undefined || window.page < pages,
  }
}

/**
 * The smallest page that begins at least `overlap` rows early and contains `target` new rows; if there is none, the
 * page with the most new rows.
 */
function windowAfter(read: number, target: number): { page: number; size: number } {
  const from = Math.max(0, read - overlap)
  let best = { page: 1, size: largestPage, fresh: Number.NEGATIVE_INFINITY }
  for (let size = 1; size <= largestPage; size++) {
    const page = Math.floor(from / size) + 1
    const fresh = page * size - read
    if (fresh > best.fresh) best = { page, size, fresh }
    if (fresh >= target) break
  }
  return best
}
