// Catalog writes. An upsert replaces the whole object and requires its current version.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { dataOf, findObject, variationsOf } from './catalog.ts'
import { accept, bodyOf, invalid, list, notFound, ok, textOf, withoutNulls } from './wire.ts'
import { type CatalogObject, type ItemData, iso, newId, once, type VariationData, type World } from './world.ts'

const writable = ['ITEM', 'ITEM_VARIATION', 'CATEGORY', 'TAX', 'MEASUREMENT_UNIT', 'CUSTOM_ATTRIBUTE_DEFINITION']
const creatableProducts = ['REGULAR', 'APPOINTMENTS_SERVICE']

interface Upsert {
  world: World
  at: number
  ids: Map<string, string> // client id -> real id
}

function upsertAll(world: World, objects: readonly { value: unknown; path: string }[]) {
  const accepted = objects.map(({ value, path }) => ({
    path,
    object: accept('CatalogObject', value, path) as Fields & { type: string; id: string },
  }))
  const upsert: Upsert = { world, at: world.tick(), ids: new Map() }
  for (const { object } of accepted) nameNew(object, upsert)
  // Everything is checked before anything is stored: a batch is atomic.
  const finished = accepted.map(({ object, path }) =>
    build(upsert, resolve(object, upsert.ids) as Fields & { type: string; id: string }, path),
  )
  for (const [index, object] of finished.entries()) mustHaveItem(upsert, object, accepted[index]!.path)
  for (const object of finished) store(world, object, upsert.at)
  return {
    objects: finished.map(({ id }) => findObject(world, id)!),
    mappings: [...upsert.ids].map(([client_object_id, object_id]) => ({ client_object_id, object_id })),
  }
}

function nameNew(object: Fields & { id?: string }, upsert: Upsert): void {
  if (object.id?.startsWith('#') && !upsert.ids.has(object.id)) upsert.ids.set(object.id, newId('catalog'))
  for (const variation of (object.item_data as ItemData | null)?.variations ?? []) nameNew(variation, upsert)
}

/** Replaces `#ids` with real ids, only where an id is expected. */
function resolve(value: unknown, ids: ReadonlyMap<string, string>, key = ''): unknown {
  if (typeof value === 'string') return /(^|_)ids?$/.test(key) ? (ids.get(value) ?? value) : value
  if (Array.isArray(value)) return value.map((part) => resolve(part, ids, key))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, ids, name)]))
    : value
}

