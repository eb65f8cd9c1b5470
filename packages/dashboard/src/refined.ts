// Answers that the API description leaves open, because their records and schemas depend on platform and entity: here
// they are objects. An operation leaves this list when its description says it.

import type { entityTypes } from '../../client/src/generated/entity-types.ts'
import type { EntitySupport } from '../../client/src/generated/records.ts'
import type { ManageAnswer } from '../../client/src/manage-call.ts'

type EntityType = keyof typeof entityTypes
type Refine<T, Fields> = Omit<T, keyof Fields> & Fields
export type JsonObject = Record<string, unknown>
export interface FieldSchema {
  type?: string
  description?: string
  format?: string
  enum?: string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  required?: string[]
}
export interface NativeRequest {
  method: string
  path: string
  query?: JsonObject
  headers?: Record<string, string>
  body?: unknown
}
type Written = Refine<ManageAnswer<'writeRecord'>, { data: JsonObject }>
type ByEntity<T> = Partial<Record<EntityType, T>>
type Explorable = ManageAnswer<'exploreAccount'>
type NamedKey = Refine<Explorable['mappingKeys'][number], { direction: 'read' | 'write'; entityType: EntityType }>
type Explored = Refine<ManageAnswer<'exploreRecords'>['data'][number], { record?: JsonObject }>
type Step = Refine<ManageAnswer<'planRecord'>['steps'][number], { request: NativeRequest }>

export interface Refined {
  exploreAccount: Refine<Explorable, { entities: ByEntity<EntitySupport>; mappingKeys: NamedKey[] }>
  describeEntity: Refine<
    ManageAnswer<'describeEntity'>,
    { entityType: EntityType; support: EntitySupport; schema: FieldSchema; example: JsonObject }
  >
  exploreRecords: Refine<ManageAnswer<'exploreRecords'>, { data: Explored[] }>
  exploreRecord: Refine<ManageAnswer<'exploreRecord'>, { record?: JsonObject }>
  planRecord: Refine<ManageAnswer<'planRecord'>, { steps: Step[] }>
  writeRecord: Written
  replaceRecord: Written
  previewMapping: Refine<ManageAnswer<'previewMapping'>, { before?: JsonObject; after?: JsonObject }>
}
