// Gives every schema of the OpenAPI document a name that a generator would have to invent one for, such as
// `inline_response_200_3` for an object or `Include17` for the values of a parameter.
import { ref } from './openapi-spelling.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  parameters?: { name: string; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>
}

/**
 * Moves the schemas of objects, of unions and of shared values into `schemas`. The `title` of a schema is its name, if
 * it is one word. Without one, the name consists of the names of operation and field, or is that of the parameter.
 * Equal schemas are one component.
 */
export function nameSchemas(paths: Json, schemas: Json): void {
  const names = new Map<string, string>()
  const given = Object.entries(schemas)
  for (const [name] of given) delete schemas[name]
  for (const [name, schema] of given) {
    const inner = within(schema as Json, name)
    if (schemas[name] !== undefined && keyOf(schemas[name] as Json) !== keyOf(inner)) throw twice(name)
    schemas[name] = inner
    names.set(keyOf(inner), name)
  }
  for (const item of Object.values(paths) as Record<string, Operation>[])
    for (const operation of Object.values(item)) {
      const { operationId, parameters, requestBody, responses } = operation
      const title = capitalized(operationId)
      // Several operations have the same parameter object.
      if (parameters)
        operation.parameters = parameters.map((parameter) => ({
          ...parameter,
          schema: shared(parameter.schema, capitalized(parameter.name)),
        }))
      for (const content of Object.values(requestBody?.content ?? {}))
        content.schema = replaced(content.schema, `${title}Body`)
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const media of Object.values(content))
          if (media.schema) media.schema = replaced(media.schema, `${title}${status < '300' ? 'Answer' : 'Problem'}`)
    }

  /** Values of a field belong to the class of the field. Those of a parameter, a list or a map belong to no class. */
  function shared(schema: Json, suggested: string): Json {
    return replaced(schema, suggested, needsName(schema) || schema.enum !== undefined)
  }
  /** The schema, or a reference to its component. */
  function replaced(schema: Json, suggested: string, isNeeded = needsName(schema)): Json {
    if (!isNeeded) return within(schema, suggested)
    const { title, description, nullable, ...rest } = schema
    const name = isName(title) ? title : (pageName(schema) ?? suggested)
    const own = within(rest, name)
    const key = keyOf(own)
    const known = names.get(key)
    // A title is a decision: equal schemas with different titles stay different.
    const use = known !== undefined && (!isName(title) || known === title) ? known : name
    if (schemas[use] === undefined) schemas[use] = description === undefined ? own : { ...own, description }
    else if (keyOf(schemas[use] as Json) !== key) throw twice(use)
    if (known === undefined) names.set(key, use)
    const component = schemas[use] as Json
    const differs = description !== undefined && description !== component.description
    if (!differs && nullable !== true) return ref(use)
    return { allOf: [ref(use)], ...(differs ? { description } : {}), ...(nullable === true ? { nullable } : {}) }
  }
  function within(schema: Json, name: string): Json {
    const { properties, items, additionalProperties, anyOf, allOf } = schema as {
      properties?: Record<string, Json>
      items?: Json
      additionalProperties?: Json | boolean
      anyOf?: Json[]
      allOf?: Json[]
    }
    const result: Json = { ...schema }
    if (isName(result.title)) delete result.title
    if (properties)
      result.properties = Object.fromEntries(
        Object.entries(properties).map(([field, inner]) => [field, replaced(inner, name + capitalized(field))]),
      )
    if (items) result.items = shared(items, singular(name))
    if (typeof additionalProperties === 'object')
      result.additionalProperties = shared(additionalProperties, singular(name))
    if (anyOf) result.anyOf = anyOf.map((one, index) => replaced(one, `${name}${index + 1}`))
    if (allOf) result.allOf = allOf.map((one) => within(one, name))
    return result
  }
}

const twice = (name: string) => new Error(`two schemas have the name ${name}: give one of them another title`)

/** A class in most languages. */
const needsName = (schema: Json): boolean =>
  schema.properties !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined
/** A list is called after its entries. */
function pageName({ properties = {} }: { properties?: Record<string, { items?: Json }> }): string | undefined {
  const { data, ...others } = properties
  const entry = data?.items?.title
  if (!isName(entry) || Object.keys(others).some((name) => name !== 'next')) return undefined
  return `${entry}${others.next ? 'Page' : 'List'}`
}
const isName = (title: unknown): title is string => typeof title === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(title)
const capitalized = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const singular = (name: string) => {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y')
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Entry`
}
const keyOf = ({ description: _, title: __, ...schema }: Json) => JSON.stringify(schema)
