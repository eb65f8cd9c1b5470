// Slots of background work over one Postgres. The database decides: it knows what all instances have used and reserved.
// One slot of a lane at a time, to be used at once.
import type { Store } from '../../../store/store.ts'
import { maxLeewayMs, type PacingLane, type SlotArrival } from '../../../store/tables/pacing-slot.ts'
import type { Clock } from './clock.ts'
import type { DatabaseClock } from './database-clock.ts'
import { type CallLimits, laneNameOf, type SlotListener } from './slot-source.ts'

/** The slots of one process. */
export interface SlotContext {
  pacing: NonNullable<Store['pacing']>
  scale: number
  clock: Clock
  databaseClock: DatabaseClock
  answerMs: number // from the moment of a reservation until this process could use it, recently at most
  lateMs: number // from the instant of a slot until this process handed it out, recently at most
}
/** The lanes of a call in the database, and how exactly a slot must be met. */
interface Shape {
  lanes: readonly PacingLane[]
  toleranceMs: number
}
export interface BackgroundOptions {
  context: SlotContext
  owner: string
  queue: SlotListener
  shapeOf(limits: CallLimits): Shape
  /** Arrivals that wait for a round trip. They are reported with this one. */
  takeArrived(lanes: readonly PacingLane[]): SlotArrival[]
}
interface Reserved {
  slot: number // on the database's clock: its name there
  slotAt: number // on ours, as the next two
  due: number
  latest: number
}
/** The reservations of one lane. They exist only while they are in use. */
interface Lane extends Shape {
  reserved: Reserved | undefined
  returned: number[] // given back with the next round trip
  asking: boolean
  askAt: number // no reservation before
  pauseMs: number // after a reservation that found waiting callers
}
/** While callers wait, the database is asked again after this, then after twice as long each time. */
const leastPauseMs = 250
const mostPauseMs = 2_000
/** The longest time between two looks: what others use may be given back. */
const lookAgainMs = 10_000

export class PostgresBackground {
  readonly #options: BackgroundOptions
  readonly #lanes = new Map<string, Lane>()

  constructor(options: BackgroundOptions) {
    this.#options = options
  }
  get isIdle(): boolean {
    return this.#lanes.size === 0
  }
  /** Infinite while the database has not been asked; `settle` asks it. */
  next(limits: CallLimits, now: number): number {
    const lane = this.#lanes.get(laneNameOf(limits))
    if (!lane || lane.asking) return Number.POSITIVE_INFINITY
    // After a pause of this process another instance may count on the call having left already.
    if (lane.reserved && now > lane.reserved.latest) giveBack(lane)
    if (lane.reserved) return lane.reserved.due
    return lane.askAt > now ? lane.askAt : Number.POSITIVE_INFINITY
  }
  take(limits: CallLimits): Reserved {
    const lane = this.#lanes.get(laneNameOf(limits)) as Lane
    const reserved = lane.reserved as Reserved
    lane.reserved = undefined
    return reserved
  }
  settle(demands: ReadonlyMap<string, CallLimits>, now: number): void {
    for (const [name, limits] of demands) {
      if (this.#lanes.has(name)) continue
      const shape = this.#options.shapeOf(limits)
      this.#lanes.set(name, { ...shape, reserved: undefined, returned: [], asking: false, askAt: 0, pauseMs: 0 })
    }
    for (const [name, lane] of this.#lanes) {
      const wanted = demands.has(name)
      if (!wanted) giveBack(lane)
      if (lane.asking) continue
      if (wanted && !lane.reserved && now >= lane.askAt) void this.#ask(lane)
      else if (!wanted && lane.returned.length > 0) void this.#return(lane)
      else if (!wanted && lane.askAt <= now) this.#lanes.delete(name)
    }
  }
  async #ask(lane: Lane): Promise<void> {
    const { context, owner, queue, takeArrived } = this.#options
    const { pacing, clock, databaseClock, answerMs, lateMs } = context
    const { lanes, toleranceMs, returned } = lane
    lane.returned = []
    lane.asking = true
    const askedAt = clock.now()
    try {
      const { slot, moment, nextMs, waiting } = await pacing.reserveInBackground(owner, {
        lanes,
        afterMs: answerMs > toleranceMs ? answerMs * 1.2 : 0,
        leewayMs: lateMs > toleranceMs ? Math.min(maxLeewayMs, lateMs * 1.5) : 0,
        returned,
        arrived: takeArrived(lanes),
      })
      const ours = await databaseClock.ours({ moment, askedAt, answered: clock.now() }, toleranceMs)
      const now = clock.now()
      context.answerMs = Math.max(now - ours, answerMs * 0.8)
      lane.pauseMs = waiting ? Math.min(mostPauseMs, Math.max(leastPauseMs, lane.pauseMs * 2)) : 0
      lane.askAt = slot ? now : Math.max(now + Math.max(1, lane.pauseMs), Math.min(ours + nextMs, now + lookAgainMs))
      if (slot) {
        const due = ours + slot.waitMs
        const slotAt = due + slot.leewayMs
        lane.reserved = { slot: slot.slot, slotAt, due, latest: slotAt + toleranceMs }
      }
    } catch (error) {
      // A slot that was not given back counts as used until its window has passed.
      lane.asking = false
      return queue.failBackground(error)
    }
    lane.asking = false
    queue.dispatch()
  }
  async #return(lane: Lane): Promise<void> {
    const { context, owner, queue, takeArrived } = this.#options
    const { lanes, returned } = lane
    lane.returned = []
    lane.asking = true
    try {
      const none = { count: 0, maxWaitMs: 0, horizonMs: 0, afterMs: 0, leewayMs: 0 }
      await context.pacing.reserve(owner, { lanes, ...none, returned, arrived: takeArrived(lanes) })
    } catch {} // then they count as used until their window has passed
    lane.asking = false
    queue.dispatch()
  }
}

function giveBack(lane: Lane): void {
  if (!lane.reserved) return
  lane.returned.push(lane.reserved.slot)
  lane.reserved = undefined
}
