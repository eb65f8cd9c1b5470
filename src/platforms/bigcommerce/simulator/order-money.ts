// What an order costs, in whole ten-thousandths. With prices without tax, `_ex_tax` amounts are exact and the tax is on
// what remains after discounts; with prices with tax, `_inc_tax` amounts are exact and the tax is a part of them:
// https://developer.bigcommerce.com/docs/rest-management/orders (is_tax_inclusive_pricing, discounted_total_inc_tax).
import type { StoredCost, StoredLine, StoredOrder } from './world.ts'

/** Two taxes on everything: hundredths of a percent. */
export const taxRates = [
  { id: 1, name: 'State tax', rate: 625 },
  { id: 2, name: 'City tax', rate: 200 },
] as const
const rateSum = taxRates.reduce((sum, { rate }) => sum + rate, 0)

/** The smallest amount that can be paid. */
const stepOf = (currency: string): number => (currency === 'JPY' ? 10_000 : 100)
const rounded = (amount: number, step: number): number => Math.round(amount / step) * step

interface Basis {
  inclusive: boolean
  currency: string
}
const taxesIn = (amount: number, { inclusive, currency }: Basis): number[] =>
  taxRates.map(({ rate }) => rounded((amount * rate) / (inclusive ? 10_000 + rateSum : 10_000), stepOf(currency)))
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** A cost with its tax, as shipping has it. */
export function costOf(price: number, basis: Basis): StoredCost {
  const tax = sum(taxesIn(price, basis))
  return basis.inclusive ? { ex: price - tax, inc: price } : { ex: price, inc: price + tax }
}
/** The prices of one unit have four decimals. */
function pricesOf({ price, set, untaxed }: StoredLine, { inclusive }: Basis): StoredCost {
  if (set) return set
  if (untaxed) return { ex: price, inc: price }
  return inclusive
    ? { ex: Math.round((price * 10_000) / (10_000 + rateSum)), inc: price }
    : { ex: price, inc: Math.round((price * (10_000 + rateSum)) / 10_000) }
}

/** A discount on the order is distributed by price; the last line gets the rounding difference. */
function sharesOf(amount: number, weights: readonly number[], step: number): number[] {
  const all = sum(weights)
  const parts = weights.map((weight) => (all ? rounded((amount * weight) / all, step) : 0))
  const last = weights.findLastIndex((weight) => weight > 0)
  return parts.map((part, index) => (index === last ? amount - sum(parts.filter((_, n) => n !== last)) : part))
}

export interface LineMoney {
  price: StoredCost
  total: StoredCost // before discounts
  discounts: { promotion: number; manual: number; coupon: number }
  taxes: readonly number[] // by tax rate; one amount if a client has set the prices
  tax: number
  paid: number // discounted_total_inc_tax
  wrapping: StoredCost
}
export interface OrderMoney {
  lines: readonly LineMoney[]
  subtotal: StoredCost & { tax: number }
  shipping: StoredCost
  handling: StoredCost
  wrapping: StoredCost
  discount: number
  coupon: number
  total: StoredCost
}
const none: StoredCost = { ex: 0, inc: 0 }
const sumOf = (costs: readonly StoredCost[]): StoredCost => ({
  ex: sum(costs.map(({ ex }) => ex)),
  inc: sum(costs.map(({ inc }) => inc)),
})

export function moneyOf(order: StoredOrder): OrderMoney {
  const step = stepOf(order.currency)
  const gross = order.lines.map(
    (line) => pricesOf(line, order)[order.inclusive ? 'inc' : 'ex'] * line.quantity - (line.promotion?.amount ?? 0),
  )
  const manual = sharesOf(Math.min(order.discount, sum(gross)), gross, step)
  const coupon = sharesOf(Math.min(order.coupon?.amount ?? 0, sum(gross) - sum(manual)), gross, step)
  const lines = order.lines.map((line, n) => lineMoney(order, line, manual[n] ?? 0, coupon[n] ?? 0))
  const [shipping, handling] = [order.shipping ?? none, order.handling ?? none]
  const wrapping = sumOf(lines.map((line) => line.wrapping))
  const subtotal = sumOf([...lines.map(({ total }) => total), ...order.fees])
  const costs = sumOf([shipping, handling, wrapping])
  const tax = sum([...lines.map((line) => line.tax), ...order.fees.map(({ ex, inc }) => inc - ex)])
  const all = rounded(tax + costs.inc - costs.ex, step)
  const discount = sum(lines.map(({ discounts }) => discounts.promotion + discounts.manual))
  const reduced = sum(lines.map(({ discounts }) => discounts.coupon))
  const taken = discount + reduced
  const exact = rounded(order.inclusive ? subtotal.inc + costs.inc - taken : subtotal.ex + costs.ex - taken, step)
  const total = order.inclusive ? { ex: exact - all, inc: exact } : { ex: exact, inc: exact + all }
  return {
    ...{ lines, shipping, handling, wrapping, discount, coupon: reduced },
    subtotal: { ...subtotal, tax },
    total: order.totals ?? total,
  }
}

function lineMoney(order: StoredOrder, line: StoredLine, manual: number, coupon: number): LineMoney {
  const price = pricesOf(line, order)
  const total = { ex: price.ex * line.quantity, inc: price.inc * line.quantity }
  const discounts = { promotion: line.promotion?.amount ?? 0, manual, coupon }
  const left = (order.inclusive ? total.inc : total.ex) - sum(Object.values(discounts))
  const taxes = line.set
    ? [rounded(total.inc - total.ex, stepOf(order.currency))]
    : line.untaxed
      ? []
      : taxesIn(left, order)
  const tax = sum(taxes)
  return {
    ...{ price, total, discounts, taxes, tax },
    paid: order.inclusive ? left : left + tax,
    wrapping: line.wrapping ? costOf(line.wrapping.price, order) : none,
  }
}
