import type { Branding, Store } from '../store.ts'
import type { StoreContext } from '../table-types.ts'

export function createBranding({ reads, writes }: StoreContext): Store['branding'] {
  return {
    async get(workspaceId) {
      const row = await reads
        .selectFrom('branding')
        .select('branding')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.branding) as Branding) : {}
    },
    async put(workspaceId, branding) {
      const changed = { branding: JSON.stringify(branding) }
      await writes
        .insertInto('branding')
        .values({ workspace_id: workspaceId, ...changed })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changed))
        .execute()
      return branding
    },
  }
}
