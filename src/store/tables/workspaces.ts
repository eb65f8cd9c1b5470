import { workspaces } from '../accounts-schema.ts'
import { pageOf } from '../paging.ts'
import type { Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'

/** In an order that keeps every reference valid. What belongs to an account is deleted with it. */
const tables = [
  'webhook_endpoints',
  'workspace_events',
  'workspace_logs',
  'hooks',
  'accounts',
  'watch_settings',
  'mapping_defaults',
  'mapping_keys',
  'mappings',
  'connect_links',
  'platform_apps',
  'credentials',
  'activity',
  'activity_ways',
  'activity_sums',
  'account_days',
] as const

export function createWorkspaces({ reads, writes, lookups, vault }: StoreContext): Store['workspaces'] {
  const { toItem, toRow } = workspaces.codec(vault)
  return {
    async create({ id, name, isTest = false }) {
      const row = toRow({ id, name, isTest, createdAt: isoNow() })
      await writes.insertInto('workspaces').values(row).execute()
      return toItem(row)
    },
    async get(id) {
      const row = await reads.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toItem(row)
    },
    list(query, user) {
      const all = reads.selectFrom('workspaces').selectAll()
      const visible =
        user === undefined
          ? all
          : all.where('id', 'in', (select) =>
              select.selectFrom('members').select('workspace_id').where('user_name', '=', user),
            )
      return pageOf(visible, query, toItem)
    },
    async rename(id, name) {
      const row = await writes
        .updateTable('workspaces')
        .set({ name })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toItem(row)
    },
    mark(id, isTest) {
      const mark = isTest ? 1 : 0
      const change = transacted(writes, async (transaction) => {
        // First: an account that is being created holds this row, too.
        const row = await transaction
          .updateTable('workspaces')
          .set({ is_test: mark })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        await transaction
          .updateTable('accounts')
          .set((column) => ({ test_only: mark, revision: column('revision', '+', 1) }))
          .where('workspace_id', '=', id)
          .execute()
        return row && toItem(row)
      })
      return lookups.changing(['accounts'], change)
    },
    delete(id) {
      const remove = transacted(writes, async (transaction) => {
        for (const table of tables) await transaction.deleteFrom(table).where('workspace_id', '=', id).execute()
        const row = await transaction.deleteFrom('workspaces').where('id', '=', id).returning('id').executeTakeFirst()
        return row !== undefined
      })
      return lookups.changing(['credentials', 'accounts', 'mappings', 'mapping_keys', 'mapping_defaults'], remove)
    },
  }
}
