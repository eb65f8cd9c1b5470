// Strategies for walking a platform's list. Each returns a `Listing.page` and yields every record that existed before
// the walk and still exists, even if rows are added, changed and deleted between pages.
import type { Listing, ListQuery, NativeRequest, NativeResponse, Page, ReadCall } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { addMs, compareInstants } from './time.ts'

export type PageFunction<Row, At> = (call: ReadCall, query: ListQuery, at?: At) => Promise<Page<Row, At>>

/**
 * One call a page: vendor cursors, version numbers, "id greater than". The position is what `read` returns as the next
 * one.
 */
export const singleCall =
  <Row, At>(
    request: (query: ListQuery, at: At | undefined, call: ReadCall) => NativeRequest,
    read: (response: NativeResponse, query: ListQuery, at: At | undefined) => Page<Row, At>,
  ): PageFunction<Row, At> =>
  async (call, query, at) =>
    read(await call.read(request(query, at, call)), query, at)

/**
 * Returns a whole list in the order of its keys and resumes after the last key: regardless of the platform's order and
 * of added or removed rows, nothing is skipped.
 */
export function pageAfter<Row, Key extends string | number>(
  rows: readonly Row[],
  key: (row: Row) => Key,
  { size }: ListQuery,
  after: Key | undefined,
): Page<Row, Key> {
  const sorted = rows
    .filter((row) => after === undefined || key(row) > after)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const page = sorted.slice(0, size)
  const last = page.at(-1)
  return last !== undefined && sorted.length > page.length ? { rows: page, next: key(last) } : { rows: page }
}

/** The listing of an account that has exactly one record, such as the shop itself. */
export const onlyRow = <Row>(read: (call: ReadCall) => Promise<Row>): Listing<Row, never> => ({
  pageLimit: 1,
  updatedAfter: 'none',
  page: async (call) => ({ rows: [await read(call)] }),
})

export function chunksOf<T>(values: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / length) }, (_, n) => values.slice(n * length, (n + 1) * length))
}

export interface Window {
  from: string
  to?: string // absent: open, so that a record changed meanwhile cannot leave the last window
}
/**
 * Windows of `lengthMs` from `from` to the one that holds `to`. Borders depend on `from` alone, so they do not move
 * with `to`.
 */
export function windows(from: string, to: string, lengthMs: number): Window[] {
  const result: Window[] = []
  for (let start = addMs(from, 0); ; ) {
    const end = addMs(start, lengthMs)
    if (compareInstants(end, to) > 0) return [...result, { from: start }]
    result.push({ from: start, to: end })
    start = end
  }
}

export interface ChunkPlace<Chunk, At> {
  chunk: Chunk // as it was when its first page was read: a vendor's cursor belongs to exactly this query
  at?: At
  last?: true // it was the last one then; what was appended since holds only newer records
}
/**
 * Chunk after chunk (locations in tens, windows of time), each with positions of its own. A chunk is identified by its
 * first value, so one that is added or grows shifts nothing.
 */
export function overChunks<Row, Chunk, At>(
  chunks: (call: ReadCall, query: ListQuery) => Promise<readonly Chunk[]> | readonly Chunk[],
  page: (call: ReadCall, query: ListQuery, chunk: Chunk, at?: At) => Promise<Page<Row, At>>,
): PageFunction<Row, ChunkPlace<Chunk, At>> {
  return async (call, query, at) => {
    const all = await chunks(call, query)
    const place = at ?? placeOf<Chunk, At>(all, 0)
    if (!place) return { rows: [] }
    const { total: _, next, ...found } = await page(call, query, place.chunk, place.at)
    if (next !== undefined) return { ...found, next: { ...place, at: next } }
    const following = place.last ? undefined : placeOf<Chunk, At>(all, indexOf(all, place.chunk) + 1)
    return following ? { ...found, next: following } : found
  }
}
function placeOf<Chunk, At>(all: readonly Chunk[], index: number): ChunkPlace<Chunk, At> | undefined {
  const chunk = all[index]
  if (chunk === undefined) return undefined
  return index === all.length - 1 ? { chunk, last: true } : { chunk }
}
function indexOf<Chunk>(all: readonly Chunk[], chunk: Chunk): number {
  const index = all.findIndex((other) => firstValue(other) === firstValue(chunk))
  if (index < 0)
    throw new NativeFailure({
      kind: 'cursor',
      message: 'The part of the list that this cursor points to no longer exists',
    })
  return index
}
const firstValue = (chunk: unknown): string =>
  JSON.stringify(typeof chunk === 'object' && chunk !== null ? Object.values(chunk)[0] : chunk)
