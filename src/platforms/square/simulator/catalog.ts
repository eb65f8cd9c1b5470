// Catalog reads: list, search, retrieve.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { accept, bodyOf, invalid, list, notFound, ok, timeOf } from './wire.ts'
import { type CatalogObject, iso, pageOf, type World } from './world.ts'

const listSize = 100
const searchSize = { standard: 100, most: 1000 }
/** The types that are listed by default: without variations and images. */
const topLevel = ['ITEM', 'CATEGORY', 'TAX', 'MODIFIER_LIST', 'MEASUREMENT_UNIT', 'CUSTOM_ATTRIBUTE_DEFINITION']

export const variationsOf = (item: CatalogObject): CatalogObject[] => item.item_data?.variations ?? []

/** An object that is not deleted, or a variation inside its item. */
export function findObject(world: World, id: string): CatalogObject | undefined {
  const parent = world.itemOf.get(id)
  const object =
    parent === undefined
      ? world.catalog.get(id)
      : variationsOf(world.catalog.get(parent)!).find((variation) => variation.id === id)
  const found = object ?? modifiersIn(world).find((modifier) => modifier.id === id)
  return found?.is_deleted ? undefined : found
}
export const modifiersIn = (world: World): CatalogObject[] =>
  world.catalog
    .filter(({ type, is_deleted }) => type === 'MODIFIER_LIST' && !is_deleted)
    .flatMap(({ modifier_list_data }) => modifier_list_data?.modifiers ?? [])

function objectsOf(world: World, types: readonly string[], deleted = false): CatalogObject[] {
  const nested = types.includes('ITEM_VARIATION')
    ? world.catalog.filter(({ type }) => type === 'ITEM').flatMap(variationsOf)
    : []
  const modifiers = types.includes('MODIFIER') ? modifiersIn(world) : []
  return [...world.catalog.filter(({ type }) => types.includes(type)), ...nested, ...modifiers].filter(
    ({ is_deleted }) => deleted || !is_deleted,
  )
}

const latestTime = (world: World): string => iso(Math.max(0, ...world.catalog.values().map(({ version }) => version)))

export function dataOf(object: CatalogObject): Fields {
  return (object[`${object.type.toLowerCase()}_data`] as Fields | undefined) ?? {}
}

function relatedTo(world: World, objects: readonly CatalogObject[]): CatalogObject[] {
  const ids = objects.flatMap(({ item_data: item, item_variation_data: variation, category_data: category }) => [
    ...(item?.categories ?? []).map(({ id }) => id),
    item?.reporting_category?.id,
    ...(item?.tax_ids ?? []),
    ...(item?.image_ids ?? []),
    variation?.item_id,
    variation?.measurement_unit_id as string | undefined,
    category?.parent_category?.id,
  ])
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (findObject(world, id) ?? [])))
}

interface QueryFields {
  attribute_name?: string
  attribute_value?: string
  attribute_prefix?: string
  attribute_values?: string[]
  keywords?: string[]
  tax_ids?: string[]
}

function matcher(query: unknown): (object: CatalogObject) => boolean {
  if (!isObject(query)) return () => true
  const [kind, ...more] = Object.keys(query).filter((name) => query[name] !== null && name !== 'sorted_attribute_query')
  if (!kind) return () => true
  const asked = query[kind] as QueryFields
  const attribute = (object: CatalogObject) => String(dataOf(object)[asked.attribute_name ?? ''] ?? '').toLowerCase()
  if (more.length > 0) return invalid('BAD_REQUEST', 'Only one query type may be set.', 'query')
  switch (kind) {
    case 'exact_query':
      // "exact" is case-insensitive and matches parts, as documented.
      return (object) => attribute(object).includes(String(asked.attribute_value).toLowerCase())
    case 'prefix_query':
      return (object) => attribute(object).startsWith(String(asked.attribute_prefix).toLowerCase())
    case 'set_query':
      return (object) => asked.attribute_values?.some((one) => one.toLowerCase() === attribute(object)) === true
    case 'text_query':
      return (object) =>
        asked.keywords?.every((word) => JSON.stringify(dataOf(object)).toLowerCase().includes(word.toLowerCase())) ===
        true
    case 'items_for_tax_query':
      return (object) => asked.tax_ids?.some((id) => object.item_data?.tax_ids?.includes(id)) === true
    default:
      return invalid('BAD_REQUEST', `\`${kind}\` is not supported here.`, 'query')
  }
}

