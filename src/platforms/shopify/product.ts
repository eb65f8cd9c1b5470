import type { EntityAdapter, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { refusal } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { shopCurrency, stockLocation } from './account.ts'
import { ask, idOf, operation } from './api.ts'
import {
  groupOf,
  listProducts,
  modifiedAt,
  nameOf,
  onlyVariant,
  type ProductRow,
  readProduct,
  readVariants,
  searchProducts,
  titleIn,
  toHtml,
  toUnified,
} from './product-row.ts'
import { setStock } from './stock.ts'

const variantFields = {
  price: '/price',
  sku: '/sku',
  barcode: '/barcode',
  taxable: '/taxable',
  'inventoryItem.sku': '/sku',
  'inventoryItem.cost': '/cost',
  inventoryQuantities: '/stockOnHand',
  'inventoryQuantities.0.quantity': '/stockOnHand',
} as const
const productFields = {
  title: '/name',
  descriptionHtml: '/description',
  vendor: '/vendor',
  productType: '/categoryName',
  tags: '/tags',
  status: '/active',
  category: '/categoryExternalId',
} as const
const prefixed = <T extends Record<string, `/${string}`>>(prefix: string, fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, pointer]) => [prefix + name, pointer]))
const fields = {
  ...prefixed('', { ...productFields, ...variantFields }),
  ...prefixed('input.', productFields),
  ...prefixed('product.', productFields),
  ...prefixed('variants.*.', variantFields),
  ...prefixed('input.variants.*.', variantFields),
  'input.quantities.*.quantity': '/stockOnHand',
  currency: '/currencyCode',
} as const
// Shopify copies an image to its own URL later and does not report a failure.
const notStored = { '/imageUrl': true } as const
const longest = { '/name': 255, '/tags/*': 255 } as const

function check({ tags = [], price = 0, cost = 0 }: Product): { pointer: `/${string}`; message: string }[] {
  return [
    ...(price < 0 ? [{ pointer: '/price' as const, message: 'A price cannot be negative' }] : []),
    ...(cost < 0 ? [{ pointer: '/cost' as const, message: 'A cost cannot be negative' }] : []),
    ...tags.flatMap((tag, n) =>
      tag.includes(',') ? [{ pointer: `/tags/${n}` as const, message: 'A tag cannot contain a comma' }] : [],
    ),
  ]
}
/** Shopify's product taxonomy, such as aa-5-4: https://shopify.github.io/product-taxonomy */
function categoryGid(id: string): string {
  const node = id.replace('gid://shopify/TaxonomyCategory/', '')
  if (!/^[a-z]{2}(-\d+)*$/.test(node)) throw refusal('category', `"${id}" is not in Shopify's product taxonomy`)
  return `gid://shopify/TaxonomyCategory/${node}`
}
/**
 * Readable in a shop's URLs, and unique: the same write always has the same handle, so it finds the product it created
 * before.
 */
export function handleOf(name: string, reference: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return [words, reference.toLowerCase()].filter(Boolean).join('-')
}
async function toProductSet(call: WriteCall, record: Product, handle: string, currency: string): Promise<object> {
  const { stockOnHand: quantity } = record
  const inventoryQuantities =
    quantity === undefined
      ? undefined
      : [{ locationId: await stockLocation(call, 'inventoryQuantities'), name: 'available', quantity }]
  return compact({
    handle,
    title: record.name,
    descriptionHtml: record.description === undefined ? undefined : toHtml(record.description),
    vendor: record.vendor,
    productType: record.categoryName,
    tags: record.tags,
    status: record.active === undefined ? undefined : record.active ? 'ACTIVE' : 'DRAFT',
    category: record.categoryExternalId === undefined ? undefined : categoryGid(record.categoryExternalId),
    productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
    variants: [
      compact({
        optionValues: [{ optionName: 'Title', name: 'Default Title' }],
        price: record.price === undefined ? undefined : toDecimal(record.price, currency, 'price'),
        barcode: record.barcode,
        taxable: record.taxable,
        inventoryItem: compact({
          sku: record.sku,
          cost: record.cost === undefined ? undefined : toDecimal(record.cost, currency, 'inventoryItem.cost'),
          tracked: quantity !== undefined,
        }),
        inventoryQuantities,
      }),
    ],
  })
}
/**
 * Only the differences: all variants share the product, and the formatting of a description is preserved while its text
 * is unchanged.
 */
