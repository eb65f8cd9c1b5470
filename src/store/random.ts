// Random bytes for ids and nonces, drawn for many at once: a call of the system for each is felt. Never given out twice.
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

export function drawRandom(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return Buffer.from(pool.subarray(used - bytes, used)) // a copy: the pool is filled anew
}
