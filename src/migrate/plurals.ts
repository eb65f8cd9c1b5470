import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'

export const pluralOf = (entity: EntityType): string => entities[entity].names.many
