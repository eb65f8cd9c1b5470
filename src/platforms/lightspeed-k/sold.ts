// What was sold, as lines of a sale and of an open check have it. Amounts have up to six decimals: they are added in
// millionths (micros), and rounded once for the whole order.
import type { Modifier } from '../../contract/entities/order.ts'
import { compact, flag, list, number, text } from '../../kit/fields.ts'
import { exponentOf, fromMinor } from '../../kit/money.ts'
import type { CheckLine, SaleLine } from './check.ts'

/** "8.333333" -> 8333333. */
export const micros = (value: unknown): number => Math.round((number(value) ?? 0) * 1e6)
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export interface Unit {
  currency: string
  micros: number // in the currency's minor unit
}
export const unitOf = (currency: string): Unit => ({ currency, micros: 10 ** (6 - exponentOf(currency)) })
const given = (value: unknown): boolean => value !== undefined && value !== null
/** Exact: `of` times `by`, divided by `from`. Halves go away from zero. */
export function scaled(of: number, by: number, from: number): number {
  const [product, divisor] = [BigInt(of) * BigInt(by), BigInt(from)]
  const half = product < 0n === divisor < 0n ? divisor / 2n : -divisor / 2n
  return Number((product + half) / divisor)
}
/** Halves go away from zero. */
export const rounded = (value: number, unit: Unit): number =>
  Math.sign(value) * Math.floor((Math.abs(value) + unit.micros / 2) / unit.micros)
export const major = (minor: number, { currency }: Unit): number => fromMinor(minor, currency)!
export const majorOf = (value: number, unit: Unit): number => major(rounded(value, unit), unit)
/**
 * Parts of a total in minor units. Each part is rounded down, and what is left goes to the largest remainders: a part
 * that has no remainder keeps its amount.
 */
export function apportion(parts: readonly number[], total: number, unit: Unit): number[] {
  const shares = parts.map((part) => Math.floor(part / unit.micros))
  const rests = parts.map((part, n) => part - shares[n]! * unit.micros)
  const left = total - sum(shares)
  const order = parts.map((_, n) => n).filter((n) => parts[n] !== 0)
  order.sort((a, b) => (left < 0 ? rests[a]! - rests[b]! : rests[b]! - rests[a]!) || a - b)
  for (let given = 0; given < Math.abs(left) && order.length > 0; given++)
    shares[order[given % order.length]!]! += Math.sign(left)
  return shares
}

export interface TaxPart {
  code?: string
  rate?: number
  amount: number
  base?: number
  included: boolean
}
interface DiscountPart {
  scope: 'LINE' | 'ORDER'
  name?: string
  amount: number
}
/** A line of either stage, with its sub-lines. All amounts in micros. */
export interface Sold {
  id?: string
  parent?: string
  sku?: string
  name?: string
  category?: string
  quantity: number
  price?: number // as listed
  amount: number // after discounts, on the basis of prices; a service charge may be in it
  charge: number
  isVoided: boolean
  taxes: TaxPart[]
  discounts: DiscountPart[]
  instructions: Modifier[]
  parts: Sold[]
}
export const all = (line: Sold): Sold[] => [line, ...line.parts.flatMap(all)]
export const totalOf = (lines: readonly Sold[], of: (line: Sold) => number): number => sum(lines.flatMap(all).map(of))
export const addedTax = ({ taxes }: Sold): number => sum(taxes.map(({ amount, included }) => (included ? 0 : amount)))
export const discountOf = ({ discounts }: Sold): number => sum(discounts.map(({ amount }) => amount))

