// Slots of one process: sliding windows in memory. A free slot costs neither a promise nor an event-loop turn.

import { SlidingWindows } from './sliding-windows.ts'
import type { AccountSlots, Ahead, CallLimits, Remaining, SlotSource } from './slot-source.ts'

const none: Ahead = { ofAccount: 0, ofLane: 0 }

export function createMemorySlots({ scale }: { scale: number }): SlotSource {
  return { open: ({ rates }) => new MemoryAccountSlots(new SlidingWindows(rates, scale), scale) }
}

class MemoryAccountSlots implements AccountSlots {
  readonly #own: SlidingWindows
  readonly #scale: number
  #lanes: Map<string, SlidingWindows> | undefined

  constructor(own: SlidingWindows, scale: number) {
    this.#own = own
    this.#scale = scale
  }
  #laneOf({ name, rates }: NonNullable<CallLimits['lane']>): SlidingWindows {
    this.#lanes ??= new Map()
    let windows = this.#lanes.get(name)
    if (!windows) {
      windows = new SlidingWindows(rates, this.#scale)
      this.#lanes.set(name, windows)
    }
    return windows
  }
  next(limits: CallLimits, now: number): number {
    return this.estimate(limits, now, none)
  }
  estimate({ lane }: CallLimits, now: number, { ofAccount, ofLane }: Ahead): number {
    const at = this.#own.next(now, ofAccount)
    return lane ? Math.max(at, this.#laneOf(lane).next(now, ofLane)) : at
  }
  take({ lane }: CallLimits, now: number): void {
    this.#own.take(now)
    if (lane) this.#laneOf(lane).take(now)
  }
  late({ lane }: CallLimits, now: number, milliseconds: number): void {
    this.#own.late(now - milliseconds, now)
    if (lane) this.#laneOf(lane).late(now - milliseconds, now)
  }
  hold(now: number, milliseconds: number): undefined {
    this.#own.hold(now + milliseconds)
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
