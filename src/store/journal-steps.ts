import { sql } from 'kysely'
import { LostEntry } from './lost-entry.ts'
import type { JournalStepRow, StoreContext } from './schema.ts'
import { about, openOptional, sealOptional } from './sealed-json.ts'
import type { JournalStep, Store } from './store.ts'
import type { Vault } from './vault.ts'

const place = (column: 'request' | 'value', accountId: string, writeId: string, name: string): string => about('journal_steps', column, [accountId, writeId, name])

function toStep(vault: Vault, row: JournalStepRow): JournalStep {
  return {
    name: row.name,
    request: vault.open(row.request, place('request', row.account_id, row.write_id, row.name)),
    sentAt: row.sent_at,
    done: row.done === 1,
    value: openOptional(vault, row.value, place('value', row.account_id, row.write_id, row.name)),
  }
}

export function createJournalSteps({ db, vault, now }: StoreContext): Pick<Store['journal'], 'steps' | 'stepSent' | 'stepDone' | 'stepForgotten'> {
  return {
    async steps({ accountId }, writeId) {
      const rows = await db.selectFrom('journal_steps').selectAll().where('account_id', '=', accountId).where('write_id', '=', writeId).orderBy('sequence').execute()
      return rows.map((row) => toStep(vault, row))
    },
    async stepSent({ accountId, entityType, externalId }, writeId, name, request, holder) {
      const sealed = vault.seal(request, place('request', accountId, writeId, name))
      const next = sql<number>`(select coalesce(max(sequence), 0) + 1 from journal_steps where account_id = ${accountId} and write_id = ${writeId})`
      // Asked of the open entry itself, in one statement: who lost it meanwhile gets no permission to send.
      const row = await db
        .insertInto('journal_steps')
        .columns(['account_id', 'write_id', 'name', 'sequence', 'request', 'sent_at', 'done'])
        .expression((query) => {
          const open = query
            .selectFrom('journal')
            .select((column) => [
              'account_id',
              'write_id',
              column.val(name).as('name'),
              next.as('sequence'),
              column.val(sealed).as('request'),
              now.as('sent_at'),
              sql<number>`0`.as('done'),
            ])
            .where('account_id', '=', accountId)
            .where('entity_type', '=', entityType)
            .where('external_id', '=', externalId)
            .where('write_id', '=', writeId)
            .where('state', '<>', 'done')
          return holder === undefined ? open : open.where('holder', '=', holder).where('lease_until', '>', now)
        })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'write_id', 'name'])
            .doUpdateSet((column) => ({ request: column.ref('excluded.request'), sent_at: column.ref('excluded.sent_at') }))
            // A finished step is never sent again, unless it was forgotten first.
            .where('journal_steps.done', '=', 0),
        )
        .returning('name')
        .executeTakeFirst()
      if (!row) throw new LostEntry(`step ${name} may not be sent: its write is not open for this holder, or the step is done`)
    },
    async stepDone({ accountId }, writeId, name, value) {
      const row = await db
        .updateTable('journal_steps')
        .set({ done: 1, value: sealOptional(vault, value, place('value', accountId, writeId, name)) })
        .where('account_id', '=', accountId)
        .where('write_id', '=', writeId)
        .where('name', '=', name)
        .returning('name')
        .executeTakeFirst()
      if (!row) throw new LostEntry(`step ${name} is not in the journal`)
    },
    async stepForgotten({ accountId }, writeId, name) {
      await db.deleteFrom('journal_steps').where('account_id', '=', accountId).where('write_id', '=', writeId).where('name', '=', name).execute()
    },
  }
}
