// What an order of Toast says of the tax rates that were applied to its lines and charges.
import type { Tax } from '../../contract/entities/order.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { minorOf, sum } from './api.ts'

export interface NativeTax {
  taxRate?: { guid?: string | null } | null
  name?: string | null
  rate?: number | null
  taxAmount?: number | null
  type?: string | null
  facilitatorCollectAndRemitTax?: boolean | null
}

/** Toast's prices are without taxes, also where the menu's are not. */
export function toTax(tax: NativeTax, base: number | undefined, currency: string | undefined): Tax {
  const rate = number(tax.rate)
  return {
    taxRateExternalId: text(tax.taxRate?.guid),
    name: text(tax.name),
    rate: rate === undefined || text(tax.type) === 'FIXED' ? undefined : Number((rate * 100).toFixed(6)),
    amount: fromMinor(minorOf(tax.taxAmount, currency), currency),
    base: fromMinor(base, currency),
    included: false,
    remittedByMarketplace: flag(tax.facilitatorCollectAndRemitTax),
  }
}
/** One entry for each tax. */
export function grouped(taxes: readonly Tax[], currency: string | undefined): Tax[] {
  const keyOf = ({ amount: _, base: __, ...rest }: Tax) => JSON.stringify(rest)
  const total = (amounts: (number | undefined)[]) =>
    fromMinor(sum(amounts.map((amount) => minorOf(amount, currency))), currency)
  return [...Map.groupBy(taxes, keyOf).values()].map((same) => ({
    ...same[0]!,
    amount: total(same.map(({ amount }) => amount)),
    base: total(same.map(({ base }) => base)),
  }))
}
