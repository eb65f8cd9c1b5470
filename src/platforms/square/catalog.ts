// Catalog objects: https://developer.squareup.com/docs/catalog-api/what-it-does
import type { NativeResponse, ReadCall, Step, WriteCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { type PageFunction, singleCall } from '../../kit/paging.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import type { Money } from './money.ts'

export interface CatalogObject {
  type: string
  id: string
  version?: number
  updated_at?: string
  is_deleted?: boolean
  item_data?: ItemData
  item_variation_data?: VariationData
  category_data?: CategoryData
  tax_data?: TaxData
  present_at_all_locations?: boolean
  present_at_location_ids?: string[]
  image_data?: { url?: string }
}
export interface ItemData {
  name?: string
  description?: string
  description_html?: string
  description_plaintext?: string
  is_taxable?: boolean
  is_archived?: boolean
  category_id?: string
  categories?: CategoryLink[]
  reporting_category?: CategoryLink
  image_ids?: string[]
  variations?: CatalogObject[]
}
export interface VariationData {
  item_id?: string
  name?: string
  sku?: string
  upc?: string
  pricing_type?: string
  price_money?: Money
  track_inventory?: boolean
  measurement_unit_id?: string
  image_ids?: string[]
  location_overrides?: { location_id: string; track_inventory?: boolean }[]
  vendor_information?: { unit_cost_money?: Money }[]
}
export interface TaxData {
  name?: string
  percentage?: string
  inclusion_type?: string
  enabled?: boolean
}
export interface CategoryLink {
  id: string
  ordinal?: number
}
export interface CategoryData {
  name?: string
  image_ids?: string[]
  parent_category?: Partial<CategoryLink>
  is_top_level?: boolean
  root_category?: string
  path_to_root?: unknown[]
}

/** begin_time is exclusive, like `updatedAfter`. Deleted objects are omitted unless they are asked for. */
export const searchCatalog = <Row>(
  type: 'ITEM' | 'CATEGORY' | 'TAX',
  toRows: (object: CatalogObject) => Row[],
): PageFunction<Row, string> =>
  singleCall(
    ({ size, updatedAfter, gone }, cursor) =>
      post('/v2/catalog/search', {
        object_types: [type],
        limit: size,
        cursor,
        begin_time: updatedAfter,
        include_deleted_objects: gone,
      }),
    ({ body }) => {
      const objects = list<CatalogObject>(body.objects)
      return {
        rows: objects.filter(({ is_deleted }) => !is_deleted).flatMap(toRows),
        gone: objects.filter(({ is_deleted }) => is_deleted).map(({ id }) => id),
        next: body.cursor,
      }
    },
  )

/** An object of any type. */
export async function readAny(call: ReadCall, id: string): Promise<CatalogObject | undefined> {
  const object: CatalogObject | undefined = (await ifFound(call.read(get(path`/v2/catalog/object/${id}`))))?.body.object
  return object?.is_deleted ? undefined : object
}
export async function readObject(call: ReadCall, type: string, id: string): Promise<CatalogObject | undefined> {
  const object = await readAny(call, id)
  return object?.type === type ? object : undefined
}

export async function readObjects(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, CatalogObject>> {
  if (!ids.length) return new Map()
  const { body } = await call.read(post('/v2/catalog/batch-retrieve', { object_ids: [...new Set(ids)] }))
  return new Map(list<CatalogObject>(body.objects).map((object) => [object.id, object]))
}

/**
 * Create and update are one call. The key of an update includes the version: with the old key Square would repeat its
 * error for a stale version.
 */
export const upsert = <T>(
  call: WriteCall,
  object: CatalogObject,
  read: (response: NativeResponse) => T,
  undo?: Step<T>['undo'],
): Promise<T> =>
  call.write('object', {
    request: post('/v2/catalog/object', {
      idempotency_key: call.key(object.version === undefined ? 'object' : `object-${object.version}`),
      object,
    }),
    read,
    recovery: 'key',
    undo,
  })
export const removeObject = (id: string) => del(path`/v2/catalog/object/${id}`)