function searchObjects(world: World, given: Fields) {
  const body = accept('SearchCatalogObjectsRequest', given) as Fields & { object_types?: string[]; limit?: number }
  const begin = timeOf(body.begin_time, 'begin_time')
  const matches = matcher(body.query)
  const rows = objectsOf(world, body.object_types ?? topLevel, body.include_deleted_objects === true).filter(
    (object) => (begin === undefined || Date.parse(object.updated_at) > begin) && matches(object),
  )
  // A limit that is out of range is ignored, not rejected.
  const limit = body.limit && body.limit >= 1 && body.limit <= searchSize.most ? body.limit : searchSize.standard
  const page = pageOf(rows, body, { limit, key: ({ id }) => id })
  const related = body.include_related_objects === true ? relatedTo(world, page.rows) : []
  return list('objects', page.rows, {
    ...(related.length > 0 && { related_objects: related }),
    ...page.rest,
    latest_time: latestTime(world),
  })
}

function searchItems(world: World, given: Fields) {
  const body = accept('SearchCatalogItemsRequest', given) as Fields & {
    limit?: number
    category_ids?: string[]
    product_types?: string[]
    custom_attribute_filters?: Fields[]
  }
  const limit = body.limit ?? 100
  if (limit < 1 || limit > 100)
    invalid(limit < 1 ? 'VALUE_TOO_LOW' : 'VALUE_TOO_HIGH', 'limit must be from 1 to 100.', 'limit')
  const archived = body.archived_state ?? 'ARCHIVED_STATE_NOT_ARCHIVED'
  // In name, description and abbreviation of an item, and in name, sku and upc of a variation.
  const sought = String(body.text_filter ?? '').toLowerCase()
  const has = (...values: unknown[]) =>
    values.some((value) =>
      String(value ?? '')
        .toLowerCase()
        .includes(sought),
    )
  const matched = ({ item_variation_data: data = {} }: CatalogObject) => has(data.name, data.sku, data.upc)
  const rows = objectsOf(world, ['ITEM']).filter((item) => {
    const data = item.item_data!
    return (
      (archived === 'ARCHIVED_STATE_ALL' || (archived === 'ARCHIVED_STATE_ARCHIVED') === (data.is_archived === true)) &&
      (has(data.name, data.description_plaintext, data.abbreviation) || variationsOf(item).some(matched)) &&
      (!body.category_ids || data.categories?.some(({ id }) => body.category_ids!.includes(id))) &&
      (!body.product_types || body.product_types.includes(String(data.product_type))) &&
      (body.custom_attribute_filters ?? []).every((filter) =>
        [item, ...variationsOf(item)].some((object) => hasAttribute(object, filter)),
      )
    )
  })
  const page = pageOf(rows, body, { limit, key: ({ id }) => id })
  const found = page.rows.flatMap(variationsOf).filter((variation) => sought !== '' && matched(variation))
  return list('items', page.rows, {
    ...(found.length > 0 && { matched_variation_ids: found.map(({ id }) => id) }),
    ...page.rest,
  })
}

function hasAttribute(object: CatalogObject, { key, string_filter: target }: Fields): boolean {
  const values = Object.values((object.custom_attribute_values as Record<string, Fields> | undefined) ?? {})
  return values.some(
    (value) =>
      value.key === key &&
      String(value.string_value ?? '')
        .toLowerCase()
        .includes(String(target ?? '').toLowerCase()),
  )
}

export const catalogRoutes: Routes<World> = {
  'GET /v2/catalog/list': ({ request: { query }, context: world }) => {
    const types = query.get('types')?.toUpperCase().split(',') ?? topLevel
    const page = pageOf(
      objectsOf(world, types),
      { types, cursor: query.get('cursor') ?? undefined },
      { limit: listSize, key: ({ id }) => id },
    )
    return list('objects', page.rows, page.rest)
  },
  'POST /v2/catalog/search': ({ request, context: world }) => searchObjects(world, bodyOf(request)),
  'POST /v2/catalog/search-catalog-items': ({ request, context: world }) => searchItems(world, bodyOf(request)),
  'GET /v2/catalog/object/:id': ({ request: { query }, params: { id = '' }, context: world }) => {
    const object = findObject(world, id) ?? notFound(`Catalog object with ID \`${id}\` not found.`)
    const related = query.get('include_related_objects') === 'true' ? relatedTo(world, [object]) : []
    return ok({ object, ...(related.length > 0 && { related_objects: related }) })
  },
  'POST /v2/catalog/batch-retrieve': ({ request, context: world }) => {
    const { object_ids: ids, include_related_objects: withRelated } = bodyOf(request)
    if (!Array.isArray(ids) || ids.length === 0)
      return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'object_ids')
    if (ids.length > 1000) invalid('ARRAY_LENGTH_TOO_LONG', 'At most 1000 ids.', 'object_ids')
    const objects = ids.flatMap((id) => findObject(world, String(id)) ?? [])
    const related = withRelated === true ? relatedTo(world, objects) : []
    return list('objects', objects, { ...(related.length > 0 && { related_objects: related }) })
  },
}
