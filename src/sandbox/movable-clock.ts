/**
 * The clock of a sandbox, a harness or one simulator under test. It runs like ours until a test moves or stops it: a
 * test that needs another second does not wait for one, and one that needs the same second does not lose it on a busy
 * machine.
 */
export interface MovableClock {
  now(): number // milliseconds
  /** How far it was moved. */
  moved(): number
  /** From now on it is later by this much. */
  skip(milliseconds: number): void
  /** Goes on from the beginning of the next second. */
  nextSecond(): void
  /** It stands still until `go`. */
  stop(): void
  go(): void
}

/** `clock` is what it runs like: an instant stands still from the beginning. */
export function createMovableClock(like: number | (() => number) = Date.now): MovableClock {
  const clock = typeof like === 'number' ? () => like : like
  let ahead = 0
  let stoppedAt: number | undefined
  const now = () => (stoppedAt ?? clock()) + ahead
  const skip = (milliseconds: number) => {
    ahead += milliseconds
  }
  return {
    now,
    moved: () => Math.max(0, ahead),
    skip,
    nextSecond: () => skip(1000 - (Math.floor(now()) % 1000)),
    stop() {
      stoppedAt ??= clock()
    },
    go() {
      if (stoppedAt !== undefined) ahead += stoppedAt - clock()
      stoppedAt = undefined
    },
  }
}
