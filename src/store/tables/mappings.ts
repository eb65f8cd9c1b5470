import { sql } from 'kysely'
import { compiledOnce } from '../compiled-once.ts'
import { toPage } from '../paging.ts'
import { isoNow, type MappingRow, type StoreContext } from '../schema.ts'
import type { MappingOverlay, Store } from '../store.ts'

function toMapping(row: MappingRow): MappingOverlay {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    accountId: row.account_id,
    entityType: row.entity_type,
    direction: row.direction,
    name: row.name,
    version: row.version,
    rules: JSON.parse(row.rules) as MappingOverlay['rules'],
    createdAt: row.created_at,
  }
}

export function createMappings({ reads, writes, lookups }: StoreContext): Store['mappings'] {
  const newest = compiledOnce(({ id }: { id: string }) =>
    reads.selectFrom('mappings').selectAll().where('id', '=', id).orderBy('version', 'desc').limit(1),
  )

  /** Undefined if another request saved this version at the same time, or the id belongs to another account. */
  const insertNext = (mapping: Parameters<Store['mappings']['save']>[0]) =>
    writes
      .insertInto('mappings')
      .values({
        account_id: mapping.accountId,
        id: mapping.id,
        version: sql<number>`(select coalesce(max(version), 0) + 1 from mappings where account_id = ${mapping.accountId} and id = ${mapping.id})`,
        workspace_id: mapping.workspaceId,
        entity_type: mapping.entityType,
        direction: mapping.direction,
        name: mapping.name,
        rules: JSON.stringify(mapping.rules),
        created_at: isoNow(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()

  const current = lookups.lookup('mappings', async (id) => {
    const row = await newest(reads, { id })
    return row && toMapping(row)
  })
  return {
    async save(mapping) {
      for (;;) {
        const row = await lookups.changing(['mappings'], insertNext(mapping))
        if (row) return toMapping(row)
        const taken = await newest(reads, { id: mapping.id })
        if (taken && taken.account_id !== mapping.accountId) throw new Error('the mapping belongs to another account')
      }
    },
    async get(id, version) {
      if (version === undefined) return current(id)
      const row = await reads
        .selectFrom('mappings')
        .selectAll()
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
      return row && toMapping(row)
    },
    async list(accountId, { after, limit }) {
      const rows = await reads
        .selectFrom('mappings as mapping')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '>', after ?? '')
        .where((column) =>
          column.not(
            column.exists(
              column
                .selectFrom('mappings as newer')
                .select('newer.id')
                .whereRef('newer.account_id', '=', 'mapping.account_id')
                .whereRef('newer.id', '=', 'mapping.id')
                .whereRef('newer.version', '>', 'mapping.version'),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toMapping, (row) => row.id)
    },
    async versions(id) {
      const rows = await reads.selectFrom('mappings').selectAll().where('id', '=', id).orderBy('version').execute()
      return rows.map(toMapping)
    },
    async delete(id) {
      const remove = writes.transaction().execute(async (transaction) => {
        const gone = await transaction.deleteFrom('mappings').where('id', '=', id).returning('account_id').execute()
        const accountId = gone[0]?.account_id
        if (accountId === undefined) return false
        await transaction
          .deleteFrom('mapping_keys')
          .where('account_id', '=', accountId)
          .where('mapping_id', '=', id)
          .execute()
        return true
      })
      return lookups.changing(['mappings', 'mapping_keys'], remove)
    },
  }
}
