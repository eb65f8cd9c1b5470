// Source ids in a record that is written, looked up among all that was written or linked before. A value not found
// there is the platform's own id.
import type { EntityType, ReferenceType } from '../../contract/entity.ts'
import { entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { placesOf, valueAt } from '../../contract/pointer.ts'
import type { UnifiedRecord } from '../../contract/unified.ts'
import { entities } from '../../contract/unified.ts'
import type { EntryKey } from '../../store/store.ts'
import type { EngineStore } from '../options.ts'

export interface Resolved {
  record: UnifiedRecord
  /** Source id by the pointer that named it, where the platform's id differs. */
  replaced: { pointer: string; sourceId: string; nativeId: string }[]
}
/** Waits a while for a write of that key that is under way. `open`: the journal has it, and it is not done. */
export type AwaitWrite = (key: EntryKey) => Promise<'none' | 'open' | 'done'>

/** `current` is what an update replaces: a reference that equals what the record holds now stays as it is. */
export async function resolveReferences(
  store: Pick<EngineStore, 'links'>,
  accountId: string,
  entityType: EntityType,
  record: UnifiedRecord,
  awaitWrite: AwaitWrite,
  current?: UnifiedRecord,
): Promise<Resolved> {
  const resolved = structuredClone(record)
  const references = Object.entries(entities[entityType].references).flatMap(([pattern, target]) =>
    placesOf(resolved, pattern)
      .filter(({ pointer, value }) => current === undefined || valueAt(current, pointer) !== value)
      .map(({ pointer, value, set }) => ({ pointer, set, entityType: target, sourceId: String(value) })),
  )
  if (references.length === 0) return { record, replaced: [] }
  let links = await store.links.find(accountId, references)
  const isSelf = (reference: Reference) =>
    reference.entityType === entityType && reference.sourceId === record.externalId
  const unknown = new Map(
    references
      .filter((reference) => !links.has(nameOf(reference)) && isEntity(reference.entityType) && !isSelf(reference))
      .map((reference) => [nameOf(reference), reference]),
  )
  const states = await Promise.all(
    [...unknown.values()].map(async (reference) => ({
      ...reference,
      state: await awaitWrite({
        accountId,
        entityType: reference.entityType as EntityType,
        externalId: reference.sourceId,
      }),
    })),
  )
  const open = states.filter(({ state }) => state === 'open')
  if (open.length > 0) throw pending(open)
  if (states.some(({ state }) => state === 'done')) links = await store.links.find(accountId, references)
  const replaced: Resolved['replaced'] = []
  for (const { pointer, set, ...reference } of references) {
    const nativeId = links.get(nameOf(reference))
    if (nativeId === undefined) continue
    set(nativeId)
    replaced.push({ pointer, sourceId: reference.sourceId, nativeId })
  }
  return { record: resolved, replaced }
}

/** A key whose write is not done is never taken for a platform id: the record would go to a stranger. */
const pending = (references: readonly (Reference & { pointer: string })[]) =>
  new Problem(
    'reference_pending',
    'The record refers to a record whose write is not finished. Send this request again after the number of seconds in Retry-After, or finish that write first.',
    {
      headers: { 'retry-after': '5' },
      errors: references.map(({ pointer, entityType, sourceId }) => ({
        pointer,
        message: `The ${entityType} with the externalId ${sourceId} is still being written, or its outcome is unknown.`,
      })),
    },
  )

/** For the trace of a request. */
export const summaryOf = ({ replaced }: Resolved): string =>
  replaced.length === 0
    ? 'none to replace'
    : replaced.map(({ pointer, sourceId, nativeId }) => `${pointer}: ${sourceId} is ${nativeId}`).join(', ')

interface Reference {
  entityType: ReferenceType
  sourceId: string
}
const nameOf = ({ entityType, sourceId }: Reference) => `${entityType} ${sourceId}`
const isEntity = (type: ReferenceType): boolean => (entityTypes as readonly string[]).includes(type)
