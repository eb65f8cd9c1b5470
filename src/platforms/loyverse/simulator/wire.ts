// What all endpoints of Loyverse share: errors, types of values, filters and pages.
// https://developer.loyverse.com/docs/
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import { cursorPage } from '../../../sandbox/paging.ts'
import { createAcceptor, type FieldSchema, type Schemas } from '../../../sandbox/schema.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const ok = (body: unknown): WireResponse => ({ status: 200, body })
export const failure = (status: number, code: string, details: string, field?: string): WireResponse => ({
  status,
  body: { errors: [{ code, details, field }] },
})
export const refuse = refusing(failure)
export const invalid = (field: string, details: string): never => refuse(400, 'INVALID_VALUE', details, field)
export const unknown = (field: string): never => refuse(404, 'NOT_FOUND', 'The resource was not found', field)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

export type Schema = Schemas
export const text = (minLength: number, maxLength: number): FieldSchema => ({ type: 'string', minLength, maxLength })
export const listOf = (items: string): FieldSchema => ({ type: 'array', items })
export const listOfObjects = (properties: Schema): FieldSchema => ({
  type: 'array',
  items: { type: 'object', properties },
})
const formats: Readonly<Record<string, string>> = { uuid: 'a UUID', date: 'an ISO 8601 date' }
const articles: Readonly<Record<string, string>> = { array: 'an array', object: 'an object' }
const wrongType = (field: string, expected: string): never =>
  refuse(400, 'INCORRECT_VALUE_TYPE', `The value must be ${expected}`, field)

const accept = createAcceptor({
  nulls: 'nothing', // an update replaces the record and does not patch it
  types: {
    uuid: (value) => (typeof value === 'string' && uuidPattern.test(value) ? value : undefined),
    date: (value) => (typeof value === 'string' && datePattern.test(value) ? new Date(value).toISOString() : undefined),
  },
  invalid({ kind, path, value, schema: { type = 'string', enum: words, minLength, maxLength } }) {
    if (kind === 'long' || kind === 'short')
      return invalid(path, `The length must be between ${minLength} and ${maxLength}`)
    if (kind !== 'type' && kind !== 'enum') return undefined
    if (typeof value === 'string' && words) return invalid(path, `The value must be one of ${words.join(', ')}`)
    if (typeof value === 'string' && formats[type]) return invalid(path, `The value is not ${formats[type]}`)
    return wrongType(path, articles[type] ?? `a ${formats[type] ? 'string' : type}`)
  },
})
/** Only known fields, each with its type. Absent fields become null. */
export const acceptObject = (schema: Schema, value: unknown): Fields =>
  isObject(value) ? accept(value, schema) : wrongType('body', 'an object')

export function bodyOf(request: WireRequest): unknown {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json')
  const body = readJson(request)
  return body === undefined ? refuse(400, 'BAD_REQUEST', 'The request body is not valid JSON') : body
}
export const required = (fields: Fields, ...names: string[]): void => {
  for (const name of names)
    if (fields[name] === null) refuse(400, 'MISSING_REQUIRED_PARAMETER', `Parameter ${name} is required`, name)
}
export const identified = (id: string, field: string): string =>
  uuidPattern.test(id) ? id : invalid(field, 'The value is not a UUID')

export interface Stamped {
  created_at: string
  updated_at: string
  deleted_at?: string | null
}
interface ListOptions<T> {
  name: string // of the array in the response
  id(row: T): string
  ids?: string // parameter with a comma-separated list of ids
  paged?: boolean
  deletable?: boolean // show_deleted is supported
  equal?: Readonly<Record<string, (row: T) => unknown>> // parameters that must equal a value of the row
  render?(row: T): unknown
}
const times = ['created_at_min', 'created_at_max', 'updated_at_min', 'updated_at_max'] as const

/** Bounds are inclusive. Created and updated bounds cannot be combined. */
function timeFilter<T extends Stamped>(query: URLSearchParams): (row: T) => boolean {
  const given = times.filter((name) => query.has(name))
  if (new Set(given.map((name) => name.slice(0, 7))).size > 1)
    refuse(400, 'CONFLICTING_PARAMETERS', 'Filter either by creation or by update time')
  const bounds = Object.fromEntries(
    given.map((name) => [
      name,
      datePattern.test(query.get(name)!)
        ? Date.parse(query.get(name)!)
        : invalid(name, 'The value is not an ISO 8601 date'),
    ]),
  )
  for (const kind of ['created_at', 'updated_at'])
    if (bounds[`${kind}_min`]! > bounds[`${kind}_max`]!)
      refuse(400, 'INVALID_RANGE', 'The end is before the start', `${kind}_max`)
  return (row) =>
    Object.entries(bounds).every(([name, bound]) => {
      const value = Date.parse(name.startsWith('created') ? row.created_at : row.updated_at)
      return name.endsWith('min') ? value >= bound : value <= bound
    })
}
export function listFilter(query: URLSearchParams, name: string): ((value: string) => boolean) | undefined {
  const given = query.get(name)
  if (!given) return undefined
  const values = new Set(given.split(',').map((value) => value.trim()))
  return (value) => values.has(value)
}
function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? 50)
  return Number.isInteger(limit) && limit >= 1 && limit <= 250
    ? limit
    : invalid('limit', 'The value must be between 1 and 250')
}
/**
 * Newest first, regardless of the filter. A cursor is a position after a record: added or removed records do not shift
 * it.
 */
export function listed<T extends Stamped>(
  request: WireRequest,
  rows: readonly T[],
  options: ListOptions<T>,
): WireResponse {
  const { query } = request
  const { name, id, render = (row) => row } = options
  const fits = timeFilter<T>(query)
  const isRequested = options.ids ? listFilter(query, options.ids) : undefined
  const equal = Object.entries(options.equal ?? {}).filter(([parameter]) => query.has(parameter))
  const deleted = options.deletable && query.get('show_deleted') === 'true'
  const found = rows.filter(
    (row) =>
      (deleted || !row.deleted_at) &&
      (!isRequested || isRequested(id(row))) &&
      fits(row) &&
      equal.every(([parameter, value]) => value(row) === query.get(parameter)),
  )
  for (const row of rows) rankOf(name, id(row))
  const key = (row: T) => `${row.created_at} ${rankOf(name, id(row))}`
  if (!options.paged) return ok({ [name]: found.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).map(render) })
  return paged(request, name, found, key, true, render)
}
/** Many records share a second: within it, a later one is newer. A rank stays when other records are removed. */
const ranks = new Map<string, string>()
function rankOf(name: string, id: string): string {
  const key = `${name} ${id}`
  const rank = ranks.get(key) ?? String(ranks.size).padStart(9, '0')
  ranks.set(key, rank)
  return rank
}
export function paged<T>(
  request: WireRequest,
  name: string,
  rows: readonly T[],
  key: (row: T) => string,
  descending: boolean,
  render: (row: T) => unknown,
): WireResponse {
  const { query } = request
  const filters = [...query].filter(([parameter]) => parameter !== 'limit' && parameter !== 'cursor').sort()
  const page = cursorPage(rows, {
    limit: limitOf(query),
    cursor: query.get('cursor'),
    query: [request.path, filters],
    key,
    descending,
  })
  if (!page) return failure(400, 'INVALID_CURSOR', 'The pagination cursor is incorrect', 'cursor')
  return ok({ [name]: page.rows.map(render), cursor: page.cursor })
}
