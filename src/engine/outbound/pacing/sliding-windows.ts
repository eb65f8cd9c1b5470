// Exact sliding windows: the platform counts at most N calls in any T seconds. It counts a call at some instant between
// its departure and its response, so a call takes a place from its slot until one window after its response.
import type { Rate } from '../../../contract/connector.ts'
import type { Remaining } from './slot-source.ts'

/** For clocks that differ a little: our windows are longer than the platform's by this much. */
const guard = (windowMs: number) => Math.max(windowMs * 0.01, 2)
/**
 * The share of the shortest window after which a call without a response counts as arrived. A slow platform counts a
 * call long before it responds, and must not cost more of the limit than this.
 */
const arrivalShare = 0.15
/**
 * Calls that leave together delay each other and arrive at irregular times: they leave a few milliseconds apart where
 * the limit has room for that.
 */
function gapOf(rates: readonly Rate[], scale: number): number {
  const gap = Math.min(
    5,
    ...rates.map(({ requests, usable = requests, seconds }) => (seconds * 1000 * scale) / usable / 4),
  )
  return gap < 1 ? 0 : gap
}

export interface Plan {
  scale: number
  windows: readonly { requests: number; seconds: number; length: number; guarded: number }[]
  gap: number
  most: number // the largest number of requests among the windows
  least: number // the smallest
  longest: number // until no window counts a call any more that has arrived
  arrivalMs: number // a call arrives at most this long after it leaves
}
/** All accounts of a platform share one plan. */
const plans = new WeakMap<readonly Rate[], Plan>()
export function planOf(rates: readonly Rate[], scale: number): Plan {
  const cachedPlan = plans.get(rates)
  if (cachedPlan?.scale === scale) return cachedPlan
  const windows = rates.map(({ requests, usable = requests, seconds }) => ({
    requests: usable,
    seconds,
    length: seconds * 1000 * scale,
    guarded: seconds * 1000 * scale + guard(seconds * 1000 * scale),
  }))
  const most = Math.max(...windows.map(({ requests }) => requests))
  const least = Math.min(...windows.map(({ requests }) => requests))
  const longest = Math.max(...windows.map(({ guarded }) => guarded))
  const arrivalMs = arrivalShare * Math.min(...windows.map(({ length }) => length))
  const plan = { scale, windows, gap: gapOf(rates, scale), most, least, longest, arrivalMs }
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
  /**
   * The latest instants at which calls can have arrived, ascending: the last `most` are enough, and of these the ones
   * that a window counts. Infinite for a call that has not left yet. An instant in the future is a call without a
   * response.
   */
  #arrived: number[] = []
  #lastTaken = Number.NEGATIVE_INFINITY
  #responseMs = 0 // recently, on average
  #heldUntil = 0
  #askedAt = Number.NEGATIVE_INFINITY // by a caller

  constructor(rates: readonly Rate[], scale: number) {
    this.#plan = planOf(rates, scale)
  }
  /**
   * Calls that left the process before, whose responses are unknown. With `unknownAt`, every window may have been used
   * up to that instant.
   */
  continue(departures: readonly number[], now: number, unknownAt?: number): void {
    const { most, arrivalMs } = this.#plan
    const arrivals = departures.map((at) => Math.min(at + arrivalMs, now))
    const unknown = unknownAt === undefined ? [] : Array.from({ length: most }, () => unknownAt)
    this.#arrived = [...arrivals, ...unknown].sort((left, right) => left - right).slice(-most)
    this.#askedAt = this.#arrived.at(-1) ?? this.#askedAt
  }
  /** How long after it leaves a call counts at most. */
  get longest(): number {
    return this.#plan.longest + this.#plan.arrivalMs
  }
  /**
   * The instant from which another call is allowed, when `ahead` calls leave before it, each as early as possible. A
   * call without a response has arrived by now at the earliest.
   */
  next(now: number, ahead = 0): number {
    const { windows, gap } = this.#plan
    const before = this.#arrived.length
    const leaving: number[] = [] // when the calls ahead arrive
    for (let last = this.#lastTaken; ; ) {
      let at = Math.max(now, this.#heldUntil, last + gap)
      for (const { requests, guarded } of windows) {
        const index = before + leaving.length - requests
        const arrived = index < before ? this.#arrived[index] : leaving[index - before]
        if (arrived !== undefined) at = Math.max(at, (index < before ? Math.min(arrived, now) : arrived) + guarded)
      }
      if (leaving.length === ahead) return at
      leaving.push(at + this.#responseMs)
      last = at
    }
  }
  /**
   * Like `next`, for background work: with its call at least half of every window is free. A window of one slot is
   * empty, and no caller has asked for two windows.
   */
  nextInBackground(now: number): number {
    let at = this.next(now)
    for (const { requests, length, guarded } of this.#plan.windows) {
      const before = this.#arrived[this.#arrived.length - Math.max(1, Math.floor(requests / 2))]
      if (before !== undefined) at = Math.max(at, Math.min(before, now) + guarded)
      if (requests === 1) at = Math.max(at, this.#askedAt + 2 * length)
    }
    return at
  }
  /** A caller asks for a slot. */
  asked(now: number): void {
    this.#askedAt = now
  }
  /** A call gets a slot. It counts as arrived now, unless its departure is reported. */
  take(now: number, reported: boolean): void {
    this.#lastTaken = now
    this.#insert(reported ? Number.POSITIVE_INFINITY : now)
    const half = this.#arrived.length >> 1
    // Half of them are too many, or so old that no window counts them.
    if (half > this.#plan.most || (half >= 64 && (this.#arrived[half] as number) + this.#plan.longest < now))
      this.#arrived = this.#arrived.slice(half)
  }
  leave(now: number): void {
    this.#move(Number.POSITIVE_INFINITY, now + this.#plan.arrivalMs)
  }
  /** The call that left at `left` has a response. */
  arrive(left: number, now: number): void {
    const latest = left + this.#plan.arrivalMs
    if (now < latest) this.#move(latest, now)
    this.#responseMs += (Math.min(now, latest) - left - this.#responseMs) / 5
  }
  /** A call that has a slot does not leave. Its slot is used. */
  stay(now: number): void {
    this.#move(Number.POSITIVE_INFINITY, now)
  }
  #insert(at: number): void {
    if (this.#arrived.length === 0)
      this.#arrived = [at] // an empty array would make room for sixteen more
    else if (at >= (this.#arrived.at(-1) as number)) this.#arrived.push(at)
    else this.#arrived.splice(firstAfter(this.#arrived, at), 0, at)
  }
  #move(from: number, to: number): void {
    const index = firstAfter(this.#arrived, from) - 1
    if (this.#arrived[index] !== from) return // so many calls later that it is forgotten
    this.#arrived.splice(index, 1)
    this.#insert(to)
  }
  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until)
  }
  remaining(now: number): Remaining {
    const states = this.#plan.windows.map(({ requests, seconds, guarded }) => {
      const first = firstAfter(this.#arrived, now - guarded)
      const oldest = this.#arrived[first]
      return {
        limit: requests,
        left: now < this.#heldUntil ? 0 : Math.max(0, requests - (this.#arrived.length - first)),
        seconds,
        resetMs: Math.max(this.#heldUntil - now, oldest === undefined ? 0 : Math.min(oldest, now) + guarded - now, 0),
      }
    })
    return states.reduce((tightest, state) =>
      state.left / state.limit < tightest.left / tightest.limit ? state : tightest,
    )
  }
  /** True when no window counts a call any more. */
  idle(now: number): boolean {
    if (this.#plan.least === 1 && this.#askedAt + 2 * this.#plan.longest > now) return false
    return this.#heldUntil <= now && (this.#arrived.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#plan.longest <= now
  }
}
