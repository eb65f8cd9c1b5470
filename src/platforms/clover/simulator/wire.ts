// Clover's response formats, and the query language that all its collections share: repeated `filter`, `orderBy`,
// `expand`, `offset` and `limit`.
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import { createAcceptor } from '../../../sandbox/schema.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const ok = (body: unknown): WireResponse => ({ status: 200, body })
export const failure = (status: number, message: string, details?: string): WireResponse => ({
  status,
  body: { message, details },
})
export const refuse = refusing(failure)
export const invalid = (message: string): never => refuse(400, message)

export function bodyOf(request: WireRequest): Fields {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) refuse(415, '415 Unsupported Media Type')
  const body = readJson(request)
  return isObject(body) ? body : invalid('Request body is not a JSON object')
}

/** Returns only the named fields, with the right type and length; unknown fields and nulls are ignored. */
export const accept = createAcceptor({
  nulls: 'absent',
  types: { reference: (value) => (isObject(value) && typeof value.id === 'string' ? { id: value.id } : undefined) },
  invalid({ kind, name, schema: { maxLength } }) {
    if (kind === 'unknown') return undefined
    return invalid(
      kind === 'long' ? `'${name}' is too long, the maximum is ${maxLength}` : `Invalid value for '${name}'`,
    )
  },
})

/** Filters by fields of a row. */
export const byName = <T extends object>(...names: (keyof T & string)[]): Record<string, (row: T) => unknown> =>
  Object.fromEntries(names.map((name) => [name, (row: T) => row[name]]))

export interface Collection<T> {
  href: string
  rows: readonly T[]
  filters: Readonly<Record<string, (row: T) => unknown>> // the fields that `filter` accepts, and their values in a row
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

function holds(value: unknown, { operator, value: target }: Condition): boolean {
  const values = Array.isArray(value) ? value : [value]
  return operator === '!='
    ? values.every((one) => !compare(one, '=', target))
    : values.some((one) => compare(one, operator, target))
}
function compare(value: unknown, operator: string, target: string): boolean {
  if (value === undefined || value === null) return false
  if (operator === '=' && target.endsWith('*')) return String(value).startsWith(target.slice(0, -1))
  if (operator === '=') return String(value) === target
  const [left, right] = [Number(value), Number(target)]
  if (Number.isNaN(right)) invalid(`Invalid filter value: ${target}`)
  return operator === '>='
    ? left >= right
    : operator === '<='
      ? left <= right
      : operator === '>'
        ? left > right
        : left < right
}

/** Newest first by default. Rows with the same time have no defined order: here by id. */
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

/** Nested collections are truncated at 100 and cannot be paged. */
export const nested = <T>(rows: readonly T[]): { elements: readonly T[] } => ({ elements: rows.slice(0, 100) })
