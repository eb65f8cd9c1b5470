// The entity types, and the schema of a record in one vertical's flavor.
import type { TObject, TSchema } from 'typebox'
import type { Declared, Pointer } from './define-entity.ts'
import { type EntityType, entities } from './entities/index.ts'
import type { Vertical } from './vertical.ts'

export type { Pointer } from './define-entity.ts'
export type { EntityType } from './entities/index.ts'
export { type Vertical, verticals } from './vertical.ts'

export type EntityDefinition<R extends object = object> = Declared<EntityType, R>
export const entityTypes = Object.keys(entities) as readonly EntityType[]
/** The types that a workspace uses unless it says otherwise. */
export const usualEntityTypes: readonly EntityType[] = entityTypes.filter((type) => !entities[type].onRequest)
/** Whose ids the references of a written record are. `auto`: a source id if there is one, else the platform's. */
export const referenceModes = ['auto', 'source', 'platform'] as const
export type ReferenceMode = (typeof referenceModes)[number]

/** The schema of an entity in one vertical's flavor: closed, so a field of another flavor is an unknown field. */
export const flavorSchema = (definition: EntityDefinition, vertical: Vertical): TObject =>
  closed(definition.fields, '', new Set(foreignFields(definition, vertical))) as TObject
/** The fields of all flavors. */
export const entitySchema = (definition: EntityDefinition): TObject =>
  closed(definition.fields, '', new Set()) as TObject
/** The fields that only other verticals have. */
export const foreignFields = ({ only }: EntityDefinition, vertical: Vertical): Pointer[] =>
  (Object.entries(only) as [Pointer, readonly Vertical[]][]).flatMap(([pointer, owners]) =>
    owners.includes(vertical) ? [] : [pointer],
  )

function closed(schema: TSchema, at: string, foreign: ReadonlySet<Pointer>): TSchema {
  const node = schema as { type?: string; properties?: Record<string, TSchema>; required?: string[]; items?: TSchema }
  if (node.type === 'array' && node.items) return { ...node, items: closed(node.items, `${at}/*`, foreign) } as TSchema
  if (node.type !== 'object' || !node.properties) return schema
  const properties: Record<string, TSchema> = {}
  for (const [name, property] of Object.entries(node.properties)) {
    if (!foreign.has(`${at}/${name}` as Pointer)) properties[name] = closed(property, `${at}/${name}`, foreign)
  }
  return { ...node, properties, additionalProperties: false } as TSchema
}
