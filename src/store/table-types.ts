// The table types for Kysely. Booleans are 0 and 1, times are ISO text, leases are milliseconds of the database's
// clock, on both databases.
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { EntityType, ReferenceMode } from '../contract/entity.ts'
import type {
  AccountRow,
  ActivityRow,
  AuditRow,
  ConnectLinkRow,
  CredentialRow,
  LinkRow,
  MappingDefaultRow,
  MappingKeyRow,
  MappingRow,
  PersonErasureRow,
  PlatformAppRow,
  ReferenceImportRow,
  WorkspaceRow,
} from './accounts-schema.ts'
import type { ChangeWakes } from './change-wakes.ts'
import type { ChangeTables } from './changes-schema.ts'
import type { WebhookTables } from './deliveries-schema.ts'
import type { LookupCache } from './lookup-cache.ts'
import type { MigrationRecordRow, MigrationRow } from './migrations-schema.ts'
import type { IdentityRow, InvitationRow, MemberRow, SessionRow, UserRow } from './people-schema.ts'
import type { HookTables } from './platform-webhooks-schema.ts'
import type { WriteState } from './store.ts'
import type { JournalBatches } from './tables/journal-batches.ts'
import type { Vault } from './vault.ts'
import type { WaitColumn } from './wait-buckets.ts'

export interface BrandingRow {
  workspace_id: string
  branding: string
}
export interface JournalRow {
  account_id: string
  entity_type: EntityType
  external_id: string
  write_id: string
  state: WriteState
  content_hash: string
  record: string // sealed JSON
  reference_mode: ReferenceMode | null // of a create; null: auto
  started_at: string
  answer: string | null // sealed JSON
  native_id: string | null
  detail: string | null
  holder: string // empty: none
  lease_until: number
}
export interface JournalStepRow {
  account_id: string
  write_id: string
  name: string
  sequence: number
  request: string // sealed
  sent_at: number
  done: number
  value: string | null // sealed JSON
}
export interface ActivitySumRow extends SummedActivity {
  workspace_id: string
  step: number // minutes
  at: number // milliseconds
  platform: string
}
export interface AccountDayRow extends SummedActivity {
  workspace_id: string
  account_id: string
  at: number // milliseconds: the start of the day in UTC
}
export interface SummedActivity extends Record<WaitColumn, number> {
  requests: number
  refused: number // 4xx
  failed: number // 5xx
  native_calls: number
  throttled: number
  wait_ms: number
  wait_max_ms: number
  total_ms: number
  used_max: number
}
export interface WriteGuardRow {
  account_id: string
  entity_type: EntityType
  fingerprint: string // of the content without its key
  external_id: string // the key that it was last written under
  begun_at: number // milliseconds
}
export interface Database extends ChangeTables, WebhookTables, HookTables {
  audit: AuditRow
  workspaces: WorkspaceRow
  credentials: CredentialRow
  accounts: AccountRow
  mappings: MappingRow
  mapping_keys: MappingKeyRow
  mapping_defaults: MappingDefaultRow
  links: LinkRow
  journal: JournalRow
  journal_steps: JournalStepRow
  write_guards: WriteGuardRow
  leases: { name: string; holder: string; lease_until: number }
  daily_calls: { owner: string; bucket: number; calls: number }
  users: UserRow
  members: MemberRow
  identities: IdentityRow
  invitations: InvitationRow
  activity: ActivityRow
  activity_ways: { workspace_id: string; id: string; ways: string } // sealed JSON: request id -> trace
  activity_sums: ActivitySumRow
  account_days: AccountDayRow
  reference_imports: ReferenceImportRow
  person_erasures: PersonErasureRow
  erased_people: { account_id: string; person: string; erased_at: string }
  connect_links: ConnectLinkRow
  platform_apps: PlatformAppRow
  branding: BrandingRow
  workspace_settings: { workspace_id: string; settings: string }
  migrations: MigrationRow
  migration_records: MigrationRecordRow
  migration_before: { workspace_id: string; migration_id: string; entity_type: EntityType; native_id: string }
  sessions: SessionRow
}

/**
 * Which failures a committed change survives. `full`: a power failure. `normal`: a crash of the process; a power
 * failure only after a later `full` commit.
 */
export type Durability = 'full' | 'normal'
/**
 * A query with the durability of its change. PostgreSQL ignores it: there every commit is as durable as the server is
 * configured.
 */
export interface DurableQuery<Row = unknown> extends CompiledQuery<Row> {
  durability?: Durability | undefined
}

/** Executes a compiled query. */
export type Queries = Pick<Kysely<Database>, 'executeQuery'>

/** The tables share it. */
export interface StoreContext {
  /** Reads what is committed. On SQLite a read-only connection, so that no transaction delays a read. */
  reads: Kysely<Database>
  /**
   * Changes rows. A statement, or a `transaction()`, is done when it is committed; its changes are made completely or
   * not at all.
   */
  writes: Kysely<Database>
  lookups: LookupCache
  batches: JournalBatches
  wakes: ChangeWakes
  vault: Vault
  /** The database's own clock in milliseconds, as SQL: the instances' clocks may disagree. */
  now: RawBuilder<number>
}

export const isoNow = (): string => new Date().toISOString()
