// What an order costs, exactly. Amounts have four decimals: they are added as whole ten-thousandths, and cut to the
// currency once, so that the parts of an order make its total.
import { flag, list, number, text } from '../../kit/fields.ts'
import { distribute, exponentOf, fromMinor } from '../../kit/money.ts'
import type { NativeFee, NativeLine, NativeOrder } from './order-row.ts'

/** "19.9900" -> 199900. Exact: the text of a number with at most four decimals has all of its digits. */
export function unitsOf(amount: unknown): number | undefined {
  const read = number(amount)
  return read === undefined ? undefined : Number(read.toFixed(4).replace('.', ''))
}
export const fromUnits = (units: number): number => Number(`${units}e-4`)
const units = (amount: unknown): number => unitsOf(amount) ?? 0
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/**
 * With prices with tax, only `_inc_tax` amounts are exact, otherwise only `_ex_tax` ones:
 * https://developer.bigcommerce.com/docs/rest-management/orders (is_tax_inclusive_pricing).
 */
export const hasTaxInPrices = ({ is_tax_inclusive_pricing }: NativeOrder): boolean =>
  flag(is_tax_inclusive_pricing) ?? false

/** Fees are a link unless they are included. */
export function feesOf({ fees }: NativeOrder): readonly NativeFee[] {
  if (Array.isArray(fees)) return list(fees)
  return fees && 'fees' in fees ? list(fees.fees) : []
}
function costOf({ cost_ex_tax, cost_exc_tax, cost_inc_tax, cost_tax }: NativeFee): { ex: number; inc: number } {
  const tax = unitsOf(cost_tax)
  const ex = unitsOf(cost_ex_tax ?? cost_exc_tax) ?? units(cost_inc_tax) - (tax ?? 0)
  return { ex, inc: unitsOf(cost_inc_tax) ?? ex + (tax ?? 0) }
}

interface LineUnits {
  gross: number
  net: number
}
/** A discount is on the price as it is entered: without tax on what `_ex_tax` is exact for. */
function lineOf(line: NativeLine, included: boolean): LineUnits {
  const price = units(included ? line.price_inc_tax : line.price_ex_tax)
  const gross = unitsOf(included ? line.total_inc_tax : line.total_ex_tax) ?? price * (number(line.quantity) ?? 0)
  const net = gross - sum(list(line.applied_discounts).map(({ amount }) => units(amount)))
  return { gross, net: (included ? unitsOf(line.discounted_total_inc_tax) : undefined) ?? net }
}
/** What is sent, handled and wrapped. */
function shippingOf(row: NativeOrder, included: boolean): number {
  const { shipping_cost_inc_tax, handling_cost_inc_tax, wrapping_cost_inc_tax } = row
  const { shipping_cost_ex_tax, handling_cost_ex_tax, wrapping_cost_ex_tax } = row
  return sum(
    (included
      ? [shipping_cost_inc_tax, handling_cost_inc_tax, wrapping_cost_inc_tax]
      : [shipping_cost_ex_tax, handling_cost_ex_tax, wrapping_cost_ex_tax]
    ).map(units),
  )
}

export interface OrderMoney {
  lines: readonly { total: number; discount: number }[]
  fees: readonly { amount: number; tax: number }[]
  shipping: number
  tax: number | undefined
  subtotal: number
  discount: number
  feeTotal: number
}
/**
 * In units of the currency. Where the parts are finer, the remainders go to the largest ones. A discount that no line
 * has is one on the shipping; what is more than that is taken off the lines by price.
 */
export function moneyOf(row: NativeOrder): OrderMoney {
  const included = hasTaxInPrices(row)
  const currency = text(row.default_currency_code)
  const lines = list(row.lines).map((line) => lineOf(line, included))
  const fees = feesOf(row).map(costOf)
  const shipping = shippingOf(row, included)
  const told = units(row.discount_amount) + units(row.coupon_discount)
  const missing = Math.max(0, told - sum(lines.map(({ gross, net }) => gross - net)))
  const offShipping = Math.min(missing, shipping)
  const offLines = lines.length > 0 ? missing - offShipping : 0
  const more = distribute(
    offLines,
    lines.map(({ net }) => net),
  )
  const nets = lines.map(({ net }, index) => net - (more[index] ?? 0))

  const scale = 10 ** (4 - exponentOf(currency))
  const tax = unitsOf(row.total_tax)
  const settled = settle(
    [
      ...nets,
      ...fees.map(({ ex, inc }) => (included ? inc : ex)),
      shipping - offShipping,
      ...(included ? [] : [tax ?? 0]),
    ],
    scale,
  )
  const major = (minor: number) => fromMinor(minor, currency) ?? 0
  const totals = settled.slice(0, lines.length)
  const charges = settled.slice(lines.length, lines.length + fees.length)
  const discounts = lines.map(({ gross }, index) =>
    gross === nets[index] ? 0 : Math.round(gross / scale) - totals[index]!,
  )
  return {
    lines: totals.map((total, index) => ({ total: major(total), discount: major(discounts[index]!) })),
    fees: charges.map((amount, index) => ({
      amount: major(amount),
      tax: major(Math.round((fees[index]!.inc - fees[index]!.ex) / scale)),
    })),
    shipping: major(settled[lines.length + fees.length]!),
    tax: tax === undefined ? undefined : major(included ? Math.round(tax / scale) : settled.at(-1)!),
    subtotal: major(sum(totals)),
    discount: major(sum(discounts)),
    feeTotal: major(sum(charges)),
  }
}
/** Whole multiples of the scale that make the rounded sum of the amounts. */
function settle(amounts: readonly number[], scale: number): number[] {
  const whole = amounts.map((amount) => Math.floor(amount / scale))
  const rests = amounts.map((amount, index) => amount - whole[index]! * scale)
  const more = distribute(Math.round(sum(rests) / scale), rests)
  return whole.map((amount, index) => amount + more[index]!)
}
