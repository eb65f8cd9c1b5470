// The queue of one account: requests wait for slots, callers take turns, each request waits no longer than its
// deadline.
import { BackgroundQueue } from './background-queue.ts'
import type { Clock } from './clock.ts'
import type { Outcome, Refused, SlotRequest, Waiting } from './slot-request.ts'
import {
  type AccountSlots,
  type Ahead,
  type CallLimits,
  type Demand,
  laneNameOf,
  type PacedCall,
  type Permits,
  type Remaining,
  type SlotListener,
  type SlotSource,
} from './slot-source.ts'

export type { Outcome, Refused, SlotRequest }

/** Requests of one caller for one lane, in order of arrival. Only the first ones of all lines compete. */
interface Line {
  caller: string
  lane: string
  requests: Waiting[]
}
/** Shared by the queues of all accounts. */
export interface QueueContext {
  source: SlotSource
  clock: Clock
  waiting: number
}
/** Requests of one account that wait at one instance. */
export const maxQueue = 10_000
/**
 * Calls of one account under way at one instance, where the platform declares no limit: with responses of 1 s, enough
 * for every platform's rate. A shop that holds back its responses keeps no more sockets than that.
 */
const maxUnderWay = 32
/** Callers whose turns a busy account remembers. */
const maxCallers = 1_000
const atOnce: Promise<Outcome> = Promise.resolve(Object.freeze({ waitedMs: 0 }))
const aborted: Promise<Outcome> = Promise.resolve(Object.freeze({ wouldWaitMs: 0 }))

/** There can be a million of these, nearly all idle: an idle one allocates no collections. */
export class AccountQueue implements SlotListener {
  readonly #context: QueueContext
  readonly #slots: AccountSlots
  readonly #permits: Permits | undefined
  #waiting = 0
  #underWay = 0
  #lines: Map<string, Line> | undefined
  #turns: Map<string, number> | undefined // caller -> number of its latest turn
  #turn = 0
  #last: string | undefined // the caller that was served last
  #timer: unknown
  #dispatching = false // in this event-loop turn
  #background: BackgroundQueue | undefined

  constructor(context: QueueContext, limits: CallLimits) {
    this.#context = context
    this.#slots = context.source.open(limits, this, context.clock.now())
    this.#permits = context.source.permits?.(limits, this)
  }

