// A write in the journal, and its steps.
import type { EntityType, ReferenceMode } from '../contract/entity.ts'
import type { Page, PageQuery } from './page.ts'

export type WriteState = 'in_flight' | 'done' | 'unknown' | 'partial'
/** One write in the journal. A failed write has no row: its key is free again. */
export interface JournalEntry extends EntryKey {
  writeId: string
  state: WriteState
  contentHash: string
  record: unknown // the canonical record of the request; sealed in the database
  erasedAt?: string // of a finished write whose record and response were erased
  references?: ReferenceMode // of a create; by default auto
  exactTotals?: true // of a create that is refused if the platform makes another total
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
  Pick<JournalEntry, 'writeId' | 'contentHash' | 'record' | 'references' | 'exactTotals' | 'startedAt' | 'holder'>
/** A create that must not repeat the content of a recent one under another key. */
export interface WriteGuard {
  fingerprint: string // of the content without its key
  windowMs: number // how long the content of a finished write counts; that of an open one always does
  isConfirmed: boolean // the caller knows of the first one
}
/** `unknown`: its outcome, or it looks for its record. */
export interface OpenCreate {
  externalId: string
  writeId: string
  state: 'in_flight' | 'unknown' | 'partial'
  startedAt: string
}

/** A write that is not done, without its record. */
export interface OpenWrite extends EntryKey {
  writeId: string
  state: Exclude<WriteState, 'done'>
  startedAt: string
  nativeId?: string
  detail?: string
  isHeld: boolean // an instance works on it
  dueInMs: number // until the lease ends, or until the sweep takes it up again
}
export interface OpenWriteFilter {
  accountId?: string
  state?: OpenWrite['state']
  externalId?: string
  writeId?: string
}

export interface JournalStore {
  /**
   * Inserts the entry as in_flight, leased to `holder`, or returns the one that is there. One statement decides. A
   * finished update makes way for the next one. With a guard, `isDuplicate` says that the entry is another key's with
   * the same content.
   */
  begin(
    entry: NewEntry,
    leaseMs: number,
    guard?: WriteGuard,
  ): Promise<{ begun: true } | { begun: false; entry: JournalEntry; isDuplicate?: true }>
  get(key: EntryKey): Promise<JournalEntry | undefined>
  /** The entry of another key that a create with this guard would get instead of beginning. */
  duplicateOf(key: EntryKey, guard: WriteGuard): Promise<JournalEntry | undefined>
  /** Makes `holder` the one who works on it, when no lease runs and its state is in_flight, unknown or partial. */
  takeOver(key: EntryKey, holder: string, leaseMs: number): Promise<JournalEntry | undefined>
  /**
   * Begins a taken-over update again, with the same or other content and no steps. False when another holder has it.
   */
  restart(entry: NewEntry, leaseMs: number): Promise<boolean>
  /**
   * False when another holder has it. `waiting` names a step that is journaled and not sent yet: its age starts
   * again.
   */
  renew(key: EntryKey, holder: string, leaseMs: number, waiting?: { writeId: string; name: string }): Promise<boolean>
  steps(key: EntryKey, writeId: string): Promise<JournalStep[]> // in the order they were sent
  /**
   * Before the request leaves. Rejects with LostEntry when the write is no longer open for this holder, its lease has
   * ended or the step is done: then nothing may be sent.
   */
  stepSent(key: EntryKey, writeId: string, name: string, request: string, holder: string): Promise<void>
  /** Rejects with LostEntry when another holder has the write. */
  stepDone(key: EntryKey, writeId: string, name: string, value: unknown, holder: string): Promise<void>
  /** Rejects with LostEntry when another holder has the write. */
  stepForgotten(key: EntryKey, writeId: string, name: string, holder: string): Promise<void>
  /**
   * In one transaction: state done with response and id, the link of a create written, the steps removed, and where
   * the entity is watched a hint with the record of the response and the credential. False when another holder has
   * it.
   */
  done(
    key: EntryKey,
    holder: string,
    outcome: {
      writeId: string
      nativeId: string
      answer: unknown
      record?: unknown
      writtenBy?: string | undefined
      settledIn?: string | undefined // the workspace whose log gets `write.settled`, in the same transaction
    },
  ): Promise<boolean>
  /**
   * The lease ends, the steps stay. A caller can take the write over at once, the sweep after `retryInMs` (by default
   * at once).
   */
  park(
    key: EntryKey,
    holder: string,
    outcome: { state: 'unknown' | 'partial'; detail: string; nativeId?: string; retryInMs?: number },
  ): Promise<void>
  /** The key is free again: entry and steps removed. */
  remove(key: EntryKey, holder: string): Promise<void>
  /**
   * Entries to be finished: in flight or unknown, with no running lease; not those parked as `final`, which only the
   * caller can settle. Oldest first, at most `perAccount` of an account.
   */
  abandoned(limit: number, perAccount: number): Promise<EntryKey[]>
  /** The write looks for its own record among others with the same content. */
  recovering(key: EntryKey, holder: string): Promise<void>
  /**
   * Creates of this entity that are not done. A write whose lease has ended becomes unknown: its holder can no longer
   * finish it.
   */
  openCreates(accountId: string, entityType: EntityType): Promise<OpenCreate[]>
  /** Removes updates that were finished before `ageMs`: by then no request waits for them. */
  forgetUpdates(ageMs: number): Promise<void>
  /** Removes guards of writes that began before `ageMs` and are not open. */
  forgetGuards(ageMs: number): Promise<void>
  /** Writes of a workspace that are not done, newest first. */
  openWrites(workspaceId: string, filter: OpenWriteFilter, query: PageQuery): Promise<Page<OpenWrite>>
  /** The number of writes that are in flight or unknown, of all accounts. */
  open(workspaceId?: string): Promise<{ inFlight: number; unknown: number }>
}
