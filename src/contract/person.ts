// People in records: which entities are people, and which records refer to one.

import { entities } from './entities/index.ts'
import type { EntityType } from './entity.ts'
import { valueAt } from './pointer.ts'

export const personTypes = ['customer', 'employee'] as const
export type PersonType = (typeof personTypes)[number]
export const isPersonType = (entityType: string): entityType is PersonType =>
  (personTypes as readonly string[]).includes(entityType)

interface Named {
  entityType: PersonType
  id: string
}
const references = Object.fromEntries(
  Object.entries(entities).map(([entityType, definition]) => [
    entityType,
    Object.entries(definition.references).flatMap(([pointer, to]) => (isPersonType(to) ? [{ pointer, to }] : [])),
  ]),
) as Record<EntityType, { pointer: string; to: PersonType }[]>

/** The people that a record names by their ids. */
export const peopleIn = (entityType: EntityType, record: unknown): Named[] =>
  references[entityType].flatMap(({ pointer, to }) => {
    const id = valueAt(record, pointer)
    return typeof id === 'string' ? [{ entityType: to, id }] : []
  })

/** Entities with records that can name such a person. */
export const referringTo = (person: PersonType): EntityType[] =>
  (Object.keys(entities) as EntityType[]).filter((entityType) => references[entityType].some(({ to }) => to === person))
