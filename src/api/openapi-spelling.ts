// JSON Schema as OpenAPI 3.0 spells it.
import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const json = (schema: unknown) => ({ 'application/json': { schema } })

export function toOpenApi(schema: TSchema): Json {
  const {
    exclusiveMinimum,
    patternProperties,
    const: only,
    default: _, // generated clients would send it with every change of other settings
    ...node
  } = schema as unknown as Json & { exclusiveMinimum?: number; patternProperties?: Record<string, TSchema> }
  const result: Json = { ...node }
  if (exclusiveMinimum !== undefined) Object.assign(result, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  // Few languages have enumerations of booleans.
  if (typeof only === 'boolean') result.type = 'boolean'
  else if (only !== undefined) result.enum = [only]
  if (patternProperties) result.additionalProperties = toOpenApi(Object.values(patternProperties)[0] as TSchema)
  if (node.properties)
    result.properties = Object.fromEntries(
      Object.entries(node.properties as Record<string, TSchema>).map(([name, property]) => [name, toOpenApi(property)]),
    )
  if (node.items) result.items = toOpenApi(node.items as TSchema)
  // Few languages have a type for one of several plain values: the description says which ones.
  if (node.anyOf) return node.description === undefined ? {} : { description: node.description }
  if (Array.isArray(node.required) && node.required.length === 0) delete result.required
  return result
}
