// A write in the journal, and its steps.
import type { EntityType, ReferenceMode } from '../contract/entity.ts'

export type WriteState = 'in_flight' | 'done' | 'unknown' | 'partial'
/** One write in the journal. A failed write has no row: its key is free again. */
export interface JournalEntry extends EntryKey {
  writeId: string
  state: WriteState
  contentHash: string
  record: unknown // the canonical record of the request; sealed in the database
  references?: ReferenceMode // of a create; by default auto
  startedAt: string // `now` of the operation, the same again on a resume
  answer?: unknown // the response to the caller; sealed in the database
  nativeId?: string
  detail?: string // why it is unknown or partial
  holder: string // the instance that works on it
  leaseUntil: number // milliseconds of the database's clock; after that another instance may take it over
}
export interface JournalStep {
  name: string
  request: string // the exact request, JSON; sealed in the database
  // By the database's clock: since it was journaled, or since the holder last said that it still waits to be sent.
  ageMs: number
  done: boolean
  value?: unknown
}
export interface EntryKey {
  accountId: string
  entityType: EntityType
  externalId: string // the caller's id of a record to create; the platform's id of a record to update
  operation?: 'update' | 'native' // by default a create; a native call has no entity type
}
export type NewEntry = EntryKey &
  Pick<JournalEntry, 'writeId' | 'contentHash' | 'record' | 'references' | 'startedAt' | 'holder'>
/** `unknown`: its outcome, or it looks for its record. */
export interface OpenCreate {
  externalId: string
  writeId: string
  state: 'in_flight' | 'unknown' | 'partial'
  startedAt: string
}
