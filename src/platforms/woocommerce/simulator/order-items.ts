// Fees and shipping of an order: how they are written and returned.
import type { Fields } from '../../../sandbox/http.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { amountOf, show } from './amounts.ts'
import { taxOf } from './order-totals.ts'
import { refuse } from './wire.ts'
import { type Fee, mergeMeta, metaSchema, type Order, type ShippingLine, type TaxShare, type World } from './world.ts'

export const feeSchema: Schemas = {
  id: 'integer',
  name: 'mixed',
  tax_class: 'string',
  tax_status: { enum: ['taxable', 'none'] },
  total: 'string',
  meta_data: metaSchema,
}
export const shippingLineSchema: Schemas = {
  id: 'integer',
  method_title: 'mixed',
  method_id: 'mixed',
  instance_id: 'string',
  total: 'string',
  meta_data: metaSchema,
}
const removing = ['product_id', 'method_id', 'method_title', 'name', 'code']
/** A null name, product or method removes an item; so does a quantity of 0. */
const isRemoved = (given: Fields): boolean => given.quantity === 0 || removing.some((name) => given[name] === null)

/** An id changes an item, without an id an item is added; omitted items stay. */
export function mergeItems<T extends { id: number }>(
  current: readonly T[],
  posted: readonly Fields[],
  from: (given: Fields, current?: T) => T,
): T[] {
  let items = [...current]
  for (const given of posted) {
    const at = items.findIndex(({ id }) => id === given.id)
    if (given.id && at < 0)
      return refuse(400, 'woocommerce_rest_invalid_item_id', 'Order item ID provided is not associated with order.')
    if (isRemoved(given)) items = items.filter(({ id }) => id !== given.id)
    else if (!given.id) items.push(from(given))
    else items[at] = from(given, items[at])
  }
  return items
}
export const feeFrom =
  (world: World) =>
  (given: Fields, current?: Fee): Fee => {
    if (!current && !given.name) return refuse(400, 'woocommerce_rest_invalid_fee_item', 'Fee name is required.')
    const start = current ?? { id: world.next('item'), name: '', tax_status: 'taxable', total: 0, taxes: [], meta: [] }
    return {
      ...start,
      ...(given.name !== undefined && { name: String(given.name) }),
      ...(given.tax_status !== undefined && { tax_status: String(given.tax_status) }),
      ...(given.total !== undefined && { total: amountOf(given.total) }),
      meta: mergeMeta(world, start.meta, given.meta_data),
    }
  }
export const shippingFrom =
  (world: World) =>
  (given: Fields, current?: ShippingLine): ShippingLine => {
    if (!current && !given.method_id)
      return refuse(400, 'woocommerce_rest_invalid_shipping_item', 'Shipping method ID is required.')
    const start = current ?? {
      id: world.next('item'),
      method_id: '',
      method_title: '',
      instance_id: '',
      total: 0,
      taxes: [],
      meta: [],
    }
    const texts = (['method_id', 'method_title', 'instance_id'] as const).filter((name) => given[name] !== undefined)
    return {
      ...start,
      ...Object.fromEntries(texts.map((name) => [name, String(given[name])])),
      ...(given.total !== undefined && { total: amountOf(given.total) }),
      meta: mergeMeta(world, start.meta, given.meta_data),
    }
  }

export const showTaxes = (taxes: readonly TaxShare[], subtotals: readonly TaxShare[] = []) =>
  taxes.map(({ rate, amount }) => {
    const subtotal = subtotals.find((share) => share.rate === rate)
    return { id: rate, total: show(amount), subtotal: subtotal ? show(subtotal.amount) : '' }
  })
const showMeta = (meta: Fee['meta']) => meta.map((one) => ({ ...one, display_key: one.key, display_value: one.value }))
export const showFee = (order: Order, { taxes, meta, ...fee }: Fee): Fields => ({
  ...fee,
  tax_class: '',
  amount: show(fee.total),
  total: show(fee.total),
  total_tax: show(taxOf(order, taxes)),
  taxes: showTaxes(taxes),
  meta_data: showMeta(meta),
})
export const showShipping = (order: Order, { taxes, meta, ...line }: ShippingLine): Fields => ({
  ...line,
  total: show(line.total),
  total_tax: show(taxOf(order, taxes)),
  taxes: showTaxes(taxes),
  tax_status: 'taxable',
  meta_data: showMeta(meta),
})
