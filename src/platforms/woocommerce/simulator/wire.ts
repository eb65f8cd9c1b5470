// WordPress errors, body validation against a schema, and paging. https://developer.wordpress.org/rest-api/
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import { createAcceptor, type FieldSchema, type Schemas } from '../../../sandbox/schema.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const failure = (status: number, code: string, message: string, data: Fields = {}): WireResponse => ({
  status,
  body: { code, message, data: { status, ...data } },
})
export const refuse = refusing(failure)
export function badParameter(name: string, message: string, code = 'rest_invalid_type'): never {
  const detail = { code, message, data: null }
  return refuse(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, {
    params: { [name]: message },
    details: { [name]: detail },
  })
}
export const objectOf = (properties: Schemas): FieldSchema => ({ type: 'object', properties })
export const listOf = (properties: Schemas): FieldSchema => ({ type: 'array', items: objectOf(properties) })

const isNumber = (value: unknown) =>
  (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && Number.isFinite(Number(value))
const isInteger = (value: unknown) => isNumber(value) && Number.isInteger(Number(value))
const words: readonly unknown[] = ['true', 'false', '1', '0', 1, 0]
const acceptFields = createAcceptor({
  order: 'body',
  member: (path, name) => (path === '' ? name : `${path}[${name}]`),
  types: {
    mixed: (value) => value,
    integer: (value) => (isInteger(value) ? Number(value) : undefined),
    number: (value) => (isNumber(value) ? Number(value) : undefined),
    boolean: (value) =>
      typeof value === 'boolean' ? value : words.includes(value) ? /^(true|1)$/.test(String(value)) : undefined,
    email: (value) =>
      value === '' || (typeof value === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) ? value : undefined,
  },
  invalid({ kind, path, schema: { type, enum: known } }) {
    const top = path.replace(/\[.*/, '')
    if (kind === 'unknown') return undefined
    if (kind === 'enum') return badParameter(top, `${path} is not one of ${known!.join(', ')}.`, 'rest_not_in_enum')
    if (type === 'email') return badParameter(top, 'Invalid email address.', 'rest_invalid_email')
    return badParameter(top, `${path} is not of type ${type}.`)
  },
})
/**
 * The body's known fields. A top-level null counts as absent; a nested null has the wrong type. Unknown fields are
 * silently dropped.
 */
export function accept(request: WireRequest, schemas: Schemas): Fields {
  const body = request.body === '' ? {} : readJson(request)
  if (!isObject(body))
    return refuse(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
      json_error_code: 4,
      json_error_message: 'Syntax error',
    })
  return acceptFields(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)), schemas)
}

export interface Listed {
  id: number
  created: number
  modified: number
}
interface ListOptions<T extends Listed> {
  origin: string
  offsetMs: number // of the shop's wall clock
  orders: Readonly<Record<string, (row: T) => string | number>>
  initially: { by: string; order: 'asc' | 'desc' }
  dates?: boolean
  render(row: T): unknown
}
const integerOf = (
  query: URLSearchParams,
  name: string,
  initially: number,
  [least, most]: readonly [number, number],
): number => {
  const given = query.get(name)
  if (given === null) return initially
  if (!isInteger(given)) return badParameter(name, `${name} is not of type integer.`)
  const value = Number(given)
  if (value < least || value > most)
    return badParameter(
      name,
      `${name} must be between ${least} (inclusive) and ${most} (inclusive)`,
      'rest_out_of_bounds',
    )
  return value
}
export function enumOf(query: URLSearchParams, name: string, initially: string, allowed: readonly string[]): string {
  const value = query.get(name) ?? initially
  return allowed.includes(value)
    ? value
    : badParameter(name, `${name} is not one of ${allowed.join(', ')}.`, 'rest_not_in_enum')
}
/** `include=1,2`, `include[]=1&include[]=2` and `include[0]=1` are all the same to WordPress. */
function idsOf(query: URLSearchParams, name: string): number[] {
  const values = [...query]
    .filter(([key]) => key === name || key.startsWith(`${name}[`))
    .flatMap(([, value]) => value.split(/[\s,]+/))
  return values
    .filter((value) => value !== '')
    .map((value, index) =>
      isInteger(value) ? Number(value) : badParameter(name, `${name}[${index}] is not of type integer.`),
    )
}

/**
 * WordPress compares wall clocks as strings. A time with a zone is converted to the shop's wall clock first, even if it
 * is then compared with the GMT column.
 */
function dateFilter<T extends Listed>(query: URLSearchParams, offsetMs: number): (row: T) => boolean {
  const gmt = /^(true|1)$/.test(query.get('dates_are_gmt') ?? '')
  const limits = (['after', 'before', 'modified_after', 'modified_before'] as const).flatMap((name) => {
    const given = query.get(name)
    if (given === null) return []
    const [, date, time = '00:00:00', zone] =
      /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(given) ?? []
    const wall = Date.parse(`${date}T${time}Z`)
    if (!date || Number.isNaN(wall)) return badParameter(name, 'Invalid date.', 'rest_invalid_date')
    return [{ name, limit: zone ? Date.parse(`${date}T${time}${zone}`) + offsetMs : wall }]
  })
  return (row) =>
    limits.every(({ name, limit }) => {
      const value = (name.startsWith('modified') ? row.modified : row.created) + (gmt ? 0 : offsetMs)
      return name.endsWith('after') ? value > limit : value < limit
    })
}

/** A page of rows with its headers; a page past the end is empty, with the same totals. */
export function listed<T extends Listed>(
  request: WireRequest,
  rows: readonly T[],
  options: ListOptions<T>,
): WireResponse {
  const { query } = request
  const page = integerOf(query, 'page', 1, [1, Number.MAX_SAFE_INTEGER])
  const size = integerOf(query, 'per_page', 10, [1, 100])
  const offset = integerOf(query, 'offset', (page - 1) * size, [0, Number.MAX_SAFE_INTEGER])
  const by = options.orders[enumOf(query, 'orderby', options.initially.by, Object.keys(options.orders))]!
  const direction = enumOf(query, 'order', options.initially.order, ['asc', 'desc']) === 'asc' ? 1 : -1
  const include = new Set(idsOf(query, 'include'))
  const exclude = new Set(idsOf(query, 'exclude'))
  const fits = options.dates ? dateFilter<T>(query, options.offsetMs) : () => true
  const found = rows.filter((row) => (include.size === 0 || include.has(row.id)) && !exclude.has(row.id) && fits(row))
  const sorted = found
    .map((row) => ({ row, at: by(row) }))
    .sort((a, b) => direction * (a.at < b.at ? -1 : a.at > b.at ? 1 : a.row.id - b.row.id))
  const pages = Math.ceil(sorted.length / size)
  const address = (number: number) => {
    const link = new URLSearchParams(query)
    link.set('page', String(number))
    return `<${options.origin}${request.path}?${link}>`
  }
  const links = [
    ...(page > 1 ? [`${address(Math.min(page - 1, pages))}; rel="prev"`] : []),
    ...(page < pages ? [`${address(page + 1)}; rel="next"`] : []),
  ]
  return {
    status: 200,
    headers: {
      'x-wp-total': String(sorted.length),
      'x-wp-totalpages': String(pages),
      ...(links.length > 0 && { link: links.join(', ') }),
    },
    body: sorted.slice(offset, offset + size).map(({ row }) => options.render(row)),
  }
}
