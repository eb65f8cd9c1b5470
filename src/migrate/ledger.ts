// What a migration remembers from one run to the next: which records were acknowledged, and what the target had before.
// It saves requests, nothing else: without it everything is sent again and answered from the idempotency keys.
import type { EntityType } from '../contract/entity.ts'
import type { Warning } from './compare.ts'
import type { Note } from './shape.ts'

/** A write that the service acknowledged. */
export interface Acknowledged {
  targetId: string
  sourceHash: string // of the record as it was read, and of the options that shape it
  notes: Note[]
  warnings: Warning[]
  references: Record<string, string>
}
/**
 * left_out: a rule known beforehand. refused: rejected by the platform. outdated: it was written, and has changed at
 * the source since. uncertain: it is unknown whether it was written.
 */
export type FailureKind = 'left_out' | 'refused' | 'outdated' | 'uncertain'
export interface Failed {
  kind: FailureKind
  reason: string
}
type Eventually<T> = T | Promise<T>

/** The command line keeps it in a file, the service in its database. */
export interface Ledger {
  meta(name: string): Eventually<string | undefined>
  setMeta(name: string, value: string): Eventually<void>
  /** Also forgets that it failed. A target id that was noted as there before sets the meta `begunLate`. */
  acknowledge(entity: EntityType, sourceId: string, written: Acknowledged): Eventually<void>
  acknowledged(entity: EntityType, sourceId: string): Eventually<Acknowledged | undefined>
  fail(entity: EntityType, sourceId: string, kind: FailureKind, reason: string): Eventually<void>
  failed(entity: EntityType, sourceId: string): Eventually<Failed | undefined>
  /** It is not at the target after all: the next run asks again. */
  forget(entity: EntityType, sourceId: string): Eventually<void>
  /** The source records that became this one; more than one when the target holds them as one. */
  sourcesOf(entity: EntityType, targetId: string): Eventually<string[]>
  putBefore(entity: EntityType, ids: readonly string[]): Eventually<void>
  wasBefore(entity: EntityType, id: string): Eventually<boolean>
}
