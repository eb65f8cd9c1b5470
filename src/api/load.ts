// When there is more to do than the process can, some requests are refused at once so that the others are answered in time.
// What tells is how late the event loop comes to its next turn: late once is a burst or the garbage collector, late every time is a queue that does not drain.
// Then so many requests may be under way as can be answered in time, and no more: each one further would only make all of them later.
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
export const few = 4
/** So many late turns in a row are a standing queue. */
export const patience = 2

export function createLoad({ lagMs, working }: LoadOptions): Load {
  let cap = Number.POSITIVE_INFINITY
  let late = 0
  let due = performance.now() + probeMs
  const probe = () => {
    const lag = Math.max(0, performance.now() - due)
    late = lag > lagMs ? late + 1 : 0
    cap = nextCap(cap, late, working(), (probeMs + lag) / (probeMs + lagMs))
    due = performance.now() + probeMs
    timer = setTimeout(probe, probeMs).unref()
  }
  let timer = lagMs > 0 ? setTimeout(probe, probeMs).unref() : undefined
  return {
    admits: () => cap === Number.POSITIVE_INFINITY || working() < cap,
    close: () => clearTimeout(timer),
  }
}

/** How many may be under way. `turn` is how long the last turn took of what it may take: while turns are late, as many fewer as it was too long; while they are not, the more the sooner it was over; any number again when there is room to spare. */
export function nextCap(cap: number, late: number, working: number, turn: number): number {
  if (late >= patience) return Math.max(few, Math.min(cap, working) / turn)
  if (late > 0 || cap === Number.POSITIVE_INFINITY) return cap
  const grown = cap * (working * 2 < cap ? 1.03 : 1 + 0.01 * (1 - turn) ** 2)
  return grown > 1_000 ? Number.POSITIVE_INFINITY : grown
}
