// What all endpoints share: the dated version, ids, and lists by version.
// https://x-series-api.lightspeedhq.com/docs/pagination

import type { ListQuery, NativeRequest, Page, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { latestOf, toUtc } from '../../kit/time.ts'
import { walkByNumber } from '../../kit/walk-by-number.ts'

/**
 * Versions are dated and supported for a year; requests for a retired version are silently served by the oldest
 * supported one.
 */
export const api = '/api/2026-07'
export const pageLimit = 200
/** For small rows that are only counted or looked up; no maximum is documented. */
const widePage = 1000

export interface Stamped {
  id: string
  created_at?: string
  updated_at?: string
  deleted_at?: string | null
  version?: number
}
export const isId = (id: string | undefined): id is string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id ?? '')
export const living = ({ deleted_at }: { deleted_at?: string | null }): boolean => !deleted_at

export const modifiedAt = ({ updated_at, created_at }: Stamped): string | undefined =>
  latestOf(toUtc(updated_at), toUtc(created_at))
/** 0.15 is 15 %. */
export const percentOf = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : Number(`${rate.toFixed(8)}e2`)
/** An account without stored scopes may do everything. */
export const may = ({ account }: ReadCall, scope: string): boolean =>
  text(account.settings.scope)?.split(/\s+/).includes(scope) ?? true

type Query = NonNullable<NativeRequest['query']>
export interface VersionPage<Row> {
  rows: readonly Row[]
  max?: number // absent if nothing follows; a short page is not the end
}
async function readVersions<Row>(call: ReadCall, path: string, query: Query): Promise<VersionPage<Row>> {
  const { body } = await call.read(get(`${api}${path}`, query))
  const rows = list<Row>(body?.data)
  if (!rows.length) return { rows }
  if (typeof body.version?.max !== 'number')
    throw new NativeFailure({ kind: 'unavailable', message: 'A list has no versions' })
  return { rows, max: body.version.max }
}

/**
 * A list in the order of its versions. Every change gives a row the next version, so all rows before the position were
 * returned, and a row that changes during the walk is returned again at the end.
 * Each row has its version, so a page can end after any row: it is never larger than requested and need not be cut.
 */
export const walkByVersion =
  <Row>(path: string, row: { version(row: Row): number | undefined; stamps(row: Row): Stamped }) =>
  async (call: ReadCall, { size, updatedAfter }: ListQuery, at = 0): Promise<Page<Row, number>> => {
    const rows: Row[] = []
    const target = (candidate: Row) =>
      living(row.stamps(candidate)) &&
      (updatedAfter === undefined || (modifiedAt(row.stamps(candidate)) ?? updatedAfter) >= updatedAfter)
    // No list can be filtered by time: with updatedAfter, pages have the maximum size. Otherwise a page is filled up
    // for omitted rows.
    const page_size = updatedAfter === undefined ? size : pageLimit
    const rounds = updatedAfter === undefined ? 3 : 1
    for (let after = at, round = 1; ; round++) {
      const page = await readVersions<Row>(call, path, { after, page_size })
      for (const candidate of page.rows.filter(target)) {
        const place = rows.length >= size ? row.version(rows.at(-1)!) : undefined
        if (place !== undefined) return { rows, next: place }
        rows.push(candidate)
      }
      if (page.max === undefined) return { rows }
      after = page.max
      if (rows.length >= size || round === rounds) return { rows, next: after }
    }
  }

class EndOfList extends Error {}
/**
 * All rows of a list, at the cost of its newest part: pages are cached for minutes, because a changed row moves from
 * its page to the end. Rows are sorted by version, so a later row with the same id replaces an earlier one.
 * Progress is cached page by page, so that a long list is read even if it exceeds the deadline of one request.
 */
export const readAll = <Row, Kept>(
  call: ReadCall,
  path: string,
  query: Query,
  keep: (row: Row) => Kept,
): Promise<Kept[]> =>
  readPages(call, path, keep, (after) => readVersions<Row>(call, path, { ...query, after, page_size: widePage }))
/** The same of any list in the order of its versions; `name` is that of its cached pages. */
export async function readPages<Row, Kept>(
  call: ReadCall,
  name: string,
  keep: (row: Row) => Kept,
  read: (after: number) => Promise<VersionPage<Row>>,
): Promise<Kept[]> {
  const found: Kept[] = []
  for (let after = 0; ; ) {
    const load = async () => {
      const { rows, max } = await read(after)
      if (max === undefined) throw new EndOfList() // failures are not cached: the end is requested each time
      return { rows: rows.map(keep), max }
    }
    try {
      const page = await call.cached(`${name} after ${after}`, load)
      found.push(...page.rows)
      after = page.max
    } catch (error) {
      if (error instanceof EndOfList) return found
      throw error
    }
  }
}

/** The search matches whole values. */
export const searchWalk = <Row extends { id: string }>(type: string, filter: Readonly<Record<string, string>>) =>
  walkByNumber<Row>({
    id: (row) => row.id,
    async fetch(call, { size }, page) {
      const query = { type, ...filter, page_size: size, offset: (page - 1) * size }
      const rows = list<Row>((await call.read(get(`${api}/search`, query))).body?.data)
      return { rows, more: rows.length === size }
    },
  })
