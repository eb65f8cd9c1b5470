import type { EntityAdapter, WriteCall } from '../../contract/connector.ts'
import type { Category } from '../../contract/entities/category.ts'
import { flag, list, members, text } from '../../kit/fields.ts'
import { toUtc } from '../../kit/time.ts'
import { type CatalogObject, type CategoryData, readObject, searchCatalog, upsert } from './catalog.ts'

const write = {
  // Image ids come from uploads to Square; a category has no description and cannot be deactivated, only deleted.
  notStored: { '/description': true, '/imageIds': true, '/active': ['false'] },
  fields: {
    'object.category_data.name': '/name',
    'object.category_data.parent_category.id': '/parentExternalId',
    'object.category_data.parent_category': '/parentExternalId',
  },
} as const

function categoryData(record: Category, native?: CategoryData | null): CategoryData {
  const current = members(native)
  const { root_category: _root, path_to_root: _path, ...kept } = current // computed by Square
  const parent = record.parentExternalId
  const samePlace = parent !== undefined && current.parent_category?.id === parent
  return {
    ...kept,
    name: record.name,
    parent_category: samePlace ? current.parent_category : parent === undefined ? undefined : { id: parent },
    is_top_level: parent === undefined,
  }
}
const send = (call: WriteCall, object: CatalogObject) =>
  upsert(call, object, ({ body }) => ({
    id: body.catalog_object.id as string,
    row: body.catalog_object as CatalogObject,
  }))

export const category: EntityAdapter<'category', CatalogObject, string> = {
  verticals: ['restaurant'],
  id: (row) => row.id,
  version: (row) => text(row.version),
  toUnified: ({ id, is_deleted, category_data }) => {
    const data = members(category_data)
    const imageIds = list(data.image_ids)
    return {
      externalId: id,
      name: text(data.name) ?? id,
      parentExternalId: text(data.parent_category?.id),
      active: !flag(is_deleted),
      imageIds: imageIds.length ? [...imageIds] : undefined,
    }
  },
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    page: searchCatalog('CATEGORY', (object) => [object]),
    deletes: true,
  },
  get: (call, id) => readObject(call, 'CATEGORY', id),
  create: {
    ...write,
    run: (call, record) => send(call, { type: 'CATEGORY', id: '#category', category_data: categoryData(record) }),
  },
  update: {
    ...write,
    run: (call, current, record) =>
      send(call, { ...current, category_data: categoryData(record, current.category_data) }),
  },
}
