// Product writes: required fields, unique names and skus, brands created as needed, images downloaded and copied.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { findProduct, imageView, includesOf, productDefaults, productView, variantViews } from './products.ts'
import { data, invalid, objectOf, refuse } from './wire.ts'
import type { StoredImage, StoredProduct, StoredVariant, World } from './world.ts'

const limits: Readonly<Record<string, number>> = {
  name: 250,
  sku: 255,
  upc: 14,
  gtin: 14,
  bin_picking_number: 255,
  search_keywords: 65535,
}
const enums: Readonly<Record<string, readonly string[]>> = {
  type: ['physical', 'digital'],
  inventory_tracking: ['none', 'product', 'variant'],
  availability: ['available', 'disabled', 'preorder'],
  condition: ['New', 'Used', 'Refurbished'],
}
const integers = ['brand_id', 'inventory_level', 'inventory_warning_level', 'tax_class_id', 'sort_order']

/** Only fields that BigCommerce has, with the right type and within their limits. */
function acceptFields(body: Fields, known: Fields): Fields {
  const errors: Record<string, string> = {}
  const accepted: Fields = {}
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(known, name)) continue
    const expected = Array.isArray(known[name]) ? 'array' : typeof known[name]
    if ((Array.isArray(value) ? 'array' : typeof value) !== expected) errors[name] = `error.expected.${expected}`
    else if (typeof value === 'string' && value.length > (limits[name] ?? 65535))
      errors[name] = `${name} must be at most ${limits[name] ?? 65535} characters`
    else if (enums[name] && !enums[name].includes(value as string))
      errors[name] = `${name} must be one of ${enums[name].join(', ')}`
    else if (typeof value === 'number' && (value < 0 || (integers.includes(name) && !Number.isInteger(value))))
      errors[name] = `${name} must be ${integers.includes(name) ? 'an integer' : 'a number'} from 0`
    else accepted[name] = value
  }
  return Object.keys(errors).length ? invalid(errors) : accepted
}

const sameText = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase()

function checkUnique(world: World, { name, sku }: Fields, own?: number, ownVariant?: number): void {
  const named = name !== undefined && world.products.find(({ id, fields }) => id !== own && sameText(fields.name, name))
  if (named) refuse(409, 'The product name is a duplicate', { name: 'The product name is a duplicate' })
  const taken =
    sku &&
    world.products.find(
      ({ id, fields, variants }) =>
        (id !== own && sameText(fields.sku, sku)) ||
        variants.some((variant) => variant.id !== ownVariant && sameText(variant.sku, sku)),
    )
  if (taken) refuse(409, 'The product sku is a duplicate', { sku: 'The product sku is a duplicate' })
}
function checkReferences(world: World, { categories, brand_id }: Fields): void {
  const missing = (categories as number[] | undefined)?.find((id) => !world.categories.has(String(id)))
  if (missing !== undefined)
    refuse(409, 'The category does not exist', { categories: `The category ${missing} does not exist` })
  if (brand_id && !world.brands.has(String(brand_id)))
    refuse(409, 'The brand does not exist', { brand_id: `The brand ${String(brand_id)} does not exist` })
}
/** Reuses the brand regardless of letter case. */
function brandOf(world: World, name: unknown): number | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const known = world.brands.find((brand) => sameText(brand.name, name))
  if (known) return known.id
  const id = world.nextId('brand')
  return world.brands.set(String(id), { id, name }).id
}
function fetchImage(world: World, image: unknown, path: string): StoredImage {
  const { image_url: source, is_thumbnail, description } = isObject(image) ? image : ({} as Fields)
  if (typeof source !== 'string' || source.length > 255 || !/^https?:\/\/[^/]+\/.+/.test(source))
    return invalid({ [`${path}image_url`]: 'The image could not be fetched from image_url' })
  return {
    id: world.nextId('image'),
    source,
    is_thumbnail: is_thumbnail === true,
    description: String(description ?? ''),
    modified: world.tick(),
  }
}
/** One image is the thumbnail: the newest one with is_thumbnail. */
function withImages(current: readonly StoredImage[], added: readonly StoredImage[]): StoredImage[] {
  const all = [...current, ...added]
  const chosen = all.findLast(({ is_thumbnail }) => is_thumbnail) ?? all[0]
  return all.map((image) => ({ ...image, is_thumbnail: image === chosen }))
}
const imagesIn = (world: World, { images }: Fields): StoredImage[] =>
  Array.isArray(images) ? images.map((image, index) => fetchImage(world, image, `images.${index}.`)) : []

