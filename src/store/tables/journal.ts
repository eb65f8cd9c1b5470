// The journal of writes. One statement makes each decision about the holder of a write; no decision depends on an earlier read.
import { type ExpressionBuilder, sql } from 'kysely'
import { changeOnce, compiledOnce } from '../compiled-once.ts'
import type { Database, JournalRow, StoreContext } from '../schema.ts'
import { associatedData, openJson, openOptional, sealJson, sealOptional } from '../sealed-json.ts'
import type { EntryKey, JournalEntry, Store } from '../store.ts'
import type { Vault } from '../vault.ts'
import { createJournalSteps } from './journal-steps.ts'
import { createPutLink } from './links.ts'

const associatedDataOf = (column: 'record' | 'answer', key: EntryKey): string =>
  associatedData('journal', column, [key.accountId, key.entityType, key.externalId])

const isEntry = (key: EntryKey) => (column: ExpressionBuilder<Database, 'journal'>) =>
  column.and([
    column('account_id', '=', key.accountId),
    column('entity_type', '=', key.entityType),
    column('external_id', '=', key.externalId),
  ])

function toEntry(vault: Vault, row: JournalRow): JournalEntry {
  const key: EntryKey = { accountId: row.account_id, entityType: row.entity_type, externalId: row.external_id }
  return {
    ...key,
    writeId: row.write_id,
    state: row.state,
    contentHash: row.content_hash,
    record: openJson(vault, row.record, associatedDataOf('record', key)),
    startedAt: row.started_at,
    answer: openOptional(vault, row.answer, associatedDataOf('answer', key)),
    nativeId: row.native_id ?? undefined,
    detail: row.detail ?? undefined,
    holder: row.holder,
    leaseUntil: row.lease_until,
  }
}

export function createJournal(context: StoreContext): Store['journal'] {
  const { reads, writes, vault, now } = context
  const leaseFor = (leaseMs: number) => sql<number>`${now} + ${leaseMs}`

  const byKey = compiledOnce((key: EntryKey) => reads.selectFrom('journal').selectAll().where(isEntry(key)))
  async function get(key: EntryKey): Promise<JournalEntry | undefined> {
    const row = await byKey(reads, key)
    return row && toEntry(vault, row)
  }
  const insert = changeOnce(
    (entry: Parameters<Store['journal']['begin']>[0] & { sealed: string; leaseMs: number }) =>
      writes
        .insertInto('journal')
        .values({
          account_id: entry.accountId,
          entity_type: entry.entityType,
          external_id: entry.externalId,
          write_id: entry.writeId,
          state: 'in_flight',
          content_hash: entry.contentHash,
          record: entry.sealed,
          started_at: entry.startedAt,
          answer: null,
          native_id: null,
          detail: null,
          holder: entry.holder,
          lease_until: leaseFor(entry.leaseMs),
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'entity_type', 'external_id']).doNothing()),
    // Nothing is sent before `stepSent`, whose full commit includes this change.
    { durability: 'normal' },
  )
  // An expired lease without a new holder is still valid: the write did happen. A second call after a lost response changes nothing.
  const complete = changeOnce(
    (entry: EntryKey & { holder: string; writeId: string; nativeId: string; sealed: string | null }) =>
      writes
        .updateTable('journal')
        .set({ state: 'done', native_id: entry.nativeId, answer: entry.sealed, detail: null })
        .where(isEntry(entry))
        .where('holder', '=', entry.holder)
        .where('write_id', '=', entry.writeId),
  )
  const putLink = createPutLink(writes)
  const forgetSteps = changeOnce((entry: { accountId: string; writeId: string }) =>
    writes.deleteFrom('journal_steps').where('account_id', '=', entry.accountId).where('write_id', '=', entry.writeId),
  )

  return {
    ...createJournalSteps(context),
    get,
    async begin(entry, leaseMs) {
      const sealed = sealJson(vault, entry.record, associatedDataOf('record', entry))
      for (;;) {
        if (await insert(writes, { ...entry, sealed, leaseMs })) return { begun: true }
        const present = await get(entry)
        if (present) return { begun: false, entry: present }
        // It was removed between the two statements, so the key is free again.
      }
    },
    async takeOver(key, holder, leaseMs) {
      const row = await writes
        .updateTable('journal')
        .set({ holder, lease_until: leaseFor(leaseMs) })
        .where(isEntry(key))
        .where('state', 'in', ['in_flight', 'unknown', 'partial'])
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst()
      return row && toEntry(vault, row)
    },
    async renew(key, holder, leaseMs) {
      const row = await writes
        .updateTable('journal')
        .set({ lease_until: leaseFor(leaseMs) })
        .where(isEntry(key))
        .where('holder', '=', holder)
        .where('state', '<>', 'done')
        .returning('write_id')
        .executeTakeFirst()
      return row !== undefined
    },
    async done(key, holder, { writeId, nativeId, answer }) {
      const sealed = sealOptional(vault, answer, associatedDataOf('answer', key))
      return writes.transaction().execute(async (transaction) => {
        if (!(await complete(transaction, { ...key, holder, writeId, nativeId, sealed }))) return false
        await putLink(transaction, {
          accountId: key.accountId,
          entityType: key.entityType,
          sourceId: key.externalId,
          nativeId,
          origin: 'written',
        })
        await forgetSteps(transaction, { accountId: key.accountId, writeId })
        return true
      })
    },
    async park(key, holder, state, detail, nativeId) {
      // lease_until becomes the time of parking, so `abandoned` goes through all entries in turn, and an entry that cannot be settled does not block the others.
      await writes
        .updateTable('journal')
        .set({
          state,
          detail,
          holder: '',
          lease_until: now,
          native_id: nativeId,
        })
        .where(isEntry(key))
        .where('holder', '=', holder)
        .where('state', '<>', 'done')
        .execute()
    },
    async remove(key, holder) {
      await writes.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('journal')
          .where(isEntry(key))
          .where('holder', '=', holder)
          .where('state', '<>', 'done')
          .returning('write_id')
          .executeTakeFirst()
        if (row)
          await transaction
            .deleteFrom('journal_steps')
            .where('account_id', '=', key.accountId)
            .where('write_id', '=', row.write_id)
            .execute()
      })
    },
    async abandoned(limit) {
      const rows = await reads
        .selectFrom('journal')
        .select(['account_id', 'entity_type', 'external_id'])
        // Literals, as in the partial index: a planner cannot match parameters with it. In a subquery the clock is read once, so the index scan stops there.
        .where(sql<boolean>`state in ('in_flight', 'unknown')`)
        .where(sql<boolean>`(detail is null or detail <> 'final')`)
        .where('lease_until', '<=', sql<number>`(select ${now})`)
        .orderBy('lease_until')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        accountId: row.account_id,
        entityType: row.entity_type,
        externalId: row.external_id,
      }))
    },
    async open() {
      const rows = await reads
        .selectFrom('journal')
        .select(['state', (column) => column.fn.countAll<number>().as('count')])
        .where(sql<boolean>`state in ('in_flight', 'unknown')`)
        .groupBy('state')
        .execute()
      const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
      return { inFlight: of('in_flight'), unknown: of('unknown') }
    },
  }
}
