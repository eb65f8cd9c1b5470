import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { entriesOf } from '../../kit/custom.ts'
import { type ChunkPlace, overChunks, type PageFunction } from '../../kit/paging.ts'
import { post, put } from '../../kit/requests.ts'
import { productName } from '../../kit/search.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import {
  api,
  createdSince,
  findMarked,
  fromGmt,
  isOwnMeta,
  lagSeconds,
  modifiedAt,
  modifiedSince,
  readPage,
} from './api.ts'
import {
  editing,
  finishRows,
  idOf,
  isVariable,
  type NativeProduct,
  type ProductRow,
  readRow,
  readRows,
  readVariations,
  rowModifiedAt,
  rowsOf,
  toUnified,
} from './product-row.ts'
import { changeOf, check, checkCurrency, creation } from './product-write.ts'

const address = `${api}/products`
const idOfProduct = ({ id }: NativeProduct) => String(id)

/** Pages use LIMIT and OFFSET, newest first: only the order of ids is stable. */
const walkAll = walkByNumber<NativeProduct>({
  id: idOfProduct,
  fetch: (call, { size }, page) =>
    readPage(call, address, { ...editing, orderby: 'id', order: 'asc', per_page: size, page }),
})
async function allRows(call: ReadCall, query: Parameters<typeof walkAll>[1], at?: NumberPlace) {
  const { rows, next } = await walkAll(call, query, at)
  return { rows: rows.flatMap(rowsOf), next }
}

const half = 50 // rows and the rows already seen must fit into one page of a hundred
const walkChanged = walkByTime<NativeProduct, string>({
  id: idOfProduct,
  time: (row) => fromGmt(row.date_modified_gmt) ?? '',
  maximum: 2 * half,
  fetch: async (call, { updatedAfter = '' }, { since = updatedAfter, limit, offset }) =>
    (
      await readPage<NativeProduct>(call, address, {
        ...editing,
        ...modifiedSince(since),
        orderby: 'modified',
        order: 'asc',
        per_page: limit,
        offset,
      })
    ).rows,
})
/** Twice the number of calls per second: each row may need one for its variations. */
const variableAtOnce = 10
const walkVariable = walkByNumber<NativeProduct>({
  id: idOfProduct,
  fetch: (call, _, page) =>
    readPage(call, address, {
      ...editing,
      type: 'variable',
      orderby: 'id',
      order: 'asc',
      per_page: variableAtOnce,
      page,
    }),
})
/**
 * A changed product changes all its variations, because it contains their name; otherwise only variations that changed
 * themselves count.
 */
async function changedVariations(call: ReadCall, product: NativeProduct, updatedAfter: string): Promise<ProductRow[]> {
  if ((modifiedAt(product.date_modified_gmt) ?? '') > updatedAfter) return rowsOf(product)
  const variations = await readVariations(call, product.id, modifiedSince(updatedAfter))
  return variations.map((variation) => ({ product, variationId: variation.id, variation }))
}
type ChangedPlace = ChunkPlace<string, TimePlace<string> | NumberPlace>
/** First simple products, by modification time; then every product with variations, by id. No row can be in both. */
const changedRows: PageFunction<ProductRow, ChangedPlace> = overChunks<
  ProductRow,
  string,
  TimePlace<string> | NumberPlace
>(
  () => ['single', 'variable'],
  async (call, query, chunk, at) => {
    if (chunk === 'single') {
      const { rows, next } = await walkChanged(
        call,
        { ...query, size: Math.min(query.size, half) },
        at as TimePlace<string>,
      )
      return { rows: rows.filter((row) => !isVariable(row)).flatMap(rowsOf), next }
    }
    const { rows, next } = await walkVariable(call, query, at as NumberPlace)
    const found: ProductRow[] = []
    for (const product of rows) found.push(...(await changedVariations(call, product, query.updatedAfter!)))
    return { rows: found, next }
  },
)

