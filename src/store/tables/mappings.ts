import { sql } from 'kysely'
import { mappings } from '../accounts-schema.ts'
import { compiledOnce, rowsOnce } from '../compiled-once.ts'
import { pageOf } from '../paging.ts'
import type { MappingOwner, Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'

const isNewest = sql<boolean>`not exists (
  select 1 from mappings as newer where newer.id = mapping.id and newer.version > mapping.version)`

export function createMappings({ reads, writes, lookups, vault }: StoreContext): Store['mappings'] {
  const { toItem: toMapping, toRow } = mappings.codec(vault)
  const newest = compiledOnce(({ id }: { id: string }) =>
    reads.selectFrom('mappings').selectAll().where('id', '=', id).orderBy('version', 'desc').limit(1),
  )

  /** Undefined if another request saved this version at the same time, or the id belongs to another owner. */
  const insertNext = (mapping: Parameters<Store['mappings']['save']>[0]) =>
    writes
      .insertInto('mappings')
      .values({
        ...toRow({ ...mapping, version: 0, createdAt: isoNow() }),
        version: sql<number>`(select coalesce(max(version), 0) + 1 from mappings where workspace_id = ${mapping.workspaceId} and id = ${mapping.id} and account_id is not distinct from ${mapping.accountId ?? null} and platform is not distinct from ${mapping.platform ?? null})`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()

  const current = lookups.lookup('mappings', async (id) => {
    const row = await newest(reads, { id })
    return row && toMapping(row)
  })
  const newestOf = rowsOnce((owner: { workspaceId: string; accountId: string; platform: string }) =>
    reads
      .selectFrom('mappings as mapping')
      .selectAll()
      .where('workspace_id', '=', owner.workspaceId)
      .where((column) => column.or([column('account_id', '=', owner.accountId), column('account_id', 'is', null)]))
      .where((column) => column.or([column('platform', '=', owner.platform), column('platform', 'is', null)]))
      .where(isNewest),
  )
  const usable = lookups.lookup('mappings', async (key) => {
    const [workspaceId, accountId, platform] = JSON.parse(key) as [string, string, string]
    return { mappings: (await newestOf(reads, { workspaceId, accountId, platform })).map(toMapping) }
  })
  return {
    async usable({ id, workspaceId, platform }) {
      return (await usable(JSON.stringify([workspaceId, id, platform])))?.mappings ?? []
    },
    async save(mapping) {
      for (;;) {
        const row = await lookups.changing(['mappings'], insertNext(mapping))
        if (row) return toMapping(row)
        const taken = await newest(reads, { id: mapping.id })
        if (taken && !sameOwner(toMapping(taken), mapping)) throw new Error('the mapping belongs to another owner')
      }
    },
    async get(id, version, since) {
      if (version === undefined) return current(id, since)
      const row = await reads
        .selectFrom('mappings')
        .selectAll()
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
      return row && toMapping(row)
    },
    list({ workspaceId, accountId }, query) {
      const rows = reads
        .selectFrom('mappings as mapping')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where((column) =>
          accountId === undefined ? column('account_id', 'is', null) : column('account_id', '=', accountId),
        )
        .where(isNewest)
      return pageOf(rows, query, toMapping)
    },
    async versions(id) {
      const rows = await reads.selectFrom('mappings').selectAll().where('id', '=', id).orderBy('version').execute()
      return rows.map(toMapping)
    },
    async delete(id) {
      const remove = transacted(writes, async (transaction) => {
        // The rows first: `set` of a default waits for them, or has committed and is seen below.
        const gone = await transaction.deleteFrom('mappings').where('id', '=', id).returning('id').execute()
        if (gone.length === 0) return 'missing'
        const used = await transaction
          .selectFrom('mapping_defaults')
          .select('mapping_id')
          .where('mapping_id', '=', id)
          .limit(1)
          .executeTakeFirst()
        if (used) throw new IsDefault()
        await transaction.deleteFrom('mapping_keys').where('mapping_id', '=', id).execute()
        return 'deleted'
      })
      try {
        return await lookups.changing(['mappings', 'mapping_keys'], remove)
      } catch (error) {
        if (error instanceof IsDefault) return 'default'
        throw error
      }
    },
  }
}

/** Rolls the deletion back. */
class IsDefault extends Error {}

const sameOwner = (one: MappingOwner, other: MappingOwner): boolean =>
  one.workspaceId === other.workspaceId && one.accountId === other.accountId && one.platform === other.platform
