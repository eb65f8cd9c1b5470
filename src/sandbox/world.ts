// The clock and the serial numbers of a simulated business.
import type { State } from './collection.ts'

export interface Clock {
  now(): number // milliseconds
  tick(): number // like now, but later than every earlier tick: a later change always has a later time
}
/** Depends on the speed of the machine, so it is no part of a seed. */
export const clockCollection = 'clock'
export function createClock(now: () => number, state: State): Clock {
  let last = 0
  const kept = state.collection<number>(clockCollection)
  return {
    now,
    tick() {
      const at = now()
      last = Math.max(at, last + 1, (kept.get('last') ?? 0) + 1)
      // Many changes at once lead it ahead of the time, where it must be after a restart, too.
      if (last > at) kept.set('last', last)
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
