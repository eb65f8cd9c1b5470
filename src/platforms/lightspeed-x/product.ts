import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { list } from '../../kit/fields.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { checkCurrency, readShop } from './account.ts'
import { api, modifiedAt, pageLimit, searchWalk, walkByVersion } from './api.ts'
import { finishRows, idOf, type NativeProduct, type ProductRow, readRow, toUnified } from './product-row.ts'
import { changeOf, creation, showsChange } from './product-write.ts'

/**
 * The scopes products:read and products:write exclude costs. The list of scopes names none that includes them, so none
 * is requested: https://x-series-api.lightspeedhq.com/docs/scopes
 */
const costScope = 'a scope for product costs'
const address = `${api}/products`
const walk = walkByVersion<NativeProduct>('/products', {
  version: ({ version }) => version,
  stamps: (product) => product,
})

const write = {
  fields: {
    name: '/name',
    description: '/description',
    sku: '/sku',
    product_codes: '/barcode',
    price: '/price',
    price_including_tax: '/price',
    price_excluding_tax: '/price',
    supply_price: '/cost',
    is_active: '/active',
    taxes: '/taxable',
    inventory: '/stockOnHand',
    currency: '/currencyCode',
    product_category_id: '/categoryExternalId',
    brand_id: '/vendor',
    tag_ids: '/tags',
    images: '/imageUrl',
  },
  // The image is copied on create and returned with the URL of the copy; it cannot be changed later.
  notStored: { '/imageUrl': true },
} as const

/**
 * The sku, otherwise the name, finds a few candidates; the reference identifies ours. Both filters override all others.
 */
async function find(call: WriteCall, record: Product): Promise<string | undefined> {
  const { body } = await call.read(get(address, record.sku ? { sku: record.sku } : { name: record.name }))
  return list<NativeProduct>(body?.data).find(({ source_id }) => source_id === call.reference)?.id
}

export const product: EntityAdapter<'product', ProductRow, number> = {
  id: idOf,
  toUnified,
  version: ({ product: { version } }) => (version === undefined ? undefined : String(version)),
  scopes: {
    read: ['products:read'],
    write: ['products:write'],
    lacking: {
      'inventory:read': {
        pointer: '/stockOnHand',
        message: 'Lightspeed returns no stock with the scopes of this account.',
      },
      [costScope]: {
        pointer: '/cost',
        message: 'Lightspeed returns no costs with the scopes of this account.',
        isMissing: ({ product: { supply_price } }) => typeof supply_price !== 'number',
      },
    },
  },
  list: {
    pageLimit,
    updatedAfter: 'service',
    modifiedAt: (row) => modifiedAt(row.product),
    stampPrecision: 'seconds',
    page: async (call: ReadCall, query, at) => {
      const { rows, next } = await walk(call, query, at)
      const shop = await readShop(call)
      return { rows: rows.map((product): ProductRow => ({ product, shop })), next }
    },
    complete: {
      size: pageLimit,
      fields: ['/stockOnHand'],
      rows: (call, rows) =>
        finishRows(
          call,
          rows.map((row) => row.product),
        ),
    },
  },
  get: readRow,
  search: {
    by: ['sku'],
    newestFirst: false,
    page: async (call, { text, size }, at: NumberPlace | undefined) => {
      const walkFound = searchWalk<NativeProduct>('products', { sku: text.toLowerCase() }) // indexed in lower case
      const { rows, next } = await walkFound(call, { size }, at)
      return { rows: rows.map((row) => ({ product: row }) as ProductRow), next }
    },
  },
  create: {
    ...write,
    requiresWhen: [{ pointer: '/settings/outletId', with: '/stockOnHand', fact: 'the shop has several outlets' }],
    run: async (call, record) => {
      const shop = await checkCurrency(call, record.currencyCode)
      const id = await call.write<string>('product', {
        request: post(address, await creation(call, record, shop)),
        read: ({ body }) => String(body.data[0]),
        recovery: { find: () => find(call, record), lagSeconds: 5 },
      })
      return { id }
    },
  },
  update: {
    ...write,
    run: async (call, row, record) => {
      const id = idOf(row)
      await checkCurrency(call, record.currencyCode)
      const change = await changeOf(call, record, row)
      if (!change) return { id, row }
      let now: ProductRow | undefined
      // The response of a PUT proves nothing. If the product shows nothing of the change, something in between
      // responded: it is sent once more.
      for (const step of ['product', 'product again']) {
        await call.write(step, {
          request: put(`${api}${path`/products/${id}`}`, change),
          read: () => id,
          recovery: 'repeat',
        })
        now = await readRow(call, id)
        if (!now || showsChange(record, row, now)) break
      }
      return { id, row: now }
    },
  },
}
