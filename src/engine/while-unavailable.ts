import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from '../store/unavailable.ts'

const patienceMs = 8_000 // with the renewal of a lease every 5 s: less than a lease
const pauseMs = 250

/**
 * Retries while the database is unavailable, for a few seconds: what a platform has just returned exists nowhere else.
 * Only for what may be stored twice.
 */
export async function retryWhileUnavailable<T>(store: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await store()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || Date.now() > deadline) throw error
    }
  }
}
