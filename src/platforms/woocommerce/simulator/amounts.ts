// Amounts as the plugin keeps them: decimals without an end, here integers of a millionth. Responses have two decimals.
const million = 1_000_000
const cent = 10_000

/** "8.264463" -> 8264463. */
export const amountOf = (value: unknown): number => Math.round(Number(value) * million)
export const ofCents = (cents: number): number => cents * cent
/** In cents. Half a cent goes away from zero, or towards it. */
export function centsOf(amount: number, half: 'away' | 'toward' = 'away'): number {
  const size = Math.abs(amount)
  const [whole, rest] = [Math.floor(size / cent), size % cent]
  const cents = whole + (rest > cent / 2 || (rest === cent / 2 && half === 'away') ? 1 : 0)
  return cents === 0 ? 0 : Math.sign(amount) * cents
}
/** Rounded to the cent. */
export const rounded = (amount: number, half?: 'away' | 'toward'): number => ofCents(centsOf(amount, half))
export const show = (amount: number): string => (centsOf(amount) / 100).toFixed(2)
/** A part of an amount, to the millionth. */
export const partOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
export const sumOf = <T>(rows: readonly T[], amount: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + amount(row), 0)
