// Readers that wait for changes of an account. They hold no database connection.
import type { ChangeStore } from '../store/changes.ts'

export interface Waiter {
  /** Resolves at the next wake, also at one since the last call; after `milliseconds` at the latest; or when the signal aborts. */
  next(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
  end(): void
}

/** One subscription for all of them, while there are any. */
export function createWaiters({ subscribe }: Pick<ChangeStore, 'subscribe'>): (accountId: string) => Waiter {
  const waiting = new Map<string, Set<() => void>>()
  let unsubscribe: (() => void) | undefined
  const wake = (accountId: string) => {
    for (const tell of waiting.get(accountId) ?? []) tell()
  }
  return (accountId) => {
    let woken = false
    let resume: (() => void) | undefined
    const tell = () => {
      woken = true
      resume?.()
    }
    const others = waiting.get(accountId) ?? new Set()
    waiting.set(accountId, others.add(tell))
    unsubscribe ??= subscribe(wake)
    return {
      async next(milliseconds, signal) {
        if (!woken && !signal?.aborted)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(() => resume?.(), milliseconds)
            resume = () => {
              clearTimeout(timer)
              signal?.removeEventListener('abort', resume as () => void)
              resume = undefined
              resolve()
            }
            signal?.addEventListener('abort', resume, { once: true })
          })
        woken = false
      },
      end() {
        others.delete(tell)
        if (others.size > 0) return
        waiting.delete(accountId)
        if (waiting.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
      },
    }
  }
}
