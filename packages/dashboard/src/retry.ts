// Retry delays for a service that is busy or unreachable.
const delays = [500, 1_500, 4_000]
const longest = 15_000

/** Milliseconds until the next attempt; undefined after the last one, or if Retry-After is too long to wait for. */
export function retryDelay(failures: number, retryAfterSeconds = 0): number | undefined {
  const delay = delays[failures]
  if (delay === undefined) return undefined
  const asked = retryAfterSeconds * 1_000
  if (asked > longest) return undefined
  // Jitter, so that all parts of a page and all open pages do not retry at the same moment.
  return Math.max(delay, asked) * (1 + Math.random() / 4)
}
