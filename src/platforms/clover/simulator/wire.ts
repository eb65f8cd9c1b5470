// How Clover words its answers, and the query language that all its collections share: repeated `filter`, `orderBy`, `expand`, `offset` and `limit`.
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const ok = (body: unknown): WireResponse => ({ status: 200, body })
export const failure = (status: number, message: string, details?: string): WireResponse => ({
  status,
  body: { message, ...(details && { details }) },
})
export const refuse = refusing(failure)
export const invalid = (message: string): never => refuse(400, message)

export function bodyOf(request: WireRequest): Fields {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) refuse(415, '415 Unsupported Media Type')
  const body = readJson(request)
  return isObject(body) ? body : invalid('Request body is not a JSON object')
}

/** Only the named fields, of the right type and length; what Clover does not know it ignores. */
export type Kind = number | 'integer' | 'number' | 'boolean' | 'reference' // a number is the greatest length of a text
export function accept(body: Fields, kinds: Readonly<Record<string, Kind>>): Fields {
  const accepted: Fields = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (!fits(value, kind))
      invalid(
        typeof kind === 'number' && typeof value === 'string'
          ? `'${name}' is too long, the maximum is ${kind}`
          : `Invalid value for '${name}'`,
      )
    accepted[name] = kind === 'reference' ? { id: (value as { id: string }).id } : value
  }
  return accepted
}
function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'number') return typeof value === 'string' && value.length <= kind
  if (kind === 'integer') return Number.isSafeInteger(value)
  if (kind === 'reference') return isObject(value) && typeof value.id === 'string'
  return typeof value === kind
}

export interface Collection<T> {
  href: string
  rows: readonly T[]
  filters: Readonly<Record<string, (row: T) => unknown>> // what `filter` may name, and its value in a row
  created(row: T): number
  sorts?: Readonly<Record<string, (row: T) => number | string>>
  show(row: T, expand: ReadonlySet<string>): Fields
  id(row: T): string
}
export interface Condition {
  field: string
  operator: string
  value: string
}
export const conditionsOf = (query: URLSearchParams): Condition[] =>
  query.getAll('filter').map((text) => {
    const [, field, operator, value] = /^\s*([A-Za-z_.]+)\s*(>=|<=|!=|=|>|<)([\s\S]*)$/.exec(text) ?? []
    return field === undefined ? invalid(`Invalid filter: ${text}`) : { field, operator: operator!, value: value! }
  })

export function listOf<T>(request: WireRequest, collection: Collection<T>): WireResponse {
  const { query } = request
  const conditions = conditionsOf(query)
  for (const { field } of conditions) if (!collection.filters[field]) invalid(`Invalid filter field: ${field}`)
  const kept = collection.rows.filter((row) =>
    conditions.every((condition) => holds(collection.filters[condition.field]!(row), condition)),
  )
  const expand = expandOf(query)
  const offset = whole(query.get('offset'), 0, 'offset')
  const limit = Math.min(1000, whole(query.get('limit'), 100, 'limit'))
  const elements = sorted(kept, query.get('orderBy'), collection)
    .slice(offset, offset + limit)
    .map((row) => collection.show(row, expand))
  return {
    status: 200,
    headers: { 'x-clover-allowed-filter-fields': Object.keys(collection.filters).join(', ') },
    body: { elements, href: `${collection.href}?limit=${limit}` },
  }
}

export function expandOf(query: URLSearchParams): ReadonlySet<string> {
  const names = query.getAll('expand').flatMap((part) => part.split(',').filter(Boolean))
  if (names.length > 3) invalid('Expansions are limited to a maximum of three fields')
  // A dotted path expands its parent too.
  return new Set(names.flatMap((name) => (name.includes('.') ? [name, name.split('.')[0]!] : [name])))
}

function whole(text: string | null, otherwise: number, name: string): number {
  if (text === null) return otherwise
  return /^\d+$/.test(text) ? Number(text) : invalid(`Invalid ${name}: ${text}`)
}

function holds(value: unknown, { operator, value: wanted }: Condition): boolean {
  const values = Array.isArray(value) ? value : [value]
  return operator === '!='
    ? values.every((one) => !compare(one, '=', wanted))
    : values.some((one) => compare(one, operator, wanted))
}
function compare(value: unknown, operator: string, wanted: string): boolean {
  if (value === undefined || value === null) return false
  if (operator === '=' && wanted.endsWith('*')) return String(value).startsWith(wanted.slice(0, -1))
  if (operator === '=') return String(value) === wanted
  const [left, right] = [Number(value), Number(wanted)]
  if (Number.isNaN(right)) invalid(`Invalid filter value: ${wanted}`)
  return operator === '>='
    ? left >= right
    : operator === '<='
      ? left <= right
      : operator === '>'
        ? left > right
        : left < right
}

/** Newest first unless told otherwise. Rows that share a time come in no particular order: here by id. */
function sorted<T>(rows: readonly T[], orderBy: string | null, { sorts = {}, created, id }: Collection<T>): T[] {
  const [, field, direction] = /^(\w+)(?:\s+(ASC|DESC))?$/i.exec(orderBy ?? '') ?? []
  const key = field === undefined ? created : sorts[field]
  if (!key) return invalid(`Invalid orderBy: ${orderBy}`)
  const sign = field === undefined || direction?.toUpperCase() === 'DESC' ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    return left < right ? -sign : left > right ? sign : id(a) < id(b) ? -1 : 1
  })
}

/** Nested collections are cut at 100 and cannot be paged. */
export const nested = <T>(rows: readonly T[]): { elements: readonly T[] } => ({ elements: rows.slice(0, 100) })
