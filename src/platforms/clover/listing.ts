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
/** `torn`: it changed between the calls for its parts, and lacks some. */
export type Joined<Row> = Row & { torn?: true }
/**
 * By modification time, oldest first; `until` is exclusive. A call has at most three expansions: several `parts` are as
 * many calls for the same rows.
 */
export function byModification<Row extends Timed>(
  collection: string,
  parts: readonly string[] = [],
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
      const read = async (expand?: string) =>
        rowsIn<Row>(
          await call.read(get(below(call, collection), { filter, orderBy: 'modifiedTime ASC', expand, limit, offset })),
        )
      const rows = await read(parts[0])
      // The walk depends on the order, and Clover ignores unknown parameters.
      if (rows.some((row, n) => n > 0 && (row.modifiedTime ?? 0) < (rows[n - 1]!.modifiedTime ?? 0)))
        throw new NativeFailure({
          kind: 'unavailable',
          message: `Clover did not sort ${collection} by modification time`,
        })
      const others: Map<string, Row>[] = []
      for (const expand of rows.length > 0 ? parts.slice(1) : [])
        others.push(new Map((await read(expand)).map((row) => [row.id, row])))
      return rows.map((row): Joined<Row> => {
        const found = others.map((rest) => rest.get(row.id))
        return found.every((part) => part?.modifiedTime === row.modifiedTime)
          ? Object.assign({}, row, ...found)
          : { ...row, torn: true }
      })
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
