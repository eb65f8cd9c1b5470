// Building blocks of the schemas of management resources. One schema validates bodies, describes the OpenAPI document, and
// is the type of what the store keeps and of what a configuration file can have.
import { type Static, type TObject, type TOptional, type TProperties, type TSchema, Type } from 'typebox'
import { type EntityType, entityTypes } from './entity.ts'

interface Options {
  description?: string
  minProperties?: number
}
export const optional = Type.Optional

/** An object without other members. */
export const object = <P extends TProperties>(properties: P, options: Options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })
/** A change: every setting is optional. */
export const partial = <P extends TProperties>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false })
/** `title`: its name in the OpenAPI document and in clients. */
export const named = <P extends TProperties>(title: string, properties: P, options: Options = {}) =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

/** An object of a response that may get more members. `title`: its name, or none. */
export const shape = <P extends TProperties>(title: string, properties: P, options: Options = {}) =>
  Type.Object(properties, { ...(title === '' ? {} : { title }), ...options })
/** An object whose members are declared elsewhere. */
export const anyObject = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', ...said(description) })

const said = (description: string | undefined) => (description === undefined ? {} : { description })
type TextLimits = {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}
/** A text with a description, limits, or both. */
export const text = (first: string | TextLimits = {}, limits: TextLimits = {}) =>
  Type.String(typeof first === 'string' ? { ...limits, description: first } : first)
export const time = (description?: string) => Type.String({ format: 'date-time', ...said(description) })
export const flag = (description?: string) => Type.Boolean(said(description))
export const whole = (description?: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ ...limits, ...said(description) })
export const number = (description?: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.Number({ ...limits, ...said(description) })
export const anything = (description?: string) => Type.Unknown(said(description))
export const listOf = <T extends TSchema>(
  items: T,
  description?: string,
  limits: { minItems?: number; maxItems?: number; uniqueItems?: boolean } = {},
) => Type.Array(items, { ...limits, ...said(description) })
export const byName = <T extends TSchema>(value: T, description?: string) =>
  Type.Record(Type.String(), value, said(description))
/** The members of an object that may have a value for each entity type. */
export const byEntityType = <T extends TSchema>(value: T) =>
  Object.fromEntries(entityTypes.map((type) => [type, Type.Optional(value)])) as {
    [K in EntityType]: TOptional<T>
  }

declare const isDefaulted: unique symbol
interface Default {
  [isDefaulted]: true
}
/**
 * A setting that is always stored. The OpenAPI document does not have the default as a keyword: generated clients would
 * send it with every change of other settings.
 */
export const defaulted = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional({ ...schema, default: value }) as unknown as TOptional<T> & Default
/** A setting that is not stored where it is empty: that is how a change removes it. */
export const orEmpty = <T extends TSchema>(schema: T, empty: Static<T>): TOptional<T> =>
  Type.Optional({ ...schema, default: empty }) as TOptional<T>

type Kept<P extends TProperties> = {
  [K in keyof P]: P[K] extends Default ? K : P[K] extends TOptional<TSchema> ? never : K
}[keyof P]
/** As they are stored: with the defaults, and without what is empty. */
export type Stored<P extends TProperties> = { [K in Kept<P>]: Static<P[K]> } & {
  [K in Exclude<keyof P, Kept<P>>]?: Static<P[K]> | undefined
}

const defaultOf = (schema: TSchema | undefined) => (schema as { default?: unknown } | undefined)?.default
const isEmpty = (value: unknown) => value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
/** All settings, in the order of the schema: those that are not given have their default. */
export const withDefaults = <P extends TProperties>(properties: P, given: { [K in keyof P]?: unknown }) =>
  Object.fromEntries(
    Object.keys(properties).map((name) => [name, given[name] ?? defaultOf(properties[name])]),
  ) as Required<Static<TObject<P>>>
const emptied = (properties: TProperties, given: object) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isEmpty(value) && isEmpty(defaultOf(properties[name])) ? undefined : value,
    ]),
  )
/** The settings that a new object stores, and those that a change replaces. */
export const newOf = <P extends TProperties>(properties: P, given: Static<TObject<P>>) =>
  emptied(properties, withDefaults(properties, given)) as Stored<P>
export const changeOf = <P extends TProperties>(properties: P, given: Partial<Static<TObject<P>>>) =>
  emptied(properties, given) as Partial<Stored<P>>

/** A page of a list. */
export const pageSchema = <T extends TSchema>(entry: T) =>
  object({ data: Type.Array(entry), next: optional(text('Start of the next page, for `after`')) })
