import { describe, expect, it } from 'vitest'
import { currencyExponents } from '../contract/currency.ts'
import { exponentOf, fromDecimal, fromMinor, isCurrency, roundMoney, sumMoney, toDecimal, toMinor } from './money.ts'

describe('money', () => {
  it('knows the exponent of every current currency', () => {
    expect(Object.keys(currencyExponents).length).toBeGreaterThan(165)
    expect(['JPY', 'USD', 'KWD', 'CLF', 'UYW', 'ISK', 'TND'].map(exponentOf)).toEqual([0, 2, 3, 4, 4, 0, 3])
  })
  it('takes only real upper-case codes for currencies', () => {
    expect(['USD', 'usd', 'XYZ', 'toString', '', undefined].map(isCurrency)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
  it('turns every cent amount into minor units and back without noise', () => {
    const amounts = Array.from({ length: 40_001 }, (_, index) => index - 20_000)
    expect(amounts.filter((minor) => !Object.is(toMinor(fromMinor(minor, 'USD')!, 'USD'), minor))).toEqual([])
    expect(fromMinor(1999, 'USD')).toBe(19.99)
    expect(fromMinor('1999', 'JPY')).toBe(1999)
    expect(toMinor(1_000_000_000_000, 'KWD')).toBe(1_000_000_000_000_000)
  })
  it('refuses an amount finer than the currency instead of rounding it', () => {
    expect(() => toMinor(19.999, 'USD', 'price_money')).toThrow('finer than USD')
    expect(() => toMinor(0.5, 'JPY')).toThrow('finer than JPY')
    expect(() => toDecimal(0.0001, 'KWD')).toThrow('finer than KWD')
  })
  it('reads and writes decimal strings', () => {
    expect(['19.9900', '-0.00', ' 7 ', '.5', 12.5].map(fromDecimal)).toEqual([19.99, 0, 7, 0.5, 12.5])
    expect(['', 'abc', '1e3', '1,5', null, undefined, Number.NaN].map(fromDecimal)).toEqual(Array(7).fill(undefined))
    expect([toDecimal(19.9, 'USD'), toDecimal(5, 'JPY'), toDecimal(-1.5, 'KWD')]).toEqual(['19.90', '5', '-1.500'])
  })
  it('rounds computed amounts half away from zero', () => {
    expect([1.005, -1.005, 19.990000000000002, 2.5, 1e-9].map((amount) => roundMoney(amount, 'USD'))).toEqual([
      1.01, -1.01, 19.99, 2.5, 0,
    ])
    expect(roundMoney(2.5, 'JPY')).toBe(3)
    expect(sumMoney([0.1, 0.2, undefined], 'USD')).toBe(0.3)
  })
})
