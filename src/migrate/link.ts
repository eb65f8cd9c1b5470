// Records that a target does not let callers write may exist there already. They are matched by code or name and
// linked, so that orders can reference them.
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { byNaturalKey } from './diff.ts'
import { naturalKeys } from './natural-key.ts'
import { openScratch } from './notebook.ts'
import type { Route } from './route.ts'
import type { Side } from './side.ts'

export interface Linked {
  entity: EntityType
  linked: number
  notFound: number
}

export type LinkRecord = (link: { entityType: EntityType; sourceId: string; nativeId: string }) => Promise<unknown>

/** Entity types that stay behind although both sides have them, and that something which is moved names. */
export const linkable = (from: Side, to: Side, { entities: moved, notMoved }: Route): EntityType[] =>
  notMoved
    .map(({ entity }) => entity)
    .filter(
      (entity) =>
        from.place.entities[entity]?.read &&
        to.place.entities[entity]?.read &&
        moved.some((one) => Object.values(entities[one].references).includes(entity)),
    )

export async function linkEntity(
  from: Side,
  to: Side,
  link: LinkRecord,
  entity: EntityType,
  prefix: string,
): Promise<Linked> {
  const shelf = openScratch()
  const result: Linked = { entity, linked: 0, notFound: 0 }
  try {
    for await (const { records } of to.pages(entity)) {
      shelf.together(() => {
        for (const record of records)
          shelf.putTarget(entity, record.externalId, '', record, naturalKeys(entity, record))
      })
    }
    for await (const { records } of from.pages(entity)) {
      for (const record of records) {
        const { id } = byNaturalKey(shelf, entity, record)
        if (id === undefined) result.notFound++
        else {
          await link({ entityType: entity, sourceId: prefix + record.externalId, nativeId: id })
          result.linked++
        }
      }
    }
    return result
  } finally {
    shelf.close()
  }
}
