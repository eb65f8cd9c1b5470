// Product writes: POST accepts one flat body, PUT one part for the whole family and one for the variant.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { living, updateFamily } from './products.ts'
import { isLeaf } from './shop.ts'
import { bodyOf, numberOf, ok, referenceOf, refuse, textOf } from './wire.ts'
import { type Code, changed, type Product, setLevel, type World } from './world.ts'

const base = '/api/2026-07'
const codeTypes = ['CUSTOM', 'EAN', 'ISBN', 'ITF', 'JAN', 'UPC']
const lengths: Readonly<Record<string, readonly number[]>> = {
  EAN: [8, 13],
  UPC: [8, 12],
  JAN: [8, 13],
  ISBN: [10, 13],
  ITF: [14],
}

const listOf = (value: unknown, field: string): Fields[] => {
  if (value === undefined) return []
  return Array.isArray(value) && value.every(isObject) ? value : refuse(field, 'must be a list')
}
function codesOf(world: World, value: unknown, owner?: string): Code[] {
  return listOf(value, 'product_codes').map(({ type = 'CUSTOM', code }) => {
    if (typeof code !== 'string' || code.trim() === '') return refuse('product_codes', 'code is required')
    if (!codeTypes.includes(type as string)) return refuse('product_codes', `${type} is not a type of product code`)
    const allowed = lengths[type as string]
    if (allowed && !(allowed.includes(code.length) && /^\d+X?$/.test(code)))
      return refuse('product_codes', `${code} is not a valid ${type}`)
    assertFree(world, code, 'product_codes', owner)
    return { type: type as string, code }
  })
}
function assertFree(world: World, code: string, field: string, owner?: string): void {
  if (
    world.products.find(
      (product) =>
        product.deleted === undefined &&
        product.id !== owner &&
        product.codes.some((other) => other.code.toLowerCase() === code.toLowerCase()),
    )
  )
    refuse(field, `${code} is already used by another product`)
}
function priceOf(world: World, body: Fields): number | undefined {
  if (body.price_including_tax !== undefined && body.price_excluding_tax !== undefined)
    return refuse('price_including_tax', 'only one price can be given')
  const [own, other] = world.taxExclusive
    ? ['price_excluding_tax', 'price_including_tax']
    : ['price_including_tax', 'price_excluding_tax']
  if (body[other!] !== undefined)
    return refuse(other!, `prices of this store are ${world.taxExclusive ? 'exclusive' : 'inclusive'} of tax`)
  return body[own!] === undefined ? undefined : numberOf(body[own!], own!)
}
/** The product's own tax, undefined for the default tax; null if the body has none. */
function taxOf(world: World, body: Fields): string | undefined | null {
  const [used, other] = world.taxExclusive ? ['outlet_taxes', 'all_outlets_tax'] : ['all_outlets_tax', 'outlet_taxes']
  if (body[other!] !== undefined) return refuse(other!, `${other} is not for this store`)
  if (body[used!] === undefined) return null
  const entries = world.taxExclusive
    ? listOf(body.outlet_taxes, 'outlet_taxes')
    : isObject(body.all_outlets_tax)
      ? [body.all_outlets_tax]
      : refuse('all_outlets_tax', 'must be an object')
  if (world.taxExclusive) for (const { outlet_id } of entries) referenceOf(outlet_id, 'outlet_taxes', world.outlets)
  const taxId = entries[0]?.tax_id
  if (taxId === undefined) return null
  return taxId === '' ? undefined : referenceOf(taxId, `${used}.tax_id`, world.taxes)
}
function categoryOf(world: World, id: unknown): string {
  const category = world.categories.get(referenceOf(id, 'product_category_id', world.categories))!
  return isLeaf(world, category)
    ? category.id
    : refuse('product_category_id', 'a product can only be in a leaf category')
}
const tagsOf = (world: World, value: unknown): string[] => {
  if (!Array.isArray(value)) return refuse('tag_ids', 'must be a list')
  return value.map((id) => referenceOf(id, 'tag_ids', world.tags))
}
function levelsOf(world: World, value: unknown): { outlet: string; level: number | undefined }[] {
  return listOf(value, 'inventory').map(({ outlet_id, current_amount }) => ({
    outlet: referenceOf(outlet_id, 'inventory', world.outlets),
    level: current_amount === undefined ? undefined : numberOf(current_amount, 'inventory'),
  }))
}
/** Images are copied; the original URL is not stored. */
const copiesOf = (world: World, value: unknown): string[] =>
  listOf(value, 'images').map(({ type, location }) => {
    if (typeof location !== 'string' || !['s3', 'url', 'product-image', 'sku-image'].includes(type as string))
      return refuse('images', 'type and location are required')
    return `https://vendimageuploadcdn.global.ssl.fastly.net/1920,fit/vend-images/product/original/${world.uuid()}.${location.split('.').at(-1)}`
  })
const handleOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '') || 'product'

