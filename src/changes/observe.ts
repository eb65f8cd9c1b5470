// The one place that decides what a read means: rows that were read, compared with the index, become changes.
import { differences } from '../engine/write/canonical.ts'
import type { ChangeOrigin, IndexRow, LogRow, NewChange, NewHint, Watch } from '../store/changes.ts'

/** A row as it was read from the platform. */
export interface ReadRow {
  nativeId: string
  group?: string | undefined
  record?: object | undefined // absent: it cannot be normalized
  native?: Readonly<Record<string, unknown>> | undefined // what the account's mappings read in it, by pointer
  fingerprint: Buffer
  digest?: Buffer | undefined // of a listed row
  modified?: number | undefined // the platform's clock
}
/** What the log holds of a record. */
export interface KeptRecord {
  data: object
  native?: Readonly<Record<string, unknown>> | undefined
}
export interface Read {
  watch: Watch
  revision: number
  origin: ChangeOrigin
  writtenBy?: string | undefined
  rows: readonly ReadRow[]
  index: ReadonlyMap<string, IndexRow>
  /** Records with a hint that waits: its own read decides. */
  hinted?: ReadonlySet<string>
  /** Records with a write of this service under way, and whether any create is. */
  writing?: { updates: ReadonlySet<string>; creates: boolean }
  /** The newest change of each record that is still in the log. */
  last?: ReadonlyMap<string, Pick<LogRow, 'record'>>
  silent?: boolean // a first walk reports nothing
  keepRecords: boolean
  acceptOlder?: boolean // several reads gave the same older state, or there is no other way to read it
  settleMs: number
}
export interface Observation {
  put: IndexRow[]
  changes: NewChange[]
  newHints: NewHint[]
  older: string[] // rows with a lower modification time than the index has
  created: number // rows that are new in the index
  unreadable: number
  /** Changes with a stamp that is not later than this were missed by the reads before. */
  stamps: number[]
}

type Verdict = 'same' | 'refreshed' | 'created' | 'updated' | 'older' | 'unreadable'

function verdictOf(row: ReadRow, known: IndexRow | undefined, { revision, acceptOlder }: Read): Verdict {
  if (!row.record) return 'unreadable'
  if (!known) return 'created'
  const isOlder = row.modified !== undefined && known.modified !== undefined && row.modified < known.modified
  if (isOlder && !acceptOlder) return 'older'
  if (known.revision !== revision) {
    const sameRow = row.digest !== undefined && known.digest !== undefined && row.digest.equals(known.digest)
    return sameRow || row.fingerprint.equals(known.fingerprint) ? 'refreshed' : 'updated'
  }
  if (!row.fingerprint.equals(known.fingerprint)) return 'updated'
  const isNews =
    (row.modified !== undefined && row.modified !== known.modified) ||
    (row.digest !== undefined && !(known.digest && row.digest.equals(known.digest))) ||
    (row.group !== undefined && row.group !== known.group)
  return isNews ? 'refreshed' : 'same'
}

/** Records whose state is not the one of the index: what else is known about them decides. */
export const changedIds = (read: Read): string[] =>
  read.rows
    .filter((row) => ['created', 'updated'].includes(verdictOf(row, read.index.get(row.nativeId), read)))
    .map(({ nativeId }) => nativeId)

export function observe(read: Read): Observation {
  const { watch, revision, origin, hinted, writing } = read
  const observation: Observation = {
    put: [],
    changes: [],
    newHints: [],
    older: [],
    created: 0,
    unreadable: 0,
    stamps: [],
  }
  const now = new Map<string, IndexRow>() // what this read has put so far: a page may have a record twice
  const kept = new Map<string, unknown>()
  for (const row of read.rows) {
    const { nativeId } = row
    const known = now.get(nativeId) ?? read.index.get(nativeId)
    const verdict = verdictOf(row, known, read)
    if (verdict === 'unreadable') observation.unreadable++
    if (verdict === 'unreadable' || verdict === 'same' || hinted?.has(nativeId)) continue
    if (verdict === 'older') {
      observation.older.push(nativeId)
      observation.newHints.push(hintOf(watch, nativeId, read.settleMs))
      continue
    }
    const isChange = verdict === 'created' || verdict === 'updated'
    if (isChange && writing && (writing.updates.has(nativeId) || (!known && writing.creates))) {
      observation.newHints.push(hintOf(watch, nativeId, read.settleMs))
      continue
    }
    const next: IndexRow = {
      nativeId,
      group: row.group ?? known?.group,
      fingerprint: row.fingerprint,
      revision,
      // A read by id says nothing about the listed row, unless nothing has changed.
      digest: row.digest ?? (isChange ? undefined : known?.digest),
      modified: row.modified ?? known?.modified,
    }
    now.set(nativeId, next)
    if (!known) observation.created++
    if (!isChange) continue
    if (row.modified !== undefined && row.modified !== known?.modified) observation.stamps.push(row.modified)
    if (read.silent) continue
    const data = row.record as object
    const record: KeptRecord = { data, ...(row.native ? { native: row.native } : {}) }
    const before = kept.get(nativeId) ?? read.last?.get(nativeId)?.record
    const changed = verdict === 'updated' && before ? pointersOf(before as KeptRecord, record) : undefined
    kept.set(nativeId, record)
    observation.changes.push({
      watch,
      operation: verdict,
      nativeId,
      modifiedAt: row.modified,
      origin,
      ...(read.writtenBy === undefined ? {} : { writtenBy: read.writtenBy }),
      ...(changed?.length ? { changed } : {}),
      ...(read.keepRecords ? { record } : {}),
    })
  }
  observation.put = [...now.values()]
  return observation
}

const hintOf = ({ entityType }: Watch, nativeId: string, dueInMs: number): NewHint => ({
  entityType,
  nativeId,
  origin: 'hint',
  dueInMs,
})
const pointersOf = (before: KeptRecord, after: KeptRecord): string[] =>
  differences(before.data, after.data).map(({ pointer }) => pointer)
