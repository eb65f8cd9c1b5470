// Reads: one page of unified records, cut, filled and resumed so that a walk yields every record, whatever pages the
// platform has.
import type { EntityAdapter, Listing, Page, ReadCall, SearchQuery } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityType } from '../../contract/entity.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import type { RowVersion } from './completed-rows.ts'
import type { CursorState, ListPosition } from './cursor.ts'

type Row = unknown
/** A list query of a caller. */
export interface ListQuery {
  pageSize: number
  updatedAfter?: string
  search?: { text: string; linked?: string | undefined } // `linked`: the platform id behind the text as a source id
  cursor?: string
  mappingId?: string // of the mapping that the caller's key names; absent: the default is used
  native?: true | undefined // with the native parts of each record
  fields?: readonly string[] | undefined // of each record; absent: all
}
export interface Slots {
  /** True if a call would not have to wait, or if it may. */
  freeNow(mayWait: boolean): Promise<boolean>
}
/** Completed rows of earlier pages. */
export interface Reuse {
  find(versions: readonly RowVersion[]): Promise<Row[]>
  keep(rows: readonly (RowVersion & { row: Row })[]): Promise<void>
}
export interface ReadPage {
  rows: Row[]
  gone: string[] // ids of rows or groups that were deleted
  next?: CursorState
  doubtful?: true // a further page may have been lost
  count?: ListPosition['count'] // at the end of the list: what it had, and what the platform counts
}
/** A list that ended before the platform's own count: the walk must begin again. */
export class EndedEarly extends Error {}

/** A limit, so that a service-side filter over a large list ends in time; the cursor continues from there. */
const maxVendorPages = 20

export async function readPage(
  adapter: EntityAdapter<EntityType>,
  call: ReadCall,
  state: CursorState,
  slots: Slots,
  reuse?: Reuse,
  most = state.size,
): Promise<ReadPage> {
  const { list } = adapter
  const query = { size: state.size, updatedAfter: stampsAfter(list, state.updatedAfter), gone: state.gone }
  const searchIds = new Set(state.search?.ids)
  const pageAt = state.search
    ? searchOf(adapter, call, state.search.text, state.size)
    : (at: unknown) => list.page(call, query, at)
  const found: Found[] = []
  const gone: string[] = []
  let place: ListPosition | undefined = state.place
  let end: ListPosition['count']
  let doubtful: true | undefined
  for (let pages = 0; place && pages < maxVendorPages && found.length < most; pages++) {
    if (pages > 0 && !(await slots.freeNow(found.length === 0))) break
    const { at, count }: ListPosition = place
    const resume: ListPosition['row'] = place.row
    const read = (): Promise<Page<Row, unknown> | 'late'> => unlessLate(() => pageAt(at), found.length > 0)
    let page = await read()
    // It had rows when it was cut.
    if (resume && page !== 'late' && page.rows.length === 0) {
      page = await read()
      if (page !== 'late' && page.rows.length === 0) doubtful = true
    }
    if (page === 'late') break
    if (page.next !== undefined && at !== undefined && JSON.stringify(page.next) === JSON.stringify(at)) {
      throw new Problem('downstream_error', 'The platform gave the same position twice, so the walk cannot go on.')
    }
    const counted = countedWith(page, place)
    if (page.next === undefined) {
      if (counted && at !== undefined && page.rows.length === 0 && counted.before < counted.total)
        throw endedEarly(counted)
      end = counted
    }
    place = page.next === undefined ? undefined : { at: page.next, ...(counted && { count: counted }) }
    gone.push(...(page.gone ?? []))
    doubtful ??= page.doubtful
    for (let index = resumeAt(page.rows, resume, adapter); index < page.rows.length; index++) {
      if (!isNewer(page.rows[index], list, query.updatedAfter)) continue
      if (searchIds.size > 0 && searchIds.has(adapter.id(page.rows[index]))) continue
      const row = { at, count, rows: page.rows, index }
      if (found.length === most) {
        place = placeOf(row, adapter)
        break
      }
      found.push(row)
    }
  }
  const { rows, done } = await complete(adapter, call, found, reuse)
  // The pace budget may end in the middle of the second calls: then the page is shorter, and its cursor points exactly
  // behind it.
  const unserved = found[done]
  if (unserved) place = placeOf(unserved, adapter)
  const page: ReadPage = { rows, gone, ...(doubtful && { doubtful }) }
  return place ? { ...page, next: { ...state, place } } : { ...page, ...(end && { count: end }) }
}

/** The count behind a page. Only a walk that was counted from its beginning has one. */
function countedWith({ rows, total }: Page<Row, unknown>, { at, count }: ListPosition): ListPosition['count'] {
  const rowCount = total ?? count?.total
  if (rowCount === undefined || (at !== undefined && !count)) return undefined
  return { before: (count?.before ?? 0) + rows.length, total: rowCount }
}
function endedEarly({ before, total }: NonNullable<ListPosition['count']>): Problem {
  const detail = `The platform counts ${total} records, and its list ended with an empty page after ${before}. Start again without a cursor, or retry later.`
  return new Problem('downstream_error', detail, { cause: new EndedEarly(detail) })
}

function searchOf({ search }: EntityAdapter<EntityType>, call: ReadCall, text: string, size: number) {
  const query: SearchQuery = { text, like: likeness(text), size }
  return async (at: unknown): Promise<Page<Row, unknown>> => (await search?.page(call, query, at)) ?? { rows: [] }
}
function likeness(text: string): SearchQuery['like'] {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'email'
  const digits = text.replaceAll(/\D/g, '').length
  return /^\+?[\d\s().-]+$/.test(text) && digits >= 7 && digits <= 16 ? 'phone' : 'text'
}