export const blankProduct = (world: World, id: string, name: string, at: number): Product => ({
  id,
  name,
  handle: handleOf(name),
  sku: '',
  codes: [],
  description: null,
  source_id: null,
  source_variant_id: null,
  active: true,
  tracked: true,
  options: [],
  family: false,
  price: 0,
  cost: 0,
  tags: [],
  images: [],
  created: at,
  updated: at,
  version: world.version(),
})

function create(world: World, body: Fields): string {
  const name = textOf(body.name, 'name')?.trim()
  if (!name) return refuse('name', 'name is required')
  const codes = codesOf(world, body.product_codes)
  const given = textOf(body.sku, 'sku')
  if (given) assertFree(world, given, 'sku')
  const sku = given || codes[0]?.code || String(world.serial('sku', 10_001))
  const price = priceOf(world, body)
  const tax = taxOf(world, body)
  const levels = levelsOf(world, body.inventory)
  const id = world.uuid()
  const product: Product = {
    ...blankProduct(world, id, name, world.now()),
    sku,
    codes: codes.some(({ code }) => code === sku) ? codes : [{ type: 'CUSTOM', code: sku }, ...codes],
    description: textOf(body.description, 'description'),
    source_id: textOf(body.source_id, 'source_id'),
    source_variant_id: textOf(body.source_variant_id, 'source_variant_id'),
    active: body.is_active !== false,
    price: price ?? 0,
    cost: body.supply_price === undefined ? 0 : numberOf(body.supply_price, 'supply_price'),
    images: copiesOf(world, body.images),
    tags: body.tag_ids === undefined ? [] : tagsOf(world, body.tag_ids),
    ...(body.product_category_id !== undefined && { category: categoryOf(world, body.product_category_id) }),
    ...(body.brand_id !== undefined && { brand: referenceOf(body.brand_id, 'brand_id', world.brands) }),
    ...(body.supplier_id !== undefined && { supplier: referenceOf(body.supplier_id, 'supplier_id', world.suppliers) }),
    ...(tax && { tax }),
  }
  world.products.set(id, product)
  for (const outlet of world.outlets.ids())
    setLevel(world, id, outlet, levels.find((level) => level.outlet === outlet)?.level ?? 0)
  return id
}

function commonOf(world: World, common: Fields): Partial<Product> {
  const cleared = (value: unknown, resolve: () => string) => (value === '' ? undefined : resolve())
  const name =
    common.name === undefined ? undefined : textOf(common.name, 'name')?.trim() || refuse('name', 'name is required')
  return {
    ...(name !== undefined && { name }),
    ...(common.description !== undefined && { description: textOf(common.description, 'description') }),
    ...(common.brand_id !== undefined && {
      brand: cleared(common.brand_id, () => referenceOf(common.brand_id, 'brand_id', world.brands)),
    }),
    ...(common.product_category_id !== undefined && {
      category: cleared(common.product_category_id, () => categoryOf(world, common.product_category_id)),
    }),
    ...(common.tag_ids !== undefined && { tags: tagsOf(world, common.tag_ids) }),
    ...(common.track_inventory !== undefined && { tracked: common.track_inventory === true }),
  }
}
function detailsOf(world: World, product: Product, details: Fields): Partial<Product> {
  const codes = details.product_codes === undefined ? undefined : codesOf(world, details.product_codes, product.id)
  if (codes?.length === 0) refuse('product_codes', 'a product needs a code')
  const price = priceOf(world, details)
  const tax = taxOf(world, details)
  const [supplier] = listOf(details.product_suppliers, 'product_suppliers')
  if (supplier && supplier.supplier_id !== product.supplier)
    refuse('product_suppliers', 'the supplier is not one of this product')
  return {
    ...(details.is_active !== undefined && { active: details.is_active === true }),
    ...(codes && { codes, sku: codes[0]!.code }),
    ...(price !== undefined && { price }),
    ...(supplier?.price !== undefined && { cost: Math.max(0, numberOf(supplier.price, 'product_suppliers')) }),
    ...(tax !== null && { tax }),
  }
}
function update(world: World, id: string, body: Fields): void {
  const product = living(world, id)
  const common = isObject(body.common) ? body.common : {}
  const details = isObject(body.details) ? body.details : {}
  const [shared, own, levels] = [
    commonOf(world, common),
    detailsOf(world, product, details),
    levelsOf(world, details.inventory),
  ]
  if (Object.keys(shared).length > 0) updateFamily(world, product, shared)
  world.products.set(id, changed(world, { ...world.products.get(id)!, ...own }))
  for (const { outlet, level } of levels) if (level !== undefined) setLevel(world, id, outlet, level)
}

export const productWriteRoutes: Routes<World> = {
  [`POST ${base}/products`]: ({ request, context: world }) => ok([create(world, bodyOf(request))]),
  [`PUT ${base}/products/:id`]: ({ request, params: { id = '' }, context: world }) => {
    update(world, id, bodyOf(request))
    return { status: 200, body: {} }
  },
}
