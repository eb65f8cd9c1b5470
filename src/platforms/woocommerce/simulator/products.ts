// /products and /products/<id>/variations.
import type { Routes } from '../../../sandbox/router.ts'
import { productInvalid, showAsProduct, showProduct, showVariation, variationsOf } from './product-rows.ts'
import {
  applyToProduct,
  applyToVariation,
  blankProduct,
  blankVariation,
  productSchema,
  variationSchema,
} from './product-writes.ts'
import { accept, enumOf, listed, refuse } from './wire.ts'
import { type Product, trashed, type Variation, type World } from './world.ts'

const api = '/wp-json/wc/v3'
type Either = Product | Variation
const isVariation = (row: Either): row is Variation => 'parent' in row
const orders = {
  date: (row: Either) => row.created,
  id: (row: Either) => row.id,
  include: (row: Either) => row.id,
  modified: (row: Either) => row.modified,
  title: (row: Either) => ('name' in row ? row.name : ''),
  slug: (row: Either) => row.id,
  price: (row: Either) => Number(row.regular_price),
}
const initially = { by: 'date', order: 'desc' } as const

const filtered = (query: URLSearchParams, rows: readonly Either[]): Either[] => {
  const status = enumOf(query, 'status', 'any', ['any', 'future', 'trash', 'draft', 'pending', 'private', 'publish'])
  return rows.filter((row) => (status === 'any' ? !trashed(row) : row.status === status))
}
const variationAt = (world: World, parent = '', id = ''): Variation | undefined => {
  const found = world.variations.get(id)
  return found && String(found.parent) === parent ? found : undefined
}

export const productRoutes: Routes<World> = {
  [`GET ${api}/products`]: ({ request, context: world }) => {
    const { query } = request
    const context = enumOf(query, 'context', 'view', ['view', 'edit'])
    // Only a search by sku finds variations.
    const skus = query.get('sku')
      ? [...query.get('sku')!.split(','), query.get('sku')!].map((sku) => sku.toLowerCase())
      : undefined
    const type =
      query.get('type') === null ? undefined : enumOf(query, 'type', '', ['simple', 'grouped', 'external', 'variable'])
    const category = query.get('category')
    const rows: Either[] = skus
      ? [...world.products.values(), ...world.variations.values()].filter(({ sku }) => skus.includes(sku.toLowerCase()))
      : world.products.values()
    const sought = query.get('search')?.toLowerCase()
    const target = rows.filter(
      (row) =>
        (!sought || (!isVariation(row) && row.name.toLowerCase().includes(sought))) &&
        (type === undefined || (!isVariation(row) && row.type === type)) &&
        (!category || (!isVariation(row) && row.categories.includes(Number(category)))),
    )
    const render = (row: Either) =>
      isVariation(row) ? showAsProduct(world, row, context) : showProduct(world, row, context)
    return listed(request, filtered(query, target), { ...world, orders, initially, dates: true, render })
  },
  [`GET ${api}/products/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const context = enumOf(request.query, 'context', 'view', ['view', 'edit'])
    const product = world.products.get(id)
    if (product) return { status: 200, body: showProduct(world, product, context) }
    return { status: 200, body: showAsProduct(world, world.variations.get(id) ?? productInvalid(404), context) }
  },
  [`POST ${api}/products`]: ({ request, context: world }) => {
    const body = accept(request, productSchema)
    if (body.id) return refuse(400, 'woocommerce_rest_product_exists', 'Cannot create existing product.')
    const made = applyToProduct(world, blankProduct(0, world.second()), body)
    const product = { ...made, id: world.next('post') }
    world.products.set(String(product.id), product)
    return {
      status: 201,
      headers: { location: `${world.origin}${api}/products/${product.id}` },
      body: showProduct(world, product, 'edit'),
    }
  },
  [`PUT ${api}/products/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const body = accept(request, productSchema)
    const current = world.products.get(id)
    if (!current && world.variations.has(id))
      return refuse(
        404,
        'woocommerce_rest_invalid_product_id',
        'To manipulate product variations you should use the /products/&lt;product_id&gt;/variations/&lt;id&gt; endpoint.',
      )
    const next = applyToProduct(world, current ?? productInvalid(400), body)
    return {
      status: 200,
      body: showProduct(world, world.products.set(id, { ...next, modified: world.second() }), 'edit'),
    }
  },
  [`DELETE ${api}/products/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const current = world.products.get(id) ?? productInvalid(404)
    if (/^(true|1)$/.test(request.query.get('force') ?? '')) {
      for (const { id: variation } of variationsOf(world, current.id)) world.variations.delete(String(variation))
      world.products.delete(id)
      return { status: 200, body: showProduct(world, current, 'edit') }
    }
    if (current.status === 'trash')
      return refuse(410, 'woocommerce_rest_already_trashed', 'The product has already been deleted.')
    return {
      status: 200,
      body: showProduct(
        world,
        world.products.set(id, { ...current, status: 'trash', modified: world.second() }),
        'edit',
      ),
    }
  },

  [`GET ${api}/products/:parent/variations`]: ({ request, params, context: world }) => {
    const rows = filtered(request.query, variationsOf(world, Number(params.parent)))
    return listed(request, rows, {
      ...world,
      orders,
      initially,
      dates: true,
      render: (row) => showVariation(world, row as Variation),
    })
  },
  [`GET ${api}/products/:parent/variations/:id`]: ({ params, context: world }) => ({
    status: 200,
    body: showVariation(
      world,
      variationAt(world, params.parent, params.id) ?? productInvalid(404, 'product_variation'),
    ),
  }),
  [`POST ${api}/products/:parent/variations`]: ({ request, params: { parent = '' }, context: world }) => {
    const body = accept(request, variationSchema)
    if (!world.products.has(parent))
      return refuse(
        404,
        'woocommerce_rest_product_variation_invalid_parent',
        'Cannot set attributes due to invalid parent product.',
      )
    const variation = {
      ...applyToVariation(world, blankVariation(0, Number(parent), world.second()), body),
      id: world.next('post'),
    }
    return { status: 201, body: showVariation(world, world.variations.set(String(variation.id), variation)) }
  },
  [`PUT ${api}/products/:parent/variations/:id`]: ({ request, params: { parent = '', id = '' }, context: world }) => {
    const body = accept(request, variationSchema)
    const current = variationAt(world, parent, id) ?? productInvalid(400, 'product_variation')
    const next = applyToVariation(world, current, body)
    return { status: 200, body: showVariation(world, world.variations.set(id, { ...next, modified: world.second() })) }
  },
}
