// Random bytes for ids and nonces, drawn for many at once: a call of the system for each is felt. Never given out twice.
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** Where in the pool they are, until the next call. */
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
  return Buffer.from(pool.subarray(start, start + bytes)) // a copy: the pool is filled anew
}
export function drawRandomText(bytes: number): string {
  const start = take(bytes)
  return pool.toString('base64url', start, start + bytes)
}