/** A row with its vendor page and its index there. */
interface Found {
  at: unknown
  count: ListPosition['count']
  rows: Row[]
  index: number
}
/** This many neighbors can be deleted before a page must be served again from its beginning. */
const neighbors = 3
const placeOf = ({ at, count, rows, index }: Found, adapter: EntityAdapter<EntityType>): ListPosition => ({
  at,
  ...(count && { count }),
  row: {
    next: rows.slice(index, index + neighbors).map(adapter.id),
    last: rows
      .slice(Math.max(0, index - neighbors), index)
      .toReversed()
      .map(adapter.id),
  },
})

/**
 * The stamps that `updatedAfter` selects are the ones after this instant. Where the platform cuts stamps to seconds, it
 * is just before the second of `updatedAfter`: a change in that second may be later, and its stamp does not tell. A
 * record that is served again is better than one that is missed.
 */
export function stampsAfter(list: Listing<Row, unknown>, updatedAfter: string | undefined): string | undefined {
  if (updatedAfter === undefined || list.stampPrecision !== 'seconds') return updatedAfter
  return new Date(Math.floor(Date.parse(updatedAfter) / 1000) * 1000 - 1).toISOString()
}
const isNewer = (row: Row, list: Listing<Row, unknown>, after: string | undefined): boolean => {
  if (after === undefined || !list.modifiedAt) return true
  const modified = list.modifiedAt(row)
  return modified === undefined || Date.parse(modified) > Date.parse(after)
}

/**
 * Where the unserved rows begin in a vendor page that was read before: at the next unserved row that is still there,
 * else after the last served one, else at the beginning: a duplicate is better than a gap.
 */
function resumeAt(rows: Row[], row: ListPosition['row'], adapter: EntityAdapter<EntityType>): number {
  if (!row) return 0
  const ids = rows.map(adapter.id)
  for (const id of row.next) if (ids.includes(id)) return ids.indexOf(id)
  for (const id of row.last) if (ids.includes(id)) return ids.indexOf(id) + 1
  return 0
}

async function complete(
  adapter: EntityAdapter<EntityType>,
  call: ReadCall,
  found: Found[],
  reuse: Reuse | undefined,
): Promise<{ rows: Row[]; done: number }> {
  const rows = found.map(({ rows, index }) => rows[index])
  const { complete: completion } = adapter.list
  if (!completion) return { rows, done: rows.length }
  const completed = await reusedRows(adapter, rows, reuse)
  const open = [...completed.keys()].filter((index) => completed[index] === undefined)
  const most = Math.min(open.length, completion.most ?? open.length)
  for (let done = 0; done < most; done += completion.size) {
    const chunk = open.slice(done, Math.min(done + completion.size, most))
    const batch = chunk.map((index) => rows[index])
    const answer = await unlessLate(() => completion.rows(call, batch), done > 0 || chunk[0]! > 0)
    if (answer === 'late') break
    const answers = Map.groupBy(answer, adapter.id)
    for (const index of chunk) {
      const id = adapter.id(rows[index])
      completed[index] = answers.get(id) ?? []
      answers.delete(id)
    }
    completed[chunk.at(-1)!]!.push(...[...answers.values()].flat())
    await reuse?.keep(keepable(adapter, batch, answer))
  }
  const end = completed.indexOf(undefined)
  const done = end < 0 ? rows.length : end
  return { rows: completed.slice(0, done).flatMap((part) => part ?? []), done }
}

/** For each row, its completed row if it is known. */
async function reusedRows(
  { list, id }: EntityAdapter<EntityType>,
  rows: Row[],
  reuse: Reuse | undefined,
): Promise<(Row[] | undefined)[]> {
  const versions = rows.map((row) => (reuse ? list.complete?.version?.(row) : undefined))
  const indexes = [...versions.keys()].filter((index) => versions[index] !== undefined)
  const found = (await reuse?.find(indexes.map((index) => ({ id: id(rows[index]), version: versions[index]! })))) ?? []
  const cachedRows = new Map(indexes.map((index, at) => [index, found[at]]))
  return rows.map((_, index) => (cachedRows.get(index) === undefined ? undefined : [cachedRows.get(index)]))
}

/** A completed row with an earlier stamp than the listed one comes from a copy that lags behind. */
function keepable(
  { list, id }: EntityAdapter<EntityType>,
  listed: Row[],
  completed: Row[],
): (RowVersion & { row: Row })[] {
  const { complete, modifiedAt } = list
  return listed.flatMap((before) => {
    const version = complete?.version?.(before)
    const row = completed.find((after) => id(after) === id(before))
    if (version === undefined || row === undefined) return []
    const isOlder = Date.parse(modifiedAt?.(row) ?? '') < Date.parse(modifiedAt?.(before) ?? '')
    return isOlder ? [] : [{ id: id(before), version, row }]
  })
}

/** If the wait for a slot is too long, the page ends with the rows it has; only an empty page is rejected. */
async function unlessLate<T>(run: () => Promise<T>, enough: boolean): Promise<T | 'late'> {
  try {
    return await run()
  } catch (error) {
    if (enough && error instanceof Problem && error.code === 'too_many_requests') return 'late'
    throw error
  }
}

/** Records that could be normalized; the warnings name the others by their ids. */
export function present(
  rows: Row[],
  make: (row: Row, warnings: Warning[]) => UnifiedRecord | undefined,
): { data: UnifiedRecord[]; warnings: Warning[] } {
  const warnings: Warning[] = []
  const data: UnifiedRecord[] = []
  for (const row of rows) {
    const record = make(row, warnings)
    if (record) data.push(record)
  }
  return { data, warnings }
}
