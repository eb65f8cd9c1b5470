// Watches and their sealed states.
import type { Kysely, Selectable } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import type { Watch, WatchState } from '../../changes.ts'
import type { WatchRow } from '../../changes-schema.ts'
import { associatedData, openJson, sealJson } from '../../sealed-json.ts'
import type { Database } from '../../table-types.ts'
import type { Vault } from '../../vault.ts'

const boundTo = (id: number): string => associatedData('watches', 'state', [id])

export const sealState = (vault: Vault, id: number, state: WatchState): string => sealJson(vault, state, boundTo(id))

export function toWatch(vault: Vault, row: Omit<Selectable<WatchRow>, 'account_id'>): Watch {
  return {
    id: row.id,
    entityType: row.entity_type,
    epoch: row.epoch,
    state: openJson(vault, row.state, boundTo(row.id)) as WatchState,
  }
}

export async function watchesOf(db: Kysely<Database>, vault: Vault, accountId: string): Promise<Watch[]> {
  const rows = await db
    .selectFrom('watches')
    .select(['id', 'entity_type', 'epoch', 'state'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map((row) => toWatch(vault, row))
}

export async function insertWatch(
  db: Kysely<Database>,
  vault: Vault,
  { accountId, ...watch }: Omit<Watch, 'id'> & { accountId: string },
): Promise<Watch> {
  const { id } = await db
    .insertInto('watches')
    .values({ account_id: accountId, entity_type: watch.entityType, epoch: watch.epoch, state: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The seal is bound to the id.
  await db
    .updateTable('watches')
    .set({ state: sealState(vault, id, watch.state) })
    .where('id', '=', id)
    .execute()
  return { id, ...watch }
}

/** It no longer belongs to the account; `prune` removes its rows. */
export async function endWatches(
  db: Kysely<Database>,
  accountId: string,
  entityTypes: readonly EntityType[],
): Promise<void> {
  await db
    .updateTable('watches')
    .set({ account_id: null })
    .where('account_id', '=', accountId)
    .where('entity_type', 'in', entityTypes)
    .execute()
}
