// Mappings, their defaults and their keys.

import type { Static } from 'typebox'
import type { EntityType } from '../contract/entity.ts'
import type { mappingDirection, rule } from '../contract/manage/mappings.ts'

export type Direction = Static<typeof mappingDirection>
export type Rule = Static<typeof rule>
/** Who owns a mapping or a default. The defaults of an account come before those of its platform and its workspace. */
export type MappingScope = 'account' | 'platform' | 'workspace'
export interface MappingOwner {
  workspaceId: string
  accountId?: string // of one account
  platform?: string // of all accounts of this platform; neither: of all accounts of the workspace
}
export interface MappingOverlay extends MappingOwner {
  id: string
  entityType: EntityType
  direction: Direction
  name: string
  version: number
  rules: Record<string, Rule> // unified pointer -> rule
  createdAt: string
}
/** The mapping of an entity type and direction that is used if a request selects none. */
export interface MappingDefault extends MappingOwner {
  entityType: EntityType
  direction: Direction
  mappingId?: string // absent: the built-in mapping
}
/** Selects the overlay that it names, by default the default mapping of each entity. */
export interface MappingKey {
  key: string
  workspaceId: string
  accountId: string
  direction: Direction
  isDefault: boolean
  entityType?: EntityType
  mappingId?: string
  createdAt: string
}
