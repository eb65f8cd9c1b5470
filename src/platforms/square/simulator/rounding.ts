// Exact arithmetic with amounts in minor units. Square rounds half to even:
// https://developer.squareup.com/docs/orders-api/price-adjustments
interface Fraction {
  over: bigint
  under: bigint
}
const fraction = (text: string): Fraction => {
  const [whole = '0', rest = ''] = text.split('.')
  return { over: BigInt(whole + rest), under: 10n ** BigInt(rest.length) }
}
const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
})
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under })
const divided = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under, under: a.under * b.over })
const whole = (amount: number): Fraction => ({ over: BigInt(amount), under: 1n })
const hundred = whole(100)

function rounded({ over, under }: Fraction): number {
  const size = over < 0n ? -over : over
  const floor = size / under
  const twice = (size % under) * 2n
  const up = twice > under || (twice === under && floor % 2n === 1n)
  return Number(floor + (up ? 1n : 0n)) * (over < 0n ? -1 : 1) || 0
}

/** An amount times decimals, such as a price times a quantity. */
export const product = (amount: number, ...factors: readonly string[]): number =>
  rounded(factors.reduce((result, factor) => times(result, fraction(factor)), whole(amount)))
export const percentOf = (amount: number, percentage: string): number =>
  rounded(divided(times(whole(amount), fraction(percentage)), hundred))

/** A percentage of an amount that may contain some: 10 % within 1.10 are 0.10. */
export interface Part {
  of: number
  percentage: string
  within: readonly string[]
}
const exactly = ({ of, percentage, within }: Part): Fraction =>
  divided(
    times(whole(of), fraction(percentage)),
    within.reduce((sum, one) => plus(sum, fraction(one)), hundred),
  )
/** The parts together, rounded once. */
export const halfEven = (parts: readonly Part[]): number =>
  rounded(parts.reduce((sum, part) => plus(sum, exactly(part)), whole(0)))
/** The parts together, rounded once, and divided among them. */
halfEven.shared = (parts: readonly Part[]): number[] =>
  portions(
    halfEven(parts),
    parts.map(({ of }) => of),
  )

/** Divides an amount by weight; the largest remainders get what is left, the first of equal ones. */
export function portions(amount: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (all === 0n) return weights.map(() => 0)
  const shares = weights.map((weight, index) => {
    const exact = BigInt(amount) * BigInt(weight)
    return { index, share: exact / all, rest: exact % all }
  })
  const left = Number(BigInt(amount) - shares.reduce((sum, { share }) => sum + share, 0n))
  const first = shares.toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const one of first.slice(0, left)) one.share += 1n
  return shares.map(({ share }) => Number(share))
}
