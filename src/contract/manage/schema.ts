// Building blocks of the schemas of management resources. One schema validates bodies, describes the OpenAPI document, and
// is the type of what the store keeps and of what a configuration file can have.
import { type TOptional, type TProperties, type TSchema, Type } from 'typebox'
import { type EntityType, entityTypes } from '../entity.ts'

interface Options {
  description?: string
  minProperties?: number
}
export const optional = Type.Optional

/** Without other members. */
export const object = <P extends TProperties>(properties: P, options: Options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })
/** `title`: its name in the OpenAPI document and in clients. */
export const named = <P extends TProperties>(title: string, properties: P, options: Options = {}) =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

const said = (description: string | undefined) => (description === undefined ? {} : { description })
type TextLimits = {
  minLength?: number
  maxLength?: number
  pattern?: string
}
/** With a description, limits, or both. */
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

/** A page of a list. */
export const pageSchema = <T extends TSchema>(entry: T) =>
  object({ data: Type.Array(entry), next: optional(text('Start of the next page, for `after`')) })
