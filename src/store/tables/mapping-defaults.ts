import type { EntityType } from '../../contract/entity.ts'
import type { MappingDefaultRow } from '../accounts-schema.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Direction, MappingDefault, MappingOwner, Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'

interface Key {
  workspaceId: string
  accountId: string
  platform: string
  entityType: EntityType
  direction: Direction
}

function toDefault(row: MappingDefaultRow): MappingDefault {
  return {
    workspaceId: row.workspace_id,
    accountId: row.scope === 'account' ? row.owner : undefined,
    platform: row.scope === 'platform' ? row.owner : undefined,
    entityType: row.entity_type,
    direction: row.direction,
    mappingId: row.mapping_id ?? undefined,
  }
}

function ownerOf({ accountId, platform }: MappingOwner): Pick<MappingDefaultRow, 'scope' | 'owner'> {
  if (accountId !== undefined) return { scope: 'account', owner: accountId }
  return platform === undefined ? { scope: 'workspace', owner: '' } : { scope: 'platform', owner: platform }
}

export function createMappingDefaults({ reads, writes, lookups }: StoreContext): Store['mappingDefaults'] {
  const nearest = compiledOnce((key: Key) =>
    reads
      .selectFrom('mapping_defaults')
      .selectAll()
      .where('workspace_id', '=', key.workspaceId)
      .where('entity_type', '=', key.entityType)
      .where('direction', '=', key.direction)
      .where((column) =>
        column.or([
          column.and([column('scope', '=', 'account'), column('owner', '=', key.accountId)]),
          column.and([column('scope', '=', 'platform'), column('owner', '=', key.platform)]),
          column('scope', '=', 'workspace'),
        ]),
      )
      .orderBy('scope') // account, platform, workspace: the alphabet has the order of precedence
      .limit(1),
  )
  // An object also where there is no default: that is cached, too.
  const found = lookups.lookup('mapping_defaults', async (key) => {
    const row = await nearest(reads, JSON.parse(key) as Key)
    return { value: row && toDefault(row) }
  })
  return {
    async set({ workspaceId, entityType, direction, mappingId, ...rest }) {
      const change = transacted(writes, async (transaction) => {
        if (mappingId !== undefined) {
          // Locks the rows of the mapping until the default is committed: a deletion waits for it.
          const locked = await transaction
            .updateTable('mappings')
            .set((column) => ({ name: column.ref('name') }))
            .where('id', '=', mappingId)
            .executeTakeFirst()
          if (locked.numUpdatedRows === 0n) return false
        }
        await transaction
          .insertInto('mapping_defaults')
          .values({
            workspace_id: workspaceId,
            ...ownerOf({ workspaceId, ...rest }),
            entity_type: entityType,
            direction,
            account_id: rest.accountId ?? null,
            mapping_id: mappingId ?? null,
            created_at: isoNow(),
          })
          .onConflict((conflict) =>
            conflict.columns(['workspace_id', 'scope', 'owner', 'entity_type', 'direction']).doUpdateSet((column) => ({
              mapping_id: column.ref('excluded.mapping_id'),
              created_at: column.ref('excluded.created_at'),
            })),
          )
          .execute()
        return true
      })
      return lookups.changing(['mapping_defaults'], change)
    },
    async clear({ workspaceId, entityType, direction, ...rest }) {
      const { scope, owner } = ownerOf({ workspaceId, ...rest })
      const row = await lookups.changing(
        ['mapping_defaults'],
        writes
          .deleteFrom('mapping_defaults')
          .where('workspace_id', '=', workspaceId)
          .where('scope', '=', scope)
          .where('owner', '=', owner)
          .where('entity_type', '=', entityType)
          .where('direction', '=', direction)
          .returning('owner')
          .executeTakeFirst(),
      )
      return row !== undefined
    },
    async list(workspaceId) {
      const rows = await reads
        .selectFrom('mapping_defaults')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('scope', '<>', 'account')
        .orderBy('scope')
        .orderBy('owner')
        .orderBy('entity_type')
        .orderBy('direction')
        .execute()
      return rows.map(toDefault)
    },
    async of(mappingId, limit) {
      const rows = await reads
        .selectFrom('mapping_defaults')
        .selectAll()
        .where('mapping_id', '=', mappingId)
        .limit(limit)
        .execute()
      return rows.map(toDefault)
    },
    async effective(account, entityType, direction) {
      const { id, workspaceId, platform } = account
      const key: Key = { workspaceId, accountId: id, platform, entityType, direction }
      return (await found(JSON.stringify(key), account))?.value
    },
  }
}
