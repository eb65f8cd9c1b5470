import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { productName, variantsNamed } from '../../kit/search.ts'
import { idOf, modifiedAt, since, v3, writtenCurrency } from './account.ts'
import { categoryFor } from './catalog-names.ts'
import {
  finishRows,
  imageOf,
  type NativeProduct,
  nameOf,
  type ProductRow,
  rowId,
  rowsOf,
  toUnified,
  unitOf,
} from './product-row.ts'
import { changeOf, check, creation, longest } from './product-write.ts'

const include = 'variants,primary_image'

/** "174:345"; also "174" if the product has only one variant. */
async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const [, product, variant] = /^([1-9]\d*)(?::([1-9]\d*))?$/.exec(id) ?? []
  if (!product) return undefined
  const found = await ifFound(call.read(get(v3(call, path`/catalog/products/${product}`), { include })))
  const rows = found ? rowsOf(found.body.data as NativeProduct) : []
  const row = variant
    ? rows.find((candidate) => candidate.variant.id === Number(variant))
    : rows.length === 1
      ? rows[0]
      : undefined
  return row && (await finishRows(call, [row]))[0]
}

/** All variants of a product. */
async function readRows(call: ReadCall, id: string): Promise<ProductRow[]> {
  const found = await ifFound(call.read(get(v3(call, path`/catalog/products/${id}`), { include })))
  return found ? finishRows(call, rowsOf(found.body.data as NativeProduct)) : []
}

/**
 * Names are unique, so a product with that name is ours if the fields that are stored as sent match, and no other key
 * has it.
 */
async function findCreated(
  call: ReadCall,
  sent: ReturnType<typeof creation>,
  unclaimed: (id: string) => Promise<boolean>,
): Promise<{ id: number } | undefined> {
  const { body } = await call.read(
    get(v3(call, '/catalog/products'), { name: sent.name, include: 'variants', limit: 250 }),
  )
  const same = (product: NativeProduct) =>
    (['name', 'sku', 'price', 'cost_price', 'upc'] as const).every(
      (field) => sent[field] === undefined || sent[field] === product[field],
    )
  for (const product of list<NativeProduct>(body.data).filter(same)) {
    const [row] = rowsOf(product)
    if (row && (await unclaimed(rowId(row)))) return { id: product.id }
  }
  return undefined
}

async function create(call: WriteCall, record: Product) {
  const currency = await writtenCurrency(call, record.currencyCode)
  const body = creation(record, currency, await categoryOf(call, record))
  const created = await call.write('product', {
    request: post(v3(call, '/catalog/products'), body),
    read: ({ body: { data } }) => ({ id: Number(data.id) }),
    recovery: { find: (unclaimed) => findCreated(call, body, unclaimed) },
  })
  const row = await readRow(call, String(created.id))
  return row ? { id: rowId(row), row } : { id: String(created.id) }
}
async function categoryOf(call: WriteCall, record: Product): Promise<number | undefined> {
  if (record.categoryExternalId !== undefined) return idOf(record.categoryExternalId, 'categories', 'category')
  return record.categoryName === undefined ? undefined : categoryFor(call, record.categoryName)
}

async function update(call: WriteCall, row: ProductRow, record: Product) {
  const currency = await writtenCurrency(call, record.currencyCode)
  const change = changeOf(record, row, currency, await changedCategory(call, record, row))
  const product = path`/catalog/products/${row.product.id}`
  const image = record.imageUrl !== undefined && record.imageUrl !== imageOf(row) ? record.imageUrl : undefined
  const absolute = { read: () => true, recovery: 'repeat' } as const
  if (Object.keys(change.product).length)
    await call.write('product', { request: put(v3(call, product), change.product), ...absolute })
  if (Object.keys(change.variant).length)
    await call.write('variant', {
      request: put(v3(call, product + path`/variants/${row.variant.id}`), change.variant),
      ...absolute,
    })
  if (image !== undefined) await addImage(call, v3(call, `${product}/images`), image)
  return { id: rowId(row) }
}
async function changedCategory(
  call: WriteCall,
  record: Product,
  { product, categoryName }: ProductRow,
): Promise<number | null | undefined> {
  const current = text(list(product.categories)[0])
  if (record.categoryExternalId === undefined && record.categoryName === undefined)
    return current === undefined ? undefined : null
  if (
    record.categoryExternalId === undefined
      ? record.categoryName === categoryName
      : record.categoryExternalId === current
  )
    return undefined
  return categoryOf(call, record)
}
/** BigCommerce downloads the image and stores a copy with its own URL. */
async function addImage(call: WriteCall, images: string, image_url: string): Promise<void> {
  const ids = async () =>
    list<{ id: number }>((await call.read(get(images, { limit: 250 }))).body.data).map((image) => image.id)
  const before = await ids()
  await call.write('image', {
    request: post(images, { image_url, is_thumbnail: true }),
    read: () => true,
    recovery: { find: async () => (await ids()).some((id) => !before.includes(id)) || undefined },
  })
}

const write = {
  requires: ['/price'],
  notStored: {
    '/taxable': true, // there are only tax classes, which each store defines
    '/imageUrl': true, // the image is stored, with another URL
  },
  longest,
  check,
  fields: {
    name: '/name',
    sku: '/sku',
    price: '/price',
    sale_price: '/price',
    cost_price: '/cost',
    description: '/description',
    upc: '/barcode',
    gtin: '/barcode',
    categories: '/categoryExternalId',
    parent_id: '/categoryName',
    brand_id: '/vendor',
    brand_name: '/vendor',
    inventory_level: '/stockOnHand',
    search_keywords: '/tags',
    currency: '/currencyCode',
    image_url: '/imageUrl',
    'images.*.image_url': '/imageUrl',
  },
} as const

export const product: EntityAdapter<'product', ProductRow, number> = {
  id: rowId,
  toUnified,
  scopes: { write: ['store_v2_products'] },
  list: {
    pageLimit: 250,
    updatedAfter: 'platform',
    modifiedAt: ({ product }) => modifiedAt(product.date_modified),
    stampPrecision: 'seconds',
    // By id, not by page number: a deleted product does not shift the rest.
    page: singleCall(
      ({ size, updatedAfter }, after, call) =>
        get(v3(call, '/catalog/products'), {
          include,
          limit: size,
          sort: 'id',
          direction: 'asc',
          'id:greater': after,
          'date_modified:min': since(updatedAfter),
        }),
      ({ body }, { size }) => {
        const products = list<NativeProduct>(body.data)
        return { rows: products.flatMap(rowsOf), next: products.length === size ? products.at(-1)?.id : undefined }
      },
    ),
    complete: {
      size: 100,
      fields: ['/categoryName', '/vendor', '/currencyCode', '/price', '/cost'],
      rows: finishRows,
    },
  },
  get: readRow,
  search: {
    by: ['name', 'sku'],
    newestFirst: true,
    // By id, as in the list.
    page: async (call, { text: sought, size }, before: number | undefined) => {
      const { body } = await call.read(
        get(v3(call, '/catalog/products'), {
          include,
          limit: size,
          sort: 'id',
          direction: 'desc',
          'id:less': before,
          keyword: productName(sought),
          keyword_context: 'merchant',
        }),
      )
      const products = list<NativeProduct>(body.data)
      const rows = products.flatMap((found) =>
        variantsNamed(rowsOf(found), sought, (row) => ({ ...unitOf(row), name: nameOf(row) })),
      )
      return { rows, next: products.length === size ? products.at(-1)?.id : undefined }
    },
  },
  group: ({ product }) => String(product.id),
  members: readRows,
  create: { ...write, run: create },
  update: { ...write, run: update },
}
