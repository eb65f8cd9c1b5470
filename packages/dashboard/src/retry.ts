// When a request that failed is sent again: for the service that is busy or cannot be reached.
const delays = [500, 1_500, 4_000]
const longest = 15_000

/** Milliseconds until the next attempt; undefined when there is none, or the service asks for a longer wait than a user has patience for. */
export function retryDelay(failures: number, retryAfterSeconds = 0): number | undefined {
  const delay = delays[failures]
  if (delay === undefined) return undefined
  const asked = retryAfterSeconds * 1_000
  if (asked > longest) return undefined
  // Spread, so that all parts of a page, and all open pages, do not come back at the same moment.
  return Math.max(delay, asked) * (1 + Math.random() / 4)
}
