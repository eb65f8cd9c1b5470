/**
 * Monotonic time stands still while a virtual machine does; wall-clock time can be set back. The larger difference
 * counts.
 */
export interface Clock {
  monotonic: number
  wall: number
}
export const readClock = (): Clock => ({ monotonic: performance.now(), wall: Date.now() })
export const elapsedMs = (from: Clock, to: Clock): number =>
  Math.max(to.monotonic - from.monotonic, to.wall - from.wall)
