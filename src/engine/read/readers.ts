// Pages can be read in threads. This is their interface for the engine.
import type { Facts } from '../facts.ts'
import type { Channel } from '../outbound/channel.ts'
import type { CompletedRows } from './completed-rows.ts'
import type { Reading } from './list.ts'

export interface Readers extends Pick<Reading, 'list'> {
  /** Threads that run, and what they have read since the start. */
  status(): { threads: number; reads: number }
  forgetFacts(accountId: string): void
  close(): Promise<void>
}
/**
 * What threads share with the process: its outbound calls, its facts, and reading in the process where no thread does
 * it.
 */
export type CreateReaders = (shared: Channel & CompletedRows, reading: Reading, facts: Facts) => Readers
