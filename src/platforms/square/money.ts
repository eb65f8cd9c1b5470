import { fromMinor, toMinor } from '../../kit/money.ts'

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
