// What the index holds of a record instead of its content.
import { hash } from 'node:crypto'
import { canonical } from '../engine/write/canonical.ts'

/** Raised when the engine's normalization gives another record for the same row. */
export const normalizer = 1

const hashed = (text: string, bytes: number): Buffer => Buffer.from(hash('sha256', text, 'buffer').subarray(0, bytes))

/** `native`: what the account's mappings read in the native row, by pointer. */
export const fingerprintOf = (record: unknown, native: Readonly<Record<string, unknown>> = {}): Buffer =>
  hashed(canonical([record, native]), 16)

/** Of the native row of a list: equal as long as the platform sends the same. */
export const digestOf = (row: unknown): Buffer => hashed(canonical(row), 8)

/** Differs when the same row may have another fingerprint, although the platform has not changed it. */
export const revisionOf = (adapterRevision: number, pointers: readonly string[]): number =>
  hashed(canonical([adapterRevision, normalizer, pointers.toSorted()]), 4).readUInt32BE() >>> 1