function build(upsert: Upsert, given: Fields & { type: string; id: string }, path: string): CatalogObject {
  const { world, at, ids } = upsert
  if (!given.type) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${path}.type`)
  if (!given.id) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${path}.id`)
  if (!writable.includes(given.type))
    invalid('INVALID_ENUM_VALUE', `Objects of type ${given.type} cannot be upserted here.`, `${path}.type`)
  const isNew = [...ids.values()].includes(given.id)
  const current = isNew
    ? undefined
    : (findObject(world, given.id) ??
      notFound(
        `Catalog object with ID \`${given.id}\` not found. The ID of a new object must start with \`#\`.`,
        `${path}.id`,
      ))
  if (current && current.type !== given.type)
    invalid('INVALID_VALUE', 'The type of an object cannot be changed.', `${path}.type`)
  if (current && current.version !== given.version) {
    invalid(
      'VERSION_MISMATCH',
      `Object version does not match latest database version. Object: \`${given.id}\`, given ${String(given.version)}, latest ${current.version}.`,
      `${path}.version`,
    )
  }
  const dataName = `${given.type.toLowerCase()}_data`
  if (!isObject(given[dataName]))
    invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${path}.${dataName}`)
  const kept = Object.fromEntries(Object.entries(withoutNulls(given)).filter(([name]) => !name.endsWith('_data')))
  return {
    present_at_all_locations: true,
    ...kept,
    type: given.type,
    id: given.id,
    version: at,
    updated_at: iso(at),
    is_deleted: false,
    [dataName]: buildData(upsert, given, withoutNulls(given[dataName] as Fields), current, `${path}.${dataName}`),
  }
}

function buildData(
  upsert: Upsert,
  { type, id }: { type: string; id: string },
  data: Fields,
  current: CatalogObject | undefined,
  path: string,
): Fields {
  if (type === 'ITEM') return buildItem(upsert, id, data as ItemData, current?.item_data, path)
  if (type === 'ITEM_VARIATION') return buildVariation(upsert, data as VariationData, path)
  if (type === 'CATEGORY') return buildCategory(upsert, id, data, path)
  return data
}

function buildItem(upsert: Upsert, id: string, data: ItemData, current: ItemData | undefined, path: string): ItemData {
  if (!data.name)
    invalid(
      data.name === '' ? 'VALUE_EMPTY' : 'MISSING_REQUIRED_PARAMETER',
      'An item must have a name.',
      `${path}.name`,
    )
  const product_type = data.product_type ?? current?.product_type ?? 'REGULAR'
  if (current ? product_type !== current.product_type : !creatableProducts.includes(String(product_type)))
    invalid('INVALID_VALUE', `product_type cannot be set to ${String(product_type)}.`, `${path}.product_type`)
  const given = data.variations ?? []
  if (given.length < 1)
    invalid('ARRAY_LENGTH_TOO_SHORT', 'An item must have at least one variation.', `${path}.variations`)
  if (given.length > 250)
    invalid('ARRAY_LENGTH_TOO_LONG', 'An item can have at most 250 variations.', `${path}.variations`)
  for (const [index, { id: category }] of (data.categories ?? []).entries())
    mustBe(upsert, 'CATEGORY', category, `${path}.categories[${index}].id`)
  if (data.reporting_category) mustBe(upsert, 'CATEGORY', data.reporting_category.id, `${path}.reporting_category.id`)
  for (const [index, tax] of (data.tax_ids ?? []).entries()) mustBe(upsert, 'TAX', tax, `${path}.tax_ids[${index}]`)
  const variations = given.map((variation, index) => {
    const where = `${path}.variations[${index}]`
    const itemId = variation.item_variation_data?.item_id
    if (itemId !== undefined && itemId !== id)
      invalid(
        'INVALID_VALUE',
        'item_id must be the id of the item that holds the variation.',
        `${where}.item_variation_data.item_id`,
      )
    const built = build(upsert, { ...variation, type: variation.type ?? 'ITEM_VARIATION' }, where)
    return {
      ...built,
      item_variation_data: {
        ...built.item_variation_data,
        item_id: id,
        ordinal: built.item_variation_data?.ordinal ?? index,
      },
    }
  })
  // tax_ids in an upsert only adds taxes; UpdateItemTaxes removes them.
  const tax_ids = [...new Set([...(current?.tax_ids ?? []), ...(data.tax_ids ?? [])])]
  return {
    is_taxable: true,
    is_archived: false,
    ...data,
    ...descriptions(data),
    ...(tax_ids.length > 0 && { tax_ids }),
    product_type,
    variations,
  }
}

function descriptions({ description_html: html, description: text }: Fields): Fields {
  const source = html ?? text
  if (typeof source !== 'string' || source === '') return { description: undefined, description_html: undefined }
  const plain =
    html === undefined
      ? source
      : unescapeHtml(source.replace(/<\/p>\s*<p[^>]*>|<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, ''))
  return {
    description: plain,
    description_plaintext: plain,
    description_html: html ?? `<p>${source.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`,
  }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}
const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity]!)

function buildVariation(upsert: Upsert, given: VariationData, path: string): VariationData {
  const data: VariationData = { sellable: true, stockable: true, ...given }
  const { pricing_type, price_money, measurement_unit_id } = data
  if (pricing_type === undefined)
    invalid('MISSING_REQUIRED_PARAMETER', 'pricing_type is required.', `${path}.pricing_type`)
  if (pricing_type === 'VARIABLE_PRICING' && price_money)
    invalid('INVALID_VALUE', 'A variation with variable pricing has no price.', `${path}.price_money`)
  if (pricing_type === 'FIXED_PRICING' && (price_money?.amount === undefined || price_money.amount === null))
    invalid('MISSING_REQUIRED_PARAMETER', 'A fixed price needs price_money.', `${path}.price_money`)
  if (price_money && price_money.amount < 0)
    invalid('VALUE_TOO_LOW', 'A price cannot be negative.', `${path}.price_money.amount`)
  if (price_money && price_money.currency !== upsert.world.currency)
    invalid(
      'INVALID_VALUE',
      `The currency of this merchant is ${upsert.world.currency}.`,
      `${path}.price_money.currency`,
    )
  if (measurement_unit_id !== undefined)
    mustBe(upsert, 'MEASUREMENT_UNIT', measurement_unit_id, `${path}.measurement_unit_id`)
  return data
}

function buildCategory(
  upsert: Upsert,
  id: string,
  data: Fields & { parent_category?: { id?: string } },
  path: string,
): Fields {
  if (!data.name)
    invalid(
      data.name === '' ? 'VALUE_EMPTY' : 'MISSING_REQUIRED_PARAMETER',
      'A category must have a name.',
      `${path}.name`,
    )
  if (String(data.name).length > 255)
    invalid('VALUE_TOO_LONG', 'Field must not be greater than 255 in length', `${path}.name`)
  const parent = data.parent_category?.id
  if (parent === id) invalid('INVALID_VALUE', 'A category cannot be its own parent.', `${path}.parent_category.id`)
  if (parent !== undefined) mustBe(upsert, 'CATEGORY', parent, `${path}.parent_category.id`)
  return { category_type: 'REGULAR_CATEGORY', online_visibility: true, ...data, is_top_level: parent === undefined }
}

function mustBe({ world, ids }: Upsert, type: string, id: unknown, field: string): void {
  if (![...ids.values()].includes(String(id)) && findObject(world, String(id))?.type !== type)
    invalid('INVALID_VALUE', `Catalog object with ID \`${String(id)}\` of type ${type} not found.`, field)
}

