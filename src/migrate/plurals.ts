import type { EntityType } from '../contract/entity.ts'

const plurals: Readonly<Record<EntityType, string>> = {
  category: 'categories',
  product: 'products',
  customer: 'customers',
  employee: 'employees',
  order: 'orders',
  time_entry: 'time entries',
  shift: 'shifts',
  location: 'locations',
}
export const pluralOf = (entity: EntityType): string => plurals[entity]
