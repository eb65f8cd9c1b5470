import { toPage } from '../paging.ts'
import { isoNow, type StoreContext, type WorkspaceRow } from '../schema.ts'
import type { Store, Workspace } from '../store.ts'

const toWorkspace = (row: WorkspaceRow): Workspace => ({ id: row.id, name: row.name, createdAt: row.created_at })

export function createWorkspaces({ reads, writes }: StoreContext): Store['workspaces'] {
  return {
    async create({ id, name }) {
      const row = { id, name, created_at: isoNow() }
      await writes.insertInto('workspaces').values(row).execute()
      return toWorkspace(row)
    },
    async get(id) {
      const row = await reads.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toWorkspace(row)
    },
    async list({ after, limit }) {
      const rows = await reads
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toWorkspace, (row) => row.id)
    },
  }
}
