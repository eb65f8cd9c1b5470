import type { EntityAdapter, ListQuery, Page, ReadCall } from '../../contract/connector.ts'
import { del, path, post } from '../../kit/requests.ts'
import { compareInstants, toUtc } from '../../kit/time.ts'
import { checkCurrency } from './account.ts'
import {
  findCreated,
  lagSeconds,
  type NativePage,
  pageLimit,
  paths,
  readByIds,
  readPage,
  updatedSince,
} from './listing.ts'
import {
  finishRows,
  idOf,
  type NativeItem,
  type NativeVariant,
  type ProductRow,
  readRow,
  readRows,
  rowModifiedAt,
  rowsOf,
  toUnified,
} from './product-row.ts'
import { changeOf, check, creation, longest, wholeItem, wholeVariant } from './product-write.ts'
import { planStock } from './stock.ts'

const variantFields = {
  sku: '/sku',
  barcode: '/barcode',
  cost: '/cost',
  default_price: '/price',
  default_pricing_type: '/price',
} as const
const write = {
  longest,
  // Images are uploaded, and there are no tags.
  notStored: { '/tags': true, '/imageUrl': true },
  fields: {
    item_name: '/name',
    description: '/description',
    category_id: '/categoryExternalId',
    primary_supplier_id: '/vendor',
    tax_ids: '/taxable',
    currency: '/currencyCode',
    track_stock: '/stockOnHand',
    stock_after: '/stockOnHand',
    'inventory_levels[*].stock_after': '/stockOnHand',
    ...variantFields,
    ...(Object.fromEntries(
      Object.entries(variantFields).map(([native, pointer]) => [`variants[*].${native}`, pointer]),
    ) as Record<string, '/sku'>),
  },
} as const

export const product: EntityAdapter<'product', ProductRow, ProductPlace> = {
  id: idOf,
  toUnified,
  scopes: {
    read: ['ITEMS_READ', 'INVENTORY_READ', 'MERCHANT_READ', 'SUPPLIERS_READ'],
    write: [
      'ITEMS_READ',
      'ITEMS_WRITE',
      'INVENTORY_READ',
      'INVENTORY_WRITE',
      'MERCHANT_READ',
      'STORES_READ',
      'TAXES_READ',
      'SUPPLIERS_READ',
      'SUPPLIERS_WRITE',
    ],
  },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: rowModifiedAt,
    stampPrecision: 'seconds',
    page: productPage,
    complete: {
      size: 50,
      fields: ['/currencyCode', '/price', '/cost', '/stockOnHand', '/categoryName', '/vendor'],
      rows: finishRows,
    },
  },
  get: readRow,
  group: ({ item }) => item.id,
  members: readRows,
  create: {
    ...write,
    requiresWhen: [
      { pointer: '/settings/storeId', with: '/stockOnHand' }, // stock is counted in a store
      { pointer: '/settings/taxId', is: { '/taxable': ['true'] }, fact: 'the account has several taxes' },
    ],
    check,
    run: async (call, record) => {
      const currency = await checkCurrency(call, record.currencyCode)
      const count = await planStock(call, record.stockOnHand, [])
      const item = await call.write<NativeItem>('item', {
        request: post(paths.items, await creation(call, record, currency)),
        read: ({ body }) => body,
        recovery: {
          find: () => findCreated<NativeItem>(call, 'items', ({ reference_id }) => reference_id === call.reference),
          lagSeconds,
        },
        undo: ({ id }) => del(path`/v1.0/items/${id}`),
      })
      const row = rowsOf(item)[0]!
      await count(idOf(row))
      return { id: idOf(row), row: (await finishRows(call, [row]))[0]! }
    },
  },
  update: {
    ...write,
    check,
    run: async (call, row, record) => {
      const id = idOf(row)
      const change = await changeOf(call, record, row, await checkCurrency(call, record.currencyCode))
      const count = await planStock(call, change.stock, row.levels ?? [])
      const [items, variants] = [change.item, change.variant].map((part) => Object.keys(part).length > 0)
      if (items)
        await call.write('item', {
          request: post(paths.items, wholeItem(row, change)),
          read: () => id,
          recovery: 'repeat',
        })
      else if (variants)
        await call.write('variant', {
          request: post(paths.variants, wholeVariant(row.variant, change.variant)),
          read: () => id,
          recovery: 'repeat',
        })
      await count(id)
      return items || variants || change.stock !== undefined ? { id } : { id, row }
    },
  },
}

