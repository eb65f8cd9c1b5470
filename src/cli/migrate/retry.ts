// A migration takes hours: it waits for a service that restarts or a platform that is temporarily down.
import { setTimeout as sleep } from 'node:timers/promises'
import { UnifiedError } from '../../../packages/client/src/index.ts'

export interface Patience {
  totalMs: number
  signal: AbortSignal
  onWait?(error: UnifiedError): void
  pauseMs?(round: number): number
}

const codes = new Set([
  'network_error',
  'timeout',
  'unreadable_answer',
  'http_error',
  'too_many_requests',
  'unavailable',
  'internal_error',
  'downstream_error',
  'downstream_timeout',
  'write_in_progress',
])
/** The same call may succeed later; any other error is final. */
export const isTemporary = (error: UnifiedError): boolean =>
  codes.has(error.code) && !(error.code === 'http_error' && error.status < 500)

/** The target does not take the record as it is: the platform said so, or the service knows it. */
export const isRefusal = ({ code }: UnifiedError): boolean =>
  code === 'downstream_rejected' || code === 'target_refuses' || code === 'target_requires'

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
      if (!(error instanceof UnifiedError) || !isTemporary(error) || performance.now() - began > totalMs) throw error
      onWait?.(error)
      await sleep(error.retryAfter === undefined ? pauseMs(round) : error.retryAfter * 1000, undefined, { signal })
    }
  }
}
