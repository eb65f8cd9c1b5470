// The lease of one turn of a job, as this process sees it. It is counted from before the statement that granted it, by
// the clocks of this process, so it ends here before it ends in the database.
import { type Clock, elapsedMs, readClock } from '../base/clock.ts'
import { LostLease } from '../store/lost-lease.ts'

export const leaseMs = 30_000
/** With less than this left, nothing is begun: clocks do not run at exactly the same rate. */
const marginMs = leaseMs / 6

export interface Lease {
  /** Aborted when the lease is lost, with LostLease as the reason. */
  readonly signal: AbortSignal
  /** By the clocks, so it is also right after a standstill, before any timer has run. */
  isHeld(): boolean
  /** Throws LostLease unless enough of the lease is left. */
  check(): void
  /** The turn is over: the lease is neither renewed nor lost any more. */
  end(): void
}
interface LeaseOptions {
  /** From before the statement that granted it. */
  granted: Clock
  /** False when it belongs to somebody else. An error says nothing: the lease ends by itself. */
  renew(): Promise<boolean>
}

export function createLease({ granted, renew }: LeaseOptions): Lease {
  const losing = new AbortController()
  let since = granted
  let expiry: NodeJS.Timeout | undefined
  const left = () => leaseMs - marginMs - elapsedMs(since, readClock())

  function end(): void {
    clearInterval(renewal)
    clearTimeout(expiry)
  }
  function lose(why: string): void {
    end()
    losing.abort(new LostLease(why))
  }
  /** Once it has ended it does not begin again: what was not done meanwhile is left to the next holder. */
  function isHeld(): boolean {
    if (!losing.signal.aborted && left() <= 0) lose('the lease has ended')
    return !losing.signal.aborted
  }
  function expire(): void {
    clearTimeout(expiry)
    expiry = setTimeout(() => isHeld() && expire(), Math.max(1, left()))
  }
  async function prolong(): Promise<void> {
    if (!isHeld()) return
    const asked = readClock()
    if (!(await renew())) lose('another process has taken it, or it was changed')
    else if (isHeld()) {
      since = asked
      expire()
    }
  }
  const renewal = setInterval(() => void prolong().catch(() => {}), leaseMs / 3)
  expire()
  return {
    signal: losing.signal,
    isHeld,
    check() {
      if (!isHeld()) throw losing.signal.reason
    },
    end,
  }
}

/** Of a turn whose parts have leases of their own. */
export const unleased = (): Lease => ({
  signal: new AbortController().signal,
  isHeld: () => true,
  check() {},
  end() {},
})
