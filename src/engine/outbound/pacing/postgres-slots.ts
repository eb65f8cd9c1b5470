// Slots of several instances over one Postgres. They are reserved in the database, on its clock, and given out when
// they are due. See docs/decisions/0007-one-queue-two-slot-sources.md.
import { randomUUID } from 'node:crypto'
import type { Rate } from '../../../contract/connector.ts'
import type { Store } from '../../../store/store.ts'
import { maxLeewayMs, type PacingLane, type SlotArrival } from '../../../store/tables/pacing-slot.ts'
import { type Clock, realClock } from './clock.ts'
import { createDatabaseClock } from './database-clock.ts'
import { PostgresBackground, type SlotContext } from './postgres-background.ts'
import { PostgresPermits } from './postgres-permits.ts'
import { type Plan, planOf } from './sliding-windows.ts'
import {
  type AccountSlots,
  type Ahead,
  type CallLimits,
  type Demand,
  laneNameOf,
  type PacedCall,
  type Remaining,
  type SlotListener,
  type SlotSource,
} from './slot-source.ts'

type Pacing = NonNullable<Store['pacing']>

export interface PostgresSlotsOptions {
  pacing: Pacing
  scale: number
  clock?: Clock
}
/** Slots that one round trip reserves. */
const maxBatch = 32
/**
 * How far ahead all of them are but the first: they are out of the reach of other instances, and of a pause that
 * another instance is asked for.
 */
const maxHorizonMs = 250
/** A slot that has just become free may be late a few times before a request whose deadline has passed is refused. */
const maxMisses = 3
/** How long the next round trip waits for responses to report, when the next slot is far away. */
const maxDeferMs = 500
/** Arrivals of an account that wait for its next round trip. */
const maxReports = 256

interface Reserved {
  slot: number // on the database's clock: its name there
  due: number
  latest: number
  slotAt: number // the slot on our clock
  tentative: boolean // until `latest`, when it is reserved again
}
/** The reservations of one lane, with the limits that it falls under. They exist only while they are in use. */
interface Lane {
  limits: CallLimits
  lanes: readonly PacingLane[]
  toleranceMs: number
  horizonMs: number
  arrivalMs: number
  deferredUntil: number // no round trip before, or before the calls under way have responses to report
  reserved: Reserved[] // in order of their instants
  returned: number[] // given back with the next round trip
  misses: number // late slots since the last one that was used
  asking: boolean
  nextAt: number // the instant of the next slot after the reserved ones, as the database reported it
  nextKnownAt: number
}

export function createPostgresSlots({ pacing, scale, clock = realClock }: PostgresSlotsOptions): SlotSource {
  const context = {
    pacing,
    scale,
    clock,
    databaseClock: createDatabaseClock({ now: clock.now, moment: pacing.moment }),
    answerMs: 0,
    lateMs: 0,
  }
  const shared = { pacing, clock, instance: randomUUID(), closed: false }
  return {
    open: ({ owner, rates }, listener) => new PostgresAccountSlots(context, owner, rates, listener),
    permits: ({ owner, concurrency }, listener) =>
      concurrency === undefined ? undefined : new PostgresPermits(shared, owner, concurrency, listener),
    async close() {
      shared.closed = true
      await pacing.dropPermits(shared.instance).catch(() => undefined) // then they expire
    },
  }
}

class PostgresAccountSlots implements AccountSlots {
  readonly #context: SlotContext
  readonly #owner: string
  readonly #rates: readonly Rate[]
  readonly #queue: SlotListener
  #lanes: Map<string, Lane> | undefined
  #heldUntil = 0
  #arrived: (SlotArrival & { lane: string })[] = [] // reported with the next round trip
  #responseMs = 0 // recently, on average
  #underWay = 0 // calls without a response
  #background: PostgresBackground | undefined
  // The first window of the account when the database was last asked.
  #used = 0
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(context: SlotContext, owner: string, rates: readonly Rate[], queue: SlotListener) {
    this.#context = context
    this.#owner = owner
    this.#rates = rates
    this.#queue = queue
  }

