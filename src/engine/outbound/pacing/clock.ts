export interface Clock {
  now(): number // milliseconds, monotonic
  after(milliseconds: number, run: () => void): unknown
  cancel(timer: unknown): void
}

/** Node runs a longer timer at once. */
const maxTimeoutMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => setTimeout(run, Math.min(milliseconds, maxTimeoutMs)),
  cancel: (timer) => clearTimeout(timer as NodeJS.Timeout),
}
