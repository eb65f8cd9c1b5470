import type { EntityAdapter } from '../../contract/connector.ts'
import { list, text } from '../../kit/fields.ts'
import { displayName } from '../../kit/names.ts'
import { type GroupRow, menus } from './menu.ts'

/** A category is a menu group; menus themselves contain no items. Menus cannot be written. */
export const category: EntityAdapter<'category', GroupRow, never> = {
  id: (row) => row.guid,
  toUnified: (row) => ({
    externalId: row.guid,
    name: displayName(row.name, row.guid)!,
    description: text(row.description),
    parentExternalId: text(row.parentGuid),
    active: list(row.visibility).length > 0,
    imageIds: row.image ? [row.image] : undefined,
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'none', // the publication date is the same for all
    page: async (call) => ({ rows: (await menus(call)).groups }),
  },
  get: async (call, id) => (await menus(call)).groups.find(({ guid }) => guid === id),
}
