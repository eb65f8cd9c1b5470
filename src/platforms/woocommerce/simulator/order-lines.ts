// Order lines: how they are written, their taxes, and how they are returned. Amounts are stored in cents.

import type { Fields } from '../../../sandbox/http.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
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
export const money = (cents: number): string => (cents / 100).toFixed(2)
const cents = (value: unknown): number => Math.round(Number(value) * 100)

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
const priceIn = (row: Product | Variation): number => cents(row.sale_price !== '' ? row.sale_price : row.regular_price)

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
    subtotal_tax: 0,
    total_tax: 0,
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
  if (posted.total !== undefined) line.total = cents(posted.total)
  if (posted.total !== undefined && line.subtotal < line.total) line.subtotal = line.total
  if (posted.subtotal !== undefined) line.subtotal = cents(posted.subtotal)
  return { ...line, meta: mergeMeta(world, line.meta, posted.meta_data) }
}
/**
 * A quantity of 0 or a null product removes a line; an id changes a line, without an id a line is added; omitted lines
 * stay.
 */
export function mergeLines(world: World, current: readonly Line[], posted: readonly Fields[]): Line[] {
  let lines = [...current]
  for (const given of posted) {
    const at = lines.findIndex(({ id }) => id === given.id)
    if (given.id && at < 0)
      return refuse(400, 'woocommerce_rest_invalid_item_id', 'Order item ID provided is not associated with order.')
    if (given.quantity === 0 || given.product_id === null || given.name === null)
      lines = lines.filter(({ id }) => id !== given.id)
    else if (!given.id) lines.push(lineFrom(world, given))
    else lines[at] = lineFrom(world, given, lines[at])
  }
  return lines.map((line) => ({ ...line, ...taxes(world, line) }))
}
/** By the shop's own rate: values from a client are ignored. */
function taxes(world: World, line: Line): Pick<Line, 'subtotal_tax' | 'total_tax'> {
  const taxable = world.products.get(String(line.product_id))?.tax_status !== 'none'
  const tax = (amount: number) => (taxable ? Math.round((amount * world.taxRate) / 100) : 0)
  return { subtotal_tax: tax(line.subtotal), total_tax: tax(line.total) }
}

export function showLine(world: World, line: Line): Fields {
  const sold = soldById(world, line.variation_id || line.product_id)
  return {
    id: line.id,
    name: line.name,
    product_id: line.product_id,
    variation_id: line.variation_id,
    quantity: line.quantity,
    tax_class: '',
    subtotal: money(line.subtotal),
    subtotal_tax: money(line.subtotal_tax),
    total: money(line.total),
    total_tax: money(line.total_tax),
    taxes: line.total_tax === 0 ? [] : [{ id: 1, total: money(line.total_tax), subtotal: money(line.subtotal_tax) }],
    meta_data: line.meta.map((meta) => ({ ...meta, display_key: meta.key, display_value: meta.value })),
    sku: sold ? (sold.variation?.sku ?? sold.product.sku) : null,
    price: line.quantity ? line.total / 100 / line.quantity : 0,
    image: { id: '', src: '' },
    parent_name: sold?.variation ? showProduct(world, sold.product, 'edit').name : null,
  }
}
export const totalsOf = ({ lines, shipping_total }: Order): { discount: number; tax: number; total: number } => {
  const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0)
  const tax = sum(({ total_tax }) => total_tax)
  return {
    discount: sum(({ subtotal, total }) => subtotal - total),
    tax,
    total: sum(({ total }) => total) + tax + shipping_total,
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
