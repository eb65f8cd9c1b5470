// Charges and shipping of an order, as they are sent: a new one has no id, and a name or method of null removes one.
import type { AccountView } from '../../contract/connector.ts'
import type { Order, ServiceCharge } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { sumMoney, toDecimal } from '../../kit/money.ts'
import { isTip } from './order-money.ts'
import type { NativeOrder } from './order-row.ts'

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
