// Exact sliding windows: at no instant do the last T seconds hold more than N calls.
import type { Rate } from '../../contract/connector.ts'

export interface Windows {
  /** The instant (ms) from which another call is allowed; `ahead` calls will have gone before it, each as soon as it may. */
  next(now: number, ahead?: number): number
  /** A call leaves now. */
  take(now: number): void
  /** No call before this instant: the platform asked for quiet. */
  hold(until: number): void
  /** Calls left in the tightest window, and milliseconds until it has another one. */
  remaining(now: number): { limit: number; left: number; windowMs: number; resetMs: number }
  idleSince(): number
}

/** A call reaches the platform a little after it left, and not always equally late: windows are kept this much longer. */
export const guard = (windowMs: number) => Math.max(windowMs * 0.01, 2)

export function createWindows(rates: readonly Rate[], scale: number): Windows {
  const windows = rates.map(({ requests, seconds }) => ({ requests, length: seconds * 1000 * scale, kept: seconds * 1000 * scale + guard(seconds * 1000 * scale) }))
  const most = Math.max(...windows.map(({ requests }) => requests))
  let taken: number[] = [] // when calls left, ascending: the last `most` are enough
  let heldUntil = 0

  const after = (calls: readonly number[], now: number): number => {
    let at = Math.max(now, heldUntil)
    for (const { requests, kept } of windows) {
      const before = calls[calls.length - requests]
      if (before !== undefined) at = Math.max(at, before + kept)
    }
    return at
  }
  return {
    next(now, ahead = 0) {
      if (ahead === 0) return after(taken, now)
      const calls = taken.slice(-most)
      for (let count = 0; count < ahead; count++) calls.push(after(calls, now))
      return after(calls, now)
    },
    take(now) {
      taken.push(now)
      if (taken.length > most * 2) taken = taken.slice(-most)
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until)
    },
    remaining(now) {
      const states = windows.map(({ requests, kept, length }) => {
        const used = taken.filter((at) => at > now - kept)
        return {
          limit: requests,
          left: now < heldUntil ? 0 : Math.max(0, requests - used.length),
          windowMs: length,
          resetMs: Math.max(heldUntil - now, used.length > 0 ? (used[0] as number) + kept - now : 0, 0),
        }
      })
      return states.reduce((tightest, state) => (state.left / state.limit < tightest.left / tightest.limit ? state : tightest))
    },
    idleSince: () => Math.max(taken.at(-1) ?? 0, heldUntil),
  }
}
