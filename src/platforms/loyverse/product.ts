import type { EntityAdapter } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { del, path, post } from '../../kit/requests.ts'
import { checkCurrency } from './account.ts'
import { findCreated, lagSeconds, pageLimit, paths } from './listing.ts'
import { finishRows, idOf, type NativeItem, type ProductRow, readRow, rowModifiedAt, rowsOf, toUnified } from './product-row.ts'
import { type ProductPlace, productPage } from './product-walk.ts'
import { changeOf, check, checkNew, creation, wholeItem, wholeVariant } from './product-write.ts'
import { planStock } from './stock.ts'

const variantFields = { sku: '/sku', barcode: '/barcode', cost: '/cost', default_price: '/price', default_pricing_type: '/price' } as const
const write = {
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
    ...(Object.fromEntries(Object.entries(variantFields).map(([native, pointer]) => [`variants[*].${native}`, pointer])) as Record<string, '/sku'>),
  },
} as const

export const product: EntityAdapter<'product', ProductRow, ProductPlace> = {
  id: idOf,
  toUnified,
  scopes: {
    read: ['ITEMS_READ', 'INVENTORY_READ', 'MERCHANT_READ', 'SUPPLIERS_READ'],
    write: ['ITEMS_READ', 'ITEMS_WRITE', 'INVENTORY_READ', 'INVENTORY_WRITE', 'MERCHANT_READ', 'STORES_READ', 'TAXES_READ', 'SUPPLIERS_READ', 'SUPPLIERS_WRITE'],
  },
  list: { pageLimit, updatedAfter: 'platform', modifiedAt: rowModifiedAt, page: productPage, complete: { size: 50, rows: finishRows } },
  get: readRow,
  create: {
    ...write,
    check: checkNew,
    run: async (call, record) => {
      const currency = await checkCurrency(call, record.currencyCode)
      const count = await planStock(call, record.stockOnHand, [])
      const item = await call.write<NativeItem>('item', {
        request: post(paths.items, await creation(call, record, currency)),
        read: ({ body }) => body,
        recovery: { find: () => findCreated<NativeItem>(call, 'items', ({ reference_id }) => reference_id === call.reference), lagSeconds },
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
    run: async (call, id, record) => {
      const row = await readRow(call, id)
      if (!row) throw new NativeFailure({ kind: 'not_found', message: `No product ${id}` }, 404)
      const change = await changeOf(call, record, row, await checkCurrency(call, record.currencyCode))
      const count = await planStock(call, change.stock, row.levels ?? [])
      const [items, variants] = [change.item, change.variant].map((part) => Object.keys(part).length > 0)
      if (items) await call.write('item', { request: post(paths.items, wholeItem(row, change)), read: () => id, recovery: 'repeat' })
      else if (variants) await call.write('variant', { request: post(paths.variants, wholeVariant(row.variant, change.variant)), read: () => id, recovery: 'repeat' })
      await count(id)
      return items || variants || change.stock !== undefined ? { id } : { id, row }
    },
  },
}
