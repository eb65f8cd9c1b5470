// What a sale is made of. Amounts have five decimals and no tax, and customers pay in whole cents: everything is added
// up in hundred-thousandths, and the lines get what rounding leaves, so that they make the total.
// https://x-series-api.lightspeedhq.com/docs/sales_101
import { list, number, text } from '../../kit/fields.ts'
import { distribute, exponentOf } from '../../kit/money.ts'
import { living, type Stamped } from './api.ts'

export interface TaxPart {
  rate_id?: string
  total_tax?: number
}
export interface NativeLine {
  id: string
  quantity?: number // negative for returns, and for a discount on the whole sale
  status?: string
  note?: string | null
  salesperson_id?: string | null
  gift_card_number?: string | null
  product?: { id?: string }
  pricing?: {
    price?: number
    discount?: number
    discount_total?: number
    total?: number
    cost?: number
    loyalty_amount?: number
  }
  tax?: { id?: string; amount?: number; total?: number }
  return?: { is_return?: boolean; reason?: string | null }
  _metadata?: { sequence?: number; is_price_override?: boolean; tax_components?: TaxPart[] }
}
export interface NativePayment {
  id: string
  amount?: number
  date?: string
  deleted_at?: string | null
  type?: { config_id?: string; name?: string }
  source?: { id?: string | null; outlet_id?: string; register_id?: string }
  surcharge?: { amount?: number } | null
  external_attributes?: { transaction_id?: string; card_last_four_digits?: string }[]
}
interface NativeAdjustment {
  adjustment_type?: string
  name?: string
  total?: number
  tax_components?: TaxPart[]
}
export interface NativeCharge {
  name?: string
  total?: number
  total_tax?: number
  tax_components?: TaxPart[]
}
export interface NativeSale extends Omit<Stamped, 'version'> {
  state?: string
  date?: string
  customer_id?: string | null
  invoice_number?: string | null
  short_code?: string | null
  note?: string | null
  attributes?: string[]
  line_items?: NativeLine[]
  return?: { is_return?: boolean; original_sale_id?: string | null; return_sale_ids?: string[] }
  payments?: NativePayment[]
  adjustments?: NativeAdjustment[]
  ecom_custom_charges?: NativeCharge[] | { charges?: NativeCharge[] }
  totals?: { price?: number; price_incl_tax?: number; tax?: number }
  source?: { id?: string | null; type?: string; outlet_id?: string; register_id?: string; author?: { id?: string } }
  _metadata?: { version?: number }
}

const decimals = 5
/** 4.34783 -> 434783. */
export function exact(value: unknown): number {
  const amount = number(value) ?? 0
  const digits = Number(amount.toFixed(decimals).replace('.', ''))
  return digits === 0 ? 0 : digits
}
/** Half units go away from zero. */
export function divided(amount: bigint, by: bigint): number {
  const size = amount < 0n ? -amount : amount
  const quotient = (size * 2n + by) / (by * 2n)
  return Number(amount < 0n ? -quotient : quotient)
}
const one = 10n ** BigInt(decimals)
/** Of two numbers with five decimals. */
export const times = (left: unknown, right: unknown): number => divided(BigInt(exact(left)) * BigInt(exact(right)), one)
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** How many hundred-thousandths the smallest unit of a currency has. */
export const unitOf = (currency: string | undefined): number => 10 ** Math.max(0, decimals - exponentOf(currency))
export const rounded = (amount: number, unit: number): number => divided(BigInt(amount), BigInt(unit))
/** Whole units that make the given sum: each is rounded down, and the largest remainders get what is left. */
export function shares(sum: number, amounts: readonly number[], unit: number): number[] {
  const whole = amounts.map((amount) => Math.floor(amount / unit))
  const rest = (n: number) => amounts[n]! - whole[n]! * unit
  const order = amounts.map((_, n) => n).sort((a, b) => rest(b) - rest(a) || a - b)
  const left = sum - sumOf(whole)
  const step = Math.sign(left)
  for (let given = 0; given < Math.abs(left) && order.length > 0; given++)
    whole[order.at(step > 0 ? given % order.length : -1 - (given % order.length))!]! += step
  return whole.map((value) => (value === 0 ? 0 : value))
}

