// One at a time per key in this process; other instances are kept out by the lease.
import type { EntryKey } from '../../store/store.ts'
import type { RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'

export interface Turns {
  alone<T>(key: EntryKey, context: RequestContext, run: () => Promise<T>): Promise<T>
  /** Settles when the write of the key that is under way here has ended. */
  running(key: EntryKey): Promise<void> | undefined
  /** Resolves when no write is under way here, with or without its caller. */
  idle(): Promise<void>
  underWay(): number
}

export const nameOf = ({ accountId, entityType, externalId, operation }: EntryKey) =>
  `${operation ?? 'create'} ${accountId} ${entityType} ${externalId}`

export function createTurns(): Turns {
  const running = new Map<string, Promise<void>>()
  return {
    async alone(key, context, run) {
      const name = nameOf(key)
      for (let other = running.get(name); other; other = running.get(name)) {
        const before = other
        await outside(context, () => before)
      }
      const promise = run()
      const quiet = promise.then(noop, noop)
      running.set(name, quiet)
      try {
        return await promise
      } finally {
        if (running.get(name) === quiet) running.delete(name)
      }
    },
    running: (key) => running.get(nameOf(key)),
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
    underWay: () => running.size,
  }
}

function noop(): void {}
