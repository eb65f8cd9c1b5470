// When a request that failed is sent again: for the service that is busy or cannot be reached.
const delays = [500, 1_500, 4_000]
const longest = 15_000

/** Milliseconds until the next attempt; undefined when there is none, or the service asks for a longer wait than a user has patience for. */
export function retryDelay(failures: number, retryAfter?: string | null): number | undefined {
  const delay = delays[failures]
  if (delay === undefined) return undefined
  const asked = Number(retryAfter ?? 0) * 1_000
  if (asked > longest) return undefined
  // Spread, so that all parts of a page, and all open pages, do not come back at the same moment.
  return Math.max(delay, asked || 0) * (1 + Math.random() / 4)
}

/** Rejects as soon as the signal aborts. */
export const waitFor = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