  next(limits: CallLimits, now: number): number {
    const lane = this.#lanes?.get(laneNameOf(limits))
    if (lane) this.#dropLate(lane, now)
    const first = lane?.reserved[0]
    if (first) return first.tentative ? Math.max(first.due, first.latest) : first.due
    if (this.#heldUntil > now) return this.#heldUntil
    return lane && !lane.asking && isFresh(lane, now) ? lane.nextAt : Number.POSITIVE_INFINITY
  }
  take(limits: CallLimits, now: number, call?: PacedCall): void {
    const lane = this.#lanes?.get(laneNameOf(limits)) as Lane
    const { due, slot, slotAt } = lane.reserved.shift() as Reserved
    if (call) this.#begin(lane, now, call, { slot, slotAt })
    else this.#report(limits, slot, slot)
    lane.misses = 0
    this.#context.lateMs = recent(this.#context.lateMs, now - due)
  }
  nextInBackground(limits: CallLimits, now: number): number {
    const next = this.#background?.next(limits, now) ?? Number.POSITIVE_INFINITY
    return next < Number.POSITIVE_INFINITY ? Math.max(next, this.#heldUntil) : next
  }
  takeInBackground(limits: CallLimits, _: number, call?: PacedCall): void {
    const { slot, slotAt } = (this.#background as PostgresBackground).take(limits)
    if (call) {
      Object.assign(call, { slot, slotAt })
      this.#underWay++
    } else this.#report(limits, slot, slot)
  }
  #begin(lane: Lane, now: number, call: PacedCall, slot: PacedCall): void {
    Object.assign(call, slot)
    this.#underWay++
    const deferMs = Math.min(maxDeferMs, lane.arrivalMs)
    if (lane.reserved.length > 0 || lane.nextAt - now < 2 * deferMs + lane.horizonMs) return
    lane.deferredUntil = now + deferMs
    this.#wake(lane.deferredUntil)
  }
  #wake(at: number): void {
    const { clock } = this.#context
    // A timer may fire a part of a millisecond early.
    clock.after(Math.max(1, Math.ceil(at - clock.now()) + 1), () => this.#queue.dispatch())
  }
  /** The database counts on a call that leaves in time: only a late one is reported before its response. */
  leave(limits: CallLimits, now: number, { slot = 0, slotAt = now }: PacedCall): void {
    const { arrivalMs } = planOf(limits.rates, this.#context.scale)
    if (now - slotAt > arrivalMs / 2) this.#report(limits, slot, slot + now - slotAt + arrivalMs)
  }
  arrive(limits: CallLimits, now: number, { slot = 0, slotAt = now, leftAt = now }: PacedCall): void {
    this.#underWay--
    const arrived = Math.min(now, leftAt + planOf(limits.rates, this.#context.scale).arrivalMs)
    this.#report(limits, slot, slot + arrived - slotAt)
    this.#responseMs += (arrived - leftAt - this.#responseMs) / 5
  }
  end(limits: CallLimits, _: number, { slot = 0, leftAt }: PacedCall): void {
    this.#underWay--
    if (leftAt === undefined) this.#report(limits, slot, slot)
  }
  #report(limits: CallLimits, slot: number, arrival: number): void {
    this.#arrived.push({ lane: laneNameOf(limits), slot, arrival })
    if (this.#arrived.length > maxReports) this.#arrived.shift() // it counts for longer than it has to
  }
  /** A lower bound: the other instances may be ahead as well. */
  estimate(limits: CallLimits, now: number, { ofAccount, ofLane }: Ahead): number {
    const { scale } = this.#context
    const lane = this.#lanes?.get(laneNameOf(limits))
    const slot = lane?.reserved[ofLane]
    if (slot) return Math.max(now, slot.due)
    const reserved = lane?.reserved.length ?? 0
    const first = Math.max(now, this.#heldUntil, lane && isFresh(lane, now) ? lane.nextAt : 0)
    const own = timeFor(ofAccount - reserved, limits.rates, scale, this.#responseMs)
    if (!limits.lane) return first + own
    return first + Math.max(own, timeFor(ofLane - reserved, limits.lane.rates, scale, this.#responseMs))
  }
  settle(demands: ReadonlyMap<string, Demand>, background: ReadonlyMap<string, CallLimits>, now: number): void {
    this.#settleBackground(background, now)
    if (demands.size > 0) this.#lanes ??= new Map()
    for (const [name, { limits }] of demands)
      if (!this.#lanes?.has(name)) this.#lanes?.set(name, laneOf(limits, this.#context.scale))
    for (const [name, lane] of this.#lanes ?? []) {
      const { requests, until } = demands.get(name) ?? { requests: 0, until: now }
      giveBack(lane, lane.reserved.splice(requests))
      if (lane.asking || (this.#underWay > 0 && now < lane.deferredUntil)) continue
      const missing = Math.min(maxBatch, requests) - lane.reserved.length
      const count =
        now >= this.#heldUntil && (lane.reserved.length === 0 || lane.returned.length > 0) ? Math.max(0, missing) : 0
      if (count > 0 || lane.returned.length > 0) void this.#reserve(lane, count, until)
      else if (lane.reserved.length === 0 && !isFresh(lane, now)) this.#lanes?.delete(name)
    }
    if (this.#lanes?.size === 0) this.#lanes = undefined
  }
  #settleBackground(demands: ReadonlyMap<string, CallLimits>, now: number): void {
    const { scale } = this.#context
    if (demands.size > 0)
      this.#background ??= new PostgresBackground({
        context: this.#context,
        owner: this.#owner,
        queue: this.#queue,
        shapeOf: (limits) => laneOf(limits, scale),
        takeArrived: (lanes) => this.#takeArrived(lanes),
      })
    this.#background?.settle(demands, now)
    if (this.#background?.isIdle) this.#background = undefined
  }
  hold(now: number, milliseconds: number): Promise<void> {
    this.#heldUntil = Math.max(this.#heldUntil, now + milliseconds)
    for (const lane of this.#lanes?.values() ?? []) this.#dropHeld(lane)
    return this.#context.pacing.hold(this.#owner, milliseconds)
  }
  freeNow(limits: CallLimits, now: number): boolean {
    return this.remaining(limits, now).left > 0
  }
  remaining(_: CallLimits, now: number): Remaining {
    const { requests, seconds, guarded } = planOf(this.#rates, this.#context.scale)
      .windows[0] as Plan['windows'][number]
    const resetMs = this.#usedAt + guarded + this.#responseMs - now
    return resetMs > 0
      ? { limit: requests, left: Math.max(0, requests - this.#used), seconds, resetMs }
      : { limit: requests, left: requests, seconds, resetMs: 0 }
  }
  idle(now: number): boolean {
    if (this.#background) return false
    for (const lane of this.#lanes?.values() ?? [])
      if (lane.asking || lane.reserved.length > 0 || lane.returned.length > 0 || isFresh(lane, now)) return false
    return this.#heldUntil <= now && now - this.#usedAt > planOf(this.#rates, this.#context.scale).longest
  }

  #takeArrived(lanes: readonly PacingLane[]): SlotArrival[] {
    const isOfLanes = ({ lane: name }: { lane: string }) => lanes.some((one) => one.name === name)
    const arrived = this.#arrived.filter(isOfLanes)
    this.#arrived = this.#arrived.filter((one) => !isOfLanes(one))
    return arrived
  }
  /** One round trip: gives back what is not needed, and reserves up to `count` slots. */
  async #reserve(lane: Lane, count: number, until: number): Promise<void> {
    const { pacing, clock, databaseClock, answerMs, lateMs } = this.#context
    const { returned, lanes, horizonMs, toleranceMs, arrivalMs } = lane
    const afterMs = answerMs > toleranceMs ? Math.min(maxHorizonMs, answerMs * 1.2) : 0
    const arrived = this.#takeArrived(lanes)
    lane.returned = []
    lane.asking = true
    const askedAt = clock.now()
    try {
      const { slots, moment, nextMs, used } = await pacing.reserve(this.#owner, {
        lanes,
        count: count,
        maxWaitMs: Math.max(0, until - askedAt),
        horizonMs,
        // A slot that is due before the answer arrives, or while the process is busy, would be late every time.
        afterMs,
        leewayMs: lateMs > toleranceMs ? Math.min(maxLeewayMs, lateMs * 1.5) : 0,
        returned,
        arrived,
      })
      const ours = await databaseClock.ours({ moment, askedAt, answered: clock.now() }, toleranceMs)
      for (const { slot, waitMs, leewayMs, tentative } of slots) {
        const due = ours + waitMs
        const slotAt = due + leewayMs
        // Not at once: calls under way get the time to end.
        const again = Math.max(due - horizonMs / 2 - afterMs, clock.now() + Math.max(horizonMs / 4, arrivalMs / 8))
        lane.reserved.push({ slot, due, slotAt, tentative, latest: tentative ? again : slotAt + toleranceMs })
        if (tentative) this.#wake(again)
      }
      lane.reserved.sort((left, right) => left.due - right.due)
      this.#dropHeld(lane)
      const now = clock.now()
      lane.nextAt = Math.max(ours, askedAt) + nextMs
      lane.nextKnownAt = now
      if (count > 0 && slots.length === 0) refuse(lane, now)
      this.#used = used + slots.length
      this.#usedAt = now
      this.#context.answerMs = recent(answerMs, now - ours)
    } catch (error) {
      // A slot that was not given back counts as used until its window has passed.
      lane.asking = false
      return this.#queue.fail(lane.limits, count, error)
    }
    lane.asking = false
    this.#queue.dispatch()
  }
  /**
   * After a pause of this process or a slow answer of the database, another instance may count on the call having left
   * already. The slot is given back.
   */
  #dropLate(lane: Lane, now: number): void {
    const { reserved } = lane
    const first = reserved[0]
    if (!first || now < first.latest || (now === first.latest && !first.tentative)) return
    if (first.tentative) {
      giveBack(lane, reserved.splice(0))
      return
    }
    giveBack(lane, reserved.splice(0, reserved.findLastIndex(({ latest }) => now > latest) + 1))
    this.#context.lateMs = recent(this.#context.lateMs, now - first.due)
    if (++lane.misses > maxMisses) refuse(lane, now)
  }
  #dropHeld(lane: Lane): void {
    giveBack(lane, lane.reserved.splice(0, lane.reserved.findLastIndex(({ due }) => due < this.#heldUntil) + 1))
  }
}

/** The highest value, where older ones count for less. */
const recent = (before: number, value: number): number => Math.max(value, before * 0.8)
const isFresh = ({ nextAt, nextKnownAt, horizonMs }: Lane, now: number): boolean =>
  nextAt > now && now - nextKnownAt <= horizonMs
/** How long it takes at least until one more call than this many may leave. */
const timeFor = (calls: number, rates: readonly Rate[], scale: number, responseMs: number): number =>
  Math.max(
    ...planOf(rates, scale).windows.map(
      ({ requests, guarded }) => Math.floor(calls / requests) * (guarded + responseMs),
    ),
  )

/** Requests whose deadline has passed have no slot to wait for. */
function refuse(lane: Lane, now: number): void {
  lane.nextAt = Math.max(lane.nextAt, now + 1)
  lane.nextKnownAt = now
}
function giveBack(lane: Lane, reserved: readonly Reserved[]): void {
  for (const { slot } of reserved) lane.returned.push(slot)
  if (reserved.length > 0) lane.nextAt = 0 // there may be an earlier one now
}
function laneOf(limits: CallLimits, scale: number): Lane {
  const { rates, lane } = limits
  const windowsOf = (of: readonly Rate[]) =>
    planOf(of, scale).windows.map(({ requests, guarded }) => [requests, guarded] as const)
  const ownPlan = planOf(rates, scale)
  const shortest = Math.min(...ownPlan.windows.map(({ length }) => length))
  return {
    limits,
    lanes: [
      { name: '', windows: windowsOf(rates), gap: ownPlan.gap, arrival: ownPlan.arrivalMs },
      ...(lane
        ? [{ name: lane.name, windows: windowsOf(lane.rates), arrival: planOf(lane.rates, scale).arrivalMs }]
        : []),
    ],
    // Half of the guard; the other half is for the way to the platform. No process is on time to less than two
    // milliseconds.
    toleranceMs: Math.max(2, Math.min(...ownPlan.windows.map(({ guarded, length }) => guarded - length)) / 2),
    horizonMs: Math.min(maxHorizonMs, shortest / 4),
    arrivalMs: ownPlan.arrivalMs,
    deferredUntil: 0,
    reserved: [],
    returned: [],
    misses: 0,
    asking: false,
    nextAt: 0,
    nextKnownAt: 0,
  }
}
