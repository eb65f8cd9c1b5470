// Square's errors, and what it accepts in a body: types, lengths and enumerations come from the vendor's specification
// (fixtures/schemas.json).
import { type Fields, isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import { createAcceptor, type FieldSchema } from '../../../sandbox/schema.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import vendor from '../fixtures/schemas.json' with { type: 'json' }

const schemas: Readonly<Record<string, FieldSchema>> = vendor.schemas

export const ok = (body: Fields): WireResponse => ({ status: 200, body })

/** A list response omits an empty list. */
export const list = (name: string, rows: readonly unknown[], rest: Fields = {}): WireResponse =>
  ok({ ...(rows.length > 0 && { [name]: rows }), ...rest })

export function failure(status: number, category: string, code: string, detail: string, field?: string): WireResponse {
  return { status, body: { errors: [{ category, code, detail, field }] } }
}
export function refuse(status: number, code: string, detail: string, field?: string): never {
  throw new Refusal(failure(status, 'INVALID_REQUEST_ERROR', code, detail, field))
}
export const invalid = (code: string, detail: string, field?: string): never => refuse(400, code, detail, field)
export const notFound = (detail: string, field?: string): never => refuse(404, 'NOT_FOUND', detail, field)

export function bodyOf(request: WireRequest): Fields {
  const body = readJson(request)
  return isObject(body) ? body : invalid('EXPECTED_JSON_BODY', 'The request body must be a JSON object.')
}

const expected: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  string: ['EXPECTED_STRING', 'Expected a string value.'],
  boolean: ['EXPECTED_BOOLEAN', 'Expected a boolean value.'],
  integer: ['EXPECTED_INTEGER', 'Expected an integer value.'],
  number: ['EXPECTED_INTEGER', 'Expected an integer value.'],
  array: ['EXPECTED_ARRAY', 'Expected an array.'],
  object: ['EXPECTED_OBJECT', 'Expected an object.'],
}
const acceptFields = createAcceptor({
  nulls: 'kept',
  order: 'body',
  resolve: (name) => schemas[name],
  invalid({ kind, path, value, schema: { type = '', minLength, maxLength, minimum, maximum } }) {
    switch (kind) {
      case 'type':
        return invalid(...expected[type]!, path)
      case 'enum':
        return invalid('INVALID_ENUM_VALUE', `\`${String(value)}\` is not a valid enum value for \`${path}\`.`, path)
      case 'long':
        return invalid('VALUE_TOO_LONG', `Field must not be greater than ${maxLength} in length`, path)
      case 'short':
        return invalid(
          value === '' ? 'VALUE_EMPTY' : 'VALUE_TOO_SHORT',
          `Field must not be shorter than ${minLength}`,
          path,
        )
      case 'low':
        return invalid('VALUE_TOO_LOW', `Field must be at least ${minimum}`, path)
      case 'high':
        return invalid('VALUE_TOO_HIGH', `Field must be at most ${maximum}`, path)
    }
  },
})
/**
 * The part of the value that Square accepts: checked, without unknown and read-only fields. Nulls stay, because they
 * clear fields in a sparse update.
 */
export const accept = (name: string, value: unknown, path = ''): Fields =>
  isObject(value)
    ? acceptFields(value, schemas[name]?.properties ?? {}, path)
    : invalid('EXPECTED_OBJECT', 'Expected an object.', path)

export function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined)) as T
}

export function textOf(
  body: Fields,
  name: string,
  { max, required }: { max: number; required?: boolean },
): string | undefined {
  const value = body[name]
  if (value === undefined || value === null)
    return required ? invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', name) : undefined
  return acceptFields({ [name]: value }, { [name]: { type: 'string', minLength: 1, maxLength: max } })[name] as string
}

/** RFC 3339 with an offset. */
export function timeOf(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(value)
      ? Date.parse(value)
      : Number.NaN
  return Number.isNaN(time)
    ? invalid('INVALID_TIME', `\`${String(value)}\` is not a valid RFC 3339 time.`, field)
    : time
}

/** Both ends included. */
export function inRange(range: unknown, field: string): (time: string | undefined) => boolean {
  if (!isObject(range)) return () => true
  const start = timeOf(range.start_at, `${field}.start_at`) ?? Number.NEGATIVE_INFINITY
  const end = timeOf(range.end_at, `${field}.end_at`) ?? Number.POSITIVE_INFINITY
  if (start > end) invalid('INVALID_TIME_RANGE', 'start_at must not be later than end_at.', field)
  return (time) => time !== undefined && Date.parse(time) >= start && Date.parse(time) <= end
}
