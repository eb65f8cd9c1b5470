// An operation of the record API: a declaration that the routes read their parameters from, and the OpenAPI document is
// made of.
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../contract/errors.ts'
import { text } from '../contract/schema.ts'
import { problems } from './openapi-problems.ts'
import { toOpenApi } from './openapi-spelling.ts'

type Json = Record<string, unknown>
type Schemas = Readonly<Record<string, TSchema>>

export interface Answer {
  description: string
  schema?: TSchema
  type?: string // by default JSON
  headers?: Schemas
}
export interface Operation {
  operationId: string
  summary: string
  tag: string
  /** Who may call it: `needing(…)`, `openToAll(…)`. */
  access: Json
  query?: Schemas
  headers?: Schemas
  body?: { schema: TSchema | Json; type?: string; examples?: Json }
  answers: Readonly<Record<number, Answer>>
  problems: readonly ErrorCode[]
}

/** The parameters in the paths of records. */
const inPaths: Schemas = {
  accountId: text('Id of the connected account'),
  id: text(
    "The platform's id of the record: `externalId` of a record that you read, `reference.id` of one that you wrote",
  ),
}
const parametersIn = (place: 'path' | 'query' | 'header', schemas: Schemas = {}) =>
  Object.entries(schemas).map(([name, schema]) => {
    const { description, ...rest } = schema as Json
    return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema: rest, description }
  })

/** `own`: schemas of parameters of the path that are components of the document. */
export function describe(path: string, operation: Operation, own: Schemas = {}): Json {
  const { operationId, summary, tag, access, query, headers, body, answers } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const parameters = [
    ...names.flatMap((name): Json[] =>
      own[name]
        ? [{ name, in: 'path', required: true, schema: own[name] }]
        : parametersIn('path', { [name]: inPaths[name] as TSchema }),
    ),
    ...parametersIn('query', query),
    ...parametersIn('header', headers),
  ]
  return {
    operationId,
    summary,
    tags: [tag],
    ...access,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: contentOf(body) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...problems(...operation.problems),
    },
  }
}

const contentOf = ({ schema, type = 'application/json', examples }: NonNullable<Operation['body']>) => ({
  [type]: { schema: toOpenApi(schema as TSchema), ...(examples ? { examples } : {}) },
})
const responseOf = ({ description, schema, type = 'application/json', headers }: Answer): Json => ({
  description,
  ...(headers
    ? { headers: Object.fromEntries(parametersIn('header', headers).map(({ name, in: _, ...rest }) => [name, rest])) }
    : {}),
  ...(schema ? { content: { [type]: { schema: toOpenApi(schema) } } } : {}),
})
