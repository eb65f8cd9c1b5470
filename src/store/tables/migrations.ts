import type { MigrationKey, MigrationState, MigrationStore } from '../migration-store.ts'
import { migrationRecords, migrations } from '../migrations-schema.ts'
import { pageOf } from '../paging.ts'
import { isoNow, type StoreContext } from '../table-types.ts'

const open: readonly MigrationState[] = ['planning', 'running']
/** The rows of one statement: SQLite limits the number of its parameters. */
const atOnce = 200

export function createMigrations({ reads, writes, vault }: StoreContext): MigrationStore {
  const { toItem: toMigration, toRow, changed } = migrations.codec(vault)
  const listed = migrations.without('plan', 'report')
  const record = migrationRecords.codec(vault)
  const ofKey = ({ workspaceId, id }: MigrationKey) => ({ workspace_id: workspaceId, migration_id: id })

  return {
    async create(migration) {
      const at = isoNow()
      const row = toRow({ ...migration, state: 'planning', createdAt: at, updatedAt: at })
      await writes
        .insertInto('migrations')
        .values({ ...row, meta: '{}' })
        .execute()
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
    list(workspaceId, query) {
      const rows = reads.selectFrom('migrations').select(listed.columns).where('workspace_id', '=', workspaceId)
      return pageOf(rows, query, listed.codec(vault).toItem, { newestFirst: true })
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
    async change(key, change, from) {
      const { numUpdatedRows } = await writes
        .updateTable('migrations')
        .set(changed(key, { ...change, updatedAt: isoNow() }))
        .where('workspace_id', '=', key.workspaceId)
        .where('id', '=', key.id)
        .where('state', 'in', from)
        .executeTakeFirst()
      return Number(numUpdatedRows) > 0
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
        .selectAll()
        .where('workspace_id', '=', key.workspaceId)
        .where('migration_id', '=', key.id)
        .where('entity_type', '=', entityType)
        .where('source_id', '=', sourceId)
        .executeTakeFirst()
      if (!row) return {}
      const { targetId, sourceHash, written: more, failure, reason } = record.toItem(row)
      return {
        written: targetId === undefined ? undefined : { targetId, sourceHash: sourceHash ?? '', more },
        failed: failure === undefined ? undefined : { kind: failure, reason: String(reason ?? '') },
      }
    },
    async putRecord(key, entityType, sourceId, { written, failed }) {
      const { workspaceId, id: migrationId } = key
      const row = record.toRow({
        workspaceId,
        migrationId,
        entityType,
        sourceId,
        targetId: written?.targetId,
        sourceHash: written?.sourceHash,
        written: written?.more,
        failure: failed?.kind,
        reason: failed?.reason,
      })
      const { target_id, source_hash, written: more, failure, reason } = row
      const outcome = { target_id, source_hash, written: more, failure, reason }
      await writes
        .insertInto('migration_records')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'migration_id', 'entity_type', 'source_id']).doUpdateSet(outcome),
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
