// Blanks what is kept of people whom the platform has deleted: their rows in the log, the native values of their orders,
// and the deliveries of both. The rows stay, so sequences have no gap. An order itself has only the id of its customer.
import { type Kysely, sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import { isPersonal, isPersonType, peopleIn, referringTo } from '../../../contract/person.ts'
import type { ChangeStore, NewChange } from '../../changes.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import { blankDeliveries } from '../deliveries/blank.ts'
import { lostFeed } from './feeds.ts'
import { openRecord, sealRecord } from './log.ts'

interface KeptRecord {
  data: object
  native?: object
}
const rowsAtOnce = 200
/** A reader that has read a row before it was blanked may still make a delivery of it: this pass finds that. */
const secondPassMs = 60_000
const passes = 2

/** In the transaction that logs the deletes. */
export async function requestErasures(
  db: Kysely<Database>,
  accountId: string,
  now: number,
  changes: readonly NewChange[],
): Promise<void> {
  for (const { operation, nativeId, watch } of changes)
    if (operation === 'deleted' && isPersonal(watch.entityType))
      await db
        .insertInto('erasures')
        .values({
          account_id: accountId,
          entity_type: watch.entityType,
          native_id: nativeId,
          after_sequence: 0,
          passes: 0,
          due_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'entity_type', 'native_id'])
            .doUpdateSet({ after_sequence: 0, passes: 0, due_at: now }),
        )
        .execute()
}

export function createErase({ writes, vault, now }: StoreContext): Pick<ChangeStore, 'erase'> {
  /** The rows of the record itself. */
  async function blankRows(db: Kysely<Database>, accountId: string, entityType: EntityType, id: string): Promise<void> {
    const rows = await db
      .updateTable('change_log')
      .set({ record: null, changed: null })
      .where('account_id', '=', accountId)
      .where('entity_type', '=', entityType)
      .where('native_id', '=', id)
      .returning('sequence')
      .execute()
    await blankDeliveries(db, vault, accountId, rows)
  }
  /**
   * Removes what mappings take from the native records that name the person, such as orders, from a batch of them.
   * Returns where the next batch begins, undefined at the end.
   */
  async function blankMentions(
    db: Kysely<Database>,
    accountId: string,
    person: { entityType: EntityType; id: string },
    after: number,
  ): Promise<number | undefined> {
    const types = referringTo(person.entityType)
    if (types.length === 0) return undefined
    const rows = await db
      .selectFrom('change_log')
      .select(['account_id', 'sequence', 'entity_type', 'record'])
      .where('account_id', '=', accountId)
      .where('entity_type', 'in', types)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(rowsAtOnce)
      .execute()
    const found: { sequence: number }[] = []
    for (const { sequence, entity_type: entityType, record } of rows) {
      const kept = openRecord(vault, accountId, sequence, record) as KeptRecord | undefined
      const named = peopleIn(entityType, kept?.data)
      if (!kept?.native || !named.some((one) => one.entityType === person.entityType && one.id === person.id)) continue
      await db
        .updateTable('change_log')
        .set({ record: sealRecord(vault, accountId, sequence, { data: kept.data }) })
        .where('account_id', '=', accountId)
        .where('sequence', '=', sequence)
        .execute()
      found.push({ sequence })
    }
    await blankDeliveries(db, vault, accountId, found)
    return rows.length < rowsAtOnce ? undefined : rows.at(-1)?.sequence
  }

  return {
    async erase({ accountId, fence }) {
      await transacted(writes, async (transaction) => {
        const feed = await transaction
          .updateTable('feeds')
          .set({ fence })
          .where('account_id', '=', accountId)
          .where('fence', '=', fence)
          .returning('fence')
          .executeTakeFirst()
        if (!feed) throw lostFeed(accountId)
        const erasure = await transaction
          .selectFrom('erasures')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('due_at', '<=', sql<number>`(select ${now})`)
          .orderBy('due_at')
          .limit(1)
          .executeTakeFirst()
        if (!erasure) return
        const { entity_type: entityType, native_id: id, after_sequence: after } = erasure
        if (after === 0) await blankRows(transaction, accountId, entityType, id)
        const next = isPersonType(entityType)
          ? await blankMentions(transaction, accountId, { entityType, id }, after)
          : undefined
        const isThis = { account_id: accountId, entity_type: entityType, native_id: id }
        const pass = erasure.passes + 1
        if (next === undefined && pass === passes) await deleteRow(transaction, isThis)
        else
          await transaction
            .updateTable('erasures')
            .set(
              next === undefined
                ? { after_sequence: 0, passes: pass, due_at: sql<number>`${now} + cast(${secondPassMs} as bigint)` }
                : { after_sequence: next },
            )
            .where((column) => column.and(isThis))
            .execute()
      })
    },
  }
}

async function deleteRow(
  db: Kysely<Database>,
  row: { account_id: string; entity_type: EntityType; native_id: string },
): Promise<void> {
  await db
    .deleteFrom('erasures')
    .where((column) => column.and(row))
    .execute()
}
