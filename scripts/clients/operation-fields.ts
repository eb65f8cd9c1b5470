// What the command line must know at run time of the requests of operations: their fields, with limits and
// descriptions. Its commands are declared from them.
import type { OperationField } from '../../src/cli/operation-field.ts'
import type { Schema } from './client-types.ts'

interface Limited extends Schema {
  minimum?: number
  maximum?: number
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

export function operationFields(document: object): string {
  const { paths, components } = document as Document
  const resolved = (schema: Limited): Limited =>
    schema.$ref ? (components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? schema) : schema
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
  const fieldsOf = ({ parameters = [], requestBody }: Operation): [string, OperationField][] => [
    ...parameters
      .filter((parameter) => parameter.in === 'query' && !['after', 'limit'].includes(parameter.name))
      .map(({ name, schema, description }): [string, OperationField] => [name, fieldOf('query', schema, description)]),
    ...Object.entries(resolved(requestBody?.content?.['application/json']?.schema ?? {}).properties ?? {}).map(
      ([name, schema]): [string, OperationField] => [name, fieldOf('body', schema)],
    ),
  ]
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const lines = operations.flatMap((operation) => {
    const fields = fieldsOf(operation).map(([name, field]) => `    ${name}: ${JSON.stringify(field)},\n`)
    return fields.length > 0 ? [`  ${operation.operationId}: {\n${fields.join('')}  },\n`] : []
  })
  return `// Generated from the OpenAPI document by \`npm run docs\`; edit the code of the service instead.
import type { OperationField } from '../operation-field.ts'

/** Query and body of the operations that have some. */
export const operationFields: Readonly<Record<string, Readonly<Record<string, OperationField>>>> = {
${lines.join('')}}
`
}
