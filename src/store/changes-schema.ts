// The tables of the change feed. Times are milliseconds.
import type { Generated } from 'kysely'
import type { EntityType } from '../contract/entity.ts'
import type { ChangeOperation, ChangeOrigin } from './changes.ts'
import { type Column, defineTable, json, number, optional, plain, sealed, type TableRow, text } from './define-table.ts'

interface FeedRow {
  account_id: string
  workspace_id: string
  head: number
  detected_at: number // of the newest log row
  last_epoch: number
  fence: number
  holder: string // empty: none
  lease_until: number
  due_at: number // 0: woken, also while a holder has it
  rest_until: number
}
export interface WatchRow {
  id: Generated<number>
  account_id: string | null // null: ended
  entity_type: EntityType
  epoch: number
  state: string // sealed JSON
}
export interface RecordRow {
  watch: number
  revision: number
  modified: number | null
  native_id: string
  fingerprint: Uint8Array
  digest: Uint8Array | null
  grp: string | null
}
/** Hexadecimal outside of the database. */
const tag: Column<string, Uint8Array> = {
  write: (value) => Buffer.from(value, 'hex'),
  read: (stored) => Buffer.from(stored).toString('hex'),
}
export const changeLog = defineTable('change_log', ['accountId', 'sequence'], {
  accountId: text,
  sequence: number,
  tag,
  entityType: plain<EntityType>(),
  epoch: number,
  operation: plain<ChangeOperation>(),
  nativeId: text,
  detectedAt: number,
  modifiedAt: optional(number),
  origin: plain<ChangeOrigin>(),
  writtenBy: optional(text),
  changed: optional(json<readonly string[]>()),
  replacedBy: optional(text),
  record: optional(sealed()),
})
export type ChangeLogRow = TableRow<typeof changeLog>
export interface HintRow {
  account_id: string
  entity_type: EntityType
  native_id: string
  counter: number
  origin: 'write' | 'hint'
  due_at: number
  first_at: number
  written_by: string | null
  record: string | null // sealed JSON
  gone: number
  replaced_by: string | null
  attempts: number
}
export interface ChangeTables {
  watch_settings: {
    workspace_id: string
    owner: string // an account id, or empty for the workspace
    entity_type: EntityType | '' // empty: settings of the workspace that are not of one entity
    account_id: string | null
    settings: string // JSON
  }
  feeds: FeedRow
  watches: WatchRow
  watch_records: RecordRow
  walk_seen: { watch: number; page: number; hashes: Uint8Array }
  watch_missing: { watch: number; native_id: string; since_walk: number; since: number; reads: number }
  watch_unlisted: { watch: number; native_id: string; next_check_at: number; checks: number }
  change_log: ChangeLogRow
  change_hints: HintRow
  erasures: {
    account_id: string
    entity_type: EntityType
    native_id: string
    after_sequence: number // 0: at the beginning of a pass
    passes: number
    due_at: number
  }
}