const write = {
  // Costs and brands are features that a shop may lack.
  notStored: { '/cost': true, '/vendor': true },
  longest: { '/sku': 100 },
  check,
  fields: {
    name: '/name',
    description: '/description',
    sku: '/sku',
    global_unique_id: '/barcode',
    regular_price: '/price',
    sale_price: '/price',
    status: '/active',
    tax_status: '/taxable',
    stock_quantity: '/stockOnHand',
    categories: '/categoryExternalId',
    currency: '/currencyCode',
    tags: '/tags',
    images: '/imageUrl',
    'images[*][src]': '/imageUrl',
    'image[src]': '/imageUrl',
  },
} as const

export const product: EntityAdapter<'product', ProductRow, NumberPlace | ChangedPlace> = {
  id: idOf,
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: rowModifiedAt,
    stampPrecision: 'seconds',
    page: (call, query, at) =>
      query.updatedAfter === undefined
        ? allRows(call, query, at as NumberPlace)
        : changedRows(call, query, at as ChangedPlace),
    complete: { size: 10, rows: finishRows },
  },
  get: readRow,
  search: {
    by: ['name', 'sku'],
    newestFirst: true,
    page: async (call, { text, size }, at: NumberPlace | undefined) => {
      const found = (query: Readonly<Record<string, string>>) =>
        walkByNumber<NativeProduct>({
          id: idOfProduct,
          fetch: (reading, _, page) =>
            readPage(reading, address, { ...editing, ...query, orderby: 'id', order: 'desc', per_page: size, page }),
        })(call, { size }, at)
      // A list of SKUs is separated by commas. A variation is found by its SKU only.
      const bySku = at || text.includes(',') ? { rows: [] } : await found({ sku: text })
      if (bySku.rows.length === 0) {
        const { rows, next } = await found({ search: productName(text) })
        return { rows: rows.flatMap(rowsOf), next }
      }
      const rows = await Promise.all(
        bySku.rows.map((row) => (row.type === 'variation' ? readRow(call, String(row.id)) : rowsOf(row))),
      )
      return { rows: rows.flat().filter((row) => row !== undefined) }
    },
  },
  custom: {
    fields: { '/product/meta_data/[key=*]/value': 'string', '/variation/meta_data/[key=*]/value': 'string' },
    reserved: isOwnMeta,
    async set(call, row, values) {
      for (const part of ['product', 'variation']) {
        const own = Object.fromEntries(Object.entries(values).filter(([pointer]) => pointer.startsWith(`/${part}/`)))
        if (Object.keys(own).length === 0) continue
        const variation = part === 'variation' ? `/variations/${row.variationId}` : ''
        await call.write(`custom-${part}`, {
          request: put(`${address}/${row.product.id}${variation}`, { meta_data: entriesOf(own, 'key') }),
          read: ({ body }) => body.id as number,
          recovery: 'repeat',
          undo: 'nothing',
        })
      }
      return (await readRow(call, idOf(row)))!
    },
  },
  group: ({ product }) => String(product.id),
  members: readRows,
  create: {
    ...write,
    run: async (call, record) => {
      const currency = await checkCurrency(call, record)
      const product = await call.write<NativeProduct>('product', {
        request: post(address, await creation(call, record, currency)),
        read: ({ body }) => body,
        // A sku is unique in the shop: at most one candidate. Without one, all products created since.
        recovery: {
          find: () =>
            findMarked<NativeProduct>(call, address, {
              ...editing,
              ...(record.sku ? { sku: record.sku } : createdSince(call)),
            }),
          lagSeconds,
        },
      })
      return { id: String(product.id), row: { product, currency } }
    },
  },
  update: {
    ...write,
    run: async (call, row, record) => {
      const id = idOf(row)
      const body = await changeOf(call, record, row, await checkCurrency(call, record))
      if (Object.keys(body).length === 0) return { id, row }
      const target =
        row.variationId === undefined
          ? `${address}/${row.product.id}`
          : `${address}/${row.product.id}/variations/${row.variationId}`
      await call.write('product', {
        request: put(target, body),
        read: ({ body: written }) => written.id as number,
        recovery: 'repeat',
      })
      return { id }
    },
  },
}
