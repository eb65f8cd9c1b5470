// Building blocks of the entity schemas: one TypeBox object is the type, the validator, the JSON Schema and the OpenAPI
// component.
import { type TSchema, Type } from 'typebox'

export const text = (description: string) => Type.String({ description })
/** Not blank and without control characters: databases, logs and files must be able to hold it. */
export const identifier = (description: string) =>
  Type.String({ description, format: 'identifier', minLength: 1, maxLength: 512 })
/** The id of a record. In responses it is the platform's; bodies have the caller's. */
export const ownId = (title: string) =>
  identifier(
    `In a POST body, your own stable id of the ${title} (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.`,
  )
export const referenceTo = (title: string) =>
  identifier(
    `In a body, your source id of the ${title} or the platform's id, as the query parameter \`references\` says. In every response, the platform's id.`,
  )
export const flag = (description: string) => Type.Boolean({ description })
export const integer = (description: string) =>
  Type.Integer({ description, minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 })
export const amount = (description: string) =>
  Type.Number({ description: `${description}, in major currency units`, minimum: -1e12, maximum: 1e12 })
export const hours = (description: string) => Type.Number({ description })
export const currency = (description: string) =>
  Type.String({ description: `${description} (ISO 4217)`, format: 'currency' })
export const instant = (description: string) =>
  Type.String({ description: `${description} (ISO 8601 with offset)`, format: 'date-time' })
export const email = (description: string) => Type.String({ description, format: 'email' })
export const url = (description: string) => Type.String({ description, format: 'uri' })
/** `title`: the name of the values in the OpenAPI documents. Lists and maps of values need one. */
export const oneOf = <const V extends readonly string[]>(values: V, description: string, title?: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description, ...(title ? { title } : {}) })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
