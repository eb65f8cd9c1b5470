// What callers must know at run time of the requests of operations: fields, limits and descriptions. The commands of
// the command line are declared from them, and forms of the dashboard have their limits.
import type { OperationField } from '../../src/cli/generated/operation-fields.ts'
import type { Schema } from './client-types.ts'

interface Limited extends Schema {
  minimum?: number
  maximum?: number
  maxLength?: number
}
interface Operation {
  operationId: string
  parameters?: readonly { name: string; in: string; description?: string; schema: Limited }[]
  requestBody?: { content?: Record<string, { schema: Limited }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Limited> }
}

const types: Readonly<Record<string, OperationField['type']>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
}

const banner = '// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.\n'
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item))
const resolverOf =
  ({ components }: Document) =>
  (schema: Limited): Limited =>
    schema.$ref ? (components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? schema) : schema
const bodyOf = ({ requestBody }: Operation) => requestBody?.content?.['application/json']?.schema ?? {}

/** What the fields of a form take, as attributes of its inputs: for the dashboard. */
export function formLimits(document: object): string {
  const resolved = resolverOf(document as Document)
  const attributes = ({ maxLength, minimum: min, maximum: max }: Limited) =>
    Object.entries({ maxLength, min, max }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    )
  const lines = operationsOf(document as Document).flatMap((operation) => {
    const fields = Object.entries(resolved(bodyOf(operation)).properties ?? {}).flatMap(([name, schema]) => {
      const found = attributes(resolved(schema))
      return found.length > 0 ? [`  ${name}: { ${found.join(', ')} },\n`] : []
    })
    return fields.length > 0 ? [`export const ${operation.operationId} = {\n${fields.join('')}} as const\n`] : []
  })
  return `${banner}\n${lines.join('\n')}`
}

export function operationFields(document: object): string {
  const resolved = resolverOf(document as Document)
  const fieldOf = (at: OperationField['at'], given: Limited, about = given.description): OperationField => {
    const { type = '', enum: choices, minimum: least, maximum: most } = resolved(given)
    return {
      at,
      type: types[type] ?? 'text',
      about: about?.replaceAll('`', ''),
      choices: choices?.map(String),
      least,
      most,
    }
  }
  const fieldsOf = (operation: Operation): [string, OperationField][] => [
    ...(operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && !['after', 'limit'].includes(parameter.name))
      .map(({ name, schema, description }): [string, OperationField] => [name, fieldOf('query', schema, description)]),
    ...Object.entries(resolved(bodyOf(operation)).properties ?? {}).map(([name, schema]): [string, OperationField] => [
      name,
      fieldOf('body', schema),
    ]),
  ]
  const lines = operationsOf(document as Document).flatMap((operation) => {
    const fields = fieldsOf(operation).map(([name, field]) => `    ${name}: ${JSON.stringify(field)},\n`)
    return fields.length > 0 ? [`  ${operation.operationId}: {\n${fields.join('')}  },\n`] : []
  })
  return `${banner}
export interface OperationField {
  at: 'query' | 'body'
  type: 'text' | 'number' | 'boolean' | 'list' | 'object'
  about?: string
  choices?: readonly string[]
  least?: number
  most?: number
}

/** Query and body of the operations that have some. */
export const operationFields: Readonly<Record<string, Readonly<Record<string, OperationField>>>> = {
${lines.join('')}}
`
}