function mustHaveItem(upsert: Upsert, { type, id, item_variation_data: data }: CatalogObject, path: string): void {
  if (type === 'ITEM_VARIATION')
    mustBe(upsert, 'ITEM', data?.item_id ?? upsert.world.itemOf.get(id), `${path}.item_variation_data.item_id`)
}

function store(world: World, object: CatalogObject, at: number): void {
  if (object.type !== 'ITEM_VARIATION') {
    const before = world.catalog.get(object.id)
    world.catalog.set(object.id, object)
    for (const { id } of variationsOf(object)) world.itemOf.set(id, object.id)
    const left = new Set(variationsOf(object).map(({ id }) => id))
    for (const gone of before ? variationsOf(before) : []) if (!left.has(gone.id)) bury(world, gone, at)
    return
  }
  const item = world.catalog.get(String(object.item_variation_data?.item_id ?? world.itemOf.get(object.id)))!
  const others = variationsOf(item)
  const variations = others.some(({ id }) => id === object.id)
    ? others.map((one) => (one.id === object.id ? object : one))
    : [...others, object]
  world.catalog.set(item.id, {
    ...item,
    version: at,
    updated_at: iso(at),
    item_data: { ...item.item_data, variations },
  })
  world.itemOf.set(object.id, item.id)
}

function bury(world: World, object: CatalogObject, at: number): void {
  world.itemOf.delete(object.id)
  world.catalog.set(object.id, { ...object, is_deleted: true, version: at, updated_at: iso(at) })
}

