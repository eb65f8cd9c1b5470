// The topics of a platform's webhooks, as one table: what is registered for an entity type, what a webhook says about
// which record, and what the platform reports.
import type { HookHint, Hooks } from '../contract/connector.ts'
import type { EntityType, Pointer } from '../contract/entity.ts'
import { valueAt } from '../contract/pointer.ts'
import { distinctHints, idIn } from './webhooks.ts'

const kinds = ['created', 'updated', 'deleted'] as const
type Kind = (typeof kinds)[number]
type Hint = Omit<HookHint, 'business'>

export interface Topic {
  of: EntityType
  /** The changes that it reports. If that is only `deleted`, its record is gone. */
  kinds: readonly Kind[]
  /** The id in the payload, or in each of its records; absent: something in the entity changed. */
  id?: Pointer | ((record: unknown) => unknown)
  /** The list of records in the payload. Without it, something in the entity changed. */
  each?: Pointer
  /** A text that a record has once it is deleted. */
  goneSince?: Pointer
  /** Further facts in the payload. */
  more?(payload: unknown): readonly Hint[]
}
export interface Topics {
  names: readonly string[]
  /** The topics to register for these entity types, in their order. */
  for(entities: readonly EntityType[]): string[]
  /**
   * What a webhook of this topic says, each record once. Nothing for a topic that is not in the table: its payload is
   * not read.
   */
  hints(topic: unknown, payload: () => unknown, business?: string): readonly HookHint[]
  reports: Hooks['reports']
}

export function topicTable(table: Readonly<Record<string, Topic | readonly Topic[]>>): Topics {
  const topics = new Map<unknown, readonly Topic[]>(Object.entries(table).map(([name, one]) => [name, [one].flat()]))
  const all = [...topics.values()].flat()
  const reported = (entity: EntityType) =>
    kinds.filter((kind) => all.some((topic) => topic.of === entity && topic.kinds.includes(kind)))
  return {
    names: Object.keys(table),
    for: (entities) =>
      entities.flatMap((entity) =>
        Object.keys(table).filter((name) => topics.get(name)!.some((topic) => topic.of === entity)),
      ),
    hints: (name, payload, business) =>
      distinctHints(
        (topics.get(name) ?? [])
          .flatMap((topic) => hintsOf(topic, payload()))
          .map((hint) => ({ ...hint, ...(business !== undefined && { business }) })),
      ),
    reports: Object.fromEntries([...new Set(all.map((topic) => topic.of))].map((entity) => [entity, reported(entity)])),
  }
}

function hintsOf(topic: Topic, payload: unknown): readonly Hint[] {
  const { of: entityType, id, each, more } = topic
  if (id === undefined) return [{ entityType }, ...(more?.(payload) ?? [])]
  const records = each === undefined ? [payload] : valueAt(payload, each)
  const hints = Array.isArray(records) ? records.map((record) => hintOf(topic, record)) : [{ entityType }]
  return [...hints, ...(more?.(payload) ?? [])]
}
function hintOf({ of: entityType, kinds: reported, id, goneSince }: Topic, record: unknown): Hint {
  const found = idIn(typeof id === 'function' ? id(record) : valueAt(record, id!))
  // Without a usable id, something in the entity has changed.
  if (found === undefined) return { entityType }
  const gone = goneSince ? typeof valueAt(record, goneSince) === 'string' : reported.every((kind) => kind === 'deleted')
  return { entityType, id: found, ...(gone && { gone: true as const }) }
}
