// Limits by the cost of a query: https://shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits
import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

export interface Plan {
  maximumAvailable: number
  restoreRate: number // points per second
}
export const plans = {
  standard: { maximumAvailable: 2000, restoreRate: 100 },
  plus: { maximumAvailable: 20_000, restoreRate: 1000 },
} as const
export const singleQueryMaximum = 1000

/** Amounts and page positions belong to their record and cost nothing. */
const free = new Set(['MoneyBag', 'MoneyV2', 'PageInfo'])

interface Counting {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: Readonly<Record<string, unknown>>
}
/**
 * An object costs one point, a mutation ten, and a connection grows with the square root of its page size. Shopify
 * publishes no formula; this approximates costs that clients report. With `data` it returns the actual cost.
 */
export function costOf(counting: Counting, operation: OperationDefinitionNode, data?: unknown): number {
  const root = counting.schema.getRootType(operation.operation)!
  const perField = operation.operation === 'mutation' ? 9 : 0
  const cost = selectionCost(counting, operation.selectionSet, root, data, perField)
  return Math.max(1, Math.ceil(cost))
}
function selectionCost(
  counting: Counting,
  { selections }: SelectionSetNode,
  parent: GraphQLObjectType | undefined,
  data: unknown,
  extra = 0,
): number {
  let cost = 0
  for (const selection of selections) {
    if (!included(counting, selection.directives ?? [])) continue
    if (selection.kind === Kind.FIELD) cost += fieldCost(counting, selection, parent, data, extra)
    else {
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? counting.fragments.get(selection.name.value) : selection
      cost += fragment ? selectionCost(counting, fragment.selectionSet, parent, data, extra) : 0
    }
  }
  return cost
}
function fieldCost(
  counting: Counting,
  field: Extract<SelectionSetNode['selections'][number], { kind: Kind.FIELD }>,
  parent: GraphQLObjectType | undefined,
  data: unknown,
  extra: number,
): number {
  const definition = parent?.getFields()[field.name.value]
  const type = definition && getNamedType(definition.type)
  if (!type || !isCompositeType(type) || !field.selectionSet) return 0
  const object =
    type instanceof GraphQLObjectType
      ? type
      : isInterfaceType(type)
        ? counting.schema.getImplementations(type).objects[0]
        : undefined
  const name = field.alias?.value ?? field.name.value
  const value = data === undefined ? undefined : ((data as Record<string, unknown> | null)?.[name] ?? null)
  if (data !== undefined && value === null) return extra + 1
  const inner = (one: unknown) => selectionCost(counting, field.selectionSet!, object, one)
  const content = Array.isArray(value) ? Math.max(0, ...value.map(inner)) : inner(value)
  if (type.name.endsWith('Connection')) return 2 + Math.sqrt(sizeOf(counting, field, value)) * content
  // The rows of a connection are counted there.
  return extra + (free.has(type.name) ? 0 : 1) + content
}
function sizeOf(
  { variables }: Counting,
  field: { arguments?: readonly { name: { value: string }; value: ValueNode }[] },
  value: unknown,
): number {
  const rows = value as { nodes?: unknown[]; edges?: unknown[] } | undefined
  if (rows) return (rows.nodes ?? rows.edges ?? []).length
  const given = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  return given ? Number(valueIn(given, variables) ?? 0) : 0
}
const valueIn = (node: ValueNode, variables: Counting['variables']): unknown =>
  node.kind === Kind.VARIABLE ? variables[node.name.value] : 'value' in node ? node.value : undefined
function included({ variables }: Counting, directives: readonly DirectiveNode[]): boolean {
  return directives.every(({ name, arguments: args }) => {
    const condition = args?.[0] ? valueIn(args[0].value, variables) : undefined
    return name.value === 'include' ? condition === true : name.value === 'skip' ? condition !== true : true
  })
}

export interface Bucket {
  /** Takes the points, or reports that there are too few. */
  take(points: number): boolean
  giveBack(points: number): void
  status(): { maximumAvailable: number; currentlyAvailable: number; restoreRate: number }
}
export function createBucket({ maximumAvailable, restoreRate }: Plan, now: () => number): Bucket {
  let available = maximumAvailable
  let at = now()
  const refill = (points = 0) => {
    available = Math.min(maximumAvailable, available + ((now() - at) / 1000) * restoreRate + points)
    at = now()
  }
  return {
    take(points) {
      refill()
      if (available < points) return false
      available -= points
      return true
    },
    giveBack: refill,
    status() {
      refill()
      return { maximumAvailable, currentlyAvailable: Math.floor(available), restoreRate }
    },
  }
}