export interface Line {
  native: NativeLine
  net: number // after all discounts, without tax
  discount: number
  ownDiscount: number // without its share of those on the whole sale
  tax: number
}
export interface Charge {
  name?: string | undefined
  kind: 'SURCHARGE' | 'OTHER'
  amount: number
  tax: number
}
export interface Sums {
  lines: Line[]
  orderDiscounts: { name?: string | undefined; amount: number }[]
  charges: Charge[]
  tip?: { amount: number; isInTotal: boolean }
  rounding: number
  tax: number
  total?: number
  due: number // before cash rounding
  balances: boolean
}

export const isRounding = ({ type }: NativePayment): boolean => /\brounding\b/i.test(text(type?.name) ?? '')
const isRemoved = ({ state }: NativeSale, { status }: NativeLine): boolean =>
  text(state) !== 'voided' && text(status)?.toUpperCase() === 'VOIDED'
const bySequence = (a: NativeLine, b: NativeLine) =>
  (number(a._metadata?.sequence) ?? 0) - (number(b._metadata?.sequence) ?? 0)
export const productIdOf = ({ product }: NativeLine): string | undefined => text(product?.id)

/**
 * Lines of goods in the order of the receipt, which the response may not follow. A discount on the whole sale is a line
 * of its own product, in the quantity -1: https://x-series-api.lightspeedhq.com/docs/sales_discounts
 */
export function linesOf(sale: NativeSale, discountProduct: string | undefined) {
  const isDiscount = (line: NativeLine) => discountProduct !== undefined && productIdOf(line) === discountProduct
  const lines = list(sale.line_items).toSorted(bySequence)
  const counted = lines.filter((line) => Boolean(number(line.quantity)) && !isRemoved(sale, line))
  const goods = counted.filter((line) => !isDiscount(line))
  return { goods, discounts: counted.filter(isDiscount), others: lines.filter((line) => !goods.includes(line)) }
}

const netOf = ({ pricing, quantity }: NativeLine): number =>
  number(pricing?.total) === undefined ? times(pricing?.price, quantity) : exact(pricing?.total)
const taxOf = ({ tax, quantity }: NativeLine): number =>
  number(tax?.total) === undefined ? times(tax?.amount, quantity) : exact(tax?.total)
const discountOf = ({ pricing, quantity }: NativeLine): number =>
  number(pricing?.discount_total) === undefined ? times(pricing?.discount, quantity) : exact(pricing?.discount_total)
const taxesIn = (parts: readonly TaxPart[] | undefined): number =>
  sumOf(list(parts).map(({ total_tax }) => exact(total_tax)))

/** Takes a discount (or adds one that is returned) off the lines that it is on, by what they cost. */
function takeOff(lines: Line[], amount: number, tax: number): void {
  const fitting = lines.filter(({ net }) => net !== 0 && Math.sign(net) !== Math.sign(amount))
  const on = fitting.length > 0 ? fitting : lines
  const by = (weigh: (line: Line) => number) => on.map((line) => Math.abs(weigh(line)))
  const nets = by(({ net }) => net)
  const taxes = by((line) => line.tax)
  const taxParts = distribute(tax, taxes.some(Boolean) ? taxes : nets)
  distribute(amount, nets).forEach((part, n) => {
    const line = on[n] as Line
    line.net += part
    line.discount -= part
    line.tax += taxParts[n] as number
  })
}

/** Whether amounts of less than half of what can be paid are all that is between them. */
const isSame = (left: number, right: number, unit: number): boolean => Math.abs(left - right) * 2 < unit

export const chargesIn = ({ ecom_custom_charges: given }: NativeSale): readonly NativeCharge[] =>
  list(Array.isArray(given) ? given : given?.charges)

