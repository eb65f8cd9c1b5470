// People in records: which entities are people, and which records name one or hold something about one.
import { entities } from './entities/index.ts'
import { type EntityDefinition, type EntityType, entityTypes } from './entity.ts'
import { placesOf } from './pointer.ts'

const definitionOf = (entityType: EntityType) => entities[entityType] as EntityDefinition

export const personTypes = entityTypes.filter((entityType) => definitionOf(entityType).personal === 'person')
export const isPersonType = (entityType: EntityType): boolean => personTypes.includes(entityType)

interface Named {
  entityType: EntityType
  id: string
}
const references = new Map(
  entityTypes.map((entityType) => [
    entityType,
    Object.entries(definitionOf(entityType).references).filter(([, to]) => isPersonType(to)),
  ]),
)
const referencesOf = (entityType: EntityType) => references.get(entityType) ?? []

/** The people that a record names by their ids. */
export const peopleIn = (entityType: EntityType, record: unknown): Named[] =>
  referencesOf(entityType).flatMap(([pattern, to]) =>
    placesOf(record, pattern).flatMap(({ value }) =>
      typeof value === 'string' ? [{ entityType: to, id: value }] : [],
    ),
  )

/** Entities with records that can name such a person. */
export const referringTo = (person: EntityType): EntityType[] =>
  entityTypes.filter((entityType) => referencesOf(entityType).some(([, to]) => to === person))

/** Whether the content of a record is personal data as a whole: nothing of it is kept once the record is deleted. */
export const isPersonal = (entityType: EntityType): boolean => {
  const { personal, personalFields } = definitionOf(entityType)
  return personal === 'person' || personal === 'record' || personalFields.length > 0
}
