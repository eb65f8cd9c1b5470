// Converts order lines to WooCommerce's format, and determines which of them an update must change.
import type { WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { fromMinor, roundMoney, timesMinor, toDecimal, toMinor } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { api, idNumber, isId, keys, type Meta, perPage, readPage } from './api.ts'
import { type NativeLine, type NativeOrder, toLine } from './order-row.ts'
import { type NativeProduct, readProduct } from './product-row.ts'

export interface LineBody {
  id?: number
  product_id?: number
  name?: string
  quantity: number
  subtotal?: string
  total?: string
  meta_data?: Meta[]
}
export interface LineProblem {
  field: keyof LineItem
  message: string
}
/** Of a line that an update changes: the others may be as they are. */
export function missingIn(line: LineItem, isNew: boolean): LineProblem[] {
  return [
    ...(isNew && !line.productExternalId && !line.sku
      ? [{ field: 'productExternalId' as const, message: 'WooCommerce needs a product or its sku on every line' }]
      : []),
    ...(line.lineDiscount && line.unitPrice === undefined
      ? [{ field: 'unitPrice' as const, message: 'WooCommerce needs the price of a line with a discount' }]
      : []),
  ]
}
export function lineProblems(line: LineItem): LineProblem[] {
  const found: LineProblem[] = []
  if (!Number.isInteger(line.quantity))
    found.push({ field: 'quantity', message: 'WooCommerce accepts only whole quantities' })
  const discount = line.lineDiscount ?? 0
  if (discount < 0) found.push({ field: 'lineDiscount', message: 'A discount cannot be negative' })
  if (
    line.unitPrice !== undefined &&
    roundMoney(discount, undefined) > Math.max(0, roundMoney(line.unitPrice * line.quantity, undefined))
  )
    found.push({ field: 'lineDiscount', message: 'A discount cannot be greater than its line' })
  return found
}
const native = (n: number, field: string) => `line_items[${n}][${field}]`

/**
 * An unknown product silently becomes an empty line, so every product is looked up first. Lists contain no variations:
 * those are read one by one.
 */
async function productsById(call: WriteCall, ids: readonly string[]): Promise<ReadonlyMap<string, NativeProduct>> {
  const found = new Map<string, NativeProduct>()
  const target = [...new Set(ids)].filter(isId)
  for (const chunk of chunksOf(target, perPage)) {
    const { rows } = await readPage<NativeProduct>(call, `${api}/products`, {
      include: chunk.join(','),
      orderby: 'id',
      order: 'asc',
      per_page: perPage,
    })
    for (const product of rows) found.set(String(product.id), product)
  }
  for (const id of target) {
    const product = found.has(id) ? undefined : await readProduct(call, id)
    if (product) found.set(id, product)
  }
  return found
}
/** The filter is a comma-separated list, so the response may contain others. */
async function productBySku(call: WriteCall, sku: string): Promise<NativeProduct | undefined> {
  const { rows } = await readPage<NativeProduct>(call, `${api}/products`, {
    sku,
    orderby: 'id',
    order: 'asc',
    per_page: perPage,
  })
  return rows.find((product) => product.sku === sku)
}

interface Touched {
  n: number // its index in the record
  line: LineItem
  current?: NativeLine
}
export async function toBodies(call: WriteCall, touched: readonly Touched[], currency: string): Promise<LineBody[]> {
  const products = await productsById(
    call,
    touched.map(({ line }) => line.productExternalId ?? '').filter((id) => id !== ''),
  )
  const bodies: LineBody[] = []
  for (const { n, line, current } of touched) {
    const product = line.productExternalId
      ? products.get(line.productExternalId)
      : line.sku
        ? await productBySku(call, line.sku)
        : undefined
    const kept = current !== undefined && line.productExternalId === productOf(current)
    if (!product && !kept)
      throw line.productExternalId
        ? refusal(native(n, 'product_id'), `WooCommerce has no product ${line.productExternalId}`)
        : refusal(native(n, 'sku'), `WooCommerce has no product with the sku ${line.sku}`)
    const sku = kept ? text(current.sku) : text(product?.sku)
    bodies.push({
      id: current?.id,
      ...(!kept && { product_id: idNumber(String(product!.id), native(n, 'product_id')) }),
      name: line.name,
      quantity: line.quantity,
      ...amounts(line, n, currency, current),
      ...skuMark(line, sku, current),
    })
  }
  return bodies
}
const productOf = (line: NativeLine): string | undefined => toLine(line, undefined).productExternalId

/**
 * Both are for the whole line. Without a price, a new line gets the catalog price, and an existing line retains its own.
 * A price that was rounded does not change what the line costs.
 */
function amounts(
  line: LineItem,
  n: number,
  currency: string,
  current: NativeLine | undefined,
): Pick<LineBody, 'subtotal' | 'total'> {
  const before = current && toLine(current, currency)
  const unitPrice = line.unitPrice ?? before?.unitPrice
  const discount = line.lineDiscount ?? 0
  if (unitPrice === undefined) return {}
  if (before?.unitPrice === unitPrice && before.quantity === line.quantity && before.lineDiscount === discount)
    return {}
  const subtotal = timesMinor(line.quantity, toMinor(unitPrice, currency, native(n, 'price')))
  const total = subtotal - toMinor(discount, currency, native(n, 'total'))
  const text = (minor: number, field: string) =>
    toDecimal(fromMinor(minor, currency) as number, currency, native(n, field))
  return { subtotal: text(subtotal, 'subtotal'), total: text(total, 'total') }
}
/** A line is returned with its product's current sku: a different sku from the caller is stored on the line. */
function skuMark(
  line: LineItem,
  sku: string | undefined,
  current: NativeLine | undefined,
): Pick<LineBody, 'meta_data'> {
  const target = line.sku !== undefined && line.sku !== sku ? line.sku : null
  const marked = list(current?.meta_data).find(({ key }) => key === keys.sku)
  return target === (marked?.value ?? null) ? {} : { meta_data: [{ key: keys.sku, value: target }] }
}

/** Line by line, in their order: equal lines are not sent, because a line that is sent is recalculated. */
export function changedLines(record: Order, current: NativeOrder): { touched: Touched[]; removed: number[] } {
  const before = list(current.line_items)
  const touched = record.lineItems
    .map((line, n) => ({ n, line, current: before[n] }))
    .filter(({ line, current: own }) => !own || !sameLine(line, toLine(own, current.currency)))
  return { touched: touched as Touched[], removed: before.slice(record.lineItems.length).map(({ id }) => id) }
}
const compared = ['productExternalId', 'sku', 'name', 'quantity', 'unitPrice'] as const
const sameLine = (line: LineItem, before: LineItem): boolean =>
  compared.every((field) => sameOrAbsent(line[field], before[field])) &&
  (line.lineDiscount ?? 0) === (before.lineDiscount ?? 0)
