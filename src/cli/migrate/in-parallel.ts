/** So many calls are under way at once: enough to fill the target's limit in spite of the time that each takes. */
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
  // All have ended before the error is told: none goes on writing behind it.
  for (const result of await Promise.allSettled(workers)) if (result.status === 'rejected') throw result.reason
}
