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
  signal?: AbortSignal // the caller has gone: its place in the queue goes to the next one
}
export interface Pacer {
  /** Resolves when the call may leave: with the milliseconds waited, or with how long it would (still) have to wait when that is too long. */
  take(wish: Wish): Promise<{ waitedMs: number } | { wouldWaitMs: number }>
  freeNow(slot: Slot): boolean
  hold(slot: Slot, milliseconds: number): Promise<void>
  status(slot: Slot): { limit: number; left: number; windowMs: number; resetMs: number }
  /** Calls of this instance that wait for a slot now. */
  waiting(): number
}
interface Waiter {
  caller: string
  windows: Windows[]
  asked: number
  deadline: number
  resolve(outcome: { waitedMs: number } | { wouldWaitMs: number }): void
}
/** There may be a million of them, nearly all idle: what only a busy one needs is not there before. */
interface Desk {
  windows: Windows
  lanes?: Map<string, Windows>
  queues?: Map<string, Waiter[]> | undefined // one per caller and lane: only their heads compete
  waiting: number
  served?: Map<string, number> | undefined // caller -> turn; where there was only one:
  last?: string
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
/** Callers take turns: before a newcomer go those of its own queue, and of every other queue as many as there will be turns until then. */
export function aheadOf(name: string, queues: ReadonlyMap<string, readonly unknown[]>): number {
  const own = queues.get(name)?.length ?? 0
  let ahead = own
  for (const [other, queue] of queues) if (other !== name) ahead += Math.min(queue.length, own + 1)
  return ahead
}
const turnOf = ({ served, last, turn }: Desk, { caller }: Waiter) => (served ? (served.get(caller) ?? 0) : last === caller ? turn : 0)
const freeAt = ({ windows }: Waiter, now: number) => Math.max(...windows.map((entry) => entry.next(now)))
/** Calls of one account that wait at an instance. */
export const maxQueue = 10_000
const keptDesks = 10_000

export function createPacer({ scale, clock = realClock }: { scale: number; clock?: Clock }): Pacer {
  const desks = new Map<string, Desk>()
  let lookAgainAt = keptDesks
  let waiting = 0 // at all desks
  const wait = (desk: Desk, more: number) => {
    desk.waiting += more
    waiting += more
  }

  function deskOf({ accountId, rates }: Slot): Desk {
    let desk = desks.get(accountId)
    if (!desk) {
      if (desks.size >= lookAgainAt) forgetIdle()
      desk = { windows: createWindows(rates, scale), waiting: 0, turn: 0 }
      desks.set(accountId, desk)
    }
    return desk
  }
  function windowsOf(desk: Desk, { lane }: Slot): Windows[] {
    if (!lane) return [desk.windows]
    desk.lanes ??= new Map()
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
    for (const [accountId, desk] of desks) if (desk.waiting === 0 && desk.windows.idleSince() < horizon) desks.delete(accountId)
    lookAgainAt = Math.max(keptDesks, desks.size * 2) // seldom enough to cost nothing per call, however many are busy
  }

  /** Lets go everybody who may go now, in turn; then sleeps until the next one may. */
  function dispatch(desk: Desk): void {
    clock.cancel(desk.timer)
    desk.timer = undefined
    for (;;) {
      const now = clock.now()
      let best: { name: string; waiter: Waiter } | undefined
      let wake = Number.POSITIVE_INFINITY
      for (const [name, [waiter]] of desk.queues ?? []) {
        if (!waiter) continue
        const free = freeAt(waiter, now)
        if (free > now) wake = Math.min(wake, free)
        else if (!best || turnOf(desk, waiter) < turnOf(desk, best.waiter)) best = { name, waiter }
      }
      if (!best) {
        dismissLate(desk, now)
        if (desk.waiting > 0) desk.timer = clock.after(Math.max(1, Math.ceil(wake - now)), () => dispatch(desk))
        else rest(desk)
        return
      }
      const { name, waiter } = best
      const queue = desk.queues?.get(name) as Waiter[]
      queue.shift()
      if (queue.length === 0) desk.queues?.delete(name)
      wait(desk, -1)
      if (!desk.served || desk.served.size > 1000) desk.served = new Map(desk.last === undefined ? [] : [[desk.last, desk.turn]])
      desk.served.set(waiter.caller, ++desk.turn)
      for (const windows of waiter.windows) windows.take(now)
      waiter.resolve({ waitedMs: Math.round(now - waiter.asked) })
    }
  }
  function rest(desk: Desk): void {
    desk.queues = undefined
    if (desk.served?.size !== 1) return
    for (const caller of desk.served.keys()) desk.last = caller
    desk.served = undefined
  }
  function leave(desk: Desk, name: string, resolve: Waiter['resolve']): void {
    const queue = desk.queues?.get(name)
    const index = queue?.findIndex((waiter) => waiter.resolve === resolve) ?? -1
    if (!queue || index < 0) return
    queue.splice(index, 1)
    if (queue.length === 0) desk.queues?.delete(name)
    wait(desk, -1)
    resolve({ wouldWaitMs: 0 })
  }
  /** Those who cannot wait until the next slot, since the platform asked for quiet or others had their turn, are told so now. */
  function dismissLate(desk: Desk, now: number): void {
    for (const [name, queue] of desk.queues ?? []) {
      const kept = queue.filter((waiter) => {
        const free = freeAt(waiter, now)
        if (free <= waiter.deadline) return true
        waiter.resolve({ wouldWaitMs: Math.ceil(free - now) })
        return false
      })
      wait(desk, kept.length - queue.length)
      if (kept.length > 0) desk.queues?.set(name, kept)
      else desk.queues?.delete(name)
    }
  }

  return {
    take(wish) {
      const desk = deskOf(wish)
      const asked = clock.now()
      const windows = windowsOf(desk, wish)
      const name = `${wish.caller} ${wish.lane?.name ?? ''}`
      const expected = Math.max(...windows.map((entry) => entry.next(asked, aheadOf(name, desk.queues ?? new Map())))) - asked
      if (expected > wish.maxWaitMs || desk.waiting >= maxQueue) return Promise.resolve({ wouldWaitMs: Math.ceil(expected) })
      return new Promise((resolve) => {
        desk.queues ??= new Map()
        const queue = desk.queues.get(name) ?? []
        if (queue.length === 0) desk.queues.set(name, queue)
        const waiter = { caller: wish.caller, windows, asked, deadline: asked + wish.maxWaitMs, resolve }
        queue.push(waiter)
        wait(desk, 1)
        dispatch(desk)
        // Most may go at once: only who waits can give up.
        if (wish.signal && desk.queues?.get(name)?.includes(waiter)) wish.signal.addEventListener('abort', () => leave(desk, name, resolve), { once: true })
      })
    },
    freeNow(slot) {
      const desk = deskOf(slot)
      const now = clock.now()
      return desk.waiting === 0 && windowsOf(desk, slot).every((windows) => windows.next(now) <= now)
    },
    async hold(slot, milliseconds) {
      const desk = deskOf(slot)
      desk.windows.hold(clock.now() + milliseconds)
      dispatch(desk)
    },
    status: (slot) => deskOf(slot).windows.remaining(clock.now()),
    waiting: () => waiting,
  }
}