  take(request: SlotRequest): Promise<Outcome> {
    const now = this.#context.clock.now()
    if (request.signal?.aborted) return aborted
    if (request.background) {
      this.#background ??= new BackgroundQueue()
      const outcome = this.#background.add(request, now, () => this.#dispatchSoon())
      this.dispatch()
      return outcome
    }
    this.#slots.asked?.(request, now)
    if (this.#waiting === 0 && !this.#isFull(request) && this.#slots.next(request, now) <= now) {
      this.#begin(request, now)
      this.#last = request.caller
      this.#settlePermits()
      return atOnce
    }
    const { caller } = request
    const lane = laneNameOf(request)
    const key = keyOf({ lane, caller })
    const expected = this.#slots.estimate(request, now, this.#ahead(caller, lane)) - now
    if (expected > request.maxWaitMs || this.#waiting >= maxQueue)
      return Promise.resolve({ wouldWaitMs: Math.ceil(expected) })
    return new Promise((resolve, reject) => {
      this.#lines ??= new Map()
      this.#turns ??= new Map(this.#last === undefined ? [] : [[this.#last, ++this.#turn]])
      const line = this.#lines.get(key) ?? { caller, lane, requests: [] }
      this.#lines.set(key, line)
      const waiting: Waiting = { request, askedAt: now, deadline: now + request.maxWaitMs, resolve, reject }
      line.requests.push(waiting)
      this.#count(1)
      if (request.signal) {
        waiting.onAbort = () => this.#abort(line, waiting)
        request.signal.addEventListener('abort', waiting.onAbort, { once: true })
      }
      // Behind another request of its line there is nothing new to decide, unless it must be refused before a call
      // ends.
      if (line.requests.length === 1 || this.#isFull(request)) this.dispatch()
    })
  }

  /** Hands out every slot that is free now, in turn. Then waits for the next one. */
  dispatch(): void {
    const { clock } = this.#context
    clock.cancel(this.#timer)
    this.#timer = undefined
    this.#dispatching = false
    const now = clock.now()
    for (let line = this.#nextLine(now); line; line = this.#nextLine(now)) {
      const waiting = this.#shift(line)
      this.#begin(waiting.request, now)
      waiting.resolve({ waitedMs: Math.round(now - waiting.askedAt) })
    }
    const late = this.#refuseLate(now)
    const wake = Math.min(late, this.#dispatchBackground(now))
    this.#settlePermits()
    this.#slots.settle?.(this.#demands(), this.#backgroundDemands(), now)
    if (this.#waiting === 0) this.#rest()
    if (wake < Number.POSITIVE_INFINITY)
      this.#timer = clock.after(Math.max(1, Math.ceil(wake - now)), () => this.dispatch())
  }
  sent(limits: CallLimits, call: PacedCall): void {
    call.leftAt = this.#context.clock.now()
    this.#slots.leave(limits, call.leftAt, call)
  }
  responded(limits: CallLimits, call: PacedCall): void {
    if (call.leftAt === undefined || call.responded) return
    call.responded = true
    this.#slots.arrive(limits, this.#context.clock.now(), call)
  }
  release(limits: CallLimits, call: PacedCall): void {
    this.#underWay--
    if (call.background) this.#background?.count(-1)
    if (!call.responded) this.#slots.end(limits, this.#context.clock.now(), call)
    if (this.#waiting > 0 || this.#background?.size) this.dispatch()
    else this.#settlePermits()
  }
  #begin(request: SlotRequest, now: number): void {
    this.#slots.take(request, now, request.call)
    if (request.call) this.#underWay++
  }
  /** Calls that may begin before another one ends. */
  #room({ concurrency = maxUnderWay }: CallLimits): number {
    return Math.max(0, (this.#permits?.allowed() ?? concurrency) - this.#underWay)
  }
  #isFull(limits: CallLimits): boolean {
    return this.#room(limits) === 0
  }
  #settlePermits(): void {
    this.#permits?.settle(this.#underWay, this.#waiting, this.#waiting > 0 ? 0 : (this.#background?.size ?? 0))
  }
  fail(limits: CallLimits, requests: number, error: unknown): void {
    for (let failed = 0; failed < requests; failed++) {
      const line = this.#firstInTurn(({ lane }) => lane === laneNameOf(limits))
      if (!line) break
      this.#shift(line).reject(error)
    }
    this.dispatch()
  }
  failAll(error: unknown): void {
    for (let line = this.#firstInTurn(() => true); line; line = this.#firstInTurn(() => true))
      this.#shift(line).reject(error)
    this.failBackground(error)
  }
  failBackground(error: unknown): void {
    this.#background?.fail(error)
    this.dispatch()
  }

  async hold(milliseconds: number): Promise<void> {
    const held = this.#slots.hold(this.#context.clock.now(), milliseconds)
    this.dispatch()
    await held
  }
  /** Until the next slot, as far as this process knows. */
  expectedWait(limits: CallLimits): number {
    const now = this.#context.clock.now()
    return this.#slots.estimate(limits, now, { ofAccount: 0, ofLane: 0 }) - now
  }
  freeNow(limits: CallLimits): boolean {
    return this.#waiting === 0 && this.#slots.freeNow(limits, this.#context.clock.now())
  }
  /**
   * Whether this many calls can begin while no more than half of each limit is used. Never in a lane: its calls are
   * scarce.
   */
  hasSpare(limits: CallLimits, calls: number): boolean {
    const { concurrency = maxUnderWay, lane } = limits
    if (lane || this.#underWay + calls - 1 >= concurrency / 2) return false
    const { left, limit } = this.remaining(limits)
    return left - (calls - 1) >= limit / 2
  }
  remaining(limits: CallLimits): Remaining {
    return this.#slots.remaining(limits, this.#context.clock.now())
  }
  idle(now: number): boolean {
    if (this.#background?.isIdle === false) return false
    return this.#waiting === 0 && this.#underWay === 0 && this.#slots.idle(now) && (this.#permits?.idle() ?? true)
  }

  #count(more: number): void {
    this.#waiting += more
    this.#context.waiting += more
  }
  /**
   * Callers take turns: before a new request go those of its own line, and of every other line as many as get a turn
   * until then.
   */
  #ahead(caller: string, lane: string): Ahead {
    const ownRequests = this.#lines?.get(keyOf({ caller, lane }))?.requests.length ?? 0
    const ahead = { ofAccount: 0, ofLane: 0 }
    for (const line of this.#lines?.values() ?? []) {
      const before =
        line.caller === caller && line.lane === lane ? ownRequests : Math.min(line.requests.length, ownRequests + 1)
      ahead.ofAccount += before
      if (line.lane === lane) ahead.ofLane += before
    }
    return ahead
  }
  #firstInTurn(may: (line: Line) => boolean): Line | undefined {
    let first: Line | undefined
    for (const line of this.#lines?.values() ?? []) {
      if ((!first || this.#turnOf(line) < this.#turnOf(first)) && may(line)) first = line
    }
    return first
  }
  #turnOf({ caller }: Line): number {
    return this.#turns?.get(caller) ?? 0
  }
  #nextLine(now: number): Line | undefined {
    return this.#firstInTurn(
      (line) => !this.#isFull(headOf(line).request) && this.#slots.next(headOf(line).request, now) <= now,
    )
  }
  /** Takes the first request of a line out of the queue: its caller has its turn. */
  #shift(line: Line): Waiting {
    const waiting = line.requests.shift() as Waiting
    this.#left(line, waiting)
    // Not a BoundedMap: all callers start again as equals.
    if (!this.#turns || this.#turns.size > maxCallers) this.#turns = new Map()
    this.#turns.set(line.caller, ++this.#turn)
    this.#last = line.caller
    return waiting
  }
  /** A request was taken out of its line. */
  #left(line: Line, { request, onAbort }: Waiting): void {
    this.#count(-1)
    if (line.requests.length === 0) this.#lines?.delete(keyOf(line))
    if (onAbort) request.signal?.removeEventListener('abort', onAbort)
  }
  #abort(line: Line, waiting: Waiting): void {
    line.requests.splice(line.requests.indexOf(waiting), 1)
    delete waiting.onAbort
    this.#left(line, waiting)
    waiting.resolve({ wouldWaitMs: 0 })
    this.#dispatchSoon()
  }
  #dispatchSoon(): void {
    // One signal may end many requests: once for all of them.
    if (!this.#dispatching) queueMicrotask(() => this.dispatch())
    this.#dispatching = true
  }
  /**
   * Refuses the requests whose deadline is before the next slot: the platform asked for a pause, or others had their
   * turn. Returns the instant of the next slot.
   */
  #refuseLate(now: number): number {
    let wake = Number.POSITIVE_INFINITY
    for (const line of this.#lines?.values() ?? []) {
      const full = this.#isFull(headOf(line).request)
      const next = this.#slots.next(headOf(line).request, now)
      if (full ? this.#permits?.pending() : next === Number.POSITIVE_INFINITY) continue
      const at = full ? now : next
      const overdue = line.requests.filter(({ deadline }) => deadline < at)
      if (overdue.length > 0) line.requests = line.requests.filter(({ deadline }) => deadline >= at)
      for (const waiting of overdue) {
        this.#left(line, waiting)
        waiting.resolve({ wouldWaitMs: Math.ceil(at - now) || 1000 })
      }
      // A call that ends dispatches. Until then only a deadline is to be met.
      if (full) for (const { deadline } of line.requests) wake = Math.min(wake, deadline + 1)
      else if (line.requests.length > 0) wake = Math.min(wake, at)
    }
    return wake
  }
  /** Callers first: background work gets nothing while one waits. Returns when to look again. */
  #dispatchBackground(now: number): number {
    const background = this.#background
    if (!background) return Number.POSITIVE_INFINITY
    if (background.isIdle) this.#background = undefined
    let wake = background.expire(now)
    if (this.#waiting > 0) return wake
    const may = (request: SlotRequest) =>
      this.#hasRoomInBackground(request) && this.#slots.nextInBackground(request, now) <= now
    const begin = (request: SlotRequest) => {
      this.#slots.takeInBackground(request, now, request.call)
      this.#permits?.beginInBackground()
      if (!request.call) return
      request.call.background = true
      this.#underWay++
      background.count(1)
    }
    while (background.serve(now, may, begin));
    for (const limits of this.#backgroundDemands().values())
      wake = Math.min(wake, this.#slots.nextInBackground(limits, now))
    return wake
  }
  /** At least half of the calls that may be under way at once, and at least one, are left to callers. */
  #hasRoomInBackground({ concurrency = maxUnderWay }: CallLimits): boolean {
    if (this.#underWay >= Math.floor(concurrency / 2)) return false
    return !this.#permits || (this.#permits.allowed() > this.#underWay && this.#permits.allowedInBackground() > 0)
  }
  #backgroundDemands(): Map<string, CallLimits> {
    const demands = new Map(this.#waiting > 0 ? [] : this.#background?.demands())
    for (const [name, limits] of demands) if (!this.#hasRoomInBackground(limits)) demands.delete(name)
    return demands
  }
  #demands(): Map<string, Demand> {
    const demands = new Map<string, Demand>()
    for (const line of this.#lines?.values() ?? []) {
      const room = this.#room(headOf(line).request)
      if (room === 0) continue // no slot can be used before a call ends
      const demand = demands.get(line.lane) ?? { limits: headOf(line).request, requests: 0, until: 0 }
      demand.requests = Math.min(room, demand.requests + line.requests.length)
      for (const { deadline } of line.requests) demand.until = Math.max(demand.until, deadline)
      demands.set(line.lane, demand)
    }
    return demands
  }
  #rest(): void {
    this.#lines = undefined
    this.#turns = undefined
    this.#turn = 0
  }
}

const headOf = ({ requests }: Line): Waiting => requests[0] as Waiting
const keyOf = ({ lane, caller }: Pick<Line, 'lane' | 'caller'>): string => `${lane} ${caller}`
