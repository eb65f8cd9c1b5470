// Converts the lines, charges and shipping of an order to WooCommerce's format, and determines which of them an update
// must change.
import type { AccountView, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order, ServiceCharge } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { fromMinor, roundMoney, sumMoney, timesMinor, toDecimal, toMinor } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { api, idNumber, isId, keys, type Meta, perPage, readPage } from './api.ts'
import { isTip, type NativeLine, type NativeOrder } from './order-money.ts'
import { toLine } from './order-row.ts'
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

/** A charge or shipping: a new one has no id, and a name or method of null removes one. */
export interface ItemBody {
  id?: number
  name?: string | null
  method_id?: string | null
  method_title?: string
  total?: string
  tax_status?: string
}
/** Fields of the write that stand for charges in errors. */
export const chargeFields = {
  fee_lines: '/serviceCharges',
  'fee_lines[*][name]': '/serviceCharges/*/name',
  'fee_lines[*][total]': '/serviceCharges/*/amount',
  shipping_lines: '/shippingTotal',
  'shipping_lines[*][total]': '/shippingTotal',
} as const satisfies Record<string, Pointer>

const usualName = 'Service charge'
const chargesOf = ({ serviceCharges, serviceChargeTotal }: Order): readonly ServiceCharge[] =>
  serviceCharges ?? (serviceChargeTotal ? [{ name: usualName, amount: serviceChargeTotal }] : [])
const totalOf = (charges: readonly ServiceCharge[], currency: string | undefined): number =>
  sumMoney(
    charges.map(({ amount }) => amount),
    currency,
  )
const notTheSum = 'is not the sum of serviceCharges'

/** Of a new order. */
export function chargeProblems(record: Order, { settings }: AccountView): { pointer: Pointer; message: string }[] {
  const { serviceCharges, serviceChargeTotal, currencyCode } = record
  const tips = (serviceCharges ?? []).flatMap((charge, n) =>
    isTip(charge, settings)
      ? [{ pointer: `/serviceCharges/${n}/name` as const, message: 'is the name of a tip at this shop' }]
      : [],
  )
  const differs =
    serviceCharges !== undefined &&
    serviceChargeTotal !== undefined &&
    totalOf(serviceCharges, currencyCode) !== serviceChargeTotal
  return differs ? [...tips, { pointer: '/serviceChargeTotal', message: notTheSum }] : tips
}
function feeBody(charge: ServiceCharge, n: number, currency: string): ItemBody {
  return {
    total: toDecimal(charge.amount ?? 0, currency, `fee_lines[${n}][total]`),
    // The shop computes taxes itself; it can only be told that there are none.
    ...(charge.taxAmount === 0 && { tax_status: 'none' }),
  }
}
const newFee = (charge: ServiceCharge, n: number, currency: string): ItemBody => ({
  name: charge.name ?? usualName,
  ...feeBody(charge, n, currency),
})
export const newFees = (record: Order, currency: string): ItemBody[] =>
  chargesOf(record).map((charge, n) => newFee(charge, n, currency))
/** `other` is the method of shipping that a merchant enters by hand. */
const newShipping = (total: number, currency: string): ItemBody => ({
  method_id: 'other',
  method_title: 'Shipping',
  total: toDecimal(total, currency, 'shipping_lines'),
})
export const newShippingLines = ({ shippingTotal }: Order, currency: string): ItemBody[] =>
  shippingTotal ? [newShipping(shippingTotal, currency)] : []

/** One by one, in their order: what is the same is not sent. Tips stay. */
export function changedFees(
  record: Order,
  before: Order,
  current: NativeOrder,
  currency: string,
  { settings }: AccountView,
): ItemBody[] {
  const fees = list(current.fee_lines).filter((fee) => !isTip(fee, settings))
  const held = before.serviceCharges ?? []
  const wanted = wantedCharges(record, before, held, currency)
  const changed = wanted.flatMap((charge, n): ItemBody[] => {
    const [fee, old] = [fees[n], held[n]]
    if (isTip(charge, settings)) throw refusal(`fee_lines[${n}][name]`, 'is the name of a tip at this shop')
    if (!fee || !old) return [newFee(charge, n, currency)]
    const sameName = sameOrAbsent(charge.name, old.name)
    if (sameName && (charge.amount ?? 0) === (old.amount ?? 0)) return []
    return [{ id: fee.id, ...(sameName ? {} : { name: charge.name }), ...feeBody(charge, n, currency) }]
  })
  return [...changed, ...fees.slice(wanted.length).map(({ id }) => ({ id, name: null }))]
}
/** A caller can change the charges, or only their total; the other of the two is then as it was. */
function wantedCharges(
  { serviceCharges = [], serviceChargeTotal = 0 }: Order,
  before: Order,
  held: readonly ServiceCharge[],
  currency: string,
): readonly ServiceCharge[] {
  const total = before.serviceChargeTotal ?? 0
  const moved = serviceChargeTotal !== total && serviceChargeTotal !== totalOf(serviceCharges, currency)
  if (!moved) return serviceCharges
  const isHeld =
    serviceCharges.length === held.length &&
    serviceCharges.every(({ name, amount }, n) => name === held[n]?.name && amount === held[n]?.amount)
  if (!isHeld) throw refusal('/serviceChargeTotal', notTheSum)
  if (serviceChargeTotal === 0) return []
  if (held.length > 1) throw refusal('/serviceChargeTotal', 'The order has several charges: send serviceCharges')
  return [{ ...(held[0] ?? { name: usualName }), amount: serviceChargeTotal }]
}
export function changedShipping(
  { shippingTotal = 0 }: Order,
  before: Order,
  current: NativeOrder,
  currency: string,
): ItemBody[] {
  if (shippingTotal === (before.shippingTotal ?? 0)) return []
  const [first, ...others] = list(current.shipping_lines)
  if (shippingTotal === 0) return list(current.shipping_lines).map(({ id }) => ({ id, method_id: null }))
  if (!first) return [newShipping(shippingTotal, currency)]
  if (others.length > 0)
    throw refusal('/shippingTotal', 'The order has several shipping lines: change them in the shop')
  return [{ id: first.id, total: toDecimal(shippingTotal, currency, 'shipping_lines') }]
}
