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
/** Calls that leave at once hold each other up and arrive at odd times: they leave a few milliseconds apart, where the limit has room for that. */
export function gapOf(rates: readonly Rate[], scale: number): number {
  const gap = Math.min(5, ...rates.map(({ requests, seconds }) => (seconds * 1000 * scale) / requests / 4))
  return gap < 1 ? 0 : gap
}

interface Plan {
  scale: number
  windows: { requests: number; length: number; kept: number }[]
  gap: number
  most: number
}
/** The same for all accounts of a platform. */
const plans = new WeakMap<readonly Rate[], Plan>()
function planOf(rates: readonly Rate[], scale: number): Plan {
  const known = plans.get(rates)
  if (known?.scale === scale) return known
  const windows = rates.map(({ requests, seconds }) => ({ requests, length: seconds * 1000 * scale, kept: seconds * 1000 * scale + guard(seconds * 1000 * scale) }))
  const plan = { scale, windows, gap: gapOf(rates, scale), most: Math.max(...rates.map(({ requests }) => requests)) }
  plans.set(rates, plan)
  return plan
}

/** The place of the first one later than that, in an ascending list. */
function firstAfter(instants: readonly number[], instant: number): number {
  let [low, high] = [0, instants.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((instants[middle] as number) > instant) high = middle
    else low = middle + 1
  }
  return low
}

/** A class for its size: functions of its own would be a third of what an idle account costs. */
class SlidingWindows implements Windows {
  readonly #plan: Plan
  #taken: number[] = [] // when calls left, ascending: the last `most` are enough
  #heldUntil = 0

  constructor(plan: Plan) {
    this.#plan = plan
  }
  #after(calls: readonly number[], now: number): number {
    let at = Math.max(now, this.#heldUntil, (calls.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#plan.gap)
    for (const { requests, kept } of this.#plan.windows) {
      if (calls.length >= requests) at = Math.max(at, (calls[calls.length - requests] as number) + kept)
    }
    return at
  }
  next(now: number, ahead = 0): number {
    if (ahead === 0) return this.#after(this.#taken, now)
    const calls = this.#taken.slice(-this.#plan.most)
    for (let count = 0; count < ahead; count++) calls.push(this.#after(calls, now))
    return this.#after(calls, now)
  }
  take(now: number): void {
    const { most } = this.#plan
    this.#taken.push(now)
    if (this.#taken.length > most * 2) this.#taken = this.#taken.slice(-most)
  }
  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until)
  }
  remaining(now: number): ReturnType<Windows['remaining']> {
    const states = this.#plan.windows.map(({ requests, kept, length }) => {
      const first = firstAfter(this.#taken, now - kept)
      const oldest = this.#taken[first]
      return {
        limit: requests,
        left: now < this.#heldUntil ? 0 : Math.max(0, requests - (this.#taken.length - first)),
        windowMs: length,
        resetMs: Math.max(this.#heldUntil - now, oldest === undefined ? 0 : oldest + kept - now, 0),
      }
    })
    return states.reduce((tightest, state) => (state.left / state.limit < tightest.left / tightest.limit ? state : tightest))
  }
  idleSince(): number {
    return Math.max(this.#taken.at(-1) ?? 0, this.#heldUntil)
  }
}

export const createWindows = (rates: readonly Rate[], scale: number): Windows => new SlidingWindows(planOf(rates, scale))
