// Product reads.
import type { Routes } from '../../../sandbox/router.ts'
import { five } from './money.ts'
import { isLeaf, pathOf, renderCategory } from './shop.ts'
import { listed, missing, ok, stamp, stampOrNull } from './wire.ts'
import { changed, defaultTax, deleted, type Product, rateOf, type World } from './world.ts'

const base = '/api/2026-07'
const placeholder = (kind: string) =>
  `https://secure.retail.lightspeed.app/images/placeholder/product/no-image-white-${kind}.png`

const labelOf = (label: { id: string; name: string; version: number } | undefined) =>
  label ? { id: label.id, name: label.name, version: label.version } : {}

function pricesOf(world: World, { price, tax }: Product) {
  const rate = rateOf(tax === undefined ? defaultTax(world) : world.taxes.get(tax))
  return world.taxExclusive
    ? { price_excluding_tax: price, price_including_tax: five(price * (1 + rate)) }
    : { price_including_tax: price, price_excluding_tax: five(price / (1 + rate)) }
}
const variantName = ({ name, options }: Product): string => [name, ...options.map(({ value }) => value)].join(' / ')

export function renderProduct(world: World, product: Product) {
  const category = product.category === undefined ? undefined : world.categories.get(product.category)
  const supplier = product.supplier === undefined ? undefined : world.suppliers.get(product.supplier)
  const tags = product.tags.flatMap((id) => world.tags.get(id) ?? [])
  const images = product.images.map((url, index) => ({
    id: `${product.id.slice(0, -2)}${String(index).padStart(2, '0')}`,
    url,
    version: product.version,
  }))
  return {
    id: product.id,
    name: product.name,
    variant_name: variantName(product),
    handle: product.handle,
    sku: product.sku,
    product_codes: product.codes.map(({ type, code }, index) => ({
      id: `${product.id.slice(0, -2)}c${index}`,
      type,
      code,
    })),
    source: 'USER',
    source_id: product.source_id,
    source_variant_id: product.source_variant_id,
    active: product.active,
    is_active: product.active,
    has_inventory: product.tracked,
    is_composite: false,
    has_variants: product.family && product.parent === undefined,
    variant_parent_id: product.parent ?? null,
    variant_options: product.options,
    description: product.description,
    ...pricesOf(world, product),
    supply_price: product.cost,
    supplier_id: product.supplier ?? null,
    supplier: labelOf(supplier),
    product_suppliers: supplier
      ? [
          {
            id: product.id,
            product_id: product.id,
            supplier_id: supplier.id,
            supplier_name: supplier.name,
            price: product.cost,
            code: product.sku,
          },
        ]
      : [],
    product_type_id: product.category ?? null,
    type: category
      ? {
          id: category.id,
          name: category.name,
          leaf_category: isLeaf(world, category),
          category_path: pathOf(world, category),
          version: 1,
        }
      : {},
    product_category: category ? renderCategory(world, category) : null,
    brand_id: product.brand ?? null,
    brand: labelOf(product.brand === undefined ? undefined : world.brands.get(product.brand)),
    tag_ids: tags.map(({ id }) => id),
    categories: tags.map(labelOf),
    attributes: [],
    image_url: images[0]?.url ?? placeholder('standard'),
    image_thumbnail_url: images[0]?.url ?? placeholder('thumb'),
    images,
    skuImages: [],
    packaging: {},
    customizations: [],
    ...(product.tax !== undefined && {
      outlet_taxes: world.outlets.ids().map((outlet_id) => ({ outlet_id, tax_id: product.tax })),
    }),
    created_at: stamp(product.created),
    updated_at: stamp(product.updated),
    deleted_at: stampOrNull(product.deleted),
    version: product.version,
  }
}
export const living = (world: World, id: string): Product => {
  const product = world.products.get(id)
  return product && product.deleted === undefined ? product : missing('product')
}

export const productRoutes: Routes<World> = {
  // sku and name override all other parameters.
  [`GET ${base}/products`]: ({ request, context: world }) => {
    const [sku, name] = [request.query.get('sku'), request.query.get('name') ?? request.query.get('family_name')]
    const render = (product: Product) => renderProduct(world, product)
    if (sku === null && name === null) return listed(request, world.products.values(), render)
    const found = world.products.filter(
      (product) =>
        product.deleted === undefined &&
        (sku !== null ? product.codes.some(({ code }) => code === sku) : product.name === name),
    )
    return listed({ ...request, query: new URLSearchParams() }, found, render)
  },
  [`GET ${base}/products/:id`]: ({ params: { id = '' }, context: world }) =>
    ok(renderProduct(world, living(world, id))),
  [`DELETE ${base}/products/:id`]: ({ params: { id = '' }, context: world }) => {
    world.products.set(id, deleted(world, living(world, id)))
    return { status: 200, body: {} }
  },
}
/** Shared fields change in every member of the family. */
export function updateFamily(world: World, member: Product, common: Partial<Product>): void {
  const root = member.parent ?? member.id
  for (const { id } of world.products.filter((product) => product.id === root || product.parent === root))
    world.products.set(id, changed(world, { ...world.products.get(id)!, ...common }))
}
