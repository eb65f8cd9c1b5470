// The journal of writes. Every decision about who works on a write is one statement; nothing is read first and decided
// after.
import { type ExpressionBuilder, sql } from 'kysely'
import type { ReferenceMode } from '../../contract/entity.ts'
import { changeOnce, compiledOnce } from '../compiled-once.ts'
import { openJson, openOptional, sealJson, sealOptional } from '../sealed-json.ts'
import type { EntryKey, JournalEntry, OpenCreate, Store } from '../store.ts'
import { type Database, isoNow, type JournalRow, type Queries, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'
import type { Vault } from '../vault.ts'
import { createPutHint } from './changes/hints.ts'
import { appendEvent } from './deliveries/events.ts'
import type { BegunEntry, FinishedEntry } from './journal-batches.ts'
import { erasedAtOf, journalData } from './journal-content.ts'
import { columnsOf, createJournalSteps, keyIn } from './journal-steps.ts'
import { createPutLink } from './links.ts'
import { createOpenWrites } from './open-writes.ts'
import { createWriteGuards } from './write-guards.ts'

const primaryKey = ['account_id', 'entity_type', 'external_id'] as const

const isEntry = (key: EntryKey) => (column: ExpressionBuilder<Database, 'journal'>) =>
  column.and([
    column('account_id', '=', key.accountId),
    column('entity_type', '=', key.entityType),
    column('external_id', '=', key.externalId),
  ])

const recovering = 'recovering'
function toEntry(vault: Vault, row: JournalRow): JournalEntry {
  const key = columnsOf(keyIn(row))
  const record = openJson(vault, row.record, journalData('record', key))
  const erasedAt = erasedAtOf(record)
  return {
    ...keyIn(row),
    writeId: row.write_id,
    state: row.state,
    contentHash: row.content_hash,
    record: erasedAt === undefined ? record : undefined,
    erasedAt,
    ...waysIn(row.reference_mode),
    startedAt: row.started_at,
    answer: openOptional(vault, row.answer, journalData('answer', key)),
    nativeId: row.native_id ?? undefined,
    detail: row.detail ?? undefined,
    holder: row.holder,
    leaseUntil: row.lease_until,
  }
}

/** How the caller asked for the record to be written, as one text: "source", or "source exact" with exact totals. */
const textOfWays = ({ references = 'auto', exactTotals }: Pick<JournalEntry, 'references' | 'exactTotals'>) =>
  (exactTotals ? `${references} exact` : references) as ReferenceMode
function waysIn(text: string | null): Pick<JournalEntry, 'references' | 'exactTotals'> {
  const [references, exact] = (text ?? '').split(' ')
  return {
    ...(references ? { references: references as ReferenceMode } : {}),
    ...(exact ? { exactTotals: true } : {}),
  }
}

const settledEvent = (workspaceId: string, { accountId, externalId, hint: { entityType } }: FinishedEntry) => ({
  workspaceId,
  type: 'write.settled',
  subject: `write ${accountId} ${entityType} ${externalId}`,
  accountId,
  data: { entityType, externalId },
})

export function createJournal(context: StoreContext): Store['journal'] {
  const { reads, writes, vault, now, batches, wakes } = context
  const leaseFor = (leaseMs: number) => sql<number>`${now} + ${leaseMs}`

  const byKey = compiledOnce((key: EntryKey) => reads.selectFrom('journal').selectAll().where(isEntry(key)))
  async function get(key: EntryKey): Promise<JournalEntry | undefined> {
    const row = await byKey(reads, columnsOf(key))
    return row && toEntry(vault, row)
  }
  // Nothing is sent before `stepSent`, whose full commit includes this change.
  const duringBegin = { durability: 'normal' } as const
  const inserted = (entry: BegunEntry) =>
    writes.insertInto('journal').values({
      account_id: entry.accountId,
      entity_type: entry.entityType,
      external_id: entry.externalId,
      write_id: entry.writeId,
      state: 'in_flight',
      content_hash: entry.contentHash,
      record: entry.sealed,
      reference_mode: entry.references as ReferenceMode,
      started_at: entry.startedAt,
      answer: null,
      native_id: null,
      detail: null,
      holder: entry.holder,
      lease_until: leaseFor(entry.leaseMs),
    })
  const insert = changeOnce(
    (entry: BegunEntry) => inserted(entry).onConflict((conflict) => conflict.columns(primaryKey).doNothing()),
    duringBegin,
  )
  const insertUpdate = changeOnce(
    (entry: BegunEntry) =>
      inserted(entry).onConflict((conflict) =>
        conflict
          .columns(primaryKey)
          .doUpdateSet((column) => ({
            write_id: column.ref('excluded.write_id'),
            state: column.ref('excluded.state'),
            content_hash: column.ref('excluded.content_hash'),
            record: column.ref('excluded.record'),
            started_at: column.ref('excluded.started_at'),
            answer: null,
            native_id: null,
            detail: null,
            holder: column.ref('excluded.holder'),
            lease_until: column.ref('excluded.lease_until'),
          }))
          .where('journal.state', '=', 'done'),
      ),
    duringBegin,
  )
  // An expired lease without a new holder is still valid: the write did happen. A second call after a lost response
  // changes nothing.
  const ended = (entry: FinishedEntry) =>
    writes
      .updateTable('journal')
      .set({ state: 'done', native_id: entry.nativeId, answer: entry.sealed, detail: null, lease_until: now })
      .where(isEntry(entry))
      .where('holder', '=', entry.holder)
      .where('write_id', '=', entry.writeId)
  const setDone = changeOnce(ended)
  const endOpen = changeOnce((entry: FinishedEntry) => ended(entry).where('state', '<>', 'done'))
  const putLink = createPutLink(writes)
  const putHint = createPutHint(context)
  const renewal = changeOnce((entry: EntryKey & { holder: string; leaseMs: number }) =>
    writes
      .updateTable('journal')
      .set({ lease_until: leaseFor(entry.leaseMs) })
      .where(isEntry(entry))
      .where('holder', '=', entry.holder)
      .where('state', '<>', 'done'),
  )
  const stillWaiting = changeOnce((step: { accountId: string; writeId: string; name: string }) =>
    writes
      .updateTable('journal_steps')
      .set({ sent_at: now })
      .where('account_id', '=', step.accountId)
      .where('write_id', '=', step.writeId)
      .where('name', '=', step.name)
      .where('done', '=', 0),
  )
  const forgetSteps = changeOnce((entry: { accountId: string; writeId: string }) =>
    writes.deleteFrom('journal_steps').where('account_id', '=', entry.accountId).where('write_id', '=', entry.writeId),
  )

  const guards = createWriteGuards(context, insert)
  const begun = batches.begin((entry) => insert(writes, entry))
  const begunUpdate = (entry: BegunEntry) => insertUpdate(writes, entry)
  const finished = batches.finish(async (entry) => {
    const { accountId, writeId, nativeId, linkedAs, hint, settledIn } = entry
    let hasNews = false
    const stored = await transacted(writes, async (transaction) => {
      // Once: a second call after a lost response finds the write done.
      const isSettled = settledIn !== null && (await endOpen(transaction, entry))
      if (!isSettled && !(await setDone(transaction, entry))) return false
      if (linkedAs !== null)
        await putLink(transaction, {
          accountId,
          entityType: linkedAs,
          sourceId: entry.externalId,
          nativeId,
          origin: 'written',
        })
      await forgetSteps(transaction, { accountId, writeId })
      const isHinted = await putHint(transaction, accountId, { ...hint, nativeId, origin: 'write' })
      if (isSettled) await appendEvent(transaction, context, settledEvent(settledIn, entry))
      hasNews = isHinted || isSettled
      if (hasNews) await wakes.committing(transaction, accountId)
      return true
    })
    if (hasNews) wakes.committed(accountId)
    return stored
  })

  return {
    ...createJournalSteps(context),
    get,
    async duplicateOf(key, guard) {
      const row = await guards.duplicateOf(key, guard)
      return row && toEntry(vault, row)
    },
    async begin(entry, leaseMs, guard) {
      const at = columnsOf(entry)
      const sealed = sealJson(vault, entry.record, journalData('record', at))
      const { record: _, ...rest } = entry
      const row = { ...rest, ...at, references: textOfWays(entry), sealed, leaseMs }
      for (;;) {
        if (guard) {
          const outcome = await guards.begin(row, guard)
          if (outcome.begun) return { begun: true }
          if (outcome.row) return { begun: false, entry: toEntry(vault, outcome.row), isDuplicate: outcome.isDuplicate }
        } else if (await (entry.operation === 'update' ? begunUpdate : begun)(row)) return { begun: true }
        const present = await get(entry)
        if (present) return { begun: false, entry: present }
        // It was removed between the two statements, so the key is free again.
      }
    },
    async takeOver(key, holder, leaseMs) {
      const row = await writes
        .updateTable('journal')
        .set({ holder, lease_until: leaseFor(leaseMs) })
        .where(isEntry(columnsOf(key)))
        .where('state', 'in', ['in_flight', 'unknown', 'partial'])
        // A parked write has no holder: its time is for the sweep, not for a caller.
        .where((column) => column.or([column('lease_until', '<=', now), column('holder', '=', '')]))
        .returningAll()
        .executeTakeFirst()
      return row && toEntry(vault, row)
    },
    async restart(entry, leaseMs) {
      const at = columnsOf(entry)
      return writes.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom('journal')
          .select('write_id')
          .where(isEntry(at))
          .where('holder', '=', entry.holder)
          .where('state', '<>', 'done')
          .executeTakeFirst()
        if (!before) return false
        const { numUpdatedRows } = await transaction
          .updateTable('journal')
          .set({
            write_id: entry.writeId,
            state: 'in_flight',
            content_hash: entry.contentHash,
            record: sealJson(vault, entry.record, journalData('record', at)),
            started_at: entry.startedAt,
            detail: null,
            lease_until: leaseFor(leaseMs),
          })
          .where(isEntry(at))
          .where('holder', '=', entry.holder)
          .where('write_id', '=', before.write_id)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await forgetSteps(transaction, { accountId: entry.accountId, writeId: before.write_id })
        return true
      })
    },
    async renew(key, holder, leaseMs, waiting) {
      const renewed = async (executor: Queries) =>
        (await renewal(executor, { ...columnsOf(key), holder, leaseMs })) &&
        (!waiting || (await stillWaiting(executor, { accountId: key.accountId, ...waiting })) || true)
      return waiting ? writes.transaction().execute(renewed) : renewed(writes)
    },
    async done(key, holder, { writeId, nativeId, answer, record, writtenBy, settledIn = null }) {
      const at = columnsOf(key)
      const sealed = sealOptional(vault, answer, journalData('answer', at))
      const linkedAs = key.operation === undefined ? key.entityType : null
      const hint = { entityType: key.entityType, record, writtenBy }
      return finished({ ...at, writeId, holder, nativeId, sealed, linkedAs, createdAt: isoNow(), hint, settledIn })
    },
    async park(key, holder, { state, detail, nativeId, retryInMs = 0 }) {
      // lease_until is when the sweep takes it up again: an entry that cannot be settled does not keep the others from
      // their turn.
      await writes
        .updateTable('journal')
        .set({
          state,
          detail,
          holder: '',
          lease_until: leaseFor(retryInMs),
          ...(nativeId === undefined ? {} : { native_id: nativeId }),
        })
        .where(isEntry(columnsOf(key)))
        .where('holder', '=', holder)
        .where('state', '<>', 'done')
        .execute()
    },
    async remove(key, holder) {
      await writes.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('journal')
          .where(isEntry(columnsOf(key)))
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
    async abandoned(limit, perAccount) {
      const due = writes
        .selectFrom('journal')
        .select(['account_id', 'entity_type', 'external_id', 'lease_until'])
        .select(sql<number>`row_number() over (partition by account_id order by lease_until)`.as('turn'))
        // Literals, as in the partial index: a planner cannot match parameters with it. The clock in a subquery is read
        // once, so the index is walked no further.
        .where(sql<boolean>`state in ('in_flight', 'unknown')`)
        .where(sql<boolean>`(detail is null or detail <> 'final')`)
        .where('lease_until', '<=', sql<number>`(select ${now})`)
      const rows = await writes
        .selectFrom(due.as('due'))
        .select(['account_id', 'entity_type', 'external_id'])
        .where('turn', '<=', perAccount)
        .orderBy('lease_until')
        .limit(limit)
        .execute()
      return rows.map(keyIn)
    },
    async recovering(key, holder) {
      await writes
        .updateTable('journal')
        .set({ detail: recovering })
        .where(isEntry(columnsOf(key)))
        .where('holder', '=', holder)
        .where('state', '=', 'in_flight')
        .execute()
    },
    async openCreates(accountId, entityType) {
      // Takes the write away from a holder that stood still, so that it cannot finish what others take to be in doubt.
      await writes
        .updateTable('journal')
        .set({ state: 'unknown', detail: 'recoverable', holder: '' })
        .where('state', '=', sql<'in_flight'>`'in_flight'`)
        .where('lease_until', '<=', now)
        .where('account_id', '=', accountId)
        .where('entity_type', '=', entityType)
        .execute()
      const rows = await writes
        .selectFrom('journal')
        .select(['external_id', 'write_id', 'state', 'detail', 'started_at'])
        .where(sql<boolean>`state in ('in_flight', 'unknown', 'partial')`)
        .where('account_id', '=', accountId)
        .where('entity_type', '=', entityType)
        .execute()
      return rows.map((row) => ({
        externalId: row.external_id,
        writeId: row.write_id,
        state: row.state === 'in_flight' && row.detail === recovering ? 'unknown' : (row.state as OpenCreate['state']),
        startedAt: row.started_at,
      }))
    },
    async forgetUpdates(ageMs) {
      await writes
        .deleteFrom('journal')
        // As in the partial index.
        .where(sql<boolean>`entity_type like '%.update' and state = 'done'`)
        .where('lease_until', '<=', sql<number>`(select ${now} - ${ageMs})`)
        .execute()
    },
    forgetGuards: guards.forget,
    openWrites: createOpenWrites(context),
    async open(workspaceId) {
      const all = writes
        .selectFrom('journal')
        .select(['state', (column) => column.fn.countAll<number>().as('count')])
        .where(sql<boolean>`state in ('in_flight', 'unknown')`)
        .groupBy('state')
      const counted =
        workspaceId === undefined
          ? all
          : all.where('account_id', 'in', (select) =>
              select.selectFrom('accounts').select('id').where('workspace_id', '=', workspaceId),
            )
      const rows = await counted.execute()
      const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
      return { inFlight: of('in_flight'), unknown: of('unknown') }
    },
  }
}
