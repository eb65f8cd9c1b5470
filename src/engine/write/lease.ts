// The right to send. A write has one holder at a time, and its lease is checked right before the socket: a process that
// stood still must not send what another instance has finished meanwhile.
// The lease is counted from before the statement that granted it, by the clocks of this process, so it ends here before
// it ends in the database.
import { type Clock, elapsedMs, readClock } from '../../base/clock.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import { type Fence, LeaseEnded } from '../outbound/fence.ts'

export const leaseMs = 15_000
/** Less than this is not enough to send: clocks do not run at exactly the same rate. */
const marginMs = leaseMs / 5

export interface Lease extends Fence {
  /** The step that is journaled next. */
  step(name: string): void
  /** Milliseconds since the last request was sent; undefined when none was. */
  sinceSent(): number | undefined
  end(): void
}
interface LeaseOptions {
  /** A reading of `clock` from before the statement that granted it. */
  granted: Clock
  /**
   * Prolongs the lease in the journal; false when another holder has the write. `waiting` names the step that is not
   * sent yet.
   */
  renew(waiting: string | undefined): Promise<boolean>
  onFailure?(error: unknown): void
  readClock?: () => Clock
}
export function createLease({ granted, renew, onFailure, readClock: read = readClock }: LeaseOptions): Lease {
  let since = granted
  let lost = false
  let name: string | undefined
  let unsent = false
  let sentAt: Clock | undefined
  const left = () => leaseMs - elapsedMs(since, read())

  async function prolong(): Promise<void> {
    const before = read()
    if (await renew(unsent ? name : undefined)) since = before
    else lost = true
  }
  // A renewal that fails leaves the lease as it was: it ends by itself, and nothing is sent after that.
  const timer = setInterval(() => void prolong().catch((error) => onFailure?.(error)), leaseMs / 3)
  return {
    step(next) {
      name = next
    },
    waiting() {
      unsent = true
    },
    async ready() {
      if (!lost && left() < leaseMs / 2) await prolong()
      if (lost) throw new LostEntry('another holder has this write')
    },
    check() {
      if (lost || left() < marginMs) throw new LeaseEnded('the lease of the write ended before the request was sent')
      unsent = false
      sentAt = read()
    },
    sinceSent: () => sentAt && elapsedMs(sentAt, read()),
    end: () => clearInterval(timer),
  }
}
