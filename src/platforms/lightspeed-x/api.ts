// What all endpoints share: the dated version, ids, and lists by version. https://x-series-api.lightspeedhq.com/docs/pagination
import type { ListQuery, NativeRequest, Page, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { addMs, latestOf, toUtc } from '../../kit/time.ts'

/** Versions are dated and live a year; one that has ended is answered by the oldest living one, and nothing says so. */
export const api = '/api/2026-07'
export const pageLimit = 200
/** For narrow rows that are only counted or looked up; no maximum is documented. */
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

/** Stamps are whole seconds: what was changed at 05.900 says 05. Its last millisecond counts, so that nothing is missed. */
export function modifiedAt({ updated_at, created_at }: Stamped): string | undefined {
  const latest = latestOf(toUtc(updated_at), toUtc(created_at))
  return latest === undefined ? undefined : addMs(latest, 999)
}
/** An account that tells no scopes may do all. */
export const may = ({ account }: ReadCall, scope: string): boolean =>
  text(account.settings.scope)?.split(/\s+/).includes(scope) ?? true

type Query = NonNullable<NativeRequest['query']>
interface VersionPage<Row> {
  rows: readonly Row[]
  max?: number // absent when nothing follows; a short page is not the end
}
async function readVersions<Row>(call: ReadCall, path: string, query: Query): Promise<VersionPage<Row>> {
  const { body } = await call.read(get(`${api}${path}`, query))
  const rows = list<Row>(body?.data)
  if (!rows.length) return { rows }
  if (typeof body.version?.max !== 'number')
    throw new NativeFailure({ kind: 'unavailable', message: 'A list came without its versions' }, 502)
  return { rows, max: body.version.max }
}

/**
 * A list in the order of its versions. Every change gives a row the next version, so a row is never in front of the place unless it was served, and a row changed meanwhile comes again at the end.
 * Each row tells its own version, so a page ends behind any row: it is never larger than asked for and need not be cut.
 */
export const walkByVersion =
  <Row>(path: string, row: { version(row: Row): number | undefined; stamps(row: Row): Stamped }) =>
  async (call: ReadCall, { size, updatedAfter }: ListQuery, at = 0): Promise<Page<Row, number>> => {
    const rows: Row[] = []
    const wanted = (candidate: Row) =>
      living(row.stamps(candidate)) &&
      (updatedAfter === undefined || (modifiedAt(row.stamps(candidate)) ?? updatedAfter) >= updatedAfter)
    // No list can be filtered by time: then pages are as large as they may be. Unfiltered, a page is filled up for the rows that were left out.
    const page_size = updatedAfter === undefined ? size : pageLimit
    const rounds = updatedAfter === undefined ? 3 : 1
    for (let after = at, round = 1; ; round++) {
      const page = await readVersions<Row>(call, path, { after, page_size })
      for (const candidate of page.rows.filter(wanted)) {
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
 * All rows of a list, at the price of its newest part: pages that were read are kept for minutes, because whatever changes leaves its page for the end. Rows come oldest version first, so a later one of the same id replaces it.
 * Progress is kept page by page, so that a long list is read even when the patience of one request does not suffice.
 */
export async function readAll<Row, Kept>(
  call: ReadCall,
  path: string,
  query: Query,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const found: Kept[] = []
  for (let after = 0; ; ) {
    const load = async () => {
      const { rows, max } = await readVersions<Row>(call, path, { ...query, after, page_size: widePage })
      if (max === undefined) throw new EndOfList() // what fails is not kept: the end is asked for each time
      return { rows: rows.map(keep), max }
    }
    try {
      const page = await call.cached(`${path} after ${after}`, load)
      found.push(...page.rows)
      after = page.max
    } catch (error) {
      if (error instanceof EndOfList) return found
      throw error
    }
  }
}
