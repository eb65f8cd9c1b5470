// How long a process may work on an endpoint, by its own clock.

/** An attempt begins only if this much of the lease is left. */
const marginMs = 5_000

export interface Lease {
  isHeld(): boolean
  /** Throws unless enough of the lease is left. */
  check(): void
  extend(until: number): void
}
export function createLease(until: number): Lease {
  /** Once it has ended it does not begin again: what was not sent meanwhile is left to the next holder. */
  const isHeld = () => {
    if (performance.now() >= until - marginMs) until = 0
    return until > 0
  }
  return {
    isHeld,
    check() {
      if (!isHeld()) throw Object.assign(new Error('the lease of the endpoint has ended'), { code: 'LEASE_ENDED' })
    },
    extend(later) {
      until = isHeld() ? later : 0
    },
  }
}
