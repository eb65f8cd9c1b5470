import type { EntityType } from '../../contract/entity.ts'
import type {
  ListedMigration,
  MigrationKey,
  MigrationState,
  MigrationStore,
  StoredMigration,
} from '../migration-store.ts'
import { toPage } from '../paging.ts'
import { associatedData, openOptional, sealOptional } from '../sealed-json.ts'
import { isoNow, type MigrationRow, type StoreContext } from '../table-types.ts'

const listed = [
  'workspace_id',
  'id',
  'from_account',
  'to_account',
  'state',
  'options',
  'progress',
  'error',
  'created_by',
  'created_at',
  'updated_at',
] as const

const toListed = (row: Pick<MigrationRow, (typeof listed)[number]>): ListedMigration => ({
  workspaceId: row.workspace_id,
  id: row.id,
  from: row.from_account,
  to: row.to_account,
  state: row.state,
  options: JSON.parse(row.options),
  progress: JSON.parse(row.progress),
  error: row.error ?? undefined,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
const open: readonly MigrationState[] = ['planning', 'running']
/** Of one statement: SQLite limits the number of its parameters. */
const atOnce = 200

export const migrationData = (column: 'plan' | 'report', { workspaceId, id }: MigrationKey): string =>
  associatedData('migrations', column, [workspaceId, id])
export const migrationRecordData = (
  column: 'written' | 'reason',
  { workspaceId, id }: MigrationKey,
  entityType: EntityType,
  sourceId: string,
): string => associatedData('migration_records', column, [workspaceId, id, entityType, sourceId])

export function createMigrations({ reads, writes, vault }: StoreContext): MigrationStore {
  const toMigration = (row: MigrationRow): StoredMigration => {
    const shown = toListed(row)
    return {
      ...shown,
      plan: openOptional(vault, row.plan, migrationData('plan', shown)),
      report: openOptional(vault, row.report, migrationData('report', shown)),
    }
  }
  const ofKey = ({ workspaceId, id }: MigrationKey) => ({ workspace_id: workspaceId, migration_id: id })

  return {
    async create({ workspaceId, id, from, to, options, progress, createdBy }) {
      const now = isoNow()
      const row: MigrationRow = {
        workspace_id: workspaceId,
        id,
        from_account: from,
        to_account: to,
        state: 'planning',
        options: JSON.stringify(options),
        progress: JSON.stringify(progress),
        meta: '{}',
        error: null,
        plan: null,
        report: null,
        created_by: createdBy,
        created_at: now,
        updated_at: now,
      }
      await writes.insertInto('migrations').values(row).execute()
      return toMigration(row)
    },
    async get({ workspaceId, id }) {
      const row = await reads
        .selectFrom('migrations')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toMigration(row)
    },
    async list(workspaceId, { after, limit }) {
      let query = reads.selectFrom('migrations').select(listed).where('workspace_id', '=', workspaceId)
      if (after !== undefined) query = query.where('id', '<', after)
      const rows = await query
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toListed, (row) => row.id)
    },
    async open(limit) {
      const rows = await reads
        .selectFrom('migrations')
        .select(['workspace_id', 'id'])
        .where('state', 'in', open)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id }))
    },
    async change(key, { state, options, progress, error, plan, report }, from) {
      const changed = await writes
        .updateTable('migrations')
        .set({
          state,
          options: options === undefined ? undefined : JSON.stringify(options),
          progress: progress === undefined ? undefined : JSON.stringify(progress),
          error,
          plan: sealOptional(vault, plan, migrationData('plan', key)) ?? undefined,
          report: sealOptional(vault, report, migrationData('report', key)) ?? undefined,
          updated_at: isoNow(),
        })
        .where('workspace_id', '=', key.workspaceId)
        .where('id', '=', key.id)
        .where('state', 'in', from)
        .executeTakeFirst()
      return Number(changed.numUpdatedRows) > 0
    },
    async delete({ workspaceId, id }) {
      const deleted = await writes
        .deleteFrom('migrations')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', 'not in', open)
        .executeTakeFirst()
      return Number(deleted.numDeletedRows) > 0
    },
    async meta({ workspaceId, id }) {
      const row = await reads
        .selectFrom('migrations')
        .select('meta')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row ? (JSON.parse(row.meta) as Record<string, string>) : {}
    },
    async setMeta({ workspaceId, id }, meta) {
      await writes
        .updateTable('migrations')
        .set({ meta: JSON.stringify(meta) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async record(key, entityType, sourceId) {
      const row = await reads
        .selectFrom('migration_records')
        .select(['target_id', 'source_hash', 'written', 'failure', 'reason'])
        .where('workspace_id', '=', key.workspaceId)
        .where('migration_id', '=', key.id)
        .where('entity_type', '=', entityType)
        .where('source_id', '=', sourceId)
        .executeTakeFirst()
      if (!row) return {}
      const { target_id, source_hash, failure } = row
      const more = openOptional(vault, row.written, migrationRecordData('written', key, entityType, sourceId))
      const reason = openOptional(vault, row.reason, migrationRecordData('reason', key, entityType, sourceId))
      return {
        written: target_id === null ? undefined : { targetId: target_id, sourceHash: source_hash ?? '', more },
        failed: failure === null ? undefined : { kind: failure, reason: String(reason ?? '') },
      }
    },
    async putRecord(key, entityType, sourceId, { written, failed }) {
      const known = {
        target_id: written?.targetId ?? null,
        source_hash: written?.sourceHash ?? null,
        written: sealOptional(vault, written?.more, migrationRecordData('written', key, entityType, sourceId)),
        failure: failed?.kind ?? null,
        reason: sealOptional(vault, failed?.reason, migrationRecordData('reason', key, entityType, sourceId)),
      }
      await writes
        .insertInto('migration_records')
        .values({ ...ofKey(key), entity_type: entityType, source_id: sourceId, ...known })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'migration_id', 'entity_type', 'source_id']).doUpdateSet(known),
        )
        .execute()
    },
    async sourcesOf(key, entityType, targetId) {
      const rows = await reads
        .selectFrom('migration_records')
        .select('source_id')
        .where('workspace_id', '=', key.workspaceId)
        .where('migration_id', '=', key.id)
        .where('entity_type', '=', entityType)
        .where('target_id', '=', targetId)
        .execute()
      return rows.map((row) => row.source_id)
    },
    async putBefore(key, entityType, nativeIds) {
      for (let start = 0; start < nativeIds.length; start += atOnce)
        await writes
          .insertInto('migration_before')
          .values(
            nativeIds
              .slice(start, start + atOnce)
              .map((nativeId) => ({ ...ofKey(key), entity_type: entityType, native_id: nativeId })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    async wasBefore(key, entityType, nativeId) {
      const row = await reads
        .selectFrom('migration_before')
        .select('native_id')
        .where('workspace_id', '=', key.workspaceId)
        .where('migration_id', '=', key.id)
        .where('entity_type', '=', entityType)
        .where('native_id', '=', nativeId)
        .executeTakeFirst()
      return row !== undefined
    },
    async removeBefore(key, entityType, nativeId) {
      const deleted = await writes
        .deleteFrom('migration_before')
        .where('workspace_id', '=', key.workspaceId)
        .where('migration_id', '=', key.id)
        .where('entity_type', '=', entityType)
        .where('native_id', '=', nativeId)
        .executeTakeFirst()
      return Number(deleted.numDeletedRows) > 0
    },
  }
}
