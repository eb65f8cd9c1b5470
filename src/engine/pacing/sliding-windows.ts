// Exact sliding windows: at no instant do the last T seconds hold more than N calls. A reservation answers the instant of the next free slot in one step.
import type { Rate } from '../../contract/connector.ts'

export interface Windows {
  /** The instant (ms) of the next free slot, taken. */
  reserve(now: number): number
  /** The instant of the next free slot, not taken. */
  peek(now: number): number
  /** Gives a slot back that was not used. */
  cancel(slot: number): void
  /** No slot before this instant: the platform asked for quiet. */
  hold(until: number): void
  /** Calls left in the tightest window, and milliseconds until it has another one. */
  remaining(now: number): { limit: number; left: number; windowMs: number; resetMs: number }
  idleSince(): number
}

/** A call leaves at its slot but reaches the platform a little later, and not always equally late: windows are kept this much longer. */
const guard = (windowMs: number) => Math.max(windowMs * 0.01, 2)

export function createWindows(rates: readonly Rate[], scale: number): Windows {
  const windows = rates.map(({ requests, seconds }) => ({ requests, length: seconds * 1000 * scale, kept: seconds * 1000 * scale + guard(seconds * 1000 * scale) }))
  const longest = Math.max(...windows.map(({ kept }) => kept))
  const most = Math.max(...windows.map(({ requests }) => requests))
  let slots: number[] = [] // ascending; some may lie ahead
  let heldUntil = 0

  const forget = (now: number) => {
    if (slots.length > most && (slots[0] as number) <= now - longest) slots = slots.slice(slots.findIndex((slot) => slot > now - longest))
  }
  const next = (now: number): number => {
    let at = Math.max(now, heldUntil, slots.at(-1) ?? 0)
    for (const { requests, kept } of windows) {
      const before = slots[slots.length - requests]
      if (before !== undefined) at = Math.max(at, before + kept)
    }
    return at
  }
  return {
    reserve(now) {
      forget(now)
      const slot = next(now)
      slots.push(slot)
      return slot
    },
    peek: next,
    cancel(slot) {
      const index = slots.lastIndexOf(slot)
      if (index >= 0) slots.splice(index, 1)
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until)
    },
    remaining(now) {
      const states = windows.map(({ requests, kept, length }) => {
        const used = slots.filter((slot) => slot > now - kept)
        const left = Math.max(0, requests - used.length)
        return { limit: requests, left: now < heldUntil ? 0 : left, windowMs: length, resetMs: Math.max(heldUntil - now, used.length ? (used[0] as number) + kept - now : 0, 0) }
      })
      return states.reduce((tightest, state) => (state.left / state.limit < tightest.left / tightest.limit ? state : tightest))
    },
    idleSince: () => Math.max(slots.at(-1) ?? 0, heldUntil),
  }
}
