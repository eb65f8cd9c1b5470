// Counts the calls of each business in the last 24 hours, for platforms that limit them. The count is in the database,
// in buckets of 15 minutes, so that restarts and other instances know it. Calls are added once per second and at the
// shutdown: a process that is killed loses the calls of its last second.
import type { DailyCallTable, Day } from '../../../store/daily-call-table.ts'
import type { Refused } from './account-queue.ts'
import { type Clock, realClock } from './clock.ts'

export interface DailyStatus {
  limit?: number | undefined // absent: unknown
  used: number
  resetMs?: number | undefined // until the oldest calls no longer count; absent without calls
}
export interface DailyCalls {
  /**
   * Undefined: the call may be made. Then `sent` or `cancel` is called once. A write that has begun may use the
   * reserve, so that it does not stay incomplete.
   */
  admit(owner: string, limit: number | undefined, begun: boolean): Promise<Refused | undefined>
  sent(owner: string): void
  cancel(owner: string): void
  /** The platform says how many calls are left of the day. */
  reported(owner: string, left: number): void
  /** Whether another new call would be admitted, as far as this process knows. */
  hasRoom(owner: string, limit: number | undefined): boolean
  status(owner: string, limit: number | undefined): Promise<DailyStatus>
  /** Adds what is left to the database. */
  close(): Promise<void>
}
export interface DailyCallsOptions {
  table: DailyCallTable
  scale: number
  clock?: Clock
  onError?(error: unknown): void // calls could not be added, they are added later; not repeated while it lasts
}
/** The count of a business, as far as it is known. Instants are on the clock of this process. */
interface Count {
  saved: number // in the database, other instances included
  saving: number
  unsaved: number
  admitted: number // will be sent, or wait for a slot
  asking: number // calls that wait for the total
  resetAt: number | undefined
  knownAt: number
  reported: { left: number; until: number } | undefined
}
const saveEveryMs = 1_000
/** A count that is older is read again before the next call. */
const freshMs = 1_000
/** Up to this many businesses are remembered even when they are idle. */
const maxIdle = 10_000

/** The calls of a day that are left to writes that have begun. */
export const reserveOf = (limit: number): number => Math.max(10, Math.ceil(limit / 100))
/** Background work leaves the last tenth of a day to callers. */
export const leavesRoom = ({ limit, used }: DailyStatus): boolean => limit === undefined || limit - used >= limit / 10

