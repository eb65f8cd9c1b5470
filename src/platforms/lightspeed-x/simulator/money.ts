// Amounts have five decimals; sums and products are made of integers.
const unit = 100_000
const units = (amount: number): number => Math.round(amount * unit)
const amountOf = (count: number): number => (count === 0 ? 0 : count / unit)

export const five = (amount: number): number => amountOf(units(amount))
export const sumOf = (amounts: readonly number[]): number =>
  amountOf(amounts.reduce((sum, amount) => sum + units(amount), 0))
/** Half units go away from zero. */
export function times(quantity: number, amount: number): number {
  const product = BigInt(units(quantity)) * BigInt(units(amount))
  const half = BigInt(product < 0n ? -unit : unit) / 2n
  return amountOf(Number((product + half) / BigInt(unit)))
}
/** What can be paid: whole cents. */
export const centsOf = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(units(amount)) / 1000)
export const paid = (cents: number): number => (cents === 0 ? 0 : cents / 100)
/** Parts of an amount by their weights; the last one gets what is left. */
export function parts(amount: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const first = weights.slice(0, -1).map((weight) => (all === 0 ? 0 : five((amount * weight) / all)))
  return weights.length === 0 ? [] : [...first, sumOf([amount, ...first.map((part) => -part)])]
}
