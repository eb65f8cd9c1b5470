// The tables of migrations between accounts.
import type { EntityType } from '../contract/entity.ts'
import { defineTable, json, named, optional, plain, sealed, type TableRow, text } from './define-table.ts'
import type { MigrationState } from './migration-store.ts'

export const migrations = defineTable('migrations', ['workspaceId', 'id'], {
  workspaceId: text,
  id: text,
  from: named('from_account', text),
  to: named('to_account', text),
  state: plain<MigrationState>(),
  options: json<unknown>(),
  progress: json<unknown>(),
  error: optional(text),
  plan: optional(sealed()),
  report: optional(sealed()),
  createdBy: text,
  createdAt: text,
  updatedAt: text,
})
export interface MigrationRow extends TableRow<typeof migrations> {
  meta: string // JSON
}

export const migrationRecords = defineTable(
  'migration_records',
  ['workspaceId', 'migrationId', 'entityType', 'sourceId'],
  {
    workspaceId: text,
    migrationId: text,
    entityType: plain<EntityType>(),
    sourceId: text,
    targetId: optional(text),
    sourceHash: optional(text),
    written: optional(sealed()),
    failure: optional(text),
    reason: optional(sealed()),
  },
)
export type MigrationRecordRow = TableRow<typeof migrationRecords>
