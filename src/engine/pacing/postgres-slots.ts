// The pacer of several instances over one Postgres. Each instance keeps its own fair queue per account and reserves one slot ahead in the database, on the database's clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rate } from '../../contract/connector.ts'
import type { PacingLane } from '../../store/pacing-slot.ts'
import type { Store } from '../../store/store.ts'
import { createDatabaseClock } from './database-clock.ts'
import { aheadOf, maxQueue, type Pacer, type Slot } from './pacer.ts'
import { gapOf, guard } from './sliding-windows.ts'

interface Waiter {
  caller: string
  asked: number
  deadline: number
  signal?: AbortSignal
  resolve(outcome: { waitedMs: number } | { wouldWaitMs: number }): void
  reject(error: unknown): void
}
interface Desk {
  slot: Slot
  queues: Map<string, Waiter[]>
  waiting: number
  turn: number
  served: Map<string, number>
  running: boolean
}
/** What an instance last heard of an account's windows: for the headers and for honest estimates. */
interface Known {
  at: number
  used: number
  waitMs: number
}
const maxKnown = 20_000

export function createSharedPacer(pacing: NonNullable<Store['pacing']>, scale: number): Pacer {
  const desks = new Map<string, Desk>()
  const known = new Map<string, Known>()
  let open = 0 // calls that wait, or are being given a slot
  const now = () => performance.now()

  const laneOf = (name: string, rates: readonly Rate[]): PacingLane => ({
    name,
    windows: rates.map(({ requests, seconds }) => [requests, seconds * 1000 * scale + guard(seconds * 1000 * scale)] as const),
    keep: Math.max(...rates.map(({ requests }) => requests)),
  })
  const lanesOf = ({ rates, lane }: Slot) => [laneOf('', rates), ...(lane ? [laneOf(lane.name, lane.rates)] : [])]
  /** Slots are given out apart from each other; one that came late may be near its neighbour. */
  const spaced = (lanes: readonly PacingLane[], { rates }: Slot): PacingLane[] => lanes.map((lane) => (lane.name === '' ? { ...lane, gap: gapOf(rates, scale) } : lane))
  /** Half of the guard; the other half is for the way to the platform. Below two milliseconds no process is on time. */
  const tolerance = ({ rates }: Slot) => Math.max(2, Math.min(...rates.map(({ seconds }) => guard(seconds * 1000 * scale))) / 2)

  const clock = createDatabaseClock({ now, moment: pacing.moment })

  function deskOf(slot: Slot): Desk {
    const name = `${slot.accountId} ${slot.lane?.name ?? ''}`
    let desk = desks.get(name)
    if (!desk) {
      desk = { slot, queues: new Map(), waiting: 0, turn: 0, served: new Map(), running: false }
      desks.set(name, desk)
    }
    return desk
  }
  function nextWaiter(desk: Desk): Waiter | undefined {
    let best: [string, Waiter[]] | undefined
    for (const entry of desk.queues) if (!best || (desk.served.get(entry[0]) ?? 0) < (desk.served.get(best[0]) ?? 0)) best = entry
    if (!best) return undefined
    const [caller, queue] = best
    const waiter = queue.shift()
    if (queue.length === 0) desk.queues.delete(caller)
    desk.waiting--
    desk.served.set(caller, ++desk.turn)
    return waiter
  }

  /** Serves the queue one by one; the desk is forgotten when it is empty. */
  async function run(desk: Desk): Promise<void> {
    desk.running = true
    for (let waiter = nextWaiter(desk); waiter; waiter = nextWaiter(desk)) {
      try {
        waiter.resolve(await serve(desk, waiter))
      } catch (error) {
        waiter.reject(error)
      } finally {
        open--
      }
    }
    desk.running = false
    desks.delete(`${desk.slot.accountId} ${desk.slot.lane?.name ?? ''}`)
  }
  async function serve(desk: Desk, waiter: Waiter): Promise<{ waitedMs: number } | { wouldWaitMs: number }> {
    const { slot } = desk
    const lanes = lanesOf(slot)
    for (let tries = 0; ; tries++) {
      const asked = now()
      const reserved = await pacing.reserve(slot.accountId, spaced(lanes, slot), Math.max(0, waiter.deadline - asked))
      note(slot.accountId, reserved)
      if (!reserved.taken) return { wouldWaitMs: Math.ceil(reserved.waitMs) }
      const due = (await clock.ours({ moment: reserved.moment, asked, answered: now() }, tolerance(slot))) + reserved.waitMs
      if (!(await waited(due, waiter.signal))) {
        await pacing.giveBack(slot.accountId, slot.lane?.name ?? '', reserved.slot)
        return { wouldWaitMs: 0 }
      }
      if (tries >= 3 || now() - due <= tolerance(slot) + reserved.leewayMs || (await moved(slot, lanes, reserved.slot))) return { waitedMs: Math.round(now() - waiter.asked) }
    }
  }
  /** False when the caller has gone meanwhile. */
  async function waited(due: number, signal: AbortSignal | undefined): Promise<boolean> {
    for (let rest = due - now(); rest > 0 && !signal?.aborted; rest = due - now()) await sleep(Math.ceil(rest), undefined, signal ? { signal } : {}).catch(() => undefined)
    return !signal?.aborted
  }
  /** Too late for a slot (a stutter of this process, a slow database), the next call on another instance might already be under way: then the slot is moved to now, or left unused where it is too late for that. */
  async function moved(slot: Slot, lanes: readonly PacingLane[], instant: number): Promise<boolean> {
    const asked = now()
    return (await pacing.late(slot.accountId, lanes, instant)) && now() - asked <= tolerance(slot)
  }
  function note(accountId: string, { used, waitMs }: { used: number; waitMs: number }): void {
    if (known.size >= maxKnown) known.clear()
    known.set(accountId, { at: now(), used, waitMs })
  }

  return {
    take(wish) {
      const desk = deskOf(wish)
      return new Promise((resolve, reject) => {
        const queue = desk.queues.get(wish.caller) ?? []
        if (queue.length === 0) desk.queues.set(wish.caller, queue)
        const asked = now()
        const each = Math.max(...wish.rates.map(({ requests, seconds }) => (seconds * 1000 * scale) / requests))
        const expected = Math.max(0, aheadOf(wish.caller, desk.queues) - Math.min(...wish.rates.map(({ requests }) => requests))) * each
        if (expected > wish.maxWaitMs || desk.waiting >= maxQueue) {
          if (queue.length === 0) desk.queues.delete(wish.caller)
          return resolve({ wouldWaitMs: Math.ceil(expected) })
        }
        queue.push({ caller: wish.caller, asked, deadline: asked + wish.maxWaitMs, resolve, reject, ...(wish.signal ? { signal: wish.signal } : {}) })
        desk.waiting++
        open++
        if (!desk.running) void run(desk)
      })
    },
    freeNow: (slot) => {
      const state = known.get(slot.accountId)
      return (desks.get(`${slot.accountId} ${slot.lane?.name ?? ''}`)?.waiting ?? 0) === 0 && (!state || state.used + 1 < (slot.rates[0] as Rate).requests)
    },
    hold: (slot, milliseconds) => pacing.hold(slot.accountId, milliseconds),
    waiting: () => open,
    status(slot) {
      const { requests, seconds } = slot.rates[0] as Rate
      const windowMs = seconds * 1000 * scale
      const state = known.get(slot.accountId)
      const fresh = state && now() - state.at < windowMs ? state : undefined
      return { limit: requests, left: fresh ? Math.max(0, requests - fresh.used - 1) : requests, windowMs, resetMs: fresh ? windowMs - (now() - fresh.at) : 0 }
    },
  }
}
