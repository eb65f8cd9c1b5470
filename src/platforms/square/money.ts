import { unread } from '../../contract/unread.ts'
import { fromDecimal, fromMinor, toMinor } from '../../kit/money.ts'

export interface Money {
  amount?: number
  currency?: string
}
export const fromMoney = (money: Money | null | undefined): number | undefined =>
  fromMinor(money?.amount, money?.currency)
export const toMoney = (amount: number, currency: string, native: string): Money => ({
  amount: toMinor(amount, currency, native),
  currency,
})
/** In minor units, for sums; 0 where there is no amount. */
export function minorOf(money: Money | null | undefined): number {
  const amount = fromDecimal(money?.amount) ?? 0
  return Number.isSafeInteger(amount) ? amount : (unread(amount) ?? 0)
}