/** "1.0875" -> 8.75, without the noise of a subtraction. */
export const percentOf = (multiplier: unknown): number | undefined => {
  const read = number(multiplier)
  return read === undefined ? undefined : (Math.round(read * 1e8) - 1e8) / 1e6
}
function taxesOf(line: SaleLine): TaxPart[] {
  const base = micros(line.totalNetAmountWithoutTax)
  const isOnly = list(line.taxLines).length === 1
  const taxes = list(line.taxLines).map(({ taxCode, taxRate, taxAmount, taxIncluded }) => ({
    code: text(taxCode),
    rate: percentOf(taxRate),
    amount: micros(taxAmount ?? (isOnly ? line.taxAmount : undefined)),
    base,
    included: flag(taxIncluded) !== false,
  }))
  if (taxes.length > 0 || !micros(line.taxAmount)) return taxes
  const rate = number(line.taxRatePercentage)
  return [{ code: text(line.taxCode), rate, amount: micros(line.taxAmount), base, included: true }]
}
/** The amount "with tax" is for prices that contain the taxes. */
export function soldLine(line: SaleLine): Sold {
  const taxes = taxesOf(line)
  const inPrice = sum(taxes.map(({ amount, included }) => (included ? amount : 0)))
  const isNet = taxes.some(({ included }) => !included) && given(line.totalNetAmountWithoutTax)
  const own = { scope: 'LINE', name: line.discountName ?? line.discountCode, amount: line.discountAmount } as const
  const shared = {
    scope: 'ORDER',
    name: line.accountDiscountName ?? line.accountDiscountCode,
    amount: line.accountDiscountAmount,
  } as const
  const told = [own, shared].filter(({ amount }) => given(amount))
  const discounts = told.length > 0 ? told : [{ ...own, amount: line.totalDiscountAmount }]
  return {
    id: text(line.id),
    parent: text(line.parentLineId),
    sku: text(line.sku),
    name: text(line.nameOverride) ?? text(line.name),
    category: text(line.accountingGroup?.accountingGroupId),
    quantity: micros(line.quantity),
    price: given(line.menuListPrice) ? micros(line.menuListPrice) : undefined,
    amount: isNet ? micros(line.totalNetAmountWithoutTax) + inPrice : micros(line.totalNetAmountWithTax),
    // It is in the amount with tax, and not in the one without.
    charge: micros(line.serviceCharge),
    isVoided: text(line.voidReason) !== undefined,
    taxes,
    discounts: discounts.map(({ scope, name, amount }) => ({ scope, name: text(name), amount: micros(amount) })),
    instructions: [],
    parts: [],
  }
}
/** Modifiers and the choices of combos are lines that name their main line. */
export function nested(lines: readonly Sold[]): Sold[] {
  const known = new Set(lines.map(({ id }) => id))
  const under = (id: string | undefined): Sold[] =>
    lines
      .filter((line) => line.parent === id && line.id !== id)
      .map((line) => ({ ...line, parts: line.id === undefined ? [] : under(line.id) }))
  return lines
    .filter(({ id, parent }) => parent === undefined || parent === id || !known.has(parent))
    .map((line) => ({ ...line, parts: line.id === undefined ? [] : under(line.id) }))
}
const isNothing = (line: Sold): boolean =>
  line.quantity === 0 && all(line).every((part) => part.amount === 0 && part.charge === 0 && addedTax(part) === 0)
const isAlike = (one: DiscountPart) => (other: DiscountPart) => one.scope === other.scope && one.name === other.name
function combined(line: Sold, other: Sold): Sold {
  const match = (part: Sold) => other.parts.find((candidate) => isSame(part, candidate))
  return {
    ...line,
    quantity: line.quantity + other.quantity,
    amount: line.amount + other.amount,
    charge: line.charge + other.charge,
    taxes: [...line.taxes, ...other.taxes],
    discounts: line.discounts.map((one) => ({
      ...one,
      amount: sum([one, ...other.discounts.filter(isAlike(one))].map(({ amount }) => amount)),
    })),
    parts: [
      ...line.parts.map((part) => {
        const found = match(part)
        return found ? combined(part, found) : part
      }),
      ...other.parts.filter((part) => !line.parts.some((candidate) => isSame(candidate, part))),
    ].filter((part) => !isNothing(part)),
  }
}
const isSame = (line: Sold, other: Sold): boolean =>
  line.sku === other.sku && line.name === other.name && line.price === other.price
/** A line that is taken off a check is a second line with the opposite quantity. What is left is what was sold. */
export function withoutVoids(lines: readonly Sold[]): Sold[] {
  const left: Sold[] = []
  for (const line of lines) {
    const at =
      line.quantity < 0
        ? left.findIndex((sold) => isSame(sold, line) && sold.quantity > 0 && sold.quantity + line.quantity >= 0)
        : -1
    const rest = at < 0 ? undefined : combined(left[at]!, line)
    if (rest && (rest.quantity > 0 || isNothing(rest))) left.splice(at, 1, ...(isNothing(rest) ? [] : [rest]))
    else if (!isNothing(line)) left.push(line)
  }
  return left
}

/** Amounts are numbers, or strings in the examples of webhooks. There are no codes of taxes and no groups. */
export function checkLine(line: CheckLine): Sold {
  const included = flag(line.taxIncluded) !== false
  const [gross, net] = [micros(line.amountWithTax), micros(line.amountLessTax)]
  const hasNet = given(line.amountLessTax)
  return {
    id: text(line.id),
    sku: text(line.itemSku),
    name: text(line.itemName),
    quantity: micros(line.quantity),
    price: given(line.unitAmount) ? micros(line.unitAmount) : undefined,
    amount: included || !hasNet ? gross : net,
    charge: 0,
    isVoided: false,
    taxes: hasNet ? [{ amount: gross - net, included }] : [],
    discounts: [{ scope: 'LINE', amount: micros(line.discountedAmount) }],
    instructions: list(line.modifiers).map(({ name, quantity }) =>
      compact({ name: text(name), quantity: number(quantity) }),
    ),
    parts: list(line.subLineItems)
      .filter(({ active }) => active !== false)
      .map(checkLine),
  }
}
