// The vendors' usual paging styles. All of them take an array that is already filtered.
import { createHash } from 'node:crypto'

/**
 * An opaque cursor contains the sort key of the last row returned, so rows that are added or removed between two pages
 * do not shift the rest.
 */
export interface CursorOptions<T> {
  limit: number
  cursor?: string | null
  query: unknown // must be the same on every page; a cursor of another query is rejected
  key(row: T): string // unique; rows are sorted by it
  descending?: boolean
  carried?: unknown // JSON that the cursor carries to the next page, such as an end that the first page fixed
}
export interface CursorPage<T> {
  rows: T[]
  cursor?: string // absent on the last page
}
/** Undefined if the cursor does not belong to this query. */
export function cursorPage<T>(
  rows: readonly T[],
  { limit, cursor, query, key, descending = false, carried }: CursorOptions<T>,
): CursorPage<T> | undefined {
  const opened = cursor ? openCursor(cursor, query) : undefined
  if (cursor && !opened) return undefined
  const direction = descending ? -1 : 1
  const keyed = rows.map((row) => ({ row, at: key(row) })).sort((a, b) => direction * compare(a.at, b.at))
  const rest = opened ? keyed.filter(({ at }) => direction * compare(at, opened.last) > 0) : keyed
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ row }) => row),
    ...(last && rest.length > page.length && { cursor: seal({ last: last.at, query: digest(query), carried }) }),
  }
}

/** The `carried` value of the cursor; undefined without a cursor or if it is invalid. */
export const carriedInCursor = (cursor: string | null | undefined, query: unknown): unknown =>
  cursor ? openCursor(cursor, query)?.carried : undefined

interface OpenCursor {
  last: string
  query: string
  carried?: unknown
}
const seal = (cursor: OpenCursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')
const digest = (query: unknown): string =>
  createHash('sha256').update(canonical(query)).digest('base64url').slice(0, 12)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function openCursor(cursor: string, query: unknown): OpenCursor | undefined {
  try {
    const opened = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as OpenCursor
    return typeof opened.last === 'string' && opened.query === digest(query) ? opened : undefined
  } catch {
    return undefined
  }
}

/** JSON with sorted keys: equal for equal content. Idempotency keys compare bodies by it. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compare(a, b)))
        : part,
    ) ?? 'null'
  )
}

/** Pages numbered from 1. */
export function numberedPage<T>(rows: readonly T[], { page, size }: { page: number; size: number }) {
  const pages = Math.ceil(rows.length / size)
  return { rows: rows.slice((page - 1) * size, page * size), page, size, pages, total: rows.length, more: page < pages }
}

export function offsetPage<T>(rows: readonly T[], { offset, limit }: { offset: number; limit: number }) {
  return {
    rows: rows.slice(offset, offset + limit),
    offset,
    limit,
    total: rows.length,
    more: offset + limit < rows.length,
  }
}

/** The rows after the one with id `after`. Undefined if there is no such row. */
export function pageAfter<T>(
  rows: readonly T[],
  { after, limit, id }: { after?: string; limit: number; id(row: T): string },
) {
  const start = after === undefined ? 0 : rows.findIndex((row) => id(row) === after) + 1
  if (after !== undefined && start === 0) return undefined
  return { rows: rows.slice(start, start + limit), more: start + limit < rows.length }
}
