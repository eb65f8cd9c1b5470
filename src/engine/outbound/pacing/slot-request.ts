// A request for a slot, and what becomes of it.
import type { CallLimits, PacedCall } from './slot-source.ts'

export interface SlotRequest extends CallLimits {
  caller: string
  maxWaitMs: number
  signal?: AbortSignal // when it aborts, the request leaves the queue
  call?: PacedCall // reported with `sent`, `responded` and `release`
  begun?: boolean // of a write that has begun: it may use the reserve of the day
  background?: true | undefined // callers go first, and at least half of every limit stays free
}
/** `dailyLimit`: the calls of the day are used up. */
export type Refused = { wouldWaitMs: number; dailyLimit?: number | undefined }
export type Outcome = { waitedMs: number } | Refused
/** One that is in a queue. */
export interface Waiting {
  request: SlotRequest
  askedAt: number
  deadline: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
  onAbort?: () => void
}
