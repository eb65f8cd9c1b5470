import { toPage } from '../paging.ts'
import type { Store, Workspace } from '../store.ts'
import { isoNow, type StoreContext, type WorkspaceRow } from '../table-types.ts'
import { transacted } from '../transaction.ts'

const toWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  isTest: row.is_test === 1,
  createdAt: row.created_at,
})

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

export function createWorkspaces({ reads, writes, lookups }: StoreContext): Store['workspaces'] {
  return {
    async create({ id, name, isTest = false }) {
      const row = { id, name, is_test: isTest ? 1 : 0, created_at: isoNow() }
      await writes.insertInto('workspaces').values(row).execute()
      return toWorkspace(row)
    },
    async get(id) {
      const row = await reads.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toWorkspace(row)
    },
    async list({ after, limit }, user) {
      const all = reads
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '>', after ?? '')
      const shown =
        user === undefined
          ? all
          : all.where('id', 'in', (select) =>
              select.selectFrom('members').select('workspace_id').where('user_name', '=', user),
            )
      const rows = await shown
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toWorkspace, (row) => row.id)
    },
    async rename(id, name) {
      const row = await writes
        .updateTable('workspaces')
        .set({ name })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toWorkspace(row)
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
        return row && toWorkspace(row)
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
