// The clock and the serial numbers of a simulated business.
import type { State } from './collection.ts'

export interface Clock {
  now(): number // milliseconds
  tick(): number // like now, but later than every earlier tick: a later change always has a later time
}
export function createClock(now: () => number): Clock {
  let last = 0
  return {
    now,
    tick() {
      last = Math.max(now(), last + 1)
      return last
    },
  }
}

/** Returns `first`, then the next number of that kind. The numbers are stored across restarts. */
export type Serial = (kind: string, first?: number) => number
export function createSerial(state: State): Serial {
  const counters = state.collection<number>('counters')
  return (kind, first = 1) => counters.set(kind, (counters.get(kind) ?? first - 1) + 1)
}
