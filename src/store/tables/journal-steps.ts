import { sql } from 'kysely'
import { changeOnce } from '../compiled-once.ts'
import { LostEntry } from '../lost-entry.ts'
import type { JournalStepRow, StoreContext } from '../schema.ts'
import { associatedData, openOptional, sealOptional } from '../sealed-json.ts'
import type { EntryKey, JournalStep, Store } from '../store.ts'
import type { Vault } from '../vault.ts'

const associatedDataOf = (column: 'request' | 'value', accountId: string, writeId: string, name: string): string =>
  associatedData('journal_steps', column, [accountId, writeId, name])

function toStep(vault: Vault, row: JournalStepRow): JournalStep {
  return {
    name: row.name,
    request: vault.open(row.request, associatedDataOf('request', row.account_id, row.write_id, row.name)),
    sentAt: row.sent_at,
    done: row.done === 1,
    value: openOptional(vault, row.value, associatedDataOf('value', row.account_id, row.write_id, row.name)),
  }
}

export function createJournalSteps({
  reads,
  writes,
  vault,
  now,
}: StoreContext): Pick<Store['journal'], 'steps' | 'stepSent' | 'stepDone' | 'stepForgotten'> {
  // One statement checks the open entry and inserts the step, so a holder that lost the entry may not send.
  const sent = (onlyHolder: boolean) =>
    changeOnce((step: EntryKey & { writeId: string; name: string; sealed: string; holder: string }) =>
      writes
        .insertInto('journal_steps')
        .columns(['account_id', 'write_id', 'name', 'sequence', 'request', 'sent_at', 'done'])
        .expression((query) => {
          const next = sql<number>`(select coalesce(max(sequence), 0) + 1 from journal_steps where account_id = ${step.accountId} and write_id = ${step.writeId})`
          const open = query
            .selectFrom('journal')
            .select((column) => [
              'account_id',
              'write_id',
              column.val(step.name).as('name'),
              next.as('sequence'),
              column.val(step.sealed).as('request'),
              now.as('sent_at'),
              sql<number>`0`.as('done'),
            ])
            .where('account_id', '=', step.accountId)
            .where('entity_type', '=', step.entityType)
            .where('external_id', '=', step.externalId)
            .where('write_id', '=', step.writeId)
            .where('state', '<>', 'done')
          return onlyHolder ? open.where('holder', '=', step.holder).where('lease_until', '>', now) : open
        })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'write_id', 'name'])
            .doUpdateSet((column) => ({
              request: column.ref('excluded.request'),
              sent_at: column.ref('excluded.sent_at'),
            }))
            // A completed step is not sent again, unless it was removed first.
            .where('journal_steps.done', '=', 0),
        ),
    )
  const sentByHolder = sent(true)
  const sentByAnyone = sent(false)
  const completed = changeOnce(
    (step: { accountId: string; writeId: string; name: string; sealed: string | null }) =>
      writes
        .updateTable('journal_steps')
        .set({ done: 1, value: step.sealed })
        .where('account_id', '=', step.accountId)
        .where('write_id', '=', step.writeId)
        .where('name', '=', step.name),
    // The next full commit includes this change. A power failure before it leaves the outcome unknown, as during the call.
    { durability: 'normal' },
  )
  return {
    async steps({ accountId }, writeId) {
      const rows = await reads
        .selectFrom('journal_steps')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('write_id', '=', writeId)
        .orderBy('sequence')
        .execute()
      return rows.map((row) => toStep(vault, row))
    },
    async stepSent(key, writeId, name, request, holder) {
      const sealed = vault.seal(request, associatedDataOf('request', key.accountId, writeId, name))
      const inserted = await (holder === undefined ? sentByAnyone : sentByHolder)(writes, {
        ...key,
        writeId,
        name,
        sealed,
        holder: holder ?? '',
      })
      if (!inserted)
        throw new LostEntry(`step ${name} may not be sent: its write is not open for this holder, or the step is done`)
    },
    async stepDone({ accountId }, writeId, name, value) {
      const updated = await completed(writes, {
        accountId,
        writeId,
        name,
        sealed: sealOptional(vault, value, associatedDataOf('value', accountId, writeId, name)),
      })
      if (!updated) throw new LostEntry(`step ${name} is not in the journal`)
    },
    async stepForgotten({ accountId }, writeId, name) {
      await writes
        .deleteFrom('journal_steps')
        .where('account_id', '=', accountId)
        .where('write_id', '=', writeId)
        .where('name', '=', name)
        .execute()
    },
  }
}
