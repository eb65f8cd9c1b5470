// Checks a platform's limits exactly: no period of T seconds may contain more than N calls of one tenant.
import type { Rate } from '../contract/connector.ts'

export interface Verdict {
  allowed: boolean
  retryAfterMs: number // until the blocking call leaves its window; 0 if allowed
  left: number // calls of the longest window
}
export interface Referee {
  call(tenant: string): Verdict
  violations(): number
  clear(): void
}
export interface RefereeOptions {
  limit: readonly Rate[]
  now(): number // milliseconds, monotonic
  paceScale?: number // every window is multiplied by it
}

export function createReferee({ limit, now, paceScale = 1 }: RefereeOptions): Referee {
  const windows = limit.map(({ requests, seconds }) => ({ requests, length: seconds * 1000 * paceScale }))
  const longest = Math.max(0, ...windows.map(({ length }) => length))
  const most = windows.find(({ length }) => length === longest)?.requests ?? 0
  const allowedAt = new Map<string, number[]>()
  let violations = 0
  return {
    call(tenant) {
      const at = now()
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
      if (retryAfterMs > 0) violations += 1
      else times.push(at)
      return { allowed: retryAfterMs === 0, retryAfterMs, left: Math.max(0, most - times.length) }
    },
    violations: () => violations,
    clear() {
      violations = 0
    },
  }
}
