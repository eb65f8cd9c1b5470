// The fields that a platform accepts in a body: declared by the simulator from the vendor's documentation, with errors
// in the platform's words. What no schema names is not stored, so a misspelled field never comes back.
import { type Fields, isObject } from './http.ts'

/** The words of JSON Schema, so that a digest of a vendor's specification is one as it is. */
export interface FieldSchema {
  type?: string // string, integer, number, boolean, object, array, or one of the platform's own `types`
  enum?: readonly string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: RegExp
  /** What a valid text becomes, such as a date in another form. */
  take?(text: string): unknown
  required?: true | readonly string[] // a list, as in specifications, is not checked
  readOnly?: boolean
  properties?: Schemas
  values?: Schema // of all other members of an object
  items?: Schema
  ref?: string // the name of a schema that `resolve` knows
}
/** A number stands for a text of at most that length, a word for a field of that type. */
export type Schema = number | string | FieldSchema
export type Schemas = Readonly<Record<string, Schema>>

export interface Problem {
  kind: 'missing' | 'type' | 'enum' | 'long' | 'short' | 'pattern' | 'low' | 'high' | 'unknown' | 'readOnly'
  path: string // of the field, in the body
  name: string
  value: unknown
  schema: FieldSchema
}
export interface AcceptorOptions {
  /**
   * Rejects the request with the platform's error, collects the error, or returns what is stored instead. A field for
   * which it returns nothing is left out. Unknown and read-only fields are left out in any case.
   */
  invalid(problem: Problem): unknown
  /**
   * What null means: the wrong type, an absent field, or null itself. `nothing`: an absent field is null, too, because
   * an update replaces the record.
   */
  nulls?: 'wrong' | 'absent' | 'kept' | 'nothing'
  /** In the order of the body, or of the schema, which matters for the first error and for the stored record. */
  order?: 'body' | 'schema'
  /** The platform's own types, and those that it reads in another way. Undefined: the value has another type. */
  types?: Readonly<Record<string, (value: unknown) => unknown>>
  resolve?(ref: string): FieldSchema | undefined
  member?(path: string, name: string): string // "address.city" by default
}
/** The accepted fields of a body. `path` is where it is in the request, "" at its top. */
export type Acceptor = (body: Fields, schemas: Schemas, path?: string) => Fields

const types: NonNullable<AcceptorOptions['types']> = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  integer: (value) => (Number.isSafeInteger(value) ? value : undefined),
  object: (value) => (isObject(value) ? value : undefined),
  array: (value) => (Array.isArray(value) ? value : undefined),
}

export function createAcceptor({
  invalid,
  nulls = 'wrong',
  order = 'schema',
  types: own = {},
  resolve = () => undefined,
  member = (path, name) => (path === '' ? name : `${path}.${name}`),
}: AcceptorOptions): Acceptor {
  function fieldOf(schema: Schema): FieldSchema {
    if (typeof schema === 'number') return { type: 'string', maxLength: schema }
    if (typeof schema === 'string') return { type: schema }
    return schema.ref === undefined ? schema : (resolve(schema.ref) ?? schema)
  }
  function acceptFields(schemas: Schemas, body: Fields, path = '', others?: Schema): Fields {
    const accepted: Fields = {}
    for (const name of order === 'body'
      ? Object.keys(body)
      : new Set([...Object.keys(schemas), ...Object.keys(body)])) {
      const value = body[name]
      const place = member(path, name)
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : others
      const taken =
        schema === undefined
          ? void invalid({ kind: 'unknown', path: place, name, value, schema: {} })
          : acceptField(fieldOf(schema), value, place, name)
      if (taken !== undefined) accepted[name] = taken
    }
    return accepted
  }
  function acceptField(schema: FieldSchema, value: unknown, path: string, name: string): unknown {
    if (schema.readOnly) {
      if (value !== undefined) invalid({ kind: 'readOnly', path, name, value, schema })
      return undefined
    }
    if (value === undefined)
      return schema.required === true
        ? invalid({ kind: 'missing', path, name, value, schema })
        : nulls === 'nothing'
          ? null
          : undefined
    return acceptValue(schema, value, path, name)
  }
  function acceptValue(schema: FieldSchema, value: unknown, path: string, name: string, isElement = false): unknown {
    // A null among the elements of a list is no absent field.
    if (value === null && nulls !== 'wrong' && (nulls === 'kept' || !isElement))
      return nulls === 'absent' ? undefined : null
    const wrong = (kind: Problem['kind']) => invalid({ kind, path, name, value, schema })
    if (schema.enum) return schema.enum.includes(String(value)) ? value : wrong('enum')
    const { type } = schema
    if (type === undefined) return value
    const taken = (own[type] ?? types[type])!(value)
    if (taken === undefined) return wrong('type')
    if (typeof taken === 'string') {
      const problem = problemOfText(schema, taken)
      return problem ? wrong(problem) : schema.take ? schema.take(taken) : taken
    }
    if (typeof taken === 'number') {
      if (schema.minimum !== undefined && taken < schema.minimum) return wrong('low')
      return schema.maximum !== undefined && taken > schema.maximum ? wrong('high') : taken
    }
    if (Array.isArray(taken)) {
      const { items } = schema
      if (items === undefined) return taken
      return taken.map((part, index) => acceptValue(fieldOf(items), part, `${path}[${index}]`, name, true))
    }
    return isObject(taken) && (schema.properties || schema.values)
      ? acceptFields(schema.properties ?? {}, taken, path, schema.values)
      : taken
  }
  return (body, schemas, path) => acceptFields(schemas, body, path)
}

function problemOfText({ minLength = 0, maxLength, pattern }: FieldSchema, text: string): Problem['kind'] | undefined {
  if (maxLength !== undefined && text.length > maxLength) return 'long'
  if (text.length < minLength) return 'short'
  return pattern && !pattern.test(text) ? 'pattern' : undefined
}
