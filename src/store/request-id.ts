// Request ids begin with their time, so that their order is the order of time: what is kept under them needs no other index for "newest first".
import { randomFillSync } from 'node:crypto'

const prefix = 'req_'
const digits = 9 // of base 36: enough until the year 5188
const randomLength = 9
/** Drawn for many ids at once: a call of the system for each is felt. */
const pool = Buffer.alloc(randomLength * 256)
let used = pool.length

export const requestIdAt = (milliseconds: number): string => prefix + Math.max(0, Math.floor(milliseconds)).toString(36).padStart(digits, '0')
export function createRequestId(): string {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += randomLength
  return requestIdAt(Date.now()) + pool.toString('base64url', used - randomLength, used)
}
export const timeOfRequestId = (id: string): number => Number.parseInt(id.slice(prefix.length, prefix.length + digits), 36)
