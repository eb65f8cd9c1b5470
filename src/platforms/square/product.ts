import type { EntityAdapter, Requirement, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { post } from '../../kit/requests.ts'
import { productName, variantsNamed } from '../../kit/search.ts'
import { latestOf, toUtc } from '../../kit/time.ts'
import { currencyAt, homeLocation } from './account.ts'
import {
  type CatalogObject,
  type ItemData,
  removeObject,
  searchCatalog,
  upsert,
  type VariationData,
} from './catalog.ts'
import { type Money, toMoney } from './money.ts'
import {
  categoryOf,
  descriptionOf,
  finishRows,
  joinName,
  namesOf,
  type ProductRow,
  priceTypeOf,
  readRow,
  readRows,
  rowsOf,
  takeApart,
  toUnified,
  trackedAt,
} from './product-row.ts'
import { planStock } from './stock.ts'

const variation = 'object.item_data.variations[*].item_variation_data'
const fields = {
  'object.item_data.name': '/name',
  'object.item_data.description_html': '/description',
  'object.item_data.categories[*].id': '/categoryExternalId',
  'object.item_data.reporting_category.id': '/categoryExternalId',
  [`${variation}.name`]: '/name',
  [`${variation}.sku`]: '/sku',
  [`${variation}.upc`]: '/barcode',
  [`${variation}.price_money`]: '/price',
  [`${variation}.price_money.amount`]: '/price',
  [`${variation}.price_money.currency`]: '/currencyCode',
  [`${variation}.pricing_type`]: '/priceType',
  [`${variation}.track_inventory`]: '/trackInventory',
  'changes[*].physical_count.quantity': '/stockOnHand',
  name: '/name',
  price: '/price',
  currency: '/currencyCode',
  unit: '/priceType',
  stock: '/stockOnHand',
} as const
// Cost belongs to a vendor and needs a paid plan; images are uploaded, not linked; a category is referenced by its id.
const notStored = { '/cost': true, '/categoryName': true, '/vendor': true, '/tags': true, '/imageUrl': true } as const

/** A fixed price needs an amount; a variable price cannot have one. */
const requiresWhen: readonly Requirement[] = [{ pointer: '/price', is: { '/priceType': ['FIXED', 'PER_UNIT'] } }]
function check({ name, price, priceType }: Product): { pointer: '/name' | '/price'; message: string }[] {
  return [
    ...(name.trim() ? [] : [{ pointer: '/name' as const, message: 'must not be blank on this platform' }]),
    ...(priceType === 'VARIABLE' && price !== undefined
      ? [{ pointer: '/price' as const, message: 'Square stores no price for a VARIABLE product' }]
      : []),
  ]
}
const escapeHtml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/**
 * Equal fields are not sent, which preserves the formatting of a description and additional categories. Fields that the
 * record omits are cleared.
 */
function itemData(record: Product, name: string, current: ItemData): ItemData {
  const { description: _old, description_plaintext: _computed, ...data } = current
  if (record.description !== descriptionOf(current))
    data.description_html = record.description === undefined ? undefined : escapeHtml(record.description)
  if (record.categoryExternalId !== categoryOf(current)) {
    const [id, old] = [record.categoryExternalId, categoryOf(current)]
    data.category_id = undefined
    data.reporting_category = id === undefined ? undefined : { id }
    data.categories =
      id === undefined
        ? []
        : [{ id }, ...(current.categories ?? []).filter((link) => link.id !== id && link.id !== old)]
  }
  return {
    ...data,
    name,
    is_taxable: record.taxable,
    is_archived: record.active === undefined ? undefined : !record.active,
  }
}
function variationData(
  call: WriteCall,
  record: Product,
  name: string,
  price: Money | undefined,
  current: VariationData,
): VariationData {
  const data: VariationData = {
    ...current,
    name,
    sku: record.sku,
    upc: record.barcode,
    pricing_type: price ? 'FIXED_PRICING' : 'VARIABLE_PRICING',
    price_money: price,
  }
  if (record.priceType === 'FIXED') data.measurement_unit_id = undefined
  // The retail schema does not have this field, so its absence does not clear it.
  if (call.account.vertical !== 'restaurant' || record.trackInventory === trackedAt(current, call.account)) return data
  data.track_inventory = record.trackInventory
  data.location_overrides =
    current.location_overrides &&
    list(current.location_overrides).map((place) =>
      place.track_inventory === undefined ? place : { ...place, track_inventory: record.trackInventory },
    )
  return data
}
async function priceMoney(call: WriteCall, record: Product, current: VariationData = {}): Promise<Money | undefined> {
  const known = current.price_money?.currency
  const currency =
    known !== undefined && (record.currencyCode ?? known) === known
      ? known
      : currencyAt(await homeLocation(call), record.currencyCode, 'currency')
  return record.price === undefined ? undefined : toMoney(record.price, currency, 'price')
}

export const product: EntityAdapter<'product', ProductRow, string> = {
  id: (row) => row.variation.id,
  version: (row) => text(row.item.version),
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: ({ item, variation }) => toUtc(latestOf(item.updated_at, variation.updated_at)),
    page: searchCatalog('ITEM', rowsOf),
    deletes: true,
    complete: { size: 100, fields: ['/stockOnHand', '/categoryName', '/imageUrl'], rows: finishRows },
  },
  get: readRow,
  search: {
    by: ['name', 'sku'],
    newestFirst: false, // sorted by name
    page: async (call, { text: sought, size }, cursor: string | undefined) => {
      const { body } = await call.read(
        post('/v2/catalog/search-catalog-items', {
          text_filter: productName(sought),
          archived_state: 'ARCHIVED_STATE_ALL',
          limit: size,
          cursor,
        }),
      )
      const items = list<CatalogObject>(body.items)
      const rows = items.flatMap((item) =>
        variantsNamed(rowsOf(item), sought, (row) => ({
          name: joinName(namesOf(row)),
          sku: text(row.variation.item_variation_data?.sku),
          barcode: text(row.variation.item_variation_data?.upc),
        })),
      )
      return { rows, next: body.cursor }
    },
  },
  group: ({ item }) => item.id,
  members: readRows,
  create: {
    notStored: { ...notStored, '/priceType': ['PER_UNIT'] }, // needs a measurement unit, which is a separate object
    requiresWhen,
    fields,
    check: (record) => [
      ...check(record),
      ...((record.stockOnHand ?? 0) < 0
        ? [{ pointer: '/stockOnHand' as const, message: 'Square does not support negative stock' }]
        : []),
    ],
    run: async (call, record) => {
      const data = variationData(call, record, 'Regular', await priceMoney(call, record), { item_id: '#item' })
      const track_inventory = record.trackInventory ?? (record.stockOnHand === undefined ? undefined : true)
      const only: CatalogObject = {
        type: 'ITEM_VARIATION',
        id: '#variation',
        item_variation_data: { ...data, track_inventory },
      }
      const object: CatalogObject = {
        type: 'ITEM',
        id: '#item',
        item_data: { ...itemData(record, record.name, {}), variations: [only] },
      }
      const count = await planStock(call, record.stockOnHand, [])
      const created = await upsert(
        call,
        object,
        ({ body }) => ({
          id: body.catalog_object.item_data.variations[0].id as string,
          itemId: body.catalog_object.id as string,
        }),
        ({ itemId }) => removeObject(itemId),
      )
      await count(created.id)
      return { id: created.id }
    },
  },
  update: {
    notStored,
    fields,
    requiresWhen,
    check,
    // A product without a price is one whose price is set at the sale.
    keeps: ({ priceType }) => (priceType === 'VARIABLE' ? [] : ['/price']),
    run: async (call, row, record) => {
      const { item, variation: own } = row
      const { id } = own
      const current = own.item_variation_data ?? {}
      if (record.priceType === 'PER_UNIT' && priceTypeOf(current) !== 'PER_UNIT')
        throw refusal('unit', 'Square needs a measurement unit to sell this product PER_UNIT: set one in Square')
      const names = takeApart(record.name, namesOf(row))
      if (!names)
        throw refusal(
          'name',
          `The item has several variations: its name must stay "${namesOf(row).item} - …" or "… - ${namesOf(row).variation}", as in "${joinName(namesOf(row))}"`,
        )
      const changed = {
        ...own,
        item_variation_data: variationData(
          call,
          record,
          names.variation,
          await priceMoney(call, record, current),
          current,
        ),
      }
      const variations = list(item.item_data?.variations).map((other) => (other.id === id ? changed : other))
      const count = await planStock(call, record.stockOnHand, row.counts)
      await upsert(
        call,
        { ...item, item_data: { ...itemData(record, names.item, item.item_data ?? {}), variations } },
        () => ({ id }),
      )
      await count(id)
      return { id }
    },
  },
}
