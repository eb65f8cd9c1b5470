// Exact sliding windows: at no instant do the last T seconds hold more than N calls.
import type { Rate } from '../../../contract/connector.ts'
import type { Remaining } from './slot-source.ts'

/** The time a call takes to reach the platform varies: our windows are longer than the platform's by this much. */
const guard = (windowMs: number) => Math.max(windowMs * 0.01, 2)
/**
 * Calls that leave together delay each other and arrive at irregular times: they leave a few milliseconds apart where
 * the limit has room for that.
 */
function gapOf(rates: readonly Rate[], scale: number): number {
  const gap = Math.min(5, ...rates.map(({ requests, seconds }) => (seconds * 1000 * scale) / requests / 4))
  return gap < 1 ? 0 : gap
}

export interface Plan {
  scale: number
  windows: readonly { requests: number; seconds: number; length: number; guarded: number }[]
  gap: number
  most: number // the largest number of requests among the windows
  longest: number
}
/** All accounts of a platform share one plan. */
const plans = new WeakMap<readonly Rate[], Plan>()
export function planOf(rates: readonly Rate[], scale: number): Plan {
  const known = plans.get(rates)
  if (known?.scale === scale) return known
  const windows = rates.map(({ requests, seconds }) => ({
    requests,
    seconds,
    length: seconds * 1000 * scale,
    guarded: seconds * 1000 * scale + guard(seconds * 1000 * scale),
  }))
  const most = Math.max(...windows.map(({ requests }) => requests))
  const longest = Math.max(...windows.map(({ guarded }) => guarded))
  const plan = { scale, windows, gap: gapOf(rates, scale), most, longest }
  plans.set(rates, plan)
  return plan
}

/** The index of the first instant after the given one, in an ascending list. */
function firstAfter(instants: readonly number[], instant: number): number {
  let [low, high] = [0, instants.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((instants[middle] as number) > instant) high = middle
    else low = middle + 1
  }
  return low
}

export class SlidingWindows {
  readonly #plan: Plan
  #taken: number[] = [] // instants at which calls left, ascending: the last `most` are enough
  #heldUntil = 0

  constructor(rates: readonly Rate[], scale: number) {
    this.#plan = planOf(rates, scale)
  }
  /** Calls of the process before. With `unknownAt`, every window may have been used up to that instant. */
  continue(instants: readonly number[], unknownAt?: number): void {
    const { most } = this.#plan
    const unknown = unknownAt === undefined ? [] : Array.from({ length: most }, () => unknownAt)
    this.#taken = [...instants, ...unknown].sort((left, right) => left - right).slice(-most)
  }
  get longest(): number {
    return this.#plan.longest
  }
  #after(calls: readonly number[], now: number): number {
    let at = Math.max(now, this.#heldUntil, (calls.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#plan.gap)
    for (const { requests, guarded } of this.#plan.windows) {
      if (calls.length >= requests) at = Math.max(at, (calls[calls.length - requests] as number) + guarded)
    }
    return at
  }
  /** The instant from which another call is allowed, when `ahead` calls leave before it, each as early as possible. */
  next(now: number, ahead = 0): number {
    if (ahead === 0) return this.#after(this.#taken, now)
    const calls = this.#taken.slice(-this.#plan.most)
    for (let count = 0; count < ahead; count++) calls.push(this.#after(calls, now))
    return this.#after(calls, now)
  }
  /** A call leaves now. */
  take(now: number): void {
    const { most } = this.#plan
    if (this.#taken.length > 0) this.#taken.push(now)
    else this.#taken = [now] // an empty array would make room for sixteen more
    if (this.#taken.length > most * 2) this.#taken = this.#taken.slice(-most)
  }
  /**
   * A call for which a slot was taken at `taken` leaves only now: it waited for a connection, or the process was busy.
   */
  late(taken: number, now: number): void {
    const index = firstAfter(this.#taken, taken) - 1
    if (index < 0) return
    this.#taken.splice(index, 1)
    this.#taken.push(now)
  }
  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until)
  }
  remaining(now: number): Remaining {
    const states = this.#plan.windows.map(({ requests, seconds, guarded }) => {
      const first = firstAfter(this.#taken, now - guarded)
      const oldest = this.#taken[first]
      return {
        limit: requests,
        left: now < this.#heldUntil ? 0 : Math.max(0, requests - (this.#taken.length - first)),
        seconds,
        resetMs: Math.max(this.#heldUntil - now, oldest === undefined ? 0 : oldest + guarded - now, 0),
      }
    })
    return states.reduce((tightest, state) =>
      state.left / state.limit < tightest.left / tightest.limit ? state : tightest,
    )
  }
  /** True when no window counts a call any more. */
  idle(now: number): boolean {
    return this.#heldUntil <= now && (this.#taken.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#plan.longest <= now
  }
}
