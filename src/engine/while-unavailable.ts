import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from '../store/unavailable.ts'

const patienceMs = 8_000 // with the renewal of a lease every 5 s: less than a lease
const pauseMs = 250

/** What a platform has just answered exists nowhere else: through a short absence of the database it is kept, and stored as soon as it can be. Only for what may be stored twice. */
export async function insist<T>(store: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await store()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || Date.now() > deadline) throw error
    }
  }
}
