// Clover's two stable walks: https://docs.clover.com/dev/docs/paginating-elements
import type { ListQuery, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { PageFunction } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { toUnixMs } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import { below, rowsIn } from './account.ts'

export const largestPage = 1000
/** Leaves room for the ids that the walk by time stores in its cursor. */
export const pageLimit = 900

export interface Timed {
  id: string
  modifiedTime?: number
}
/** By modification time, oldest first; `until` is exclusive. */
export function byModification<Row extends Timed>(
  collection: string,
  expand?: string,
  until?: number,
): PageFunction<Row, TimePlace<number>> {
  return walkByTime<Row, number>({
    id: (row) => row.id,
    time: (row) => row.modifiedTime ?? 0,
    maximum: largestPage,
    fetch: async (
      call,
      { updatedAfter },
      { since = updatedAfter === undefined ? 0 : toUnixMs(updatedAfter), limit, offset },
    ) => {
      const filter = [`modifiedTime>=${since}`, ...(until === undefined ? [] : [`modifiedTime<${until}`])]
      const rows = rowsIn<Row>(
        await call.read(get(below(call, collection), { filter, orderBy: 'modifiedTime ASC', expand, limit, offset })),
      )
      // The walk depends on the order, and Clover ignores unknown parameters.
      if (rows.some((row, n) => n > 0 && (row.modifiedTime ?? 0) < (rows[n - 1]!.modifiedTime ?? 0)))
        throw new NativeFailure({
          kind: 'unavailable',
          message: `Clover did not sort ${collection} by modification time`,
        })
      return rows
    },
  })
}

/**
 * By creation time, newest first, which is Clover's default: changes do not move rows, and the walk detects rows that
 * are added in front.
 */
export const byCreation = <Row extends { id: string }>(
  fetch: (call: ReadCall, query: ListQuery, page: { limit: number; offset: number }) => Promise<Row[]>,
): PageFunction<Row, NumberPlace> =>
  walkByNumber<Row>({
    id: (row) => row.id,
    fetch: async (call, query, page) => {
      const rows = await fetch(call, query, { limit: query.size, offset: (page - 1) * query.size })
      return { rows, more: rows.length === query.size }
    },
  })