// The walk over all products. One Loyverse item is several unified products, so its pages may have to be cut, and the
// first page has no cursor to return to.
// Changing a variant may not update the modification time of its item. So with `updatedAfter` the changed variants come
// first, without those whose item has changed: their items follow in the second list. An item that changes during the
// walk keeps its place there and is returned once.
interface ProductPlace {
  list: 'items' | 'variants'
  cursor?: string
  head?: string // the newest item, which comes before all cursors
}
type ProductPage = Page<ProductRow, ProductPlace>

async function productPage(call: ReadCall, query: ListQuery, at?: ProductPlace): Promise<ProductPage> {
  const size = Math.min(query.size, pageLimit)
  const since = query.updatedAfter === undefined ? undefined : updatedSince(query.updatedAfter)
  const items = (limit: number, cursor?: string) =>
    readPage<NativeItem>(call, 'items', { limit, cursor, updated_at_min: since })
  const pageOf = ({ rows, cursor }: NativePage<NativeItem>): ProductPage => ({
    rows: rows.flatMap(rowsOf),
    ...(cursor !== undefined && { next: { list: 'items', cursor } }),
  })
  /** A page that is cut is read again. This place stays the same when items are added. */
  const placeAt = ({ rows, cursor }: NativePage<NativeItem>): ProductPlace | undefined =>
    rows[0] && { list: 'items', cursor, head: rows[0].id }

  if (since !== undefined && at?.list !== 'items') {
    const { rows, cursor } = await changedVariants(call, size, since, at?.cursor)
    if (cursor !== undefined) return { rows, next: { list: 'variants', cursor } }
    if (at === undefined && rows.length === 0) return { rows, next: { list: 'items' } }
    return { rows, next: placeAt(await items(1)) }
  }
  if (at?.head !== undefined)
    return pageOf({ rows: await readByIds<NativeItem>(call, 'items', 'items_ids', [at.head]), cursor: at.cursor })
  if (at?.cursor !== undefined) return pageOf(await items(size, at.cursor))
  const page = pageOf(await items(size))
  if (page.rows.length <= size) return page
  // A cut first page would be read again without a cursor, after items that are new by then: so the newest item is read
  // alone, and everything else has a cursor.
  const newest = await items(1)
  const alone = pageOf(newest)
  return alone.rows.length <= size ? alone : { rows: [], next: placeAt(newest) }
}

async function changedVariants(
  call: ReadCall,
  size: number,
  since: string,
  cursor: string | undefined,
): Promise<{ rows: ProductRow[]; cursor?: string }> {
  const page = await readPage<NativeVariant>(call, 'variants', { limit: size, cursor, updated_at_min: since })
  const ids = page.rows.map(({ item_id }) => item_id)
  const unchanged = (await readByIds<NativeItem>(call, 'items', 'items_ids', ids)).filter(
    ({ updated_at }) => !isSince(updated_at, since),
  )
  const found = new Map(unchanged.flatMap(rowsOf).map((row) => [row.variant.variant_id, row]))
  return { rows: page.rows.flatMap(({ variant_id }) => found.get(variant_id) ?? []), cursor: page.cursor }
}
function isSince(stamp: string | undefined, since: string): boolean {
  const changed = toUtc(stamp)
  return changed !== undefined && compareInstants(changed, since) >= 0
}
