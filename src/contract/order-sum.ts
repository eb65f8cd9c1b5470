// The sum rule of orders: lines, charges and taxes make the total, to the minor unit.
import { currencyExponents } from './currency.ts'
import type { Flaw } from './define-entity.ts'

interface Line {
  quantity?: number
  unitPrice?: number
  lineDiscount?: number
  lineTotal?: number
}
interface Sums {
  currencyCode?: string
  total?: number
  taxTotal?: number
  taxIncluded?: boolean
  taxes?: readonly { amount?: number; included?: boolean }[]
  serviceChargeTotal?: number
  shippingTotal?: number
  roundingTotal?: number
  tipTotal?: number
  tipIncluded?: boolean
  lineItems?: readonly Line[]
}

const exponentOf = (currency: string | undefined): number => currencyExponents[String(currency)] ?? 4
/** 19.99 USD -> 1999. Exact: the text of a number that is no finer than the unit has all of its digits. */
const minorOf = (amount: number | undefined, exponent: number): number =>
  amount === undefined ? 0 : Number(amount.toFixed(exponent).replace('.', ''))

/** The amount of a line, which may have no total of its own. A quantity may have decimals: half units go away from zero. */
function lineMinor({ quantity = 0, unitPrice, lineDiscount, lineTotal }: Line, exponent: number): number {
  if (lineTotal !== undefined) return minorOf(lineTotal, exponent)
  const [price, times] = [minorOf(unitPrice, exponent), Math.round(quantity * 1e6)]
  const product = BigInt(price) * BigInt(times)
  const half = product < 0n ? -500_000n : 500_000n
  return Number((product + half) / 1_000_000n) - minorOf(lineDiscount, exponent)
}

/** The taxes that come on top of the prices. */
function addedTaxes({ taxIncluded, taxTotal, taxes }: Sums, exponent: number): number {
  if (taxIncluded === true) return 0
  if (taxIncluded === false || !taxes) return minorOf(taxTotal, exponent)
  return taxes.reduce((sum, { amount, included }) => sum + (included ? 0 : minorOf(amount, exponent)), 0)
}

/** The sum of the parts of an order, in minor units. */
function sumOf(order: Sums, exponent: number): number {
  const lines = (order.lineItems ?? []).reduce((sum, line) => sum + lineMinor(line, exponent), 0)
  return (
    lines +
    minorOf(order.serviceChargeTotal, exponent) +
    minorOf(order.shippingTotal, exponent) +
    minorOf(order.roundingTotal, exponent) +
    (order.tipIncluded ? minorOf(order.tipTotal, exponent) : 0) +
    addedTaxes(order, exponent)
  )
}
/** The total that the parts of an order make. */
export function totalOf(order: object): number {
  const exponent = exponentOf((order as Sums).currencyCode)
  return Number(majorOf(sumOf(order as Sums, exponent), exponent))
}
const majorOf = (minor: number, exponent: number): string => {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  return `${minor < 0 ? '-' : ''}${whole}${exponent > 0 ? `.${digits.slice(-exponent)}` : ''}`
}

/** An order without a total says nothing that could be wrong. */
export const orderFlaw: Flaw = (record) => {
  const order = record as Sums
  if (order.total === undefined) return undefined
  const exponent = exponentOf(order.currencyCode)
  const sum = sumOf(order, exponent)
  const difference = minorOf(order.total, exponent) - sum
  if (difference === 0) return undefined
  const currency = order.currencyCode ? ` ${order.currencyCode}` : ''
  return {
    code: 'does_not_add_up',
    pointer: '/total',
    message: `Lines, charges and taxes make ${majorOf(sum, exponent)}${currency}; the total of the platform differs by ${majorOf(difference, exponent)}.`,
  }
}
