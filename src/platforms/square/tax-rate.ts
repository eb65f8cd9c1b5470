import type { EntityAdapter } from '../../contract/connector.ts'
import { flag, list, members, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { fromDecimal } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import { type CatalogObject, readObject, searchCatalog } from './catalog.ts'

export const taxRate: EntityAdapter<'tax_rate', CatalogObject, string> = flatEntity('tax_rate', {
  id: (row) => row.id,
  version: (row) => text(row.version),
  scopes: { read: ['ITEMS_READ'] },
  toUnified: ({ id, tax_data, is_deleted, present_at_all_locations, present_at_location_ids }) => {
    const { name, percentage, inclusion_type, enabled } = members(tax_data)
    const places = list(present_at_location_ids)
    const type = text(inclusion_type)
    return {
      externalId: id,
      name: text(name) ?? id,
      rate: fromDecimal(percentage),
      type: 'PERCENT',
      included: type === undefined ? undefined : type === 'INCLUSIVE',
      active: flag(enabled) !== false && !flag(is_deleted),
      locationExternalId: flag(present_at_all_locations) === false && places.length === 1 ? text(places[0]) : undefined,
    }
  },
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    page: searchCatalog('TAX', (object) => [object]),
    deletes: true,
  },
  get: (call, id) => readObject(call, 'TAX', id),
})
