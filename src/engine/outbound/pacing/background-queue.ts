// Requests of background work that wait for a slot of one account, in order of arrival. They never delay a caller.
import type { Outcome, SlotRequest, Waiting } from './slot-request.ts'
import { type CallLimits, laneNameOf } from './slot-source.ts'

export class BackgroundQueue {
  #waiting: Waiting[] = []
  #underWay = 0

  get size(): number {
    return this.#waiting.length
  }
  get isIdle(): boolean {
    return this.#waiting.length + this.#underWay === 0
  }
  /** Calls that have begun and not ended. */
  count(more: number): void {
    this.#underWay += more
  }
  add(request: SlotRequest, now: number, onAborted: () => void): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { request, askedAt: now, deadline: now + request.maxWaitMs, resolve, reject }
      this.#waiting.push(waiting)
      if (!request.signal) return
      waiting.onAbort = () => {
        this.#remove(waiting).resolve({ wouldWaitMs: 0 })
        onAborted()
      }
      request.signal.addEventListener('abort', waiting.onAbort, { once: true })
    })
  }
  /** Lets the first request go that may. `begin` takes its slot. */
  serve(now: number, may: (request: SlotRequest) => boolean, begin: (request: SlotRequest) => void): boolean {
    const waiting = this.#waiting.find(({ request }) => may(request))
    if (!waiting) return false
    this.#remove(waiting)
    begin(waiting.request)
    waiting.resolve({ waitedMs: Math.round(now - waiting.askedAt) })
    return true
  }
  /** Ends the requests that have waited as long as they may. Returns the next deadline. */
  expire(now: number): number {
    for (const waiting of this.#waiting.filter(({ deadline }) => deadline < now))
      this.#remove(waiting).resolve({ wouldWaitMs: Math.max(1000, Math.ceil(now - waiting.askedAt)) })
    return this.#waiting.reduce((first, { deadline }) => Math.min(first, deadline + 1), Number.POSITIVE_INFINITY)
  }
  fail(error: unknown): void {
    for (const waiting of [...this.#waiting]) this.#remove(waiting).reject(error)
  }
  /** The first request of each lane. */
  demands(): Map<string, CallLimits> {
    const demands = new Map<string, CallLimits>()
    for (const { request } of this.#waiting) {
      const name = laneNameOf(request)
      if (!demands.has(name)) demands.set(name, request)
    }
    return demands
  }
  #remove(waiting: Waiting): Waiting {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    if (waiting.onAbort) waiting.request.signal?.removeEventListener('abort', waiting.onAbort)
    return waiting
  }
}
