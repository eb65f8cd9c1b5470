// Runs a document against the schema, and returns Shopify's errors.
import {
  buildSchema,
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  validate,
} from 'graphql'
import { type Bucket, costOf, singleQueryMaximum } from './cost.ts'
import { schemaText } from './schema.ts'
import { inputText } from './schema-inputs.ts'
import type { Context, Resolvers } from './wire.ts'

let built: GraphQLSchema | undefined
/** Built for the first document: a sandbox without a request for Shopify does not need it. */
export function schema(): GraphQLSchema {
  // Validating the schema would take as long as building it. A test validates it.
  built ??= withScalars(buildSchema(schemaText + inputText, { assumeValid: true, noLocation: true }))
  return built
}
function withScalars(schema: GraphQLSchema): GraphQLSchema {
  const scalar = (name: string, isValid: (value: string) => boolean) => {
    const type = schema.getType(name) as GraphQLScalarType
    type.parseValue = (value) => {
      if (!isValid(String(value))) throw new GraphQLError(`Invalid ${name} '${String(value)}'`)
      return String(value)
    }
  }
  scalar('Money', (value) => /^-?\d+(\.\d+)?$/.test(value))
  scalar('Decimal', (value) => /^-?\d+(\.\d+)?$/.test(value))
  scalar('DateTime', (value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))
  return schema
}

export interface Asked {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}
type Answer = Record<string, unknown>

/** Not a BoundedMap: a simulator shares no code with the service. */
const known = new Map<string, DocumentNode | { errors: readonly GraphQLError[] }>()
function read(query: string): DocumentNode | { errors: readonly GraphQLError[] } {
  const before = known.get(query)
  if (before) return before
  const read = parsed(query)
  if (known.size > 200) known.clear()
  known.set(query, read)
  return read
}
function parsed(query: string): DocumentNode | { errors: readonly GraphQLError[] } {
  try {
    const document = parse(query)
    const errors = validate(schema(), document)
    return errors.length ? { errors } : document
  } catch (error) {
    return { errors: [error as GraphQLError] }
  }
}
const failed = (message: string, extensions: object, cost?: object): Answer => ({
  errors: [{ message, extensions }],
  ...(cost && { extensions: { cost } }),
})

export const throttledAnswer = (cost: object | undefined): Answer =>
  failed('Throttled', { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' }, cost)

export async function run(
  { query, variables, operationName }: Asked,
  resolvers: Resolvers,
  context: Context,
  bucket: Bucket,
): Promise<Answer> {
  const document = read(query)
  if ('errors' in document) return { errors: document.errors.map((error) => error.toJSON()) }
  const operation = getOperationAST(document, operationName)
  if (!operation) return failed('An operation name is required', { code: 'BAD_REQUEST' })
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  const counting = { schema: schema(), fragments, variables: variables ?? {} }
  const requestedQueryCost = costOf(counting, operation)
  if (requestedQueryCost > singleQueryMaximum)
    return failed(
      `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${singleQueryMaximum}).`,
      {
        code: 'MAX_COST_EXCEEDED',
        cost: requestedQueryCost,
        maxCost: singleQueryMaximum,
      },
    )
  if (!bucket.take(requestedQueryCost))
    return throttledAnswer({ requestedQueryCost, actualQueryCost: null, throttleStatus: bucket.status() })
  const result = await execute({
    schema: schema(),
    document,
    rootValue: resolvers,
    contextValue: context,
    variableValues: variables,
    operationName,
  })
  const actualQueryCost = result.data ? Math.min(requestedQueryCost, costOf(counting, operation, result.data)) : 1
  bucket.giveBack(requestedQueryCost - actualQueryCost)
  for (const { originalError } of result.errors ?? [])
    if (originalError && !(originalError instanceof GraphQLError)) throw originalError // a bug in the simulator
  return {
    ...(result.data !== undefined && { data: result.data }),
    ...(result.errors && { errors: result.errors.map((error) => error.toJSON()) }),
    extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus: bucket.status() } },
  }
}
