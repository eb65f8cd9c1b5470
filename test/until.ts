// Waiting for an event: whatever a test waits for has no time limit of its own, which a busy machine would exceed.
import { setTimeout as sleep } from 'node:timers/promises'

/** Below the limit of a test, so that the error says what was missing. */
const neverMs = 240_000

/** Looks again and again until there is something. Fails with what never happened. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | '' | Promise<T | undefined | false | ''>,
): Promise<T> {
  // Rarely, once it takes longer: looking can cost more than what is waited for.
  let pauseMs = 2
  for (const deadline = Date.now() + neverMs; Date.now() < deadline; await sleep(pauseMs)) {
    pauseMs = Math.min(pauseMs * 1.5, 100)
    const found = await look()
    if (found !== undefined && found !== false && found !== '') return found
  }
  throw new Error(`never happened: ${what}`)
}

/**
 * Time in which something must not happen, or that passes in what a test describes. It never waits for something to
 * happen: on a busy machine that could take longer.
 */
export const quiet = (milliseconds: number): Promise<void> => sleep(milliseconds)

/** For a stall whose response waits until the test clears the faults. */
export const untilCleared = 600_000
