// Calls are paced, not bounced: each takes the next free slot of its account and waits for it, as long as its request is willing to wait.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rate } from '../../contract/connector.ts'
import { createWindows, type Windows } from './sliding-windows.ts'

export interface Lane {
  name: string // account id, or account id and lane
  rates: readonly Rate[]
}
export interface Pacer {
  /** Waits for the next slot of all lanes at once; answers the milliseconds waited, or how long it would have been when that is more than `maxWaitMs`. */
  take(lanes: readonly Lane[], maxWaitMs: number): Promise<{ waitedMs: number } | { wouldWaitMs: number }>
  freeNow(lanes: readonly Lane[]): boolean
  hold(lane: Lane, milliseconds: number): void
  status(lane: Lane): { limit: number; left: number; windowMs: number; resetMs: number }
}

export function createPacer(options: { scale: number; now?: () => number; sleep?: (ms: number) => Promise<unknown> }): Pacer {
  const now = options.now ?? (() => performance.now() + performance.timeOrigin)
  const wait = options.sleep ?? ((ms: number) => sleep(ms))
  const lanes = new Map<string, Windows>()

  const windowsOf = ({ name, rates }: Lane): Windows => {
    let windows = lanes.get(name)
    if (!windows) {
      if (lanes.size >= 10_000) dropIdle()
      windows = createWindows(rates, options.scale)
      lanes.set(name, windows)
    }
    return windows
  }
  const dropIdle = () => {
    const horizon = now() - 120_000
    for (const [name, windows] of lanes) if (windows.idleSince() < horizon) lanes.delete(name)
  }
  return {
    async take(wanted, maxWaitMs) {
      const asked = now()
      const all = wanted.map(windowsOf)
      const free = Math.max(...all.map((windows) => windows.peek(asked)))
      if (free - asked > maxWaitMs) return { wouldWaitMs: Math.ceil(free - asked) }
      for (const windows of all) windows.reserve(free)
      // A timer may fire up to a millisecond early.
      for (let rest = free - now(); rest > 0; rest = free - now()) await wait(Math.ceil(rest))
      return { waitedMs: Math.max(0, Math.round(free - asked)) }
    },
    freeNow: (wanted) => {
      const at = now()
      return wanted.every((lane) => windowsOf(lane).peek(at) <= at)
    },
    hold: (lane, milliseconds) => windowsOf(lane).hold(now() + milliseconds),
    status: (lane) => windowsOf(lane).remaining(now()),
  }
}
