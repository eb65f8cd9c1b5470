import { associatedData, openJson, sealJson } from '../sealed-json.ts'
import type { PlatformApp, Store } from '../store.ts'
import { isoNow, type PlatformAppRow, type StoreContext } from '../table-types.ts'
import type { Vault } from '../vault.ts'

const associatedDataOf = (workspaceId: string, platform: string) =>
  associatedData('platform_apps', 'credentials', [workspaceId, platform])

const toApp = (vault: Vault, row: PlatformAppRow): PlatformApp => ({
  workspaceId: row.workspace_id,
  platform: row.platform,
  ...(openJson(vault, row.credentials, associatedDataOf(row.workspace_id, row.platform)) as Pick<
    PlatformApp,
    'clientId' | 'clientSecret'
  >),
  settings: JSON.parse(row.settings) as PlatformApp['settings'],
  updatedAt: row.updated_at,
})

export function createPlatformApps({ reads, writes, vault }: StoreContext): Store['platformApps'] {
  return {
    async put({ workspaceId, platform, clientId, clientSecret, settings }) {
      const changed = {
        credentials: sealJson(vault, { clientId, clientSecret }, associatedDataOf(workspaceId, platform)),
        settings: JSON.stringify(settings),
        updated_at: isoNow(),
      }
      const row: PlatformAppRow = { workspace_id: workspaceId, platform, ...changed }
      await writes
        .insertInto('platform_apps')
        .values(row)
        .onConflict((conflict) => conflict.columns(['workspace_id', 'platform']).doUpdateSet(changed))
        .execute()
      return toApp(vault, row)
    },
    async get(workspaceId, platform) {
      const row = await reads
        .selectFrom('platform_apps')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('platform', '=', platform)
        .executeTakeFirst()
      return row && toApp(vault, row)
    },
    async list(workspaceId) {
      const rows = await reads
        .selectFrom('platform_apps')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .orderBy('platform')
        .execute()
      return rows.map((row) => toApp(vault, row))
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
