// Calls are paced, not bounced: each waits in its account's queue for the next slot, as long as its request is willing to. Callers of one account take turns.
import type { Rate } from '../../contract/connector.ts'
import { createWindows, type Windows } from './sliding-windows.ts'

/** The limits a call falls under: the account's, and an extra lane where the platform has one for this call. */
export interface Slot {
  accountId: string
  rates: readonly Rate[]
  lane?: { name: string; rates: readonly Rate[] }
}
export interface Wish extends Slot {
  caller: string
  maxWaitMs: number
}
export interface Pacer {
  /** Resolves when the call may leave: with the milliseconds waited, or with how long it would (still) have to wait when that is too long. */
  take(wish: Wish): Promise<{ waitedMs: number } | { wouldWaitMs: number }>
  freeNow(slot: Slot): boolean
  hold(slot: Slot, milliseconds: number): void
  status(slot: Slot): { limit: number; left: number; windowMs: number; resetMs: number }
}
interface Waiter {
  caller: string
  windows: Windows[]
  asked: number
  deadline: number
  resolve(outcome: { waitedMs: number } | { wouldWaitMs: number }): void
}
interface Desk {
  windows: Windows
  lanes: Map<string, Windows>
  queue: Waiter[]
  served: Map<string, number> // caller -> turn
  turn: number
  timer?: unknown
}
interface Clock {
  now(): number
  after(milliseconds: number, run: () => void): unknown
  cancel(timer: unknown): void
}
const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => setTimeout(run, milliseconds),
  cancel: (timer) => clearTimeout(timer as NodeJS.Timeout),
}
const maxQueue = 10_000
const maxIdleDesks = 10_000

export function createPacer({ scale, clock = realClock }: { scale: number; clock?: Clock }): Pacer {
  const desks = new Map<string, Desk>()

  function deskOf({ accountId, rates }: Slot): Desk {
    let desk = desks.get(accountId)
    if (!desk) {
      if (desks.size >= maxIdleDesks) forgetIdle()
      desk = { windows: createWindows(rates, scale), lanes: new Map(), queue: [], served: new Map(), turn: 0 }
      desks.set(accountId, desk)
    }
    return desk
  }
  function windowsOf(desk: Desk, { lane }: Slot): Windows[] {
    if (!lane) return [desk.windows]
    let windows = desk.lanes.get(lane.name)
    if (!windows) {
      windows = createWindows(lane.rates, scale)
      desk.lanes.set(lane.name, windows)
    }
    return [desk.windows, windows]
  }
  /** A desk that has been quiet for longer than any window says nothing a new one would not say. */
  function forgetIdle(): void {
    const horizon = clock.now() - 120_000
    for (const [accountId, desk] of desks) if (desk.queue.length === 0 && desk.windows.idleSince() < horizon) desks.delete(accountId)
  }

  /** Lets go everybody who may go now, in turn; then sleeps until the next one may. */
  function dispatch(desk: Desk): void {
    clock.cancel(desk.timer)
    desk.timer = undefined
    for (;;) {
      const now = clock.now()
      let best: Waiter | undefined
      let wake = Number.POSITIVE_INFINITY
      for (const waiter of desk.queue) {
        const free = Math.max(...waiter.windows.map((windows) => windows.next(now)))
        if (free > waiter.deadline) continue
        if (free > now) wake = Math.min(wake, free)
        else if (!best || (desk.served.get(waiter.caller) ?? 0) < (desk.served.get(best.caller) ?? 0)) best = waiter
      }
      if (!best) {
        dismissLate(desk, now)
        if (wake < Number.POSITIVE_INFINITY) desk.timer = clock.after(Math.max(1, Math.ceil(wake - now)), () => dispatch(desk))
        return
      }
      desk.queue.splice(desk.queue.indexOf(best), 1)
      desk.served.set(best.caller, ++desk.turn)
      if (desk.served.size > 1000) desk.served.clear()
      for (const windows of best.windows) windows.take(now)
      best.resolve({ waitedMs: Math.round(now - best.asked) })
    }
  }
  /** The platform asked for more quiet than these can wait for. */
  function dismissLate(desk: Desk, now: number): void {
    desk.queue = desk.queue.filter((waiter) => {
      const free = Math.max(...waiter.windows.map((windows) => windows.next(now)))
      if (free <= waiter.deadline) return true
      waiter.resolve({ wouldWaitMs: Math.ceil(free - now) })
      return false
    })
  }

  return {
    take(wish) {
      const desk = deskOf(wish)
      const asked = clock.now()
      const windows = windowsOf(desk, wish)
      const expected = Math.max(...windows.map((entry) => entry.next(asked, desk.queue.length))) - asked
      if (expected > wish.maxWaitMs || desk.queue.length >= maxQueue) return Promise.resolve({ wouldWaitMs: Math.ceil(expected) })
      return new Promise((resolve) => {
        desk.queue.push({ caller: wish.caller, windows, asked, deadline: asked + wish.maxWaitMs, resolve })
        dispatch(desk)
      })
    },
    freeNow(slot) {
      const desk = deskOf(slot)
      const now = clock.now()
      return desk.queue.length === 0 && windowsOf(desk, slot).every((windows) => windows.next(now) <= now)
    },
    hold(slot, milliseconds) {
      const desk = deskOf(slot)
      desk.windows.hold(clock.now() + milliseconds)
      dispatch(desk)
    },
    status: (slot) => deskOf(slot).windows.remaining(clock.now()),
  }
}