export function deleteObject(world: World, id: string): string[] {
  const object = findObject(world, id)
  if (!object) return []
  const at = world.tick()
  const parent = world.itemOf.get(id)
  if (parent !== undefined) {
    const item = world.catalog.get(parent)!
    const variations = variationsOf(item).filter((variation) => variation.id !== id)
    if (variations.length === 0) return deleteObject(world, parent)
    world.catalog.set(parent, {
      ...item,
      version: at,
      updated_at: iso(at),
      item_data: { ...item.item_data, variations },
    })
    bury(world, object, at)
    return [id]
  }
  for (const variation of variationsOf(object)) world.itemOf.delete(variation.id)
  const nested = variationsOf(object).map((variation) => ({
    ...variation,
    is_deleted: true,
    version: at,
    updated_at: iso(at),
  }))
  world.catalog.set(id, {
    ...object,
    is_deleted: true,
    version: at,
    updated_at: iso(at),
    ...(object.item_data && { item_data: { ...object.item_data, variations: nested } }),
  })
  if (object.type === 'CATEGORY') for (const item of world.catalog.values()) leaveCategory(world, item, id)
  return [id, ...nested.map((variation) => variation.id)]
}

function leaveCategory(world: World, item: CatalogObject, category: string): void {
  const { categories = [], reporting_category: reporting, ...data } = item.item_data ?? {}
  if (item.is_deleted || (reporting?.id !== category && !categories.some(({ id }) => id === category))) return
  const at = world.tick()
  const item_data = {
    ...data,
    categories: categories.filter(({ id }) => id !== category),
    ...(reporting && reporting.id !== category && { reporting_category: reporting }),
  }
  world.catalog.set(item.id, { ...item, version: at, updated_at: iso(at), item_data })
}

export const catalogWriteRoutes: Routes<World> = {
  'POST /v2/catalog/object': ({ request, context: world }) => {
    const body = bodyOf(request)
    const key = textOf(body, 'idempotency_key', { max: 128, required: true })
    return once(world, 'catalog/object', key, body, () => {
      if (!isObject(body.object)) return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'object')
      const { objects, mappings } = upsertAll(world, [{ value: body.object, path: 'object' }])
      return ok({ catalog_object: objects[0], ...(mappings.length > 0 && { id_mappings: mappings }) })
    })
  },
  'POST /v2/catalog/batch-upsert': ({ request, context: world }) => {
    const body = bodyOf(request)
    const key = textOf(body, 'idempotency_key', { max: 128, required: true })
    return once(world, 'catalog/batch-upsert', key, body, () => {
      const batches = Array.isArray(body.batches)
        ? (body.batches as { objects?: unknown[] }[])
        : invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'batches')
      const given = batches.flatMap(({ objects = [] }, batch) =>
        objects.map((value, index) => ({ value, path: `batches[${batch}].objects[${index}]` })),
      )
      if (given.length > 10_000 || batches.some(({ objects = [] }) => objects.length > 1000))
        invalid('ARRAY_LENGTH_TOO_LONG', 'At most 1000 objects in a batch and 10000 in all.', 'batches')
      const { objects, mappings } = upsertAll(world, given)
      return list('objects', objects, {
        updated_at: iso(world.now()),
        ...(mappings.length > 0 && { id_mappings: mappings }),
      })
    })
  },
  'DELETE /v2/catalog/object/:id': ({ params: { id = '' }, context: world }) => {
    const deleted = deleteObject(world, id)
    if (deleted.length === 0) notFound(`Catalog object with ID \`${id}\` not found.`)
    return ok({ deleted_object_ids: deleted, deleted_at: iso(world.now()) })
  },
  'POST /v2/catalog/update-item-taxes': ({ request, context: world }) => {
    const { item_ids, taxes_to_enable, taxes_to_disable } = accept('UpdateItemTaxesRequest', bodyOf(request)) as Record<
      string,
      string[] | undefined
    >
    const at = world.tick()
    const items = (item_ids ?? []).map((id, index) => {
      const item = findObject(world, id)
      return item?.type === 'ITEM' ? item : notFound(`Item \`${id}\` not found.`, `item_ids[${index}]`)
    })
    for (const item of items) {
      const tax_ids = [
        ...new Set([...((dataOf(item).tax_ids as string[] | undefined) ?? []), ...(taxes_to_enable ?? [])]),
      ].filter((id) => !taxes_to_disable?.includes(id))
      world.catalog.set(item.id, {
        ...item,
        version: at,
        updated_at: iso(at),
        item_data: { ...item.item_data, tax_ids },
      })
    }
    return ok({ updated_at: iso(at) })
  },
}
