import type { EntityType } from '../../../contract/entity.ts'
import type { AccountWatches, ChangeStore, EntityWatch, WorkspaceWatches } from '../../changes.ts'
import { rowsOnce } from '../../compiled-once.ts'
import type { StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'

export function createWatchSettings({ reads, writes }: StoreContext): ChangeStore['settings'] {
  const ofWorkspace = rowsOnce(({ workspaceId }: { workspaceId: string }) =>
    reads
      .selectFrom('watch_settings')
      .select(['entity_type', 'settings'])
      .where('workspace_id', '=', workspaceId)
      .where('owner', '=', ''),
  )
  const ofAccount = rowsOnce(({ accountId }: { accountId: string }) =>
    reads.selectFrom('watch_settings').select(['entity_type', 'settings']).where('account_id', '=', accountId),
  )
  return {
    async workspace(workspaceId) {
      const rows = await ofWorkspace(reads, { workspaceId })
      const result: WorkspaceWatches = { entities: {}, keepRecords: true }
      for (const { entity_type: entityType, settings } of rows) {
        if (entityType === '')
          result.keepRecords = (JSON.parse(settings) as Pick<WorkspaceWatches, 'keepRecords'>).keepRecords
        else result.entities[entityType] = JSON.parse(settings) as EntityWatch
      }
      return result
    },
    async workspaces() {
      const rows = await reads
        .selectFrom('watch_settings')
        .select('workspace_id')
        .where('owner', '=', '')
        .where('entity_type', '=', '')
        .execute()
      return rows.map((row) => row.workspace_id)
    },
    async setWorkspace(workspaceId, { entities, keepRecords }) {
      const rowOf = (entity_type: EntityType | '', settings: unknown) => ({
        workspace_id: workspaceId,
        owner: '',
        entity_type,
        account_id: null,
        settings: JSON.stringify(settings),
      })
      const rows = Object.entries(entities).map(([entityType, value]) => rowOf(entityType as EntityType, value))
      await transacted(writes, async (transaction) => {
        // Upserted first: of two requests at once, the second waits for the first and then replaces all of it.
        await transaction
          .insertInto('watch_settings')
          .values(rowOf('', { keepRecords }))
          .onConflict((conflict) =>
            conflict
              .columns(['workspace_id', 'owner', 'entity_type'])
              .doUpdateSet((column) => ({ settings: column.ref('excluded.settings') })),
          )
          .execute()
        await transaction
          .deleteFrom('watch_settings')
          .where('workspace_id', '=', workspaceId)
          .where('owner', '=', '')
          .where('entity_type', '<>', '')
          .execute()
        if (rows.length > 0) await transaction.insertInto('watch_settings').values(rows).execute()
      })
    },
    async account(accountId) {
      const rows = await ofAccount(reads, { accountId })
      const result: AccountWatches = {}
      for (const { entity_type: entityType, settings } of rows) {
        const value = JSON.parse(settings) as EntityWatch & { off?: boolean }
        if (entityType !== '') result[entityType] = value.off ? 'off' : value
      }
      return result
    },
    async setAccount({ id, workspaceId }, entityType, value) {
      if (value === undefined) {
        await writes
          .deleteFrom('watch_settings')
          .where('workspace_id', '=', workspaceId)
          .where('owner', '=', id)
          .where('entity_type', '=', entityType)
          .execute()
        return
      }
      const settings = JSON.stringify(value === 'off' ? { off: true } : value)
      await writes
        .insertInto('watch_settings')
        .values({ workspace_id: workspaceId, owner: id, entity_type: entityType, account_id: id, settings })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'owner', 'entity_type']).doUpdateSet({ settings }))
        .execute()
    },
  }
}
