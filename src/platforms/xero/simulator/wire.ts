// Xero's response formats: the envelope, .NET dates, validation exceptions and the gateway's problem objects.

import { randomUUID } from 'node:crypto'
import { type Fields, isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

/** With an offset in records, without in the envelope; the number is UTC in both. */
export const dotNetDate = (time: number, offset = '+0000'): string => `/Date(${time}${offset})/`

export const envelope = (now: number, content: Fields): WireResponse => ({
  status: 200,
  body: {
    Id: randomUUID(),
    Status: 'OK',
    ProviderName: 'Unified Records (sandbox)',
    DateTimeUTC: dotNetDate(now, ''),
    ...content,
  },
})

export const exception = (number: number, type: string, message: string, more: Fields = {}): WireResponse => ({
  status: 400,
  body: { ErrorNumber: number, Type: type, Message: message, ...more },
})
export const validationException = (elements: readonly Fields[]): WireResponse =>
  exception(10, 'ValidationException', 'A validation exception occurred', { Elements: elements })
export const notFound = (): WireResponse => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: "The resource you're looking for cannot be found",
})

/** Errors of the gateway in front of the API. */
export const problem = (status: number, title: string, detail: string): WireResponse => ({
  status,
  headers: {
    ...(status === 401 && { 'www-authenticate': 'Bearer error=invalid_token' }),
    'content-type': 'application/problem+json',
  },
  body: { Type: null, Title: title, Status: status, Detail: detail, Instance: randomUUID(), Extensions: {} },
})

export const refuse = (response: WireResponse): never => {
  throw new Refusal(response)
}

/** `{ "Contacts": [ … ] }`, or a single contact without a wrapper. */
export function elementsOf(request: WireRequest): Fields[] {
  if (!/json/i.test(request.headers['content-type'] ?? '')) return refuse({ status: 415, body: '' })
  const body = readJson(request)
  const elements = isObject(body) && Array.isArray(body.Contacts) ? body.Contacts : [body]
  if (elements.length === 0 || !elements.every(isObject))
    return refuse(exception(14, 'PostDataInvalidException', 'Invalid Json data'))
  return elements
}
