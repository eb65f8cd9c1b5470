// The tax rates of the shop, and what is due at a place. Of each priority, one rate applies; a compound one is on the
// price and the other taxes.
import { partOf, sumOf } from './amounts.ts'
import type { Address, TaxRate, TaxShare, World } from './world.ts'

const rate = (id: number, state: string, name: string, percent: string, more: Partial<TaxRate> = {}): TaxRate => ({
  id,
  country: 'CA',
  state,
  name,
  rate: percent,
  priority: 1,
  compound: false,
  shipping: true,
  order: id - 1,
  class: 'standard',
  ...more,
})
export const seedTaxRates = (world: World): void => {
  for (const one of [
    rate(1, 'ON', 'HST', '13.0000'),
    rate(2, 'QC', 'GST', '5.0000'),
    rate(3, 'QC', 'QST', '9.9750', { priority: 2, compound: true }),
    rate(4, 'BC', 'GST', '5.0000'),
    rate(5, 'BC', 'PST', '7.0000', { priority: 2, shipping: false }),
    rate(6, '', 'GST (reduced)', '2.5000', { class: 'reduced-rate' }),
  ])
    world.taxRates.set(String(one.id), one)
}

/** Of the shipping address; without one, of the shop itself. */
export function ratesAt(world: World, { country, state }: Address): TaxRate[] {
  const place = country ? { country, state } : { country: 'CA', state: 'ON' }
  return world.taxRates.filter(
    (one) => one.class === 'standard' && one.country === place.country && (!one.state || one.state === place.state),
  )
}
/** 13.0000 -> 130000, of a million. */
const ofMillion = ({ rate: percent }: TaxRate): number => Math.round(Number(percent) * 10_000)
const whole = 1_000_000
const taxOn = (amount: number, percent: number): number => {
  const [size, tax] = [Math.abs(amount), BigInt(Math.abs(amount)) * BigInt(percent)]
  return size === 0 ? 0 : Math.sign(amount) * Number((tax + BigInt(whole / 2)) / BigInt(whole))
}
export function taxesOn(amount: number, rates: readonly TaxRate[]): TaxShare[] {
  const simple = rates.filter(({ compound }) => !compound)
  const regular = simple.map((one) => ({ rate: one.id, amount: taxOn(amount, ofMillion(one)) }))
  const base = amount + sumOf(regular, (share) => share.amount)
  const compound = rates.filter((one) => one.compound)
  return [...regular, ...compound.map((one) => ({ rate: one.id, amount: taxOn(base, ofMillion(one)) }))]
}
/** The price without the taxes that are in it. */
export function withoutTaxes(price: number, rates: readonly TaxRate[]): number {
  const taxes = sumOf(taxesOn(whole, rates), ({ amount }) => amount)
  return partOf(price, whole, whole + taxes)
}
export const rateCode = ({ country, state, name, priority }: TaxRate): string =>
  [country, state, name.toUpperCase(), priority].filter((part) => part !== '').join('-')
