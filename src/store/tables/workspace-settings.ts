import type { Store, WorkspaceSettings } from '../store.ts'
import type { StoreContext } from '../table-types.ts'

export function createWorkspaceSettings({ reads, writes }: StoreContext): Store['workspaceSettings'] {
  return {
    async get(workspaceId) {
      const row = await reads
        .selectFrom('workspace_settings')
        .select('settings')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.settings) as WorkspaceSettings) : { returnUrls: [] }
    },
    async put(workspaceId, settings) {
      const changed = { settings: JSON.stringify(settings) }
      await writes
        .insertInto('workspace_settings')
        .values({ workspace_id: workspaceId, ...changed })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changed))
        .execute()
      return settings
    },
  }
}
