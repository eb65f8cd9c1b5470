// What a resolver needs: the shop, the caller's scopes, and the two kinds of errors.
import { GraphQLError, type GraphQLResolveInfo, getDirectiveValues } from 'graphql'
import type { World } from './world.ts'

export interface Context {
  world: World
  scopes: readonly string[]
}
// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the arguments before a resolver sees them
export type Arguments = any
export type Resolver = (args: Arguments, context: Context, info: GraphQLResolveInfo) => unknown
export type Resolvers = Readonly<Record<string, Resolver>>

export interface UserError {
  field: string[] | null
  message: string
  code?: string
}
/** Thrown inside a mutation: nothing is stored, and the response contains the reason. */
class Refused extends Error {
  readonly errors: UserError[]
  constructor(...errors: UserError[]) {
    super(errors[0]?.message)
    this.errors = errors
  }
}
export const refuse = (field: string[] | null, message: string, code?: string): never => {
  throw new Refused({ field, message, ...(code && { code }) })
}
/** A mutation's payload: its result, or the errors of a refusal. `errorField` is the name of its error list. */
export const mutation =
  (run: Resolver, errorField = 'userErrors'): Resolver =>
  (args, context, info) => {
    try {
      return { userErrors: [], [errorField]: [], ...(run(args, context, info) as object) }
    } catch (error) {
      if (error instanceof Refused)
        return { userErrors: [], [errorField]: error.errors, shop: { id: 'gid://shopify/Shop/1' } }
      throw error
    }
  }

/** The number in a gid of that type. Anything else is an invalid id. */
export function idIn(type: string, given: string): string {
  const [, kind, id] = /^gid:\/\/shopify\/(\w+)\/(\d+)(?:\?.*)?$/.exec(given) ?? []
  if (!id)
    throw new GraphQLError(`Variable $id of type ID! was provided invalid value`, {
      extensions: { value: given, problems: [{ path: [], explanation: `Invalid global id '${given}'` }] },
    })
  if (kind !== type) throw new GraphQLError('invalid id', { extensions: { code: 'RESOURCE_NOT_FOUND' } })
  return id
}

/** What the scopes of a token allow; write includes read. */
export function guarded(area: string, access: 'read' | 'write', resolvers: Resolvers): Resolvers {
  return Object.fromEntries(
    Object.entries(resolvers).map(([name, resolver]): [string, Resolver] => [
      name,
      (args, context, info) => {
        if (
          !context.scopes.includes(`write_${area}`) &&
          !(access === 'read' && context.scopes.includes(`read_${area}`))
        )
          throw new GraphQLError(
            `Access denied for ${name} field. Required access: \`${access}_${area}\` access scope.`,
            { extensions: { code: 'ACCESS_DENIED' } },
          )
        return resolver(args, context, info)
      },
    ]),
  )
}

/**
 * Since 2026-04 these mutations are rejected without a key; the same key and parameters return the first result again,
 * without running it again. `run` returns the value to store, `show` the payload for it.
 */
export const idempotent =
  <Kept extends object>(
    run: (args: Arguments, context: Context) => Kept,
    show: (kept: Kept, context: Context) => object,
  ): Resolver =>
  (args, context, info) => {
    const directive = info.schema.getDirective('idempotent')!
    const key = getDirectiveValues(directive, info.fieldNodes[0]!, info.variableValues)?.key as string | undefined
    if (!key?.trim())
      throw new GraphQLError('The @idempotent directive is required for this mutation but was not provided.', {
        extensions: { code: 'BAD_REQUEST' },
      })
    const { keys } = context.world
    const parameters = JSON.stringify([info.fieldName, args])
    const known = keys.get(key)
    if (known && known.parameters !== parameters)
      return refuse(
        null,
        'The same idempotency key cannot be used with different operation parameters.',
        'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      )
    const { result } = known ?? keys.set(key, { parameters, result: run(args, context) })
    return show(result as Kept, context)
  }
