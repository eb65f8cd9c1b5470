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
