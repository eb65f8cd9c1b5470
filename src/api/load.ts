// When there is more to do than the process can, some requests are refused at once so that the others are answered in time.
// What tells is how late the event loop comes to its next turn: late once is a burst or the garbage collector, late every time is a queue that does not drain.
export interface LoadOptions {
  /** How late turns may be, in milliseconds, before requests are refused; 0: never. */
  lagMs: number
  /** Requests that are being worked on. Where there are only a few, something else holds up the process, and refusing would help nobody. */
  working(): number
}
export interface Load {
  /** False: refuse this one. */
  admits(): boolean
  close(): void
}
const probeMs = 5
const few = 4
/** So many late turns in a row are a standing queue. */
export const patience = 6
const least = 0.02

export function createLoad({ lagMs, working }: LoadOptions): Load {
  let share = 1
  let late = 0
  let credit = 0
  let due = performance.now() + probeMs
  const probe = () => {
    const lag = performance.now() - due
    late = lag > lagMs ? late + 1 : 0
    share = nextShare(share, late, lag / lagMs)
    due = performance.now() + probeMs
    timer = setTimeout(probe, probeMs).unref()
  }
  let timer = lagMs > 0 ? setTimeout(probe, probeMs).unref() : undefined
  return {
    admits() {
      if (share >= 1 || working() < few) return true
      // Evenly spread, not drawn: a share of a quarter lets in every fourth.
      credit = Math.min(1, credit + share)
      if (credit < 1) return false
      credit -= 1
      return true
    },
    close: () => clearTimeout(timer),
  }
}

/** The share of requests to let in: smaller while the queue stands, the more so the longer it is; held while it drains; growing back when turns are in time. */
export function nextShare(share: number, late: number, lagRatio: number): number {
  if (late === 0) return Math.min(1, share + 0.01)
  return late < patience ? share : Math.max(least, share * (lagRatio > 4 ? 0.7 : 0.9))
}