export function sumsOf(sale: NativeSale, discountProduct: string | undefined, currency: string | undefined): Sums {
  const unit = unitOf(currency)
  const { goods, discounts } = linesOf(sale, discountProduct)
  const lines = goods.map(
    (native): Line => ({
      native,
      net: netOf(native),
      discount: discountOf(native),
      ownDiscount: discountOf(native),
      tax: taxOf(native),
    }),
  )
  const adjustments = list(sale.adjustments).map(({ adjustment_type, name, total, tax_components }) => ({
    type: text(adjustment_type)?.toUpperCase(),
    name: text(name),
    amount: exact(total),
    tax: taxesIn(tax_components),
  }))
  const reductions = [
    ...discounts.map((line) => ({ name: undefined, amount: netOf(line), tax: taxOf(line) })),
    ...adjustments
      .filter(({ type }) => type === 'DISCOUNT')
      .map((one) => ({ ...one, amount: -Math.abs(one.amount), tax: -Math.abs(one.tax) })),
  ]
  for (const { amount, tax } of reductions) takeOff(lines, amount, tax)
  // The charges of a web shop are adjustments, too, in older versions.
  const fees = adjustments.filter(({ type }) => type !== 'DISCOUNT' && type !== 'TIP' && type !== 'ECOM_CUSTOM_CHARGE')
  const tips = adjustments.filter(({ type }) => type === 'TIP')
  const tip = sumOf(tips.map(({ amount }) => amount))
  const fee = sumOf(fees.map(({ amount }) => amount))
  const feeTax = sumOf(fees.map(({ tax }) => tax))

  // Lines and adjustments are in the totals, as documented for fees; for tips and for the dated versions nothing is
  // documented, so the totals themselves say what they contain.
  const given = sale.totals ?? {}
  const lineTax = sumOf(lines.map(({ tax }) => tax))
  const goodsSum = sumOf(lines.map(({ net }) => net))
  const ownTax = number(given.tax) === undefined ? lineTax : exact(given.tax)
  const ownTotal =
    number(given.price_incl_tax) === undefined
      ? number(given.price) === undefined
        ? undefined
        : exact(given.price) + ownTax
      : exact(given.price_incl_tax)
  const makes = (...more: number[]) => ownTotal !== undefined && isSame(goodsSum + ownTax + sumOf(more), ownTotal, unit)
  const hasAll = makes(fee, tip)
  const tipIsOutside = !hasAll && (makes(fee) || makes())
  const feeIsOutside = !hasAll && !makes(fee) && (makes() || makes(tip))

  // These are never in the totals. An array, or an object with one, according to the version.
  const extra = chargesIn(sale).map(
    (one): Charge => ({ name: text(one.name), kind: 'OTHER', amount: exact(one.total), tax: exact(one.total_tax) }),
  )
  const outside = sumOf(extra.map(({ amount, tax }) => amount + tax)) + (feeIsOutside ? fee + feeTax : 0)
  const due = (ownTotal ?? goodsSum + ownTax) + outside
  // What the till leaves or asks for because coins are missing is a payment of an internal type.
  const rounding = -sumOf(
    list(sale.payments)
      .filter((one) => living(one) && isRounding(one))
      .map(({ amount }) => exact(amount)),
  )
  const tax = ownTax + sumOf(extra.map((one) => one.tax)) + (feeIsOutside ? feeTax : 0)
  const charges = [...fees.map((one): Charge => ({ ...one, kind: kindOf(one.type) })), ...extra]
  const parts = goodsSum + tax + sumOf(charges.map(({ amount }) => amount)) + (tipIsOutside ? 0 : tip)
  return {
    lines,
    orderDiscounts: reductions.map(({ name, amount }) => ({ name, amount: -amount })),
    charges,
    ...(tips.length > 0 && { tip: { amount: tip, isInTotal: !tipIsOutside } }),
    rounding,
    tax,
    ...(ownTotal !== undefined && { total: due + rounding }),
    due,
    balances: isSame(parts, due, unit),
  }
}
const kindOf = (type: string | undefined): Charge['kind'] =>
  type === 'SURCHARGE' || type === 'NON_CASH_FEE' ? 'SURCHARGE' : 'OTHER'
