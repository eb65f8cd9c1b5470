// Writes of products and variations: absent keys are unchanged, "" clears, unknown categories are silently skipped.

import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { addTerm, termByName } from './terms.ts'
import { listOf, refuse } from './wire.ts'
import {
  type Image,
  kses,
  mergeMeta,
  metaSchema,
  type Product,
  trashed,
  uncategorized,
  type Variation,
  type World,
} from './world.ts'

const statuses = ['draft', 'pending', 'private', 'publish', 'future', 'auto-draft', 'trash'] as const
const own: Schemas = {
  description: 'string',
  sku: 'string',
  global_unique_id: 'string',
  regular_price: 'string',
  sale_price: 'string',
  status: { enum: statuses },
  manage_stock: 'mixed',
  stock_quantity: 'integer',
  stock_status: { enum: ['instock', 'outofstock', 'onbackorder'] },
  backorders: { enum: ['no', 'notify', 'yes'] },
  meta_data: metaSchema,
}
export const productSchema: Schemas = {
  ...own,
  id: 'integer',
  name: 'string',
  type: { enum: ['simple', 'grouped', 'external', 'variable'] },
  short_description: 'string',
  tax_status: { enum: ['taxable', 'shipping', 'none'] },
  manage_stock: 'boolean',
  categories: listOf({ id: 'integer' }),
  tags: listOf({ id: 'integer', name: 'string' }),
  brands: listOf({ id: 'integer' }),
  images: listOf({ id: 'integer', src: 'string', name: 'string', alt: 'string' }),
  attributes: listOf({
    id: 'integer',
    name: 'string',
    position: 'integer',
    visible: 'boolean',
    variation: 'boolean',
    options: 'mixed',
  }),
}
export const variationSchema: Schemas = {
  ...own,
  id: 'integer',
  image: 'mixed',
  attributes: listOf({ id: 'integer', name: 'string', option: 'string' }),
}

/** Unique over products and variations; records in the trash do not count. */
function checkUnique(world: World, field: 'sku' | 'global_unique_id', value: string, id: number): void {
  if (value === '') return
  const same = (other: Product | Variation) =>
    other[field].toLowerCase() === value.toLowerCase() && other.id !== id && !trashed(other)
  const taken = world.products.find(same) ?? world.variations.find(same)
  if (!taken) return
  if (field === 'sku')
    refuse(400, 'product_invalid_sku', 'Invalid or duplicated SKU.', {
      resource_id: taken.id,
      unique_sku: `${value}-1`,
    })
  refuse(400, 'product_invalid_global_unique_id', 'Invalid or duplicated GTIN, UPC, EAN or ISBN.', {
    resource_id: taken.id,
    unique_global_unique_id: value,
  })
}
const decimal = (value: unknown): string => (value === '' ? '' : String(value).replace(/[^\d.-]/g, ''))

/** An image URL is downloaded and stored with a new URL; an id must be one of the shop's images. */
function takeImage(world: World, given: Fields, kind: 'product' | 'variation'): Image {
  if (given.id)
    return (
      world.images.get(String(given.id)) ??
      refuse(400, `woocommerce_${kind}_invalid_image_id`, `#${String(given.id)} is an invalid image ID.`)
    )
  const address = URL.parse(String(given.src ?? ''))
  const file = address?.pathname.split('/').at(-1) ?? ''
  if (!address || !/^https?:$/.test(address.protocol) || address.hostname.endsWith('.invalid'))
    return refuse(
      400,
      `woocommerce_${kind}_image_upload_error`,
      `Error getting remote image ${String(given.src)}. Error: A valid URL was not provided.`,
    )
  if (!/\.(jpe?g|png|gif|webp)$/i.test(file))
    return refuse(
      400,
      `woocommerce_${kind}_image_upload_error`,
      'Invalid image: Sorry, you are not allowed to upload this file type.',
    )
  const id = world.next('post')
  const taken = world.images.find(({ src }) => src.endsWith(`/${file}`))
  const name = taken ? file.replace(/(\.\w+)$/, `-${id}$1`) : file
  return world.images.set(String(id), {
    id,
    src: `https://${world.shop}/wp-content/uploads/${new Date(world.second()).toISOString().slice(0, 7).replace('-', '/')}/${name}`,
    name: file.replace(/\.\w+$/, ''),
    alt: String(given.alt ?? ''),
  })
}

