// Erasures: each step searches one batch outside of a transaction, and then removes what it found in the transaction
// that moves its position. After a crash the next step begins where the last one has ended.
import { sql } from 'kysely'
import { type PersonErasureRow, personErasures } from '../../accounts-schema.ts'
import {
  type Erasure,
  type ErasureKey,
  type ErasurePlace,
  type ErasureStore,
  erasurePlaces,
  type PersonKey,
} from '../../erasure-store.ts'
import { pageOf } from '../../paging.ts'
import { isoNow, type StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import { searchActivity } from './activity.ts'
import { searchChanges, searchDeliveries, searchHints } from './feed.ts'
import { searchMigrationRecords, searchMigrationReports } from './migrations.ts'
import { linkedTo, personHash, personOf } from './person.ts'
import type { Position, Search } from './search.ts'
import { openWritesOf, searchWrites } from './writes.ts'

const searches: Readonly<Record<ErasurePlace, Search>> = {
  writes: searchWrites,
  changes: searchChanges,
  hints: searchHints,
  deliveries: searchDeliveries,
  activity: searchActivity,
  migrationReports: searchMigrationReports,
  migrationRecords: searchMigrationRecords,
}
const passes = 2
const hourMs = 3_600_000

export function createErasures(context: StoreContext): ErasureStore {
  const { reads, writes, now, vault } = context
  const { toItem: toErasure } = personErasures.codec(vault)
  const after = (milliseconds: number) => sql<number>`${now} + cast(${Math.round(milliseconds)} as bigint)`
  const rowOf = ({ accountId, id }: ErasureKey) =>
    reads
      .selectFrom('person_erasures')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
  const personIn = (row: PersonErasureRow): PersonKey => ({
    accountId: row.account_id,
    entityType: row.entity_type,
    nativeId: row.native_id,
  })

  /** The row after a batch of its place. */
  function nextOf(row: PersonErasureRow, found: number, next: Position, secondPassMs: number) {
    const name = erasurePlaces[row.place] as ErasurePlace
    const counts = JSON.parse(row.found) as Erasure['found']
    const common = { step: row.step + 1, found: JSON.stringify({ ...counts, [name]: counts[name] + found }) }
    if (next) return { ...common, position: JSON.stringify(next) }
    if (row.place + 1 < erasurePlaces.length) return { ...common, position: null, place: row.place + 1 }
    const pass = row.pass + 1
    return pass < passes && row.is_plan === 0
      ? { ...common, position: null, place: 0, pass, state: 'checking' as const, due_at: after(secondPassMs) }
      : { ...common, position: null, pass, state: 'done' as const, native_id: '', ended_at: isoNow() }
  }

  return {
    async create({ accountId, entityType, nativeId, id, isPlan, openWrites, unsettled, createdBy }) {
      const at = isoNow()
      const person = personHash(accountId, entityType, nativeId)
      return transacted(writes, async (transaction) => {
        const row = await transaction
          .insertInto('person_erasures')
          .values({
            account_id: accountId,
            id,
            entity_type: entityType,
            native_id: nativeId,
            person,
            is_plan: isPlan ? 1 : 0,
            state: 'running',
            step: 0,
            pass: 0,
            place: 0,
            position: null,
            found: JSON.stringify(Object.fromEntries(erasurePlaces.map((place) => [place, 0]))),
            open_writes: openWrites,
            unsettled,
            due_at: now,
            created_by: createdBy,
            created_at: at,
            ended_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        if (!isPlan)
          await transaction
            .insertInto('erased_people')
            .values({ account_id: accountId, person, erased_at: at })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        return toErasure(row)
      })
    },
    async get(key) {
      const row = await rowOf(key)
      return row && toErasure(row)
    },
    list(accountId, query) {
      const rows = reads.selectFrom('person_erasures').selectAll().where('account_id', '=', accountId)
      return pageOf(rows, query, toErasure, { newestFirst: true })
    },
    delete: ({ accountId, id }) =>
      transacted(writes, async (transaction) => {
        const isThis = { account_id: accountId, id }
        const row = await transaction
          .deleteFrom('person_erasures')
          .where((column) => column.and(isThis))
          .where('state', '=', 'done')
          .returning(['person', 'is_plan'])
          .executeTakeFirst()
        if (!row) {
          const open = await transaction
            .selectFrom('person_erasures')
            .select('id')
            .where((column) => column.and(isThis))
            .executeTakeFirst()
          return open ? 'open' : 'missing'
        }
        const others = await transaction
          .selectFrom('person_erasures')
          .select('id')
          .where('account_id', '=', accountId)
          .where('person', '=', row.person)
          .where('is_plan', '=', 0)
          .limit(1)
          .executeTakeFirst()
        if (row.is_plan === 0 && !others)
          await transaction
            .deleteFrom('erased_people')
            .where('account_id', '=', accountId)
            .where('person', '=', row.person)
            .execute()
        return 'deleted'
      }),
    async due(limit) {
      const rows = await reads
        .selectFrom('person_erasures')
        .select(['account_id', 'id'])
        .where(sql<boolean>`state <> 'done'`) // as in the partial index
        .where('due_at', '<=', sql<number>`(select ${now})`)
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ accountId: row.account_id, id: row.id }))
    },
    async recent() {
      const since = new Date(Date.now() - hourMs).toISOString()
      const rows = await reads
        .selectFrom('person_erasures')
        .select(['account_id', 'id', 'state'])
        .where('is_plan', '=', 0)
        .where((column) => column.or([column('state', '<>', 'done'), column('ended_at', '>', since)]))
        .execute()
      return rows.map((row) => ({ accountId: row.account_id, id: row.id, state: row.state }))
    },
    openWrites: async (person) => openWritesOf(context, await personOf(context, person)),
    linkedTo: (person) => linkedTo(context, person),
    async isMigrating(accountId) {
      const row = await reads
        .selectFrom('migrations')
        .select('id')
        .where(sql<boolean>`state in ('planning', 'running')`) // as in the partial index
        .where((column) => column.or([column('from_account', '=', accountId), column('to_account', '=', accountId)]))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    async step(key, secondPassMs) {
      const row = await rowOf(key)
      if (!row || row.state === 'done') return undefined
      const { rows: clock } = await sql<{ now: number }>`select ${now} as now`.execute(reads)
      const waitMs = Number(row.due_at) - Number(clock[0]?.now)
      if (waitMs > 0) return waitMs
      const search = searches[erasurePlaces[row.place] as ErasurePlace]
      const position = row.position === null ? undefined : (JSON.parse(row.position) as Position)
      const { found, next } = await search(context, await personOf(context, personIn(row)), position)
      const change = nextOf(row, found.length, next, secondPassMs)
      await transacted(writes, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('person_erasures')
          .set(change)
          .where('account_id', '=', key.accountId)
          .where('id', '=', key.id)
          .where('step', '=', row.step)
          .executeTakeFirst()
        // Another instance has made this step.
        if (numUpdatedRows === 0n || row.is_plan === 1) return
        for (const blank of found) await blank(transaction)
      })
      return 0
    },
  }
}
