// What lines and accounts cost, by the vendor's rules: lines have six decimals, and their sum is rounded once, half to
// even. All of it in millionths (micros) and cents, as integers.
import type { Account, Line } from './world.ts'

const million = 1_000_000n
export const microsPerCent = 10_000
/** Halves go away from zero. */
function divided(value: bigint, by: bigint): number {
  const half = value < 0n ? -by / 2n : by / 2n
  return Number((value + half) / by)
}
const share = (micros: number, ppm: number): number => divided(BigInt(micros) * BigInt(ppm), million)
export function centsOf(micros: number): number {
  const floor = Math.floor(micros / microsPerCent)
  const rest = micros - floor * microsPerCent
  if (rest * 2 === microsPerCent) return floor + Math.abs(floor % 2)
  return rest * 2 > microsPerCent ? floor + 1 : floor
}
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Quantity times price, less all discounts. */
export const baseOf = ({ unit, quantity, discount, accountDiscount }: Line): number =>
  unit * quantity * 10 - (discount + accountDiscount) * microsPerCent
/** A service charge has two decimals. */
export const chargeOf = (line: Line): number => centsOf(share(baseOf(line), line.chargePpm)) * microsPerCent
const included = (line: Line) => line.taxes.filter((tax) => tax.included)
/** Before all taxes. The service charge is not in it. */
export function netOf(line: Line): number {
  const rates = million + BigInt(sum(included(line).map(({ ppm }) => ppm)))
  return divided(BigInt(baseOf(line)) * million, rates)
}
/** The last of the taxes in the price is what the others leave. */
export function taxAmounts(line: Line): number[] {
  const net = netOf(line)
  let left = baseOf(line) - net
  const last = included(line).at(-1)
  return line.taxes.map((tax) => {
    if (!tax.included) return share(net, tax.ppm)
    const amount = tax === last ? left : share(net, tax.ppm)
    left -= amount
    return amount
  })
}
export const addedTaxOf = (line: Line): number => {
  const amounts = taxAmounts(line)
  return sum(line.taxes.map((tax, index) => (tax.included ? 0 : amounts[index]!)))
}
/** What the guest pays for a line. */
export const costOf = (line: Line): number => baseOf(line) + chargeOf(line) + addedTaxOf(line)
/** In cents. */
export const dueOf = ({ lines }: Pick<Account, 'lines'>): number => centsOf(sum(lines.map(costOf)))
