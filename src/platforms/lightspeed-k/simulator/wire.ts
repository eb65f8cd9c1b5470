// Every K-Series service has its own error format: items, order and pay (Spring), finance, staff.
import { type Fields, Refusal, readJson } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export interface FieldError {
  field: string
  message: string
  rejected?: unknown
}
export const ok = (body: unknown, status = 200): WireResponse => ({ status, body })

const stamp = (): string => new Date().toISOString()
/** Order and pay writes its times without a colon in the offset. */
export const springTime = (time: number): string => new Date(time).toISOString().replace('Z', '+0000')
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
}

export const itemsError = (status: number, message: string, errors: readonly FieldError[] = []): WireResponse => ({
  status,
  body: {
    status: String(status),
    timestamp: stamp(),
    message,
    apiSubExceptions: errors.map(({ field, message: text, rejected }) => ({
      field,
      rejectedValue: String(rejected ?? ''),
      message: text,
    })),
  },
})
export const springError = (
  status: number,
  message: string,
  path: string,
  errors: readonly FieldError[] = [],
): WireResponse => ({
  status,
  body: {
    timestamp: springTime(Date.now()),
    status,
    error: reasons[status] ?? 'Internal Server Error',
    message,
    ...(errors.length > 0 && {
      errors: errors.map(({ field, message: text }) => ({
        codes: [text],
        defaultMessage: text,
        objectName: 'order',
        field,
        bindingFailure: false,
        code: 'Invalid',
      })),
    }),
    path,
  },
})
export const financeError = (status: number, error: string): WireResponse => ({ status, body: { error } })

export function refuse(response: WireResponse): never {
  throw new Refusal(response)
}

export function bodyOf(request: WireRequest): Fields {
  const body = readJson(request)
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Fields)
    : refuse(springError(400, 'Required request body is missing or is not JSON', request.path))
}

/** A whole number from the query; its default if absent, an error if it is not a number or out of bounds. */
export function integerOf(
  request: WireRequest,
  name: string,
  fallback: number,
  { least, most }: { least: number; most: number },
): number {
  const given = request.query.get(name)
  if (given === null || given === '') return fallback
  const value = Number(given)
  if (!Number.isInteger(value) || value < least || value > most)
    refuse(
      itemsError(400, 'Constraint violation', [
        { field: name, message: `must be between ${least} and ${most}`, rejected: given },
      ]),
    )
  return value
}
