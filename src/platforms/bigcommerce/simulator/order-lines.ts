// Order lines: catalog lines, with the store's prices and taxes unless both prices are given, or custom lines.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { variantViews } from './products.ts'
import { invalidV2, missingV2, refuseV2 } from './wire.ts'
import type { StoredLine, StoredOrder, StoredProduct, World } from './world.ts'

const taxRate = 0.0825

/** A number or a numeric string; never negative. */
export function amountIn(body: Fields, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return number >= 0 ? Math.round(number * 10_000) / 10_000 : invalidV2(name, 'Must be a number that is not negative.')
}
/** Two amounts that are only accepted together. */
export function bothOrNone(body: Fields, exName: string, incName: string): { ex: number; inc: number } | undefined {
  const [ex, inc] = [amountIn(body, exName), amountIn(body, incName)]
  if (ex === undefined && inc === undefined) return undefined
  return ex === undefined || inc === undefined
    ? invalidV2(
        ex === undefined ? incName : exName,
        `If specified, the field ${ex === undefined ? exName : incName} is also required.`,
      )
    : { ex, inc }
}
const quantityIn = (body: Fields, least: number): number =>
  Number.isInteger(body.quantity) && (body.quantity as number) >= least
    ? (body.quantity as number)
    : body.quantity === undefined
      ? missingV2('quantity')
      : invalidV2('quantity', 'Must be an integer.')

const optionsInvalid = (type: string, id: unknown): never =>
  refuseV2(400, 'The options of one or more products are invalid.', {
    errors: [{ type, product: { id, resource: `/products/${String(id)}` } }],
  })

function variantFor(product: StoredProduct, body: Fields): Fields {
  const variants = variantViews(product)
  if (body.variant_id === undefined)
    return product.base_variant_id === null ? optionsInvalid('MissingRequiredProductOption', product.id) : variants[0]!
  return variants.find(({ id }) => id === body.variant_id) ?? optionsInvalid('InvalidVariant', product.id)
}

export function newLine(world: World, body: Fields): StoredLine {
  const prices = bothOrNone(body, 'price_ex_tax', 'price_inc_tax')
  const quantity = quantityIn(body, 1)
  const id = world.nextId('line')
  if (!body.product_id) {
    if (typeof body.name !== 'string' || body.name === '') return missingV2('name')
    if (!prices) return missingV2('price_inc_tax')
    const own = { sku: String(body.sku ?? ''), upc: String(body.upc ?? ''), cost: 0 }
    return {
      id,
      product_id: 0,
      variant_id: 0,
      name: body.name,
      quantity,
      price_ex_tax: prices.ex,
      price_inc_tax: prices.inc,
      ...own,
    }
  }
  const product = world.products.get(String(body.product_id)) ?? optionsInvalid('InvalidProduct', body.product_id)
  const variant = variantFor(product, body)
  const price = Number(variant.calculated_price)
  return {
    id,
    product_id: product.id,
    variant_id: Number(variant.id),
    name: typeof body.name === 'string' && body.name ? body.name : String(product.fields.name),
    sku: String(variant.sku),
    upc: String(variant.upc),
    quantity,
    price_ex_tax: prices?.ex ?? price,
    price_inc_tax: prices?.inc ?? Math.round(price * (1 + taxRate) * 10_000) / 10_000,
    cost: Number(variant.cost_price ?? 0),
    ...(product.fields.type === 'digital' && { digital: true }),
  }
}

/** With an id: edited, or removed by quantity 0. Without: added. Omitted lines stay. */
export function changedLines(world: World, order: StoredOrder, bodies: readonly unknown[]): StoredLine[] {
  let lines = [...order.lines]
  for (const body of bodies) {
    if (!isObject(body)) return invalidV2('products', 'Must be objects.')
    if (body.id === undefined) {
      lines.push(newLine(world, body))
      continue
    }
    const current =
      lines.find(({ id }) => id === body.id) ?? invalidV2('products', `The order has no line ${String(body.id)}.`)
    const quantity = body.quantity === undefined ? current.quantity : quantityIn(body, 0)
    const prices = bothOrNone(body, 'price_ex_tax', 'price_inc_tax')
    const changed = {
      ...current,
      quantity,
      ...(typeof body.name === 'string' && body.name && { name: body.name }),
      ...(prices && { price_ex_tax: prices.ex, price_inc_tax: prices.inc }),
    }
    lines =
      quantity === 0
        ? lines.filter((line) => line !== current)
        : lines.map((line) => (line === current ? changed : line))
  }
  return lines.length ? lines : invalidV2('products', 'An order keeps at least one product.')
}
