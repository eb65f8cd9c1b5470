// The platform's clock, as the `Date` headers of its responses show it. One header has whole seconds, and was written at
// some time between request and response; several together leave a narrower range.
import { BoundedMap } from '../../base/bounded-map.ts'

/** One response. Milliseconds since 1970. */
export interface DateSample {
  date: number // the platform's, cut to seconds
  sent: number // on our clock, as the next one
  received: number
}
/** How far the platform's clock is ahead of ours, in milliseconds. */
export interface ClockBounds {
  least: number
  most: number
  at: number // of the last response that counts, on our clock
}
export interface PlatformClocks {
  /** Undefined if the response does not tell: it has no date, or comes from a cache. */
  learn(accountId: string, headers: Record<string, string>, times: Omit<DateSample, 'date'>): DateSample | undefined
  /** Undefined while nothing is known. */
  bounds(accountId: string): ClockBounds | undefined
}
/** Clocks drift and are set: older bounds do not narrow newer ones. */
const periodMs = 600_000

export function createPlatformClocks(maxAccounts = 5000): PlatformClocks {
  const accounts = new BoundedMap<string, ClockBounds & { since: number }>(maxAccounts)
  return {
    learn(accountId, headers, { sent, received }) {
      const date = Date.parse(headers.date ?? '')
      if (Number.isNaN(date) || Number(headers.age ?? 0) > 0) return undefined
      const sample = { least: date - received, most: date + 1000 - sent, at: received }
      const known = accounts.get(accountId)
      const before = known && received >= known.since && received - known.since < periodMs ? known : undefined
      const least = Math.max(sample.least, before?.least ?? sample.least)
      const most = Math.min(sample.most, before?.most ?? sample.most)
      // If nothing is left that both allow, a clock was set.
      const agreed = before && least <= most ? { least, most, since: before.since } : { ...sample, since: received }
      accounts.set(accountId, { ...agreed, at: received })
      return { date, sent, received }
    },
    bounds(accountId) {
      const known = accounts.get(accountId)
      return known && { least: known.least, most: known.most, at: known.at }
    },
  }
}
