/** Concurrent calls: enough to use the target's rate limit despite their latency. */
const width = 4

export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  let failed = false
  const workers = Array.from({ length: width }, async () => {
    for (const item of queue) {
      if (failed) return
      await work(item).catch((error) => {
        failed = true
        throw error
      })
    }
  })
  // All calls have ended before the error is reported: none continues to write after it.
  for (const result of await Promise.allSettled(workers)) if (result.status === 'rejected') throw result.reason
}
