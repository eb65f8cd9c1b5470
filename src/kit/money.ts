// Amounts: unified records hold numbers in major units, exact to the currency's exponent; platforms hold minor units or
// decimal strings.
import { currencyExponents } from '../contract/currency.ts'
import { refusal } from './errors.ts'
import { number } from './fields.ts'

export const isCurrency = (code: unknown): code is string =>
  typeof code === 'string' && Object.hasOwn(currencyExponents, code)

/**
 * Decimals of a currency; 2 for a code that ISO 4217 does not know, because an unusual code must not make a record
 * unreadable.
 */
export const exponentOf = (currency: string | undefined): number =>
  currency !== undefined && isCurrency(currency) ? currencyExponents[currency]! : 2

const noMinusZero = (value: number): number => (value === 0 ? 0 : value)

/**
 * 19.99 USD -> 1999. An amount finer than the currency is rejected, never rounded; `native` names the vendor's field in
 * the error.
 */
export function toMinor(amount: number, currency: string, native = 'amount'): number {
  return noMinusZero(Math.round(exactly(amount, currency, native) * 10 ** exponentOf(currency)))
}
/** 1999 USD -> 19.99. Takes integers as numbers or strings; undefined for anything else. */
export function fromMinor(minor: unknown, currency: string | undefined): number | undefined {
  const value = fromDecimal(minor)
  return value === undefined ? undefined : noMinusZero(value / 10 ** exponentOf(currency))
}
/** "19.9900" -> 19.99. Takes numbers too; undefined for anything that is not a number. */
export function fromDecimal(value: unknown): number | undefined {
  const read = number(value)
  return read === undefined ? undefined : noMinusZero(read)
}
/** 19.9 USD -> "19.90". An amount finer than the currency is rejected, never rounded. */
export function toDecimal(amount: number, currency: string, native = 'amount'): string {
  return noMinusZero(exactly(amount, currency, native)).toFixed(exponentOf(currency))
}
/** Removes float noise and excess decimals of a computed amount; halves go away from zero. */
export function roundMoney(amount: number, currency: string | undefined): number {
  const exponent = exponentOf(currency)
  const size = Math.abs(amount)
  if (size < 1e-6) return 0 // would print with an exponent of its own
  const rounded = Number(`${Math.round(Number(`${Number(size.toPrecision(15))}e${exponent}`))}e-${exponent}`)
  return noMinusZero(Math.sign(amount) * rounded)
}
export const sumMoney = (amounts: readonly (number | undefined)[], currency: string | undefined): number =>
  roundMoney(
    amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    currency,
  )

function exactly(amount: number, currency: string, native: string): number {
  const exponent = exponentOf(currency)
  if (Number(amount.toFixed(exponent)) !== amount)
    throw refusal(native, `${amount} is finer than ${currency} allows (${exponent} decimals)`)
  return amount
}

/**
 * Parts of an amount in proportion to weights, in minor units. They add up to it: what rounding leaves goes to the largest
 * remainders, the first of equal ones. Without any weight the first part gets all.
 */
export function distribute(minor: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (all === 0n) return weights.map((_, n) => (n === 0 ? minor : 0))
  const shares = weights.map((weight, n) => {
    const product = BigInt(minor) * BigInt(weight)
    const whole = product / all
    const rest = product - whole * all
    return { n, whole, rest: rest < 0n ? -rest : rest }
  })
  const left = BigInt(minor) - shares.reduce((sum, { whole }) => sum + whole, 0n)
  const step = left < 0n ? -1n : 1n
  const next = [...shares].sort((a, b) => (b.rest > a.rest ? 1 : b.rest < a.rest ? -1 : a.n - b.n))
  for (let given = 0; given < Math.abs(Number(left)); given++)
    (next[given % next.length] as { whole: bigint }).whole += step
  return shares.map(({ whole }) => Number(whole))
}
/** Quantity times price in minor units, exact: half units go away from zero. The quantity has at most 6 decimals. */
export function timesMinor(quantity: number, minor: number): number {
  const product = BigInt(Math.round(quantity * 1e6)) * BigInt(minor)
  const half = product < 0n ? -500_000n : 500_000n
  return noMinusZero(Number((product + half) / 1_000_000n))
}
