import { compiledOnce } from '../compiled-once.ts'
import type { MappingKey, Store } from '../store.ts'
import { isoNow, type MappingKeyRow, type StoreContext } from '../table-types.ts'

function toMappingKey(row: MappingKeyRow): MappingKey {
  return {
    key: row.key,
    workspaceId: row.workspace_id,
    accountId: row.account_id,
    direction: row.direction,
    isDefault: row.is_default === 1,
    entityType: row.entity_type ?? undefined,
    mappingId: row.mapping_id ?? undefined,
    createdAt: row.created_at,
  }
}

export function createMappingKeys({ reads, writes, lookups }: StoreContext): Store['mappingKeys'] {
  const byKey = compiledOnce(({ key }: { key: string }) =>
    reads.selectFrom('mapping_keys').selectAll().where('key', '=', key),
  )
  return {
    async create({ key, workspaceId, accountId, direction, isDefault, entityType, mappingId }) {
      const row: MappingKeyRow = {
        account_id: accountId,
        key,
        workspace_id: workspaceId,
        direction,
        is_default: isDefault ? 1 : 0,
        entity_type: entityType ?? null,
        mapping_id: mappingId ?? null,
        created_at: isoNow(),
      }
      await writes.insertInto('mapping_keys').values(row).execute()
      return toMappingKey(row)
    },
    get: lookups.lookup('mapping_keys', async (key) => {
      const row = await byKey(reads, { key })
      return row && toMappingKey(row)
    }),
    async list(accountId) {
      const rows = await reads
        .selectFrom('mapping_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('key')
        .execute()
      return rows.map(toMappingKey)
    },
    async delete(key) {
      const row = await lookups.changing(
        ['mapping_keys'],
        writes.deleteFrom('mapping_keys').where('key', '=', key).returning('key').executeTakeFirst(),
      )
      return row !== undefined
    },
  }
}
