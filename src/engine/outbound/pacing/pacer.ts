// Calls are paced, not refused: each waits in the queue of its account for the next slot, as long as its request
// allows.
import { AccountQueue, type Outcome, type QueueContext, type SlotRequest } from './account-queue.ts'
import { type Clock, realClock } from './clock.ts'
import { type DailyCalls, type DailyStatus, leavesRoom } from './daily-calls.ts'
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
  /** The platform says how many calls are left of the day. */
  reported(limits: CallLimits, left: number): void
  /** The calls of the day; undefined if the platform does not limit them. */
  daily(limits: CallLimits): Promise<DailyStatus | undefined>
  /** Whether background work may make this many calls: while half of each limit is free, and a tenth of the day is left. */
  allowsBackground(limits: CallLimits, calls?: number): Promise<boolean>
  /** Requests of this instance that wait for a slot now. */
  waiting(): number
  /** Nothing is called any more. */
  close(): Promise<void>
}
/** How long a background call waits before the calls of the day are looked at again. */
const lookAgainMs = 30_000
/** Up to this many accounts are remembered even when they are idle. */
const maxIdle = 10_000

/** Without `dailyCalls` the calls of a day are not counted. */
export function createPacer(source: SlotSource, clock: Clock = realClock, dailyCalls?: DailyCalls): Pacer {
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

  /**
   * Background work waits for the day as well. The day is looked at again from time to time while a call waits for its
   * slot.
   */
  async function takeInBackground(counter: DailyCalls, request: SlotRequest): Promise<Outcome> {
    const askedAt = clock.now()
    const deadline = askedAt + request.maxWaitMs
    for (;;) {
      const status = await counter.status(request.owner, request.daily?.limit)
      const lookAgainAt = Math.min(clock.now() + lookAgainMs, deadline)
      const allowed = leavesRoom(status)
      const outcome = allowed
        ? await takeOfDay(counter, { ...request, maxWaitMs: Math.max(0, lookAgainAt - clock.now()) })
        : undefined
      if (outcome && 'waitedMs' in outcome) return { waitedMs: Math.round(clock.now() - askedAt) }
      const { signal } = request
      if (signal?.aborted || clock.now() >= deadline)
        return outcome ?? { wouldWaitMs: status.resetMs ?? lookAgainMs, dailyLimit: status.limit }
      if (clock.now() < lookAgainAt) await pause(lookAgainAt - clock.now(), signal)
    }
  }
  function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clock.cancel(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = clock.after(milliseconds, end)
      signal?.addEventListener('abort', end, { once: true })
    })
  }

  const counterOf = ({ daily }: CallLimits): DailyCalls | undefined => (daily ? dailyCalls : undefined)
  /** The day first: a call that it does not allow must not wait. */
  async function takeOfDay(counter: DailyCalls, request: SlotRequest): Promise<Outcome> {
    const { owner, daily, begun = false, call } = request
    const refused = await counter.admit(owner, daily?.limit, begun)
    // The platform may have asked for a longer pause.
    if (refused)
      return { ...refused, wouldWaitMs: Math.max(refused.wouldWaitMs, queueOf(request).expectedWait(request)) }
    let admitted = false
    try {
      const outcome = await queueOf(request).take(request)
      admitted = 'waitedMs' in outcome
      return outcome
    } finally {
      if (!admitted) counter.cancel(owner)
      else if (!call) counter.sent(owner) // it is not reported
    }
  }
  async function daily(limits: CallLimits): Promise<DailyStatus | undefined> {
    return counterOf(limits)?.status(limits.owner, limits.daily?.limit)
  }
  return {
    take(request) {
      const counter = counterOf(request)
      if (!counter) return queueOf(request).take(request)
      return request.background ? takeInBackground(counter, request) : takeOfDay(counter, request)
    },
    sent(limits, call) {
      if (call.leftAt === undefined) counterOf(limits)?.sent(limits.owner)
      queueOf(limits).sent(limits, call)
    },
    responded: (limits, call) => queueOf(limits).responded(limits, call),
    release(limits, call) {
      if (call.leftAt === undefined) counterOf(limits)?.cancel(limits.owner)
      queueOf(limits).release(limits, call)
    },
    reported: (limits, left) => counterOf(limits)?.reported(limits.owner, left),
    daily,
    async allowsBackground(limits, calls = 1) {
      if (!queueOf(limits).hasSpare(limits, calls)) return false
      const status = await daily(limits)
      return !status || leavesRoom(status)
    },
    freeNow: (limits) =>
      queueOf(limits).freeNow(limits) && (counterOf(limits)?.hasRoom(limits.owner, limits.daily?.limit) ?? true),
    hold: (limits, milliseconds) => queueOf(limits).hold(milliseconds),
    status: (limits) => queueOf(limits).remaining(limits),
    waiting: () => context.waiting,
    close: async () => source.close?.(),
  }
}
