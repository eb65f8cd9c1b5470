// Tells readers of the log and workers that an account has news. Nothing depends on it: all of them also look by
// themselves.
import type { QueryExecutorProvider } from 'kysely'

export interface ChangeWakes {
  /** Inside of the transaction. */
  committing(db: QueryExecutorProvider, accountId: string): Promise<void>
  /** After the commit. */
  committed(accountId: string): void
  subscribe(listener: (accountId: string) => void): () => void
}

export interface Listeners {
  subscribe: ChangeWakes['subscribe']
  tell(accountId: string): void
}
/** `start` is called with the first listener. */
export function createListeners(start: () => void): Listeners {
  const listeners = new Set<(accountId: string) => void>()
  return {
    subscribe(listener) {
      const ownListener = (accountId: string) => listener(accountId)
      listeners.add(ownListener)
      if (listeners.size === 1) start()
      return () => void listeners.delete(ownListener)
    },
    tell(accountId) {
      for (const listener of listeners) listener(accountId)
    },
  }
}
