// When there is more to do than the process can, some requests are refused so that the others are answered in time.
// What tells is how late the event loop comes to its next turn without ever having rested: once is a burst or the garbage collector, every time is a queue that does not drain.
// Then so many requests may be under way as can be answered in time, and no more: each one further would only make all of them later.
// A process that rests has room, however many requests wait for a slow platform: the more it rests, the sooner more are let in.
export interface LoadOptions {
  /** How late turns may be, in milliseconds, before requests are refused; 0: never. */
  lagMs: number
  /** Requests that are being worked on. */
  working(): number
}
export interface Load {
  /** False: refuse this one. */
  admits(): boolean
  close(): void
}
const probeMs = 5
/** So many are always let in: where there are fewer, something else holds up the process, and refusing would help nobody. */
export const few = 2
/** So many late turns in a row are a standing queue. */
export const patience = 2
/** So many at once are a burst to a process that was not behind before: refused only when it is still late after a while. */
export const burst = 100
export const burstMs = 100
/** A process that rested for so much of the time is not behind: an idle one is late too, because it has to wake up. */
const rests = 0.1

export function createLoad({ lagMs, working }: LoadOptions): Load {
  let cap = Number.POSITIVE_INFINITY
  let late = 0
  let lateMs = 0
  let before = performance.eventLoopUtilization()
  let due = performance.now() + probeMs
  const probe = () => {
    const now = performance.eventLoopUtilization()
    const rested = 1 - performance.eventLoopUtilization(now, before).utilization
    const lag = Math.max(0, performance.now() - due)
    late = lag > lagMs && rested < rests ? late + 1 : 0
    lateMs = late > 0 ? lateMs + probeMs + lag : 0
    cap = nextCap(cap, { late, lateMs, rested, working: working(), turn: (probeMs + lag) / (probeMs + lagMs) })
    before = now
    due = performance.now() + probeMs
    timer = setTimeout(probe, probeMs).unref()
  }
  let timer = lagMs > 0 ? setTimeout(probe, probeMs).unref() : undefined
  return {
    admits: () => cap === Number.POSITIVE_INFINITY || working() + 1 <= cap,
    close: () => clearTimeout(timer),
  }
}

export interface Seen {
  late: number // turns in a row
  lateMs: number // for so long
  rested: number // share of the time
  working: number
  turn: number // how long the last turn took, of what it may take
}
/** How many may be under way: while turns are late, as many fewer as they are too long; while they are not, the more the longer the process rested; any number again when there is room to spare. */
export function nextCap(cap: number, { late, lateMs, rested, working, turn }: Seen): number {
  if (late >= patience) return Math.max(cap >= burst && lateMs < burstMs ? burst : few, Math.min(cap, working) / turn)
  if (late > 0 || cap === Number.POSITIVE_INFINITY) return cap
  const grown = cap * (1 + 0.05 * rested ** 2)
  return grown > 1_000 ? Number.POSITIVE_INFINITY : grown
}
