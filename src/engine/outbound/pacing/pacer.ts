// Calls are paced, not refused: each waits in the queue of its account for the next slot, as long as its request
// allows.
import { AccountQueue, type Outcome, type QueueContext, type SlotRequest } from './account-queue.ts'
import { type Clock, realClock } from './clock.ts'
import type { CallLimits, PacedCall, Remaining, SlotSource } from './slot-source.ts'

export interface Pacer {
  /**
   * Resolves when the call may leave, with the milliseconds waited; or with how long it would have to wait, where that
   * is too long.
   */
  take(request: SlotRequest): Promise<Outcome>
  /** The call leaves. */
  sent(limits: CallLimits, call: PacedCall): void
  /** Its response begins: the platform has counted it. */
  responded(limits: CallLimits, call: PacedCall): void
  /** It has ended. Exactly once for every request with a `call` that got a slot. */
  release(limits: CallLimits, call: PacedCall): void
  freeNow(limits: CallLimits): boolean
  hold(limits: CallLimits, milliseconds: number): Promise<void>
  status(limits: CallLimits): Remaining
  /** Requests of this instance that wait for a slot now. */
  waiting(): number
  /** Nothing is called any more. */
  close(): Promise<void>
}
/** Up to this many accounts are remembered even when they are idle. */
const maxIdle = 10_000

export function createPacer(source: SlotSource, clock: Clock = realClock): Pacer {
  const context: QueueContext = { source, clock, waiting: 0 }
  const queues = new Map<string, AccountQueue>() // not a BoundedMap: a queue in use stays
  let forgetAt = maxIdle

  function queueOf(limits: CallLimits): AccountQueue {
    let queue = queues.get(limits.owner)
    if (!queue) {
      if (queues.size >= forgetAt) forgetIdle()
      queue = new AccountQueue(context, limits)
      queues.set(limits.owner, queue)
    }
    return queue
  }
  function forgetIdle(): void {
    const now = clock.now()
    for (const [owner, queue] of queues) if (queue.idle(now)) queues.delete(owner)
    // Rare enough to cost nothing per call, however many accounts are busy.
    forgetAt = Math.max(maxIdle, queues.size * 2)
  }

  return {
    take: (request) => queueOf(request).take(request),
    sent: (limits, call) => queueOf(limits).sent(limits, call),
    responded: (limits, call) => queueOf(limits).responded(limits, call),
    release: (limits, call) => queueOf(limits).release(limits, call),
    freeNow: (limits) => queueOf(limits).freeNow(limits),
    hold: (limits, milliseconds) => queueOf(limits).hold(milliseconds),
    status: (limits) => queueOf(limits).remaining(limits),
    waiting: () => context.waiting,
    close: async () => source.close?.(),
  }
}
