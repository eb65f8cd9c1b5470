// Order lines: how they are written and returned.

import type { Fields } from '../../../sandbox/http.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { amountOf, show } from './amounts.ts'
import { mergeItems, showTaxes } from './order-items.ts'
import { taxOf } from './order-totals.ts'
import { showAsProduct, showProduct } from './product-rows.ts'
import { refuse } from './wire.ts'
import { type Line, mergeMeta, metaSchema, type Order, type Product, type Variation, type World } from './world.ts'

export const lineSchema: Schemas = {
  id: 'integer',
  name: 'mixed',
  product_id: 'mixed',
  variation_id: 'integer',
  quantity: 'integer',
  subtotal: 'string',
  total: 'string',
  sku: 'string',
  tax_class: 'string',
  meta_data: metaSchema,
}

interface Sold {
  product: Product
  variation?: Variation
}
function soldById(world: World, id: number): Sold | undefined {
  const variation = world.variations.get(String(id))
  const product = world.products.get(String(variation?.parent ?? id))
  return product && { product, ...(variation && { variation }) }
}
function soldBySku(world: World, sku: string): Sold | undefined {
  const same = (row: Product | Variation) => row.sku.toLowerCase() === sku.toLowerCase()
  const found = world.variations.find(same) ?? world.products.find(same)
  return found && soldById(world, found.id)
}
/** A sku takes precedence over an id, a variation over its product. */
function soldIn(world: World, posted: Fields, creating: boolean): Sold | undefined {
  if (posted.sku) return soldBySku(world, String(posted.sku))
  if (posted.variation_id) return soldById(world, Number(posted.variation_id))
  if (posted.product_id) return soldById(world, Number(posted.product_id))
  return creating
    ? refuse(400, 'woocommerce_rest_required_product_reference', 'Product ID or SKU is required.')
    : undefined
}
const priceIn = (row: Product | Variation): number =>
  amountOf(row.sale_price !== '' ? row.sale_price : row.regular_price)

/** An unknown product results in a line without one: no error, no name, no price. */
function lineFrom(world: World, posted: Fields, current?: Line): Line {
  const sold = soldIn(world, posted, current === undefined)
  const quantity = (posted.quantity as number | undefined) ?? current?.quantity ?? 1
  const start: Line = current ?? {
    id: world.next('item'),
    name: '',
    product_id: 0,
    variation_id: 0,
    quantity,
    subtotal: 0,
    total: 0,
    taxes: [],
    subtotal_taxes: [],
    meta: [],
  }
  const line = { ...start, quantity }
  if (sold) {
    const { product, variation } = sold
    Object.assign(line, {
      product_id: product.id,
      variation_id: variation?.id ?? 0,
      name: String(variation ? showAsProduct(world, variation, 'edit').name : product.name),
    })
    if (!current) line.subtotal = line.total = priceIn(variation ?? product) * quantity
  }
  if (typeof posted.name === 'string') line.name = posted.name
  if (posted.total !== undefined) line.total = amountOf(posted.total)
  if (posted.total !== undefined && line.subtotal < line.total) line.subtotal = line.total
  if (posted.subtotal !== undefined) line.subtotal = amountOf(posted.subtotal)
  return { ...line, meta: mergeMeta(world, line.meta, posted.meta_data) }
}
export const mergeLines = (world: World, current: readonly Line[], posted: readonly Fields[]): Line[] =>
  mergeItems(current, posted, (given, line?: Line) => lineFrom(world, given, line))

export function showLine(world: World, order: Order, line: Line): Fields {
  const sold = soldById(world, line.variation_id || line.product_id)
  return {
    id: line.id,
    name: line.name,
    product_id: line.product_id,
    variation_id: line.variation_id,
    quantity: line.quantity,
    tax_class: '',
    subtotal: show(line.subtotal),
    subtotal_tax: show(taxOf(order, line.subtotal_taxes)),
    total: show(line.total),
    total_tax: show(taxOf(order, line.taxes)),
    taxes: showTaxes(line.taxes, line.subtotal_taxes),
    meta_data: line.meta.map((meta) => ({ ...meta, display_key: meta.key, display_value: meta.value })),
    sku: sold ? (sold.variation?.sku ?? sold.product.sku) : null,
    price: line.quantity ? line.total / 1_000_000 / line.quantity : 0,
    image: { id: '', src: '' },
    parent_name: sold?.variation ? showProduct(world, sold.product, 'edit').name : null,
  }
}
/** Once for an order, when it is paid or put on hold. */
export function reduceStock(world: World, lines: readonly Line[]): void {
  for (const { product_id, variation_id, quantity } of lines) {
    const variation = world.variations.get(String(variation_id))
    const stock = (row: { stock_quantity: number | null }) => ({
      stock_quantity: (row.stock_quantity ?? 0) - quantity,
      modified: world.second(),
    })
    if (variation?.manage_stock) world.variations.set(String(variation_id), { ...variation, ...stock(variation) })
    else {
      const product = world.products.get(String(product_id))
      if (product?.manage_stock) world.products.set(String(product_id), { ...product, ...stock(product) })
    }
  }
}
