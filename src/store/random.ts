// Random bytes for ids and nonces from a pool: a system call for each would be too slow. No byte is used twice.
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** The position of the bytes in the pool. Valid until the next call. */
function take(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return used - bytes
}
export function drawRandom(bytes: number): Buffer {
  const start = take(bytes)
  return Buffer.from(pool.subarray(start, start + bytes)) // a copy: the pool is refilled
}
export function drawRandomText(bytes: number): string {
  const start = take(bytes)
  return pool.toString('base64url', start, start + bytes)
}
