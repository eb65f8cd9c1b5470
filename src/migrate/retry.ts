// A migration takes hours: it waits for a service that restarts or a platform that is temporarily down.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, isFailure, isTemporary } from './failure.ts'

export interface Patience {
  totalMs: number
  signal: AbortSignal
  check?(): void // before each call: throws when the work no longer belongs to this process
  onWait?(error: Failure): void
  pauseMs?(round: number): number
}

const growing = (round: number) => Math.min(10_000, 250 * 2 ** round)

export async function retryTemporary<T>(
  call: () => Promise<T>,
  { totalMs, signal, onWait, pauseMs = growing }: Patience,
): Promise<T> {
  const began = performance.now()
  for (let round = 0; ; round++) {
    try {
      return await call()
    } catch (error) {
      signal.throwIfAborted()
      if (!isFailure(error) || !isTemporary(error) || performance.now() - began > totalMs) throw error
      onWait?.(error)
      await sleep(error.retryAfter === undefined ? pauseMs(round) : error.retryAfter * 1000, undefined, { signal })
    }
  }
}
