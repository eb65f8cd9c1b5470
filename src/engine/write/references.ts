// Source ids in a record that is written, looked up among all that was written or linked before. A value not found there is the platform's own id.
import type { EntityType, ReferenceType } from '../../contract/entity.ts'
import { entityTypes } from '../../contract/entity.ts'
import { placesOf } from '../../contract/pointer.ts'
import type { UnifiedRecord } from '../../contract/unified.ts'
import { entities } from '../../contract/unified.ts'
import type { EngineStore } from '../options.ts'

export interface Resolved {
  record: UnifiedRecord
  /** Source id by the pointer that named it, where the platform's id differs. */
  replaced: { pointer: string; sourceId: string; nativeId: string }[]
}
/** Waits for a write of that key that is under way; true when there was one. */
export type AwaitWrite = (accountId: string, entityType: EntityType, externalId: string) => Promise<boolean>

export async function resolveReferences(
  store: EngineStore,
  accountId: string,
  entityType: EntityType,
  record: UnifiedRecord,
  awaitWrite: AwaitWrite,
): Promise<Resolved> {
  const references = Object.entries(entities[entityType].references)
  if (references.every(([pattern]) => placesOf(record, pattern).length === 0)) return { record, replaced: [] }
  const resolved = structuredClone(record)
  const places = references.flatMap(([pattern, target]) =>
    placesOf(resolved, pattern).map((place) => ({ ...place, target })),
  )
  const wanted = places.map(({ target, value }) => ({ entityType: target, sourceId: String(value) }))
  let links = await store.links.find(accountId, wanted)
  const unknown = new Map(
    wanted
      .filter(
        (want) =>
          !links.has(keyOf(want)) &&
          isEntity(want.entityType) &&
          !(want.entityType === entityType && want.sourceId === record.externalId),
      )
      .map((want) => [keyOf(want), want]),
  )
  const joined = await Promise.all(
    [...unknown.values()].map((want) => awaitWrite(accountId, want.entityType as EntityType, want.sourceId)),
  )
  if (joined.some(Boolean)) links = await store.links.find(accountId, wanted)
  const replaced: Resolved['replaced'] = []
  for (const { pointer, target, value, set } of places) {
    const nativeId = links.get(keyOf({ entityType: target, sourceId: String(value) }))
    if (nativeId === undefined) continue
    set(nativeId)
    replaced.push({ pointer, sourceId: String(value), nativeId })
  }
  return { record: resolved, replaced }
}
/** For people who look at the way of a request. */
export const saidOf = ({ replaced }: Resolved): string =>
  replaced.length === 0
    ? 'none to replace'
    : replaced.map(({ pointer, sourceId, nativeId }) => `${pointer}: ${sourceId} is ${nativeId}`).join(', ')

const keyOf = ({ entityType, sourceId }: { entityType: ReferenceType; sourceId: string }) => `${entityType} ${sourceId}`
const isEntity = (type: ReferenceType): boolean => (entityTypes as readonly string[]).includes(type)
