// Formats of the X-Series API: errors, timestamps, lists by version.

import type { Collection } from '../../../sandbox/collection.ts'
import { type Fields, isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const ok = (data: unknown, status = 200): WireResponse => ({ status, body: { data } })
export const failure = (status: number, error: string, message?: string): WireResponse => ({
  status,
  body: { error, message },
})
export const unknownPage = (): WireResponse => failure(404, 'not found')

export function missing(what: string): never {
  throw new Refusal(failure(404, `${what} not found`))
}
export function refuse(field: string, message: string): never {
  throw new Refusal({ status: 422, body: { errors: { global: [], fields: { [field]: [message] } } } })
}
export function bodyOf(request: WireRequest): Fields {
  const body = readJson(request)
  if (!isObject(body)) throw new Refusal(failure(400, 'Bad Request', 'The request body is malformed.'))
  return body
}
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** UTC in whole seconds. */
export const stamp = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00')
export const stampOrNull = (at: number | undefined): string | null => (at === undefined ? null : stamp(at))

/** Amounts are JSON numbers; the tutorials send them as strings, which are accepted too. Five decimals are stored. */
export function numberOf(value: unknown, field: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return refuse(field, 'must be a number')
  return Number(number.toFixed(5))
}
export function textOf(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : refuse(field, 'must be a string')
}
/** A reference to an existing record that is not deleted. */
export function referenceOf<T extends { deleted?: number }>(
  value: unknown,
  field: string,
  records: Collection<T>,
): string {
  const found = typeof value === 'string' ? records.get(value) : undefined
  return found && found.deleted === undefined
    ? (value as string)
    : refuse(field, `${field.split('.').at(-1)} is not valid`)
}

export interface Versioned {
  id: string
  version: number
  deleted?: number
}
export const integerOf = (query: URLSearchParams, name: string, least: number): number | undefined => {
  const given = query.get(name)
  if (given === null || given === '') return undefined
  if (!/^\d+$/.test(given) || Number(given) < least)
    throw new Refusal(failure(400, 'Bad Request', `${name} is not valid`))
  return Number(given)
}
/** Ascending by version, after `after`; `version` contains the range and is empty past the end. */
export function listed<T extends Versioned>(
  request: WireRequest,
  records: readonly T[],
  render: (record: T) => unknown,
  showDeleted = request.query.get('deleted') === 'true',
): WireResponse {
  const { query } = request
  const after = integerOf(query, 'after', 0) ?? 0
  const before = integerOf(query, 'before', 0) ?? Number.POSITIVE_INFINITY
  const size = integerOf(query, 'page_size', 1) ?? 100
  const rows = records
    .filter(({ version, deleted }) => version > after && version < before && (showDeleted || deleted === undefined))
    .sort((a, b) => a.version - b.version)
    .slice(0, size)
  return {
    status: 200,
    body: { data: rows.map(render), version: { min: rows[0]?.version ?? null, max: rows.at(-1)?.version ?? null } },
  }
}
export const bodyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
