// Toast's formats: errors, dates, identifiers and query parameters.

import { randomUUID } from 'node:crypto'
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export const day = 86_400_000
export const never = '1970-01-01T00:00:00.000+0000'

export const ok = (body: unknown, headers?: Record<string, string>): WireResponse => ({
  status: 200,
  body,
  ...(headers && { headers }),
})

/** The authentication API returns the status as a string, all others as a number. */
export function failure(status: number, message: string, code = status * 100 + 25, statusAsText = false): WireResponse {
  return {
    status,
    body: {
      status: statusAsText ? String(status) : status,
      code,
      message,
      messageKey: null,
      fieldName: null,
      link: null,
      requestId: randomUUID(),
      developerMessage: null,
      errors: [],
    },
  }
}
export const refuse = refusing(failure)
export const invalid = (message: string): never => refuse(400, message)

export const wireDate = (time: number): string => new Date(time).toISOString().replace('Z', '+0000')
export const timeOf = (date: string): number => Date.parse(date.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))

const datePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{4})$/
/** Milliseconds are mandatory, and the offset is Z or has no colon. */
export function readDate(value: unknown, name: string): number {
  const time = typeof value === 'string' && datePattern.test(value) ? timeOf(value) : Number.NaN
  return Number.isNaN(time) ? invalid(`Could not parse date ${name}: ${String(value)}`) : time
}
export function readDates(
  query: URLSearchParams,
  start: string,
  end: string,
  withinMonth = false,
): { from: number; to: number } | undefined {
  if (!query.has(start) && !query.has(end)) return undefined
  if (!query.has(start) || !query.has(end)) return invalid(`Both ${start} and ${end} are required`)
  const from = readDate(query.get(start), start)
  const to = readDate(query.get(end), end)
  if (to <= from) invalid(`${end} must be after ${start}`)
  if (withinMonth && to > new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1))
    invalid('The time period cannot be longer than one month')
  return { from, to }
}
export function readNumber(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  largest = Number.MAX_SAFE_INTEGER,
): number {
  const value = query.get(name)
  if (value === null) return otherwise
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= largest
    ? number
    : invalid(`${name} must be between 1 and ${largest}`)
}

export const isGuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
/** "NamingAuthority:12345" */
export const isExternalId = (value: unknown): value is string =>
  typeof value === 'string' && /^[^:\s]+:\S+$/.test(value)

/** By GUID or external identifier; anything else is malformed. */
export function findByEither<T extends { guid: string; externalId: string | null }>(
  records: { get(id: string): T | undefined; find(matches: (record: T) => boolean): T | undefined },
  id: string,
  what: string,
): T {
  if (!isGuid(id) && !isExternalId(id)) invalid(`The identifier of the ${what} is malformed: ${id}`)
  const found = isGuid(id) ? records.get(id.toLowerCase()) : records.find(({ externalId }) => externalId === id)
  return found ?? refuse(404, `The ${what} was not found`)
}

export function readBody(request: WireRequest): unknown {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    refuse(415, 'Content-Type must be application/json')
  const body = readJson(request)
  return body === undefined ? invalid('The message body is not valid JSON') : body
}
export function readObject(request: WireRequest): Fields {
  const body = readBody(request)
  return isObject(body) ? body : invalid('The message body must be a JSON object')
}
export function readText(fields: Fields, name: string, longest = 255): string | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.length > longest)
    return invalid(`${name} must be a string of at most ${longest} characters`)
  return value
}