interface Stock {
  manage_stock: boolean
  stock_quantity: number | null
  stock_status: string
  backorders: string
}
function stockOf(current: Stock, body: Fields): Stock {
  const manage_stock =
    body.manage_stock === undefined ? current.manage_stock : body.manage_stock === true || body.manage_stock === 'true'
  const stock_status = (body.stock_status as string | undefined) ?? current.stock_status
  if (!manage_stock) return { manage_stock, stock_quantity: null, stock_status, backorders: 'no' }
  const stock_quantity = (body.stock_quantity as number | undefined) ?? current.stock_quantity ?? 0
  const backorders = (body.backorders as string | undefined) ?? current.backorders
  return {
    manage_stock,
    stock_quantity,
    backorders,
    stock_status: stock_quantity > 0 ? 'instock' : backorders === 'no' ? 'outofstock' : 'onbackorder',
  }
}
function common<T extends Product | Variation>(world: World, current: T, body: Fields): T {
  const sku = (body.sku as string | undefined)?.trim() ?? current.sku
  const global_unique_id =
    (body.global_unique_id as string | undefined)?.replace(/[^0-9-]/g, '') ?? current.global_unique_id
  if (sku !== current.sku) checkUnique(world, 'sku', sku, current.id)
  if (global_unique_id !== current.global_unique_id)
    checkUnique(world, 'global_unique_id', global_unique_id, current.id)
  return {
    ...current,
    sku,
    global_unique_id,
    ...(body.status !== undefined && { status: body.status }),
    ...(body.description !== undefined && { description: kses(String(body.description)) }),
    ...(body.regular_price !== undefined && { regular_price: decimal(body.regular_price) }),
    ...(body.sale_price !== undefined && { sale_price: decimal(body.sale_price) }),
    ...stockOf(current, body),
    meta: mergeMeta(world, current.meta, body.meta_data),
  }
}
function tagIds(world: World, given: readonly Fields[]): number[] {
  const ids = given.map(({ id, name }) =>
    name === undefined
      ? Number(id)
      : (termByName(world.tags, String(name)) ?? addTerm(world, world.tags, String(name))).id,
  )
  return [...new Set(ids)].filter((id) => world.tags.has(String(id)))
}
const known = (given: readonly Fields[], has: (id: string) => boolean): number[] =>
  [...new Set(given.map(({ id }) => Number(id)))].filter((id) => has(String(id)))

export function applyToProduct(world: World, current: Product, body: Fields): Product {
  const categories =
    body.categories === undefined ? current.categories : known(body.categories as Fields[], world.categories.has)
  const next: Product = {
    ...common(world, current, body),
    type: (body.type as string | undefined) ?? current.type,
    name: body.name === undefined ? current.name : kses(String(body.name)),
    short_description:
      body.short_description === undefined ? current.short_description : kses(String(body.short_description)),
    tax_status: (body.tax_status as string | undefined) ?? current.tax_status,
    categories: categories.length > 0 ? categories : [uncategorized],
    ...(body.tags !== undefined && { tags: tagIds(world, body.tags as Fields[]) }),
    ...(body.brands !== undefined && { brands: known(body.brands as Fields[], world.brands.has) }),
    ...(body.images !== undefined && {
      images: (body.images as Fields[]).map((one) => takeImage(world, one, 'product')),
    }),
    ...(body.attributes !== undefined && { attributes: body.attributes as Product['attributes'] }),
  }
  return next.type === 'variable' || next.type === 'grouped' ? { ...next, regular_price: '', sale_price: '' } : next
}
export function applyToVariation(world: World, current: Variation, body: Fields): Variation {
  const { image: _, ...rest } = common(world, current, body)
  const image =
    isObject(body.image) && (body.image.id || body.image.src)
      ? takeImage(world, body.image, 'variation')
      : body.image === undefined
        ? current.image
        : undefined
  return {
    ...rest,
    ...(image && { image }),
    ...(body.attributes !== undefined && { attributes: body.attributes as Variation['attributes'] }),
  }
}
const blank = {
  description: '',
  sku: '',
  global_unique_id: '',
  regular_price: '',
  sale_price: '',
  manage_stock: false,
  stock_quantity: null,
  stock_status: 'instock',
  backorders: 'no',
  status: 'publish',
  meta: [],
}
export const blankProduct = (id: number, at: number): Product => ({
  ...blank,
  id,
  created: at,
  modified: at,
  type: 'simple',
  name: '',
  short_description: '',
  tax_status: 'taxable',
  categories: [],
  tags: [],
  brands: [],
  images: [],
  attributes: [],
})
export const blankVariation = (id: number, parent: number, at: number): Variation => ({
  ...blank,
  id,
  parent,
  created: at,
  modified: at,
  attributes: [],
})
