// Queue times as counts in buckets: they can be added up over any period, and percentiles are estimated from them.

/** Upper bounds in milliseconds; the last bucket has none. */
const bounds = [0, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000] as const
export const waitColumns = [...bounds.map((bound) => `wait_to_${bound}`), 'wait_above'] as WaitColumn[]
export type WaitColumn = `wait_to_${(typeof bounds)[number]}` | 'wait_above'

export function waitColumnOf(milliseconds: number): WaitColumn {
  const index = bounds.findIndex((bound) => milliseconds <= bound)
  return waitColumns[index < 0 ? bounds.length : index] as WaitColumn
}

/** The queue time that this share of the requests did not exceed: exact for 0, otherwise interpolated in its bucket. */
export function waitPercentile(counts: readonly number[], share: number, longest: number): number {
  const total = counts.reduce((sum, value) => sum + value, 0)
  if (total === 0) return 0
  let left = share * total
  for (const [index, value] of counts.entries()) {
    if (value > 0 && left <= value) {
      const low = bounds[index - 1] ?? 0
      const high = Math.min(bounds[index] ?? longest, Math.max(longest, low))
      return Math.round(low + ((high - low) * left) / value)
    }
    left -= value
  }
  return longest
}
