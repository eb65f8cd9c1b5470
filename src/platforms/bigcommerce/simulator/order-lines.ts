// Order lines: catalog lines, with the store's prices and taxes unless both prices are given, or custom lines.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { variantViews } from './products.ts'
import { invalidV2, missingV2, refuseV2 } from './wire.ts'
import type { StoredCost, StoredFee, StoredLine, StoredOrder, StoredProduct, World } from './world.ts'

/** A number or a numeric string; never negative. In ten-thousandths. */
export function amountIn(body: Fields, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return number >= 0 ? Math.round(number * 10_000) : invalidV2(name, 'Must be a number that is not negative.')
}
/** Two amounts that are only accepted together. */
export function bothOrNone(body: Fields, exName: string, incName: string): StoredCost | undefined {
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

export function newLine(world: World, body: Fields, inclusive: boolean): StoredLine {
  const set = bothOrNone(body, 'price_ex_tax', 'price_inc_tax')
  const quantity = quantityIn(body, 1)
  const id = world.nextId('line')
  const own = set && { set, price: inclusive ? set.inc : set.ex }
  if (!body.product_id) {
    if (typeof body.name !== 'string' || body.name === '') return missingV2('name')
    if (!own) return missingV2('price_inc_tax')
    const { name } = body
    return {
      ...{ id, product_id: 0, variant_id: 0, name, quantity, ...own },
      sku: String(body.sku ?? ''),
      upc: String(body.upc ?? ''),
      cost: 0,
    }
  }
  const product = world.products.get(String(body.product_id)) ?? optionsInvalid('InvalidProduct', body.product_id)
  const variant = variantFor(product, body)
  return {
    id,
    product_id: product.id,
    variant_id: Number(variant.id),
    name: typeof body.name === 'string' && body.name ? body.name : String(product.fields.name),
    sku: String(variant.sku),
    upc: String(variant.upc),
    quantity,
    price: Math.round(Number(variant.calculated_price) * 10_000),
    ...own,
    cost: Math.round(Number(variant.cost_price ?? 0) * 10_000),
    ...(product.fields.type === 'digital' && { type: 'digital' as const }),
  }
}

/** With an id: edited, or removed by quantity 0. Without: added. Omitted lines stay. */
export function changedLines(world: World, order: StoredOrder, bodies: readonly unknown[]): StoredLine[] {
  let lines = [...order.lines]
  for (const body of bodies) {
    if (!isObject(body)) return invalidV2('products', 'Must be objects.')
    if (body.id === undefined) {
      lines.push(newLine(world, body, order.inclusive))
      continue
    }
    const current =
      lines.find(({ id }) => id === body.id) ?? invalidV2('products', `The order has no line ${String(body.id)}.`)
    const quantity = body.quantity === undefined ? current.quantity : quantityIn(body, 0)
    const set = bothOrNone(body, 'price_ex_tax', 'price_inc_tax')
    const { promotion: _, ...kept } = current // a change clears the promotions of the line
    const changed: StoredLine = {
      ...kept,
      quantity,
      ...(typeof body.name === 'string' && body.name && { name: body.name }),
      ...(set && { set, price: order.inclusive ? set.inc : set.ex }),
    }
    lines =
      quantity === 0
        ? lines.filter((line) => line !== current)
        : lines.map((line) => (line === current ? changed : line))
  }
  return lines.length ? lines : invalidV2('products', 'An order keeps at least one product.')
}

/** At least two of the three costs and one name. They replace the fees that the order has. */
export function feesIn(world: World, order: Pick<StoredOrder, 'fees'>, given: unknown): StoredFee[] {
  if (!Array.isArray(given) || !given.every(isObject)) return invalidV2('fees', 'Must be an array of fees.')
  return given.map((body) => {
    const known = order.fees.find(({ id }) => id === body.id)
    if (body.id !== undefined && !known) return invalidV2('fees.id', 'The order has no such fee.')
    if (body.type !== undefined && body.type !== 'custom_fee') invalidV2('fees.type', 'Must be custom_fee.')
    const [ex, inc, tax] = ['cost_ex_tax', 'cost_inc_tax', 'cost_tax'].map((name) => amountIn(body, name))
    const cost =
      ex !== undefined && inc !== undefined
        ? { ex, inc }
        : ex !== undefined && tax !== undefined
          ? { ex, inc: ex + tax }
          : inc !== undefined && tax !== undefined
            ? { ex: inc - tax, inc }
            : missingV2('fees.cost_inc_tax')
    const name = [body.display_name_customer, body.display_name_merchant].find(
      (one): one is string => typeof one === 'string' && one !== '',
    )
    if (name === undefined) return missingV2('fees.display_name_customer')
    return {
      id: known?.id ?? world.nextId('fee'),
      ...cost,
      customer: String(body.display_name_customer ?? name),
      merchant: String(body.display_name_merchant ?? name),
      source: String(body.source ?? 'v2'),
      tax_class_id: typeof body.tax_class_id === 'number' ? body.tax_class_id : null,
    }
  })
}
