// Migrations between two accounts, as they are stored. What their JSON contains is defined in src/migrate.
import type { EntityType } from '../contract/entity.ts'
import type { Page, PageQuery } from './page.ts'

/** planned: it waits for a person. stopped: by a person. failed: `error` says why. */
export type MigrationState = 'planning' | 'planned' | 'running' | 'done' | 'stopped' | 'failed'
export interface MigrationKey {
  workspaceId: string
  id: string
}
export interface ListedMigration extends MigrationKey {
  from: string // account ids
  to: string
  state: MigrationState
  options: unknown
  progress: unknown
  error?: string
  createdBy: string
  createdAt: string
  updatedAt: string
}
export interface StoredMigration extends ListedMigration {
  plan?: unknown // sealed in the database
  report?: unknown // sealed in the database
}
export interface MigrationChange {
  state?: MigrationState
  options?: unknown
  progress?: unknown
  error?: string | null
  plan?: unknown
  report?: unknown
}
/** The state of a source record. */
export interface MigrationRecord {
  written?: { targetId: string; sourceHash: string; more: unknown } // `more` is sealed in the database
  failed?: { kind: string; reason: string } // the reason is sealed in the database
}

export interface MigrationStore {
  create(
    migration: MigrationKey & Pick<ListedMigration, 'from' | 'to' | 'options' | 'progress' | 'createdBy'>,
  ): Promise<StoredMigration>
  get(key: MigrationKey): Promise<StoredMigration | undefined>
  /** Newest first. */
  list(workspaceId: string, query: PageQuery): Promise<Page<ListedMigration>>
  /** Those that are planning or running. */
  open(limit: number): Promise<MigrationKey[]>
  /** False if it is in none of these states. */
  change(key: MigrationKey, change: MigrationChange, from: readonly MigrationState[]): Promise<boolean>
  /** Deletes it unless it is planning or running. */
  delete(key: MigrationKey): Promise<boolean>
  meta(key: MigrationKey): Promise<Record<string, string>>
  setMeta(key: MigrationKey, meta: Record<string, string>): Promise<void>

  record(key: MigrationKey, entityType: EntityType, sourceId: string): Promise<MigrationRecord>
  /** Replaces what is known of the record. */
  putRecord(key: MigrationKey, entityType: EntityType, sourceId: string, record: MigrationRecord): Promise<void>
  sourcesOf(key: MigrationKey, entityType: EntityType, targetId: string): Promise<string[]>
  putBefore(key: MigrationKey, entityType: EntityType, nativeIds: readonly string[]): Promise<void>
  wasBefore(key: MigrationKey, entityType: EntityType, nativeId: string): Promise<boolean>
  /** False if it was not noted. */
  removeBefore(key: MigrationKey, entityType: EntityType, nativeId: string): Promise<boolean>
}
