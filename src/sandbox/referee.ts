// Checks a platform's limits exactly: no period of T seconds may contain more than N calls of one tenant, and no more
// than the allowed number may be in progress at once.
import type { Rate } from '../contract/connector.ts'

export interface Verdict {
  allowed: boolean
  retryAfterMs: number // until the blocking call leaves its window; 0 if allowed, or if too many are in progress
  left: number // calls of the longest window
}
export interface Referee {
  call(tenant: string): Verdict
  /** The platform has responded to a call of the tenant, also to one that was not allowed. */
  ended(tenant: string): void
  violations(): number
  clear(): void
}
export interface RefereeOptions {
  limit: readonly Rate[]
  concurrency?: number // calls in progress at once; unlimited by default
  now(): number // milliseconds, monotonic
  paceScale?: number // every window is multiplied by it
}

export function createReferee({
  limit,
  concurrency = Number.POSITIVE_INFINITY,
  now,
  paceScale = 1,
}: RefereeOptions): Referee {
  const windows = limit.map(({ requests, seconds }) => ({ requests, length: seconds * 1000 * paceScale }))
  const longest = Math.max(0, ...windows.map(({ length }) => length))
  const most = windows.find(({ length }) => length === longest)?.requests ?? 0
  const allowedAt = new Map<string, number[]>()
  const inProgress = new Map<string, number>()
  let violations = 0
  return {
    call(tenant) {
      const at = now()
      const before = inProgress.get(tenant) ?? 0
      inProgress.set(tenant, before + 1)
      const times = allowedAt.get(tenant) ?? []
      const first = times.findIndex((time) => time > at - longest)
      times.splice(0, first < 0 ? times.length : first)
      allowedAt.set(tenant, times)
      let retryAfterMs = 0
      for (const { requests, length } of windows) {
        // The window is (at - length, at]: a call exactly `length` ago has left it. The call exceeds the limit if the
        // N-th most recent call is still inside.
        const inTheWay = times[times.length - requests]
        if (inTheWay !== undefined && inTheWay > at - length)
          retryAfterMs = Math.max(retryAfterMs, inTheWay + length - at)
      }
      const allowed = retryAfterMs === 0 && before < concurrency
      if (allowed) times.push(at)
      else violations += 1
      return { allowed, retryAfterMs, left: Math.max(0, most - times.length) }
    },
    ended(tenant) {
      inProgress.set(tenant, (inProgress.get(tenant) ?? 1) - 1)
    },
    violations: () => violations,
    clear() {
      violations = 0
    },
  }
}
