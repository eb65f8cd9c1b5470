// What the service knows about an entity type: its fields, which vertical has which, and what is money or a reference.
import type { TObject, TSchema } from 'typebox'

export const verticals = ['restaurant', 'retail_pos', 'accounting'] as const
export type Vertical = (typeof verticals)[number]
export const entityTypes = [
  'product',
  'order',
  'customer',
  'category',
  'employee',
  'time_entry',
  'shift',
  'location',
] as const
export type EntityType = (typeof entityTypes)[number]
/** Whose ids the references of a written record are. `auto`: a source id if there is one, else the platform's. */
export const referenceModes = ['auto', 'source', 'platform'] as const
export type ReferenceMode = (typeof referenceModes)[number]
/** Into a unified record; "/lineItems/*" followed by a field matches that field of every line. */
export type Pointer = `/${string}`

export interface EntityDefinition<R extends object = object> {
  entityType: EntityType
  title: string
  verticals: readonly Vertical[]
  writable: boolean
  fields: TObject
  /** Fields that exist only in one vertical's flavor. */
  only: Readonly<Partial<Record<Vertical, readonly Pointer[]>>>
  references: Readonly<Record<Pointer, EntityType>>
  money: readonly Pointer[]
  example: R
}
export const defineEntity = <R extends object>(definition: EntityDefinition<R>): EntityDefinition<R> => definition

/** The schema of an entity in one vertical's flavor: closed, so a field of another flavor is an unknown field. */
export const flavorSchema = (definition: EntityDefinition, vertical: Vertical): TObject =>
  closed(definition.fields, '', new Set(foreignFields(definition, vertical))) as TObject
/** The fields of all flavors. */
export const entitySchema = (definition: EntityDefinition): TObject =>
  closed(definition.fields, '', new Set()) as TObject
/** The fields that only other verticals have. */
export const foreignFields = ({ only }: EntityDefinition, vertical: Vertical): Pointer[] =>
  Object.entries(only).flatMap(([owner, pointers]) => (owner === vertical ? [] : pointers))

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
