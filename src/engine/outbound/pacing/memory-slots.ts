// Slots of one process: sliding windows in memory. A free slot costs neither a promise nor an event-loop turn.

import type { CallLog, PastCalls } from './call-log.ts'
import { SlidingWindows } from './sliding-windows.ts'
import type { AccountSlots, Ahead, CallLimits, PacedCall, Remaining, SlotSource } from './slot-source.ts'

const none: Ahead = { ofAccount: 0, ofLane: 0 }

/** With a log, the windows go on where those of the process before ended. */
export function createMemorySlots({ scale, log }: { scale: number; log?: CallLog | undefined }): SlotSource {
  return {
    open: ({ owner, rates }, _, now) =>
      new MemoryAccountSlots(owner, new SlidingWindows(rates, scale), scale, log, now),
  }
}

class MemoryAccountSlots implements AccountSlots {
  readonly #owner: string
  readonly #own: SlidingWindows
  readonly #scale: number
  readonly #log: CallLog | undefined
  readonly #past: PastCalls | undefined
  #lanes: Map<string, SlidingWindows> | undefined

  constructor(owner: string, ownWindows: SlidingWindows, scale: number, log: CallLog | undefined, now: number) {
    this.#owner = owner
    this.#own = ownWindows
    this.#scale = scale
    this.#log = log
    this.#past = log?.past(owner)
    if (!this.#past) return
    ownWindows.continue(this.#past.own, now, this.#past.unknownAt)
    ownWindows.hold(this.#past.heldUntil)
  }
  #laneOf({ name, rates }: NonNullable<CallLimits['lane']>, now: number): SlidingWindows {
    this.#lanes ??= new Map()
    let windows = this.#lanes.get(name)
    if (!windows) {
      windows = new SlidingWindows(rates, this.#scale)
      if (this.#past) windows.continue(this.#past.lanes.get(name) ?? [], now, this.#past.unknownAt)
      this.#lanes.set(name, windows)
    }
    return windows
  }
  next(limits: CallLimits, now: number): number {
    return this.estimate(limits, now, none)
  }
  estimate({ lane }: CallLimits, now: number, { ofAccount, ofLane }: Ahead): number {
    const at = this.#own.next(now, ofAccount)
    return lane ? Math.max(at, this.#laneOf(lane, now).next(now, ofLane)) : at
  }
  asked({ lane }: CallLimits, now: number): void {
    this.#own.asked(now)
    if (lane) this.#laneOf(lane, now).asked(now)
  }
  nextInBackground({ lane }: CallLimits, now: number): number {
    const at = this.#own.nextInBackground(now)
    return lane ? Math.max(at, this.#laneOf(lane, now).nextInBackground(now)) : at
  }
  takeInBackground(limits: CallLimits, now: number, call?: PacedCall): void {
    this.take(limits, now, call)
  }
  take({ lane }: CallLimits, now: number, call?: PacedCall): void {
    this.#own.take(now, call !== undefined)
    if (lane) this.#laneOf(lane, now).take(now, call !== undefined)
  }
  leave({ lane }: CallLimits, now: number): void {
    const ofLane = lane && this.#laneOf(lane, now)
    this.#own.leave(now)
    ofLane?.leave(now)
    this.#log?.sent(this.#owner, lane?.name ?? '', now, Math.max(this.#own.longest, ofLane?.longest ?? 0))
  }
  arrive({ lane }: CallLimits, now: number, { leftAt = now }: PacedCall): void {
    this.#own.arrive(leftAt, now)
    if (lane) this.#laneOf(lane, now).arrive(leftAt, now)
  }
  end({ lane }: CallLimits, now: number, { leftAt }: PacedCall): void {
    if (leftAt !== undefined) return
    this.#own.stay(now)
    if (lane) this.#laneOf(lane, now).stay(now)
  }
  hold(now: number, milliseconds: number): undefined {
    this.#own.hold(now + milliseconds)
    this.#log?.held(this.#owner, now + milliseconds)
  }
  freeNow(limits: CallLimits, now: number): boolean {
    return this.next(limits, now) <= now
  }
  remaining(_: CallLimits, now: number): Remaining {
    return this.#own.remaining(now)
  }
  idle(now: number): boolean {
    for (const windows of this.#lanes?.values() ?? []) if (!windows.idle(now)) return false
    return this.#own.idle(now)
  }
}
