import { expect, it } from 'vitest'
import { waitColumnOf, waitColumns, waitPercentile } from './wait-buckets.ts'

it('estimates percentiles of queue times from counts, never above the longest', () => {
  const percentiles = (waits: readonly number[]) => {
    const counts = waitColumns.map((column) => waits.filter((wait) => waitColumnOf(wait) === column).length)
    const longest = Math.max(0, ...waits)
    return [0.5, 0.95].map((share) => waitPercentile(counts, share, longest))
  }
  expect(percentiles([])).toEqual([0, 0])
  expect(percentiles([0, 0, 0, 0])).toEqual([0, 0])
  expect(percentiles([0, 0, 0, 45_000])).toEqual([0, 42_000])
  expect(percentiles([4, 4])).toEqual([2, 4])
  const [half = 0, most = 0] = percentiles(Array.from({ length: 100 }, (_, index) => index * 10))
  expect(half).toBeGreaterThan(300)
  expect(half).toBeLessThan(700)
  expect(most).toBeGreaterThan(900)
  expect(most).toBeLessThanOrEqual(990)
})
