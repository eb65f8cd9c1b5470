import { platformApps } from '../accounts-schema.ts'
import type { TableRow } from '../define-table.ts'
import type { PlatformApp, Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'

export function createPlatformApps({ reads, writes, vault }: StoreContext): Store['platformApps'] {
  const { toItem, toRow } = platformApps.codec(vault)
  const toApp = (row: TableRow<typeof platformApps>): PlatformApp => {
    const { credentials, ...app } = toItem(row)
    return { ...app, ...credentials }
  }
  return {
    async put({ clientId, clientSecret, ...app }) {
      const row = toRow({ ...app, credentials: { clientId, clientSecret }, updatedAt: isoNow() })
      const { workspace_id: _workspace, platform: _platform, ...rest } = row
      await writes
        .insertInto('platform_apps')
        .values(row)
        .onConflict((conflict) => conflict.columns(['workspace_id', 'platform']).doUpdateSet(rest))
        .execute()
      return toApp(row)
    },
    async get(workspaceId, platform) {
      const row = await reads
        .selectFrom('platform_apps')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('platform', '=', platform)
        .executeTakeFirst()
      return row && toApp(row)
    },
    async list(workspaceId) {
      const rows = await reads
        .selectFrom('platform_apps')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .orderBy('platform')
        .execute()
      return rows.map(toApp)
    },
    async delete(workspaceId, platform) {
      const row = await writes
        .deleteFrom('platform_apps')
        .where('workspace_id', '=', workspaceId)
        .where('platform', '=', platform)
        .returning('platform')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