export function createDailyCalls({ table, scale, clock = realClock, onError }: DailyCallsOptions): DailyCalls {
  const day: Day = {
    dayMs: Math.max(1, Math.round(86_400_000 * scale)),
    bucketMs: Math.max(1, Math.round(900_000 * scale)),
  }
  const counts = new Map<string, Count>() // not a BoundedMap: a count in use stays
  const unsaved = new Set<string>()
  let forgetAt = maxIdle
  let forgottenAt = Number.NEGATIVE_INFINITY
  let timer: unknown
  let failing = false
  let latest: Promise<void> = Promise.resolve()
  let next: { owners: Set<string>; done: Promise<void> } | undefined

  function countOf(owner: string): Count {
    let count = counts.get(owner)
    if (!count) {
      if (counts.size >= forgetAt) forgetIdle()
      const knownAt = Number.NEGATIVE_INFINITY
      count = {
        saved: 0,
        saving: 0,
        unsaved: 0,
        admitted: 0,
        asking: 0,
        resetAt: undefined,
        knownAt,
        reported: undefined,
      }
      counts.set(owner, count)
    }
    return count
  }
  function forgetIdle(): void {
    const now = clock.now()
    for (const [owner, { saving, unsaved, admitted, asking, reported }] of counts)
      if (saving + unsaved + admitted + asking === 0 && !(reported && reported.until > now)) counts.delete(owner)
    forgetAt = Math.max(maxIdle, counts.size * 2)
  }

  /** Adds the calls of the owner, and reads its total. One batch at a time; all that is asked meanwhile is the next. */
  function synchronize(owner: string): Promise<void> {
    if (!next) {
      const owners = new Set<string>()
      const done = latest.then(() => {
        next = undefined
        return save(owners)
      })
      latest = done.catch(() => {})
      next = { owners, done }
    }
    next.owners.add(owner)
    return next.done
  }
  /** If this fails, the calls stay with this process until later: a full disk does not stop reads. */
  async function add(batch: readonly { owner: string; count: Count }[]): Promise<void> {
    if (batch.length === 0) return
    const calls = batch.map(({ owner, count }) => ({ owner, calls: count.saving }))
    const added = await table.add(calls, day).then(
      () => true,
      (error: unknown) => {
        if (!failing) onError?.(error)
        return false
      },
    )
    failing = !added
    for (const { owner, count } of batch) {
      if (added) count.saved += count.saving
      else {
        count.unsaved += count.saving
        unsaved.add(owner)
      }
      count.saving = 0
    }
    if (failing) saveLater()
  }
  async function save(owners: ReadonlySet<string>): Promise<void> {
    const batch = [...owners].map((owner) => ({ owner, count: countOf(owner) }))
    for (const { owner, count } of batch) {
      count.saving = count.unsaved
      count.unsaved = 0
      unsaved.delete(owner)
    }
    await add(batch.filter(({ count }) => count.saving > 0))
    const totals = new Map((await table.totals([...owners], day)).map((total) => [total.owner, total]))
    const now = clock.now()
    for (const { owner, count } of batch) {
      const total = totals.get(owner)
      count.saved = total?.calls ?? 0
      count.resetAt = total && now + total.resetMs
      count.knownAt = now
    }
    if (now - forgottenAt < day.bucketMs) return
    forgottenAt = now
    await table.forget(day).catch((error: unknown) => onError?.(error))
  }
  function saveLater(): void {
    timer ??= clock.after(saveEveryMs, () => {
      timer = undefined
      // All in one batch: one error at most.
      const saved = [...unsaved].map(synchronize).at(-1)
      saved?.catch((error: unknown) => onError?.(error))
    })
  }

  const usedOf = ({ saved, saving, unsaved }: Count): number => saved + saving + unsaved
  const reportedIn = ({ reported }: Count): number =>
    reported && reported.until > clock.now() ? Math.max(0, reported.left) : Number.POSITIVE_INFINITY
  const leftOf = (count: Count, limit: number | undefined): number =>
    Math.min((limit ?? Number.POSITIVE_INFINITY) - usedOf(count), reportedIn(count)) - count.admitted
  const reservedFrom = (limit: number | undefined, begun: boolean): number =>
    begun || limit === undefined ? 0 : reserveOf(limit)
  async function countFor(owner: string): Promise<Count> {
    const count = countOf(owner)
    if (clock.now() - count.knownAt < freshMs) return count
    count.asking++
    try {
      await synchronize(owner)
    } finally {
      count.asking--
    }
    return count
  }
  function refusal(count: Count, limit: number | undefined, reserved: number): Refused {
    const now = clock.now()
    const byCount = (limit ?? Number.POSITIVE_INFINITY) - usedOf(count) - count.admitted <= reserved
    // The platform's own count is asked for again after a while, with the next call.
    const until = byCount ? (count.resetAt ?? now + day.dayMs) : (count.reported?.until ?? now)
    return { wouldWaitMs: Math.max(1, Math.ceil(until - now)), dailyLimit: limit }
  }

  return {
    async admit(owner, limit, begun) {
      const count = await countFor(owner)
      const reserved = reservedFrom(limit, begun)
      if (leftOf(count, limit) <= reserved) return refusal(count, limit, reserved)
      count.admitted++
      return undefined
    },
    sent(owner) {
      const count = countOf(owner)
      count.admitted--
      count.unsaved++
      if (count.reported) count.reported.left--
      unsaved.add(owner)
      saveLater()
    },
    cancel(owner) {
      countOf(owner).admitted--
    },
    reported(owner, left) {
      countOf(owner).reported = { left, until: clock.now() + day.bucketMs }
    },
    hasRoom(owner, limit) {
      const count = counts.get(owner)
      return !count || leftOf(count, limit) > reservedFrom(limit, false)
    },
    async status(owner, limit) {
      const count = await countFor(owner)
      const used = Math.max(usedOf(count), limit === undefined ? 0 : limit - reportedIn(count))
      const resetMs = count.resetAt === undefined ? undefined : Math.max(0, Math.ceil(count.resetAt - clock.now()))
      return { limit, used, resetMs: used > 0 ? (resetMs ?? day.dayMs) : undefined }
    },
    async close() {
      clock.cancel(timer)
      await Promise.all([...unsaved].map(synchronize))
      await latest
    },
  }
}