function changesOf(
  record: Product,
  row: ProductRow,
): { product: Record<string, unknown>; variant: Record<string, unknown> } {
  const current = toUnified(row)
  const differs = (name: keyof Product) => JSON.stringify(record[name]) !== JSON.stringify(current[name])
  const given = (name: keyof Product) => record[name] !== undefined && differs(name)
  const amount = (value: number | undefined, native: string) =>
    value === undefined ? null : toDecimal(value, row.currency, native)
  const title = titleIn(record.name, row)
  if (title === undefined)
    throw refusal(
      'title',
      `The product has several variants: its name must end with " - ${row.title}", as in "${nameOf(row)}"`,
    )
  const item = {
    ...(differs('sku') && { sku: record.sku ?? '' }),
    ...(differs('cost') && { cost: amount(record.cost, 'inventoryItem.cost') }),
    ...(record.stockOnHand !== undefined && !row.inventoryItem.tracked && { tracked: true }),
  }
  return {
    product: {
      ...(title !== row.product.title && { title }),
      ...(differs('description') && { descriptionHtml: toHtml(record.description ?? '') }),
      ...(differs('vendor') && { vendor: record.vendor ?? '' }),
      ...(differs('categoryName') && { productType: record.categoryName ?? '' }),
      ...(JSON.stringify(record.tags ?? []) !== JSON.stringify(current.tags) && { tags: record.tags ?? [] }),
      ...(given('active') && { status: record.active ? 'ACTIVE' : 'DRAFT' }),
      ...(differs('categoryExternalId') && {
        category: record.categoryExternalId === undefined ? null : categoryGid(record.categoryExternalId),
      }),
    },
    // A variant always has a price and is either taxable or not: omitted fields are unchanged.
    variant: {
      ...(given('price') && { price: amount(record.price, 'price') }),
      ...(differs('barcode') && { barcode: record.barcode ?? null }),
      ...(given('taxable') && { taxable: record.taxable }),
      ...(Object.keys(item).length > 0 && { inventoryItem: item }),
    },
  }
}
async function update(call: WriteCall, row: ProductRow, record: Product): Promise<{ id: string; row?: ProductRow }> {
  const id = idOf(row.id)
  if ((record.currencyCode ?? row.currency) !== row.currency)
    throw refusal('currency', `The shop's currency is ${row.currency}`)
  const { product, variant } = changesOf(record, row)
  const withProduct = Object.keys(product).length > 0
  const withVariant = Object.keys(variant).length > 0
  let changed = row
  if (withProduct || withVariant) {
    const variables = {
      product: { id: row.product.id, ...product },
      productId: row.product.id,
      variants: [{ id: row.id, ...variant }],
      withProduct,
      withVariant,
    }
    changed = await call.write('product', {
      request: operation('productUpdate', variables),
      read: ({ body: { data } }): ProductRow => ({
        ...row,
        product: data.productUpdate?.product ?? row.product,
        ...data.productVariantsBulkUpdate?.productVariants[0],
      }),
      recovery: 'repeat',
    })
  }
  return (await setStock(call, record.stockOnHand, row)) ? { id } : { id, row: changed }
}

export const product: EntityAdapter<'product', ProductRow, string> = {
  id: (row) => idOf(row.id),
  toUnified,
  list: { pageLimit: 250, updatedAfter: 'platform', modifiedAt, stampPrecision: 'seconds', page: listProducts },
  get: readProduct,
  search: { by: ['name', 'sku'], newestFirst: true, page: searchProducts },
  group: ({ product }) => groupOf(product.id),
  members: readVariants,
  create: {
    requiresWhen: [{ pointer: '/settings/locationId', with: '/stockOnHand', fact: 'the shop has no primary location' }],
    notStored,
    longest,
    fields,
    check,
    run: async (call, record) => {
      const currency = await shopCurrency(call, record.currencyCode, 'currency')
      const handle = handleOf(record.name, call.reference)
      const row = await call.write('product', {
        request: operation('productSet', { handle, input: await toProductSet(call, record, handle, currency) }),
        read: ({ body }) => onlyVariant(body.data.productSet.product, currency),
        // A second attempt finds the handle and changes nothing, so even a request that is still in progress cannot
        // create a second product.
        recovery: {
          find: async () => {
            const found = (await ask(call, 'productByHandle', { handle })).productByIdentifier
            return found ? onlyVariant(found, currency) : undefined
          },
        },
      })
      return { id: idOf(row.id), row }
    },
  },
  update: { notStored, longest, fields, check, run: update },
}