function createProduct(world: World, body: Fields): StoredProduct {
  const missing = ['name', 'type', 'weight', 'price'].filter((name) => body[name] === undefined || body[name] === '')
  if (missing.length) invalid(Object.fromEntries(missing.map((name) => [name, 'error.path.missing'])))
  const fields = acceptFields(body, productDefaults)
  checkUnique(world, fields)
  checkReferences(world, fields)
  const images = withImages([], imagesIn(world, body))
  const brand_id = brandOf(world, body.brand_name)
  const at = world.tick()
  const id = world.nextId('product')
  const product = {
    id,
    fields: { ...productDefaults, ...fields, ...(brand_id && { brand_id }) },
    base_variant_id: world.nextId('variant'),
    variants: [],
    images,
    created: at,
    modified: at,
  }
  return world.products.set(String(id), product)
}

function updateProduct(world: World, current: StoredProduct, body: Fields): StoredProduct {
  const fields = acceptFields(body, productDefaults)
  checkUnique(world, fields, current.id)
  checkReferences(world, fields)
  const brand_id = brandOf(world, body.brand_name)
  const images = withImages(current.images, imagesIn(world, body))
  return world.products.set(String(current.id), {
    ...current,
    images,
    fields: { ...current.fields, ...fields, ...(brand_id && { brand_id }) },
    modified: world.tick(),
  })
}

const variantDefaults: Fields = {
  sku: '',
  price: 0,
  sale_price: 0,
  cost_price: 0,
  upc: '',
  gtin: '',
  inventory_level: 0,
  image_url: '',
}
function updateVariant(world: World, product: StoredProduct, variantId: string, body: Fields): Fields {
  const id = Number(variantId)
  const cleared = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value === null && ['price', 'sale_price', 'cost_price'].includes(name),
    ),
  )
  const fields = acceptFields(
    Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
    variantDefaults,
  )
  checkUnique(world, { sku: fields.sku }, product.id, id)
  if (product.base_variant_id === id) {
    const { image_url: _, ...own } = fields
    return variantViews(updateProduct(world, product, own))[0]!
  }
  if (!product.variants.some((variant) => variant.id === id))
    return refuse(404, `A variant was not found with an id of ${variantId}`)
  const variants = product.variants.map((variant) =>
    variant.id === id ? ({ ...variant, ...fields, ...cleared } as StoredVariant) : variant,
  )
  const stored = world.products.set(String(product.id), { ...product, variants, modified: world.tick() })
  return variantViews(stored).find((variant) => variant.id === id)!
}

export const productWriteRoutes: Routes<World> = {
  'POST /catalog/products': ({ request, context: world }) =>
    data(productView(world, createProduct(world, objectOf(request)), ['variants', 'images'])),
  'PUT /catalog/products/:id': ({ request, params: { id = '' }, context: world }) =>
    data(productView(world, updateProduct(world, findProduct(world, id), objectOf(request)), includesOf(request))),
  'DELETE /catalog/products/:id': ({ params: { id = '' }, context: world }) => {
    world.products.delete(id)
    return { status: 204 }
  },
  'PUT /catalog/products/:id/variants/:variantId': ({ request, params: { id = '', variantId = '' }, context: world }) =>
    data(updateVariant(world, findProduct(world, id), variantId, objectOf(request))),
  'POST /catalog/products/:id/images': ({ request, params: { id = '' }, context: world }) => {
    const product = findProduct(world, id)
    const image = fetchImage(world, objectOf(request), '')
    const stored = world.products.set(id, {
      ...product,
      images: withImages(product.images, [image]),
      modified: world.tick(),
    })
    return data(imageView(world, stored, stored.images.at(-1)!))
  },
}
