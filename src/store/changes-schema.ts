// The tables of the change feed, for Kysely. Times are milliseconds.
import type { Generated } from 'kysely'
import type { EntityType } from '../contract/entity.ts'
import type { ChangeOperation, ChangeOrigin } from './changes.ts'

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
export interface ChangeLogRow {
  account_id: string
  sequence: number
  tag: Uint8Array
  entity_type: EntityType
  epoch: number
  operation: ChangeOperation
  native_id: string
  detected_at: number
  modified_at: number | null
  origin: ChangeOrigin
  written_by: string | null
  changed: string | null // JSON
  replaced_by: string | null
  record: string | null // sealed JSON
}
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
