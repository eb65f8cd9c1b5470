// Which events an endpoint receives: patterns as they are stored, types as they are chosen.
import { manyOf, readable } from '../../format.ts'
import { entityTypes } from '../../types.ts'

export interface EventGroup {
  name: string
  label: string
  kinds: readonly { kind: string; label: string }[]
}
const operations = [
  { kind: 'created', label: 'Created' },
  { kind: 'updated', label: 'Updated' },
  { kind: 'deleted', label: 'Deleted' },
]
export const recordGroups: readonly EventGroup[] = entityTypes.map((entityType) => ({
  name: entityType,
  label: readable(manyOf(entityType)),
  kinds: operations,
}))
export const otherGroups: readonly EventGroup[] = [
  {
    name: 'account',
    label: 'Accounts',
    kinds: [
      { kind: 'connected', label: 'Connected' },
      { kind: 'reconnect_required', label: 'Reconnect required' },
      { kind: 'recovered', label: 'Recovered' },
      { kind: 'renewal_failing', label: 'Renewal failing' },
      { kind: 'disabled', label: 'Disabled' },
    ],
  },
  { name: 'watch', label: 'Watches', kinds: [{ kind: 'remapped', label: 'Records look different' }] },
  { name: 'write', label: 'Writes', kinds: [{ kind: 'settled', label: 'Settled without the caller' }] },
  {
    name: 'endpoint',
    label: 'Other endpoints',
    kinds: [
      { kind: 'failing', label: 'Failing' },
      { kind: 'disabled', label: 'Disabled' },
    ],
  },
  { name: 'delivery', label: 'Their deliveries', kinds: [{ kind: 'failed', label: 'Failed' }] },
]
const groups = [...recordGroups, ...otherGroups]
const typesOf = ({ name, kinds }: EventGroup) => kinds.map(({ kind }) => `${name}.${kind}`)
export const allTypes: readonly string[] = groups.flatMap(typesOf)

/** What operators want to know: accounts that need them, and events that do not arrive. */
export const notificationEvents: readonly string[] = ['account.reconnect_required', 'delivery.failed', 'endpoint.*']

/** The types that the patterns stand for. */
export const typesIn = (patterns: readonly string[]): ReadonlySet<string> =>
  new Set(
    allTypes.filter(
      (type) => patterns.includes('*') || patterns.includes(type) || patterns.includes(`${type.split('.')[0]}.*`),
    ),
  )

/** The shortest patterns for these types: `product.*` for all of a group. */
export const patternsOf = (types: ReadonlySet<string>): string[] =>
  groups.flatMap((group) => {
    const chosen = typesOf(group).filter((type) => types.has(type))
    return chosen.length > 1 && chosen.length === group.kinds.length ? [`${group.name}.*`] : chosen
  })

export type Choice = 'all' | 'notifications' | 'selected'
const isSame = (left: ReadonlySet<string>, right: ReadonlySet<string>) =>
  left.size === right.size && [...left].every((type) => right.has(type))
export function choiceOf(patterns: readonly string[]): Choice {
  if (patterns.includes('*')) return 'all'
  return isSame(typesIn(patterns), typesIn(notificationEvents)) ? 'notifications' : 'selected'
}
/** Whether an endpoint has all events of operators, alone or among others. */
export const notifies = (patterns: readonly string[]): boolean => {
  const types = typesIn(patterns)
  return [...typesIn(notificationEvents)].every((type) => types.has(type))
}
