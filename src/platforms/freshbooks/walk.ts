// FreshBooks numbers its pages and does not say in which order its rows come. This walk is exact in any order, and asks once a page, since a call costs ten seconds.
import type { ListQuery, ReadCall } from '../../contract/connector.ts'
import type { PageFunction } from '../../kit/paging.ts'
import { addMs, compareInstants, toUnixMs } from '../../kit/time.ts'
import { walkByNumber } from '../../kit/walk-by-number.ts'

export interface Place {
  read: number // rows of the list that lie before this place
  seen: string[] // the rows read last
  began: string
  recent: string[] // rows served that were changed since the walk began, and when
  closing?: true // the second list: what was changed since the walk began
}
export interface ClientList<Row> {
  rows: readonly Row[]
  pages: number
}
interface Stretch<Row> {
  rows: readonly Row[] // as they follow the ones read last
  read: number
  more: boolean
}
export const largestPage = 100
const overlap = 5
const rememberedRows = 20
const rememberedChanges = 200
const clockDifferenceMs = 2 * 60_000

/**
 * A row that is deleted, or moves because it is changed, shifts the others: every page begins a few rows early, and what follows the rows read last comes next.
 * A changed row may itself move to where the walk has been: at the end, what was changed since the beginning is asked for, and served unless it was served just so.
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
    // A row that has changed since it was read is another one: it may stand anywhere now, and cannot show where the walk has come to.
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
    // A list that came in one answer is of one moment.
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
    // Further away than the overlap reaches: searched for in both directions.
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

/** The smallest page that begins at least `overlap` rows early and brings `wanted` new rows; where none does, the one that brings most. */
function windowAfter(read: number, wanted: number): { page: number; size: number } {
  const from = Math.max(0, read - overlap)
  let best = { page: 1, size: largestPage, fresh: Number.NEGATIVE_INFINITY }
  for (let size = 1; size <= largestPage; size++) {
    const page = Math.floor(from / size) + 1
    const fresh = page * size - read
    if (fresh > best.fresh) best = { page, size, fresh }
    if (fresh >= wanted) break
  }
  return best
}
