// Building blocks of the entity schemas: one TypeBox object is the type, the validator, the JSON Schema and the OpenAPI
// component. What a schema cannot say about a field is kept beside it.
import { type TProperties, type TSchema, Type } from 'typebox'
import type { Vertical } from './vertical.ts'

export interface ListFacts {
  /** Names an entry in the OpenAPI documents, behind the name of its entity type: "LineItem". */
  entry: string
  /** The fields that tell which entry replaces which one in an update; the first one that an entry has counts. */
  sameBy: readonly string[]
  /** The fields by which two lists are recognized as the same. */
  alike: readonly string[]
}
/** The options that the author of an entity type sets for a field. */
interface FieldOptions {
  /** The verticals whose flavor has the field; by default all that the entity type has. */
  only?: Vertical | readonly Vertical[]
  /**
   * By default, a PUT that leaves the field out clears it. `keeps`: it keeps its value, because it has no empty one.
   * `stays`: it keeps its value, and nothing is said; null or an empty list clears it. For fields that were added after
   * callers had begun to write their type.
   */
  leftOut?: 'keeps' | 'stays'
  /** The value of a new record without the field. */
  default?: unknown
  /** The value follows from others, such as a total from its lines. */
  follows?: true
  /** The value is the platform's alone: the one in a body is compared with it, and never sent. */
  computed?: true
  /** A part of `name`. */
  partOfName?: true
  /** Says something about a person, and does not name one. */
  personal?: true
}
interface Facts extends Omit<FieldOptions, 'only'> {
  only?: readonly Vertical[]
  reference?: string
  money?: true
  digits?: true
  list?: ListFacts
  /** Names an entry of a list that is not `list`, behind the name of its entity type. */
  entry?: string
  /** The name of the schema of an object in the OpenAPI documents. */
  schemaName?: string
}
const facts = new WeakMap<TSchema, Facts>()
export const factsOf = (schema: TSchema): Facts => facts.get(schema) ?? {}
function noted<T extends TSchema>(schema: T, more: Facts): T {
  facts.set(schema, { ...factsOf(schema), ...more })
  return schema
}

export const text = (description: string) => Type.String({ description })
/** Not blank and without control characters: databases, logs and files must be able to hold it. */
export const identifier = (description: string) =>
  Type.String({ description, format: 'identifier', minLength: 1, maxLength: 512 })
/** The display name of a record: the one field that most platforms require. */
export const label = (description: string) => Type.String({ description, minLength: 1 })
/** `description`: of a record that callers cannot write. */
export const referenceTo = (entityType: string, description?: string, named = entityType.replaceAll('_', ' ')) =>
  noted(
    identifier(
      description ??
        `In a body, your source id of the ${named} or the platform's id, as the query parameter \`references\` says. In every response, the platform's id.`,
    ),
    { reference: entityType },
  )
export const flag = (description: string) => Type.Boolean({ description })
export const integer = (description: string) =>
  Type.Integer({ description, minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 })
export const number = (description: string) => Type.Number({ description })
export const money = (description: string) =>
  noted(Type.Number({ description: `${description}, in major currency units`, minimum: -1e12, maximum: 1e12 }), {
    money: true,
  })
export const currency = (description: string) =>
  Type.String({ description: `${description} (ISO 4217)`, format: 'currency' })
export const instant = (description: string) =>
  Type.String({ description: `${description} (ISO 8601 with offset)`, format: 'date-time' })
/** A day of a calendar, without a time: "2026-11-17". */
export const day = (description: string) => Type.String({ description: `${description} (YYYY-MM-DD)`, format: 'date' })
export const email = (description: string) => Type.String({ description, format: 'email' })
/** Two spellings of it are the same if their digits are. */
export const digits = (description: string) => noted(text(description), { digits: true })
export const url = (description: string) => Type.String({ description, format: 'uri' })
/** `title`: the name of the values in the OpenAPI documents. Lists and maps of values need one. */
export const oneOf = <const V extends readonly string[]>(values: V, description?: string, title?: string) =>
  Type.Unsafe<V[number]>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
    ...(title ? { title } : {}),
  })
export const texts = (description: string) => Type.Array(Type.String(), { description })
/** Objects in a list, such as the lines of an order. */
export const entries = <P extends TProperties>(
  properties: P,
  { description, minItems, ...list }: ListFacts & { description: string; minItems?: number },
) =>
  noted(Type.Array(Type.Object(properties), { description, ...(minItems === undefined ? {} : { minItems }) }), { list })
/** Objects in a list that have no identity of their own, such as the taxes of an order: an update replaces all of them. */
export const parts = <P extends TProperties>(properties: P, description: string, entry: string) =>
  noted(Type.Array(Type.Object(properties), { description }), { entry })
/** An object that several entity types share. */
export const shared = <T extends TSchema>(schemaName: string, schema: T): T => noted(schema, { schemaName })

export function optional<T extends TSchema>(schema: T, { only, ...options }: FieldOptions = {}) {
  const of = only === undefined ? {} : { only: typeof only === 'string' ? [only] : only }
  return noted(Type.Optional(schema), { ...factsOf(schema), ...options, ...of })
}
