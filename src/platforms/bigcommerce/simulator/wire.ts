// BigCommerce's formats: envelopes of V3, bare arrays of V2, and the two error formats.
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

const problem = { 'content-type': 'application/problem+json' }
const type = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'

export const v3Error = (status: number, title: string, errors?: Fields): WireResponse => ({
  status,
  headers: problem,
  body: { status, title, type, errors },
})
export const v2Error = (status: number, message: string, details?: Fields): WireResponse => ({
  status,
  body: [{ status, message, details }],
})

export const refuse = refusing(v3Error)
export const invalid = (errors: Fields): never => refuse(422, 'JSON data is missing or invalid', errors)
export const refuseV2 = refusing(v2Error)
export const missingV2 = (field: string): never => refuseV2(400, `The required field '${field}' was not supplied.`)
export const invalidV2 = (field: string, reason: string): never =>
  refuseV2(400, `The field '${field}' is invalid.`, { invalid_reason: reason })

export function objectOf(request: WireRequest): Fields {
  const body = readJson(request)
  return isObject(body) ? body : refuse(422, 'The JSON body is not an object')
}
/** Bulk endpoints of customers accept up to ten records. */
export function recordsOf(request: WireRequest): Fields[] {
  const body = readJson(request)
  if (!Array.isArray(body) || !body.every(isObject)) return refuse(422, 'The JSON body is not an array of objects')
  return body.length > 10 ? refuse(413, 'The maximum number of items allowed in the array is 10') : body
}

export const data = (value: unknown, meta: Fields = {}): WireResponse => ({ status: 200, body: { data: value, meta } })

export function wholeNumber(value: string | null, fallback: number): number {
  return value === null ? fallback : /^\d+$/.test(value) ? Number(value) : Number.NaN
}
export const idsIn = (query: URLSearchParams, name: string): Set<number> | undefined => {
  const given = query.get(name)
  if (given === null) return undefined
  const ids = given
    .split(',')
    .map((id) =>
      /^\d+$/.test(id.trim())
        ? Number(id)
        : refuse(422, `The filter ${name} takes integers`, { [name]: 'not an integer' }),
    )
  return new Set(ids)
}

/** V3 rejects an unknown filter instead of ignoring it. */
export function knownFilters(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].filter((name) => !known.includes(name))
  if (unknown.length) refuse(422, `The filter(s): ${unknown.join(',')} are not valid filter parameter(s).`)
}

export function numbered<T>(rows: readonly T[], query: URLSearchParams, most = 250): { rows: T[]; pagination: Fields } {
  const page = wholeNumber(query.get('page'), 1)
  const limit = wholeNumber(query.get('limit'), 50)
  if (!(page >= 1) || !(limit >= 1)) refuse(422, 'page and limit must be positive integers')
  if (limit > most) refuse(422, `The limit must be at most ${most}`)
  const served = rows.slice((page - 1) * limit, page * limit)
  const pages = Math.ceil(rows.length / limit)
  const link = (number: number) => `?page=${number}&limit=${limit}`
  const links = {
    ...(page > 1 && { previous: link(page - 1) }),
    current: link(page),
    ...(page < pages && { next: link(page + 1) }),
  }
  return {
    rows: served,
    pagination: {
      total: rows.length,
      count: served.length,
      per_page: limit,
      current_page: page,
      total_pages: pages,
      links,
    },
  }
}
