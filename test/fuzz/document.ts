// The operations of the OpenAPI document, and whether a response matches it.
import { Ajv, type ValidateFunction } from 'ajv'
import formatsOf from 'ajv-formats'
import type { WireResponse } from './wire.ts'

export type Json = Record<string, unknown>
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Json
}
export interface Operation {
  operationId: string
  method: string
  path: string
  form: 'form A' | 'form B' | 'manage' | 'open'
  parameters: Parameter[]
  body?: { type: string; schema: Json; examples: unknown[] }
  /** Whether the operation accepts a body. */
  takes(body: unknown): boolean
}
export interface ApiDocument {
  operations: Operation[]
  schemas: Json
  /** The operation that the router selects for a request. */
  find(method: string, path: string): Operation | undefined
  /** What is wrong with a response; undefined: nothing. `selected`: of a request with `fields`. */
  misdescribed(operation: Operation | undefined, response: WireResponse, selected: boolean): string | undefined
}
interface Described {
  operationId: string
  security?: Json[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Json; examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}

/** OpenAPI 3.0 as JSON Schema. */
export function toJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema)
  if (typeof node !== 'object' || node === null) return node
  const { exclusiveMinimum, nullable, ...rest } = node as Json
  const schema = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'enum' ? value : toJsonSchema(value)]),
  )
  if (exclusiveMinimum === true) {
    schema.exclusiveMinimum = schema.minimum
    delete schema.minimum
  }
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

/**
 * Without `fields`, a record has everything that the schema of its vertical requires, and a created record is either
 * written or a dry run. The document says so in schemas that no operation refers to: most languages have no type for a
 * choice.
 */
function wholeSchemas(schemas: Json): Json {
  const flavors = new Map<string, string[]>()
  const whole: Json = { ...schemas }
  for (const [name, schema] of Object.entries(schemas) as [string, { title?: string; allOf?: { $ref?: string }[] }][]) {
    const base = schema.title === undefined ? undefined : schema.allOf?.[0]?.$ref?.split('/').at(-1)
    if (base === undefined) continue
    flavors.set(base, [...(flavors.get(base) ?? []), name])
    whole[name] = { ...schema, allOf: [refTo(`${base}Fields`), ...(schema.allOf ?? []).slice(1)] }
  }
  for (const [base, names] of flavors) {
    whole[`${base}Fields`] = schemas[base]
    whole[base] = { anyOf: names.map(refTo) }
    const created = schemas[`${base}Created`]
    if (!created) continue
    // A type that is only created has no schema of its own for what a PUT returns.
    const written = schemas[`${base}Written`]
      ? refTo(`${base}Written`)
      : { ...created, required: ['success', 'data', 'reference'] }
    whole[`${base}Created`] = { anyOf: [written, refTo('DryRun')] }
  }
  return whole
}
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Errors of the HTTP parser and the router, before an operation is found. */
const anywhere = new Set([400, 404, 405, 408, 413, 414, 417, 431, 501, 503])

export function readDocument(document: Json): ApiDocument {
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false })
  formatsOf.default(ajv)
  const components = toJsonSchema(document.components) as { schemas: Json }
  ajv.addSchema({ $id: 'document', components })
  ajv.addSchema({ $id: 'whole', components: { schemas: wholeSchemas(components.schemas) } })
  // Most responses have one of a few schemas, and compiling one for each took half of a short run.
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: Json, registry = 'document'): ValidateFunction => {
    const text = JSON.stringify(toJsonSchema(schema)).replaceAll('"#/components/', `"${registry}#/components/`)
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
    compiled.set(text, check)
    return check
  }
  const problem = compile({ $ref: '#/components/schemas/Problem' })
  interface Documented {
    type: string
    check?: ValidateFunction | undefined
    checkWhole?: ValidateFunction | undefined
  }
  const documented = new Map<Operation, Map<number, Documented>>()
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Described>>)) {
    for (const [method, described] of Object.entries(item)) {
      const security = described.security?.[0] ?? {}
      const form =
        'apiKey' in security
          ? 'form A'
          : 'accessToken' in security
            ? 'form B'
            : 'management' in security
              ? 'manage'
              : 'open'
      const [type, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
      let taken: ValidateFunction | undefined
      const operation: Operation = {
        operationId: described.operationId,
        method: method.toUpperCase(),
        path,
        form,
        parameters: described.parameters ?? [],
        ...(type && content
          ? {
              body: {
                type,
                schema: content.schema,
                examples: Object.values(content.examples ?? {}).map(({ value }) => value),
              },
            }
          : {}),
        takes(body) {
          taken ??= compile(content?.schema ?? {})
          return taken(body) as boolean
        },
      }
      operations.push(operation)
      const byStatus = new Map<number, Documented>()
      for (const [status, response] of Object.entries(described.responses)) {
        const [responseType, responseContent] = Object.entries(response.content ?? {})[0] ?? []
        const isJson = /[/+]json$/.test(responseType ?? '')
        byStatus.set(Number(status), {
          type: responseContent ? (responseType ?? '') : '',
          check: isJson && responseContent ? compile(responseContent.schema) : undefined,
          checkWhole: isJson && responseContent ? compile(responseContent.schema, 'whole') : undefined,
        })
      }
      documented.set(operation, byStatus)
    }
  }
  const find = createRouter(operations)
  return {
    operations,
    schemas: (document.components as { schemas: Json }).schemas,
    find,
    misdescribed(operation, { status, headers, text }, selected) {
      const type = (headers['content-type'] ?? '').split(';')[0] as string
      const described = operation && documented.get(operation)?.get(status)
      if (!described && operation)
        return `${operation.operationId} does not document the status ${status} (${text.slice(0, 200)})`
      if (!described) return anywhere.has(status) ? badly(problem, 'application/problem+json', type, text) : undefined
      if (described.type === '') return text === '' ? undefined : `${status} has a body`
      return badly(selected ? described.check : described.checkWhole, described.type, type, text)
    },
  }
}

function badly(check: ValidateFunction | undefined, expected: string, type: string, text: string): string | undefined {
  if (type !== expected) return `the content type is ${type}, not ${expected}`
  if (!check) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the body is not JSON'
  }
  if (check(value)) return undefined
  const violations = (check.errors ?? [])
    .slice(0, 4)
    .map(
      ({ instancePath, message, params }) =>
        `"${instancePath.replaceAll(/\d+/g, '*')}" ${message} ${JSON.stringify(params)}`,
    )
  return `the body at ${violations.join(', ')} (${text.slice(0, 400)})`
}

/**
 * Matches like the router: segments as they were sent, a parameter for any that is not empty, a literal before a
 * parameter.
 */
function createRouter(operations: readonly Operation[]): ApiDocument['find'] {
  const routes = operations.map((operation) => ({
    operation,
    segments: operation.path.split('/').map((segment) => toMatcher(segment)),
  }))
  const found = new Map<number, typeof routes>()
  for (const route of routes) found.set(route.segments.length, [...(found.get(route.segments.length) ?? []), route])
  return (method, path) => {
    const segments = path.split('/')
    const fitting = (found.get(segments.length) ?? []).filter(
      ({ operation, segments: expected }) =>
        operation.method === method && expected.every((matches, index) => matches(segments[index] as string)),
    )
    return fitting.toSorted((left, right) => left.operation.parameters.length - right.operation.parameters.length)[0]
      ?.operation
  }
}
function toMatcher(segment: string): (given: string) => boolean {
  if (!segment.includes('{')) return (given) => decoded(given) === segment
  const suffix = segment.slice(segment.indexOf('}') + 1)
  return (given) => given !== '' && given.endsWith(suffix)
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
