// What keeps an OpenAPI document from being fit for generators and readers.
import { Ajv, type ErrorObject } from 'ajv'
import formatsOf from 'ajv-formats'
import { toJsonSchema } from './fuzz/document.ts'

type Json = Record<string, unknown>
interface Media {
  schema?: Json
  examples?: Record<string, { value: unknown }>
}
interface Operation {
  operationId?: string
  summary?: string
  description?: string
  parameters?: { in: string; name: string; schema: Json; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media> }>
}
export interface Described {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Its faults, and its schemas as text. */
export function inspect({ paths, components }: Described): { faults: string[]; schemas: Record<string, string> } {
  const faults: string[] = []
  const ajv = new Ajv({ strict: false, logger: false })
  formatsOf.default(ajv)
  ajv.addSchema({ $id: 'document', components: toJsonSchema(components) as object })

  for (const [name, schema] of Object.entries(components.schemas)) if (hasNameless(schema, true)) nameless(name)
  for (const item of Object.values(paths)) for (const operation of Object.values(item)) inspectOperation(operation)
  const referenced = new Set(
    [...JSON.stringify([paths, components]).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  )
  for (const [name, schema] of Object.entries(components.schemas))
    if (!referenced.has(name) && !schema.title && name !== 'DryRun') faults.push(`${name} is not used`)
  const texts = Object.entries(components.schemas).map(([name, schema]) => [name, JSON.stringify(schema)])
  return { faults, schemas: Object.fromEntries(texts) }

  function nameless(where: string): void {
    faults.push(`${where} has an object or values without a name`)
  }
  function inspectOperation(operation: Operation): void {
    const { operationId = '?', parameters = [], requestBody, responses } = operation
    for (const member of ['operationId', 'summary', 'description'] as const)
      if (!operation[member]) faults.push(`${operationId} has no ${member}`)
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const contents: [string, Record<string, Media>][] = [
      ['the body', requestBody?.content ?? {}],
      ...successes.map(([status, { content = {} }]): [string, Record<string, Media>] => [status, content]),
    ]
    for (const [status, { description = '' }] of successes) {
      const begins = { 201: /^(Created|Written)/, 202: /^Accepted; read `GET / }[status]
      if (begins?.test(description) === false) faults.push(`${operationId}: ${status} is described as ${description}`)
    }
    for (const [where, content] of contents) {
      let hasExample = Object.keys(content).length === 0
      for (const { schema = {}, examples = {} } of Object.values(content)) {
        if (hasNameless(schema)) nameless(`${operationId} ${where}`)
        for (const { value } of Object.values(examples)) {
          hasExample = true
          const errors = misfits(schema, value)
          if (errors) faults.push(`${operationId}: the example of ${where} does not fit: ${errors}`)
        }
      }
      if (!hasExample) faults.push(`${operationId} has no example of ${where}`)
    }
    for (const { name, schema } of parameters) if (hasNameless({ items: schema })) nameless(`${operationId} ${name}`)
    const inPath = parameters.filter((one) => one.in === 'path')
    if (inPath.some(({ example }) => example === undefined)) faults.push(`${operationId} has a path without an example`)
  }
  function misfits(schema: Json, value: unknown): string | undefined {
    const text = JSON.stringify(toJsonSchema(schema)).replaceAll('"#/components/', '"document#/components/')
    const check = ajv.compile(JSON.parse(text) as object)
    if (check(value)) return undefined
    const [{ instancePath, message }] = check.errors as [ErrorObject]
    return `${instancePath} ${message}`
  }
}

/** Whether a generator would have to invent a name for a part of the schema. */
function hasNameless(schema: Json, isNamed = false): boolean {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf,
    oneOf,
    allOf = [],
  } = schema as {
    properties?: Record<string, Json>
    items?: Json
    additionalProperties?: Json | boolean
    anyOf?: Json[]
    oneOf?: Json[]
    allOf?: Json[]
  }
  if (!isNamed && (schema.properties || anyOf || oneOf)) return true
  return (
    [...Object.values(properties), ...(anyOf ?? oneOf ?? [])].some((one) => hasNameless(one)) ||
    allOf.some((one) => hasNameless(one, true)) ||
    [items, additionalProperties].some((one) => typeof one === 'object' && (one.enum !== undefined || hasNameless(one)))
  )
}
