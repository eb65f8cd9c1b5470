import type { ReadCall } from '../../contract/connector.ts'
import type { PageFunction } from '../../kit/paging.ts'
import { addMs, latestOf, toUnixMs } from '../../kit/time.ts'

export interface WindowPlace {
  from: string
  lengthMs: number
  asOf?: string // when the place was reached: a page that is read again has the same windows
}
const second = 1000
const day = 86_400_000
// Toast allows one month, and February is the shortest; the last window is a day and a minute longer.
const longestMs = 26 * day
const marginMs = 60_000 // a window ends this long ago or has no end: current modifications must not be missed
const few = 25

/**
 * Walks records by modification time if the platform filters by it but guarantees no order: window by window, each read
 * at once and sorted here.
 * The position is a time. A record that is modified during the walk moves to a later window, so it is returned again
 * but never missed; the last window has no end.
 * `read` returns the rows with from <= time < to, or 'more' if they do not fit and the window can be halved.
 */
export function walkWindows<Row>(options: {
  id(row: Row): string
  modified(row: Row): string | undefined
  opened(call: ReadCall): Promise<string>
  firstMs: number
  read(call: ReadCall, from: string, to: string, divisible: boolean): Promise<readonly Row[] | 'more'>
}): PageFunction<Row, WindowPlace> {
  return async (call, query, at) => {
    const from = at?.from ?? latestOf(query.updatedAfter, await options.opened(call))!
    const asOf = call.now // of the next place
    const past = toUnixMs(at?.asOf ?? asOf) - marginMs - toUnixMs(from) // how much of the remaining time is settled
    let lengthMs = Math.min(at?.lengthMs ?? options.firstMs, longestMs)
    for (;;) {
      const last = lengthMs > past
      const to = last ? addMs(call.now, Math.max(0, -past) + day) : addMs(from, lengthMs)
      const smaller = Math.floor(Math.min(lengthMs, past) / 2)
      const found = await options.read(call, from, to, smaller >= second)
      if (found === 'more') {
        lengthMs = smaller
        continue
      }
      const time = (row: Row) => options.modified(row) ?? from
      const rows = found.toSorted((a, b) => compare(time(a), time(b)) || compare(options.id(a), options.id(b)))
      // Cut only between two times, so that a time alone is a position.
      let end = Math.min(query.size, rows.length)
      while (end > 0 && end < rows.length && time(rows[end]!) === time(rows[end - 1]!)) end++
      if (end < rows.length)
        return { rows: rows.slice(0, end), next: { from: addMs(time(rows[end - 1]!), 1), lengthMs, asOf } }
      return last
        ? { rows }
        : {
            rows,
            next: { from: to, lengthMs: rows.length < few ? Math.min(lengthMs * 2, longestMs) : lengthMs, asOf },
          }
    }
  }
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
