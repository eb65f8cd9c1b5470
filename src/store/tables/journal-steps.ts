import { sql } from 'kysely'
import type { EntityType } from '../../contract/entity.ts'
import { changeOnce } from '../compiled-once.ts'
import { LostEntry } from '../lost-entry.ts'
import { associatedData, openOptional, sealOptional } from '../sealed-json.ts'
import type { EntryKey, JournalStep, Store } from '../store.ts'
import type { JournalRow, JournalStepRow, StoreContext } from '../table-types.ts'
import type { Vault } from '../vault.ts'
import type { SentStep } from './journal-batches.ts'

const associatedDataOf = (column: 'request' | 'value', accountId: string, writeId: string, name: string): string =>
  associatedData('journal_steps', column, [accountId, writeId, name])

function toStep(vault: Vault, row: JournalStepRow & { age_ms: number }): JournalStep {
  return {
    name: row.name,
    request: vault.open(row.request, associatedDataOf('request', row.account_id, row.write_id, row.name)),
    ageMs: Math.max(0, row.age_ms),
    done: row.done === 1,
    value: openOptional(vault, row.value, associatedDataOf('value', row.account_id, row.write_id, row.name)),
  }
}

const nativeCalls = '.native'
const updates = '.update'
/**
 * Updates and native calls are beside the creates, under names that no entity type has: an instance that does not know
 * them leaves them alone.
 */
export function columnsOf(key: EntryKey): EntryKey {
  if (key.operation === 'native') return { ...key, entityType: nativeCalls as EntityType }
  return key.operation === 'update' ? { ...key, entityType: `${key.entityType}${updates}` as EntityType } : key
}
export function keyIn(row: Pick<JournalRow, 'account_id' | 'entity_type' | 'external_id'>): EntryKey {
  const key = { accountId: row.account_id, entityType: row.entity_type, externalId: row.external_id }
  if (String(row.entity_type) === nativeCalls) return { ...key, operation: 'native' }
  return row.entity_type.endsWith(updates)
    ? { ...key, entityType: row.entity_type.slice(0, -updates.length) as EntityType, operation: 'update' }
    : key
}

export function createJournalSteps({
  reads,
  writes,
  vault,
  now,
  batches,
}: StoreContext): Pick<Store['journal'], 'steps' | 'stepSent' | 'stepDone' | 'stepForgotten'> {
  type Owned = EntryKey & { writeId: string; name: string; holder: string }
  // Every statement asks the open entry itself who holds it: a holder that lost the write changes nothing.
  const owned = (step: Owned) =>
    writes
      .selectFrom('journal')
      .where('journal.account_id', '=', step.accountId)
      .where('journal.entity_type', '=', step.entityType)
      .where('journal.external_id', '=', step.externalId)
      .where('journal.write_id', '=', step.writeId)
      .where('journal.holder', '=', step.holder)
      .where('journal.state', '<>', 'done')
  const insertSent = changeOnce((step: SentStep) =>
    writes
      .insertInto('journal_steps')
      .columns(['account_id', 'write_id', 'name', 'sequence', 'request', 'sent_at', 'done'])
      .expression(() => {
        const next = sql<number>`(select coalesce(max(sequence), 0) + 1 from journal_steps where account_id = ${step.accountId} and write_id = ${step.writeId})`
        return owned(step)
          .select((column) => [
            'account_id',
            'write_id',
            column.val(step.name).as('name'),
            next.as('sequence'),
            column.val(step.sealed).as('request'),
            now.as('sent_at'),
            sql<number>`0`.as('done'),
          ])
          .where('lease_until', '>', now)
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'write_id', 'name'])
          .doUpdateSet((column) => ({
            request: column.ref('excluded.request'),
            sent_at: column.ref('excluded.sent_at'),
          }))
          // A finished step is never sent again, unless it was forgotten first.
          .where('journal_steps.done', '=', 0),
      ),
  )
  const sent = batches.send((step) => insertSent(writes, step))
  const answered = changeOnce(
    (step: Owned & { sealed: string | null }) =>
      writes
        .updateTable('journal_steps')
        .set({ done: 1, value: step.sealed })
        .where('account_id', '=', step.accountId)
        .where('write_id', '=', step.writeId)
        .where('name', '=', step.name)
        .where((column) => column.exists(owned(step).select('journal.write_id'))),
    // The next full commit includes this change. A power failure before it leaves the outcome unknown, as during the
    // call.
    { durability: 'normal' },
  )
  const forgotten = changeOnce((step: Owned) =>
    writes
      .deleteFrom('journal_steps')
      .where('account_id', '=', step.accountId)
      .where('write_id', '=', step.writeId)
      .where('name', '=', step.name)
      .where((column) => column.exists(owned(step).select('journal.write_id'))),
  )
  return {
    async steps({ accountId }, writeId) {
      const rows = await reads
        .selectFrom('journal_steps')
        .selectAll()
        .select(sql<number>`${now} - sent_at`.as('age_ms'))
        .where('account_id', '=', accountId)
        .where('write_id', '=', writeId)
        .orderBy('sequence')
        .execute()
      return rows.map((row) => toStep(vault, row))
    },
    async stepSent(key, writeId, name, request, holder) {
      const sealed = vault.seal(request, associatedDataOf('request', key.accountId, writeId, name))
      if (!(await sent({ ...columnsOf(key), writeId, name, sealed, holder })))
        throw new LostEntry(`step ${name} may not be sent: its write is not open for this holder, or the step is done`)
    },
    async stepDone(key, writeId, name, value, holder) {
      const sealed = sealOptional(vault, value, associatedDataOf('value', key.accountId, writeId, name))
      if (!(await answered(writes, { ...columnsOf(key), writeId, name, sealed, holder })))
        throw new LostEntry(`step ${name} is not in the journal, or another holder has its write`)
    },
    async stepForgotten(key, writeId, name, holder) {
      const step = { ...columnsOf(key), writeId, name, holder }
      if (await forgotten(writes, step)) return
      // The statement before may have had its effect and lost its response.
      if (!(await owned(step).select('journal.write_id').executeTakeFirst()))
        throw new LostEntry(`step ${name} belongs to a write that another holder has`)
    },
  }
}
