// Waits that end when the caller's signal aborts, without leaving listeners on it.

/** Runs the work with a signal that follows the caller's and can also be aborted separately. */
export async function withSignal<T>(
  outer: AbortSignal | undefined,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller)
  } finally {
    outer?.removeEventListener('abort', follow)
  }
}

/** The promise, or the caller's abort if that comes first. The promise itself continues for others. */
export const orAbort = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  withSignal(
    signal,
    (controller) =>
      new Promise<T>((resolve, reject) => {
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
        promise.then(resolve, reject)
      }),
  )

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  return orAbort(
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    }),
    signal,
  ).finally(() => clearTimeout(timer))
}

/** Seconds, from a number or a date, relative to the server's clock if the response has a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const until = Date.parse(value)
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now) / 1000)
}

/** Exponential backoff with jitter, so that callers that failed together do not retry together. */
export const backoffMs = (attempt: number, retryAfter: number | undefined): number =>
  retryAfter === undefined
    ? Math.min(8000, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
    : retryAfter * 1000 * (1 + Math.random() / 10)
