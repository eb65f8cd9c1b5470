// Square's errors, and what it accepts in a body: types, lengths and enumerations come from the vendor's specification
// (fixtures/schemas.json).
import { type Fields, isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import vendor from '../fixtures/schemas.json' with { type: 'json' }

interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  ref?: string
  enum?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  readOnly?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  values?: Schema
}
const { schemas } = vendor as { schemas: Record<string, Schema> }

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

/**
 * The part of the value that Square accepts: checked, without unknown and read-only fields. Nulls stay, because they
 * clear fields in a sparse update.
 */
export function accept(name: string, value: unknown, path = ''): Fields {
  return acceptValue({ ref: name }, value, path) as Fields
}

function acceptValue(given: Schema, value: unknown, path: string): unknown {
  const schema = given.ref ? (schemas[given.ref] ?? given) : given
  if (value === null) return null
  if (schema.enum) return acceptEnum(schema.enum, value, path)
  switch (schema.type) {
    case 'string':
      return acceptText(schema, value, path)
    case 'boolean':
      return typeof value === 'boolean' ? value : invalid('EXPECTED_BOOLEAN', 'Expected a boolean value.', path)
    case 'integer':
    case 'number':
      return acceptNumber(schema, value, path)
    case 'array':
      return Array.isArray(value)
        ? value.map((part, index) => acceptValue(schema.items ?? {}, part, `${path}[${index}]`))
        : invalid('EXPECTED_ARRAY', 'Expected an array.', path)
    case 'object':
      return acceptObject(schema, value, path)
    default:
      return value
  }
}

function acceptObject(schema: Schema, value: unknown, path: string): Fields {
  if (!isObject(value)) return invalid('EXPECTED_OBJECT', 'Expected an object.', path)
  const accepted: Fields = {}
  for (const [name, part] of Object.entries(value)) {
    const field = schema.properties?.[name] ?? schema.values
    if (part !== undefined && field && !field.readOnly)
      accepted[name] = acceptValue(field, part, path ? `${path}.${name}` : name)
  }
  return accepted
}

function acceptText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema,
  value: unknown,
  path: string,
): string {
  if (typeof value !== 'string') return invalid('EXPECTED_STRING', 'Expected a string value.', path)
  if (value.length > maxLength)
    return invalid('VALUE_TOO_LONG', `Field must not be greater than ${maxLength} in length`, path)
  if (value.length < minLength)
    return invalid(
      value === '' ? 'VALUE_EMPTY' : 'VALUE_TOO_SHORT',
      `Field must not be shorter than ${minLength}`,
      path,
    )
  return value
}

function acceptNumber({ type, minimum, maximum }: Schema, value: unknown, path: string): number {
  if (typeof value !== 'number' || (type === 'integer' && !Number.isSafeInteger(value)))
    return invalid('EXPECTED_INTEGER', 'Expected an integer value.', path)
  if (minimum !== undefined && value < minimum)
    return invalid('VALUE_TOO_LOW', `Field must be at least ${minimum}`, path)
  if (maximum !== undefined && value > maximum)
    return invalid('VALUE_TOO_HIGH', `Field must be at most ${maximum}`, path)
  return value
}

function acceptEnum(allowed: string[], value: unknown, path: string): string {
  if (typeof value !== 'string' || !allowed.includes(value))
    return invalid('INVALID_ENUM_VALUE', `\`${String(value)}\` is not a valid enum value for \`${path}\`.`, path)
  return value
}

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
  return acceptText({ minLength: 1, maxLength: max }, value, name)
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
