// Records to fetch, one row each. A hint touches only its own row: a write of a caller never waits for the worker of the
// feed.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import type { ChangeStore, FeedBatch, Hint, NewHint } from '../../changes.ts'
import type { HintRow } from '../../changes-schema.ts'
import { changeOnce, compiledOnce, rowsOnce, rowsOnceIn } from '../../compiled-once.ts'
import { associatedData, openOptional, sealOptional } from '../../sealed-json.ts'
import type { Store } from '../../store.ts'
import type { Database, Queries, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import type { Vault } from '../../vault.ts'
import { inLists } from './records.ts'

const boundTo = (accountId: string, entityType: EntityType, nativeId: string): string =>
  associatedData('change_hints', 'record', [accountId, entityType, nativeId])
export const sealHint = (
  vault: Vault,
  accountId: string,
  { entityType, nativeId, record }: Pick<NewHint, 'entityType' | 'nativeId' | 'record'>,
): string | null => sealOptional(vault, record, boundTo(accountId, entityType, nativeId))

export const openHint = (
  vault: Vault,
  row: Pick<HintRow, 'account_id' | 'entity_type' | 'native_id' | 'record'>,
): unknown => openOptional(vault, row.record, boundTo(row.account_id, row.entity_type, row.native_id))

/**
 * What a second hint about the record changes. The record of an own write stays until the next own write. The function
 * `journal_finish` of PostgreSQL does the same for own writes.
 */
const mergedHint = `counter = change_hints.counter + 1,
  origin = case when excluded.origin = 'write' then 'write' else change_hints.origin end,
  due_at = case when excluded.due_at < change_hints.due_at then excluded.due_at else change_hints.due_at end,
  written_by = case when excluded.origin = 'write' then excluded.written_by else change_hints.written_by end,
  record = case when excluded.origin = 'write' then excluded.record else change_hints.record end,
  gone = excluded.gone, replaced_by = excluded.replaced_by, attempts = 0`

interface HintValues {
  accountId: string
  entityType: EntityType
  nativeId: string
  origin: 'write' | 'hint'
  dueInMs: number
  writtenBy: string | null
  sealed: string | null
  gone: number
  replacedBy: string | null
}
/** In the order of their key: two transactions with the same hints wait for each other in one direction only. */
const inKeyOrder = <T extends { entityType: string; nativeId: string }>(hints: readonly T[]): T[] =>
  hints.toSorted((left, right) =>
    left.entityType === right.entityType
      ? Buffer.compare(Buffer.from(left.nativeId), Buffer.from(right.nativeId))
      : left.entityType < right.entityType
        ? -1
        : 1,
  )

export type PutHint = (db: Queries, accountId: string, hint: NewHint) => Promise<boolean>

/** False where the entity is not watched: that costs one lookup by key. */
export function createPutHint({ writes, vault, now }: Pick<StoreContext, 'writes' | 'vault' | 'now'>): PutHint {
  const watched = compiledOnce((hint: { accountId: string; entityType: EntityType }) =>
    writes
      .selectFrom('watches')
      .select('id')
      .where('account_id', '=', hint.accountId)
      .where('entity_type', '=', hint.entityType),
  )
  const insert = changeOnce((hint: HintValues) => ({
    compile: () =>
      sql`insert into change_hints (account_id, entity_type, native_id, counter, origin, due_at, first_at, written_by,
          record, gone, replaced_by, attempts)
        values (${hint.accountId}, ${hint.entityType}, ${hint.nativeId}, 1, ${hint.origin},
          ${now} + cast(${hint.dueInMs} as bigint), ${now}, ${hint.writtenBy}, ${hint.sealed}, ${hint.gone},
          ${hint.replacedBy}, 0)
        on conflict (account_id, entity_type, native_id) do update set ${sql.raw(mergedHint)}`.compile(writes),
  }))
  return async (db, accountId, hint) => {
    const { entityType, nativeId } = hint
    if (!(await watched(db, { accountId, entityType }))) return false
    return insert(db, {
      accountId,
      entityType,
      nativeId,
      origin: hint.origin,
      dueInMs: Math.round(hint.dueInMs ?? 0),
      writtenBy: hint.writtenBy ?? null,
      sealed: sealHint(vault, accountId, hint),
      gone: hint.gone ? 1 : 0,
      replacedBy: hint.replacedBy ?? null,
    })
  }
}

/** The hints of a batch, in a transaction that has the feed. */
export async function changeHints(
  db: Kysely<Database>,
  { kind, putHint, now }: { kind: Store['kind']; putHint: PutHint; now: RawBuilder<number> },
  accountId: string,
  { doneHints = [], laterHints = [], newHints = [] }: FeedBatch,
): Promise<void> {
  const keys = inKeyOrder([...doneHints, ...laterHints, ...newHints])
  if (kind === 'postgres')
    await inLists(keys, async (list) => {
      const tuples = list.map(({ entityType, nativeId }) => sql`(${entityType}, ${nativeId})`)
      await sql`select 1 from change_hints where account_id = ${accountId}
        and (entity_type, native_id) in (${sql.join(tuples)}) order by entity_type, native_id for update`.execute(db)
    })
  await inLists(doneHints, async (list) => {
    const tuples = list.map((hint) => sql`(${hint.entityType}, ${hint.nativeId}, cast(${hint.counter} as bigint))`)
    await sql`delete from change_hints where account_id = ${accountId}
      and (entity_type, native_id, counter) in (values ${sql.join(tuples)})`.execute(db)
  })
  for (const { entityType, nativeId, counter, dueInMs } of laterHints)
    await db
      .updateTable('change_hints')
      .set({
        origin: 'hint',
        record: null,
        written_by: null,
        due_at: sql<number>`${now} + cast(${Math.round(dueInMs)} as bigint)`,
        attempts: sql<number>`attempts + 1`,
      })
      .where('account_id', '=', accountId)
      .where('entity_type', '=', entityType)
      .where('native_id', '=', nativeId)
      .where('counter', '=', counter)
      .execute()
  for (const hint of inKeyOrder(newHints)) await putHint(db, accountId, hint)
}

function toHint(vault: Vault, row: HintRow): Hint {
  return {
    entityType: row.entity_type,
    nativeId: row.native_id,
    counter: row.counter,
    origin: row.origin,
    dueAt: row.due_at,
    firstAt: row.first_at,
    writtenBy: row.written_by ?? undefined,
    record: openHint(vault, row),
    gone: row.gone === 1,
    replacedBy: row.replaced_by ?? undefined,
    attempts: row.attempts,
  }
}

type Hints = Pick<ChangeStore, 'hints' | 'waitingHints' | 'hintsOf' | 'addHints' | 'writing' | 'moment'>
export function createHints(context: StoreContext): Hints {
  const { reads, writes, vault, now, wakes } = context
  const putHint = createPutHint(context)
  const dueOf = rowsOnce(({ accountId, limit }: { accountId: string; limit: number }) =>
    reads
      .selectFrom('change_hints')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('due_at', '<=', sql<number>`(select ${now})`)
      .orderBy('due_at')
      .limit(limit),
  )
  const underWay = rowsOnce(({ accountId }: { accountId: string }) =>
    reads
      .selectFrom('journal')
      .select(['entity_type', 'external_id'])
      .where(sql<boolean>`state in ('in_flight', 'unknown')`) // as in the partial index
      .where('state', '=', 'in_flight')
      // An expression: the key of the journal would find every write that the account ever made.
      .where(sql<boolean>`account_id || '' = ${accountId}`),
  )
  const ofRecords = rowsOnceIn((of: { accountId: string; entityType: EntityType }, ids) =>
    reads
      .selectFrom('change_hints')
      .selectAll()
      .where('account_id', '=', of.accountId)
      .where('entity_type', '=', of.entityType)
      .where('native_id', 'in', ids),
  )
  const moments = rowsOnce(({ accountId }: { accountId: string }) => {
    const moment = sql<{ entity_type: EntityType; first_at: number | null }>`
      select '' as entity_type, ${now} as first_at
      union all select entity_type, min(first_at) from change_hints where account_id = ${accountId}
      group by entity_type
      union all select 'erasure', min(due_at) from erasures where account_id = ${accountId}
      union all select 'unlisted', min(next_check_at) from watch_unlisted
      where watch in (select id from watches where account_id = ${accountId})`
    return { compile: () => moment.compile(reads) }
  })
  return {
    async hints(accountId, limit) {
      const rows = await dueOf(reads, { accountId, limit })
      return rows.map((row) => toHint(vault, row))
    },
    async waitingHints(accountId) {
      const rows = await reads
        .selectFrom('change_hints')
        .select((column) => ['entity_type', column.fn.countAll<number>().as('count')])
        .where('account_id', '=', accountId)
        .groupBy('entity_type')
        .execute()
      return Object.fromEntries(rows.map((row) => [row.entity_type, Number(row.count)]))
    },
    async hintsOf(accountId, entityType, ids) {
      const found = new Map<string, Hint>()
      await inLists(ids, async (list) => {
        for (const row of await ofRecords(reads, { accountId, entityType }, list))
          found.set(row.native_id, toHint(vault, row))
      })
      return found
    },
    async writing(accountId, entityType) {
      const rows = await underWay(reads, { accountId })
      const ofUpdates = `${entityType}.update`
      return {
        creates: rows.some((row) => row.entity_type === entityType),
        updates: new Set(rows.flatMap((row) => (String(row.entity_type) === ofUpdates ? [row.external_id] : []))),
      }
    },
    async moment(accountId) {
      const rows = await moments(reads, { accountId })
      const {
        '': moment,
        erasure,
        unlisted,
        ...oldestHints
      } = Object.fromEntries(
        rows.map(({ entity_type: entityType, first_at: at }) => [entityType, at === null ? undefined : Number(at)]),
      )
      return { now: Number(moment), oldestHints, erasureAt: erasure, unlistedAt: unlisted }
    },
    async addHints(accountId, hints) {
      const stored = await transacted(writes, async (transaction) => {
        let any = false
        for (const hint of inKeyOrder(hints)) any = (await putHint(transaction, accountId, hint)) || any
        if (any) await wakes.committing(transaction, accountId)
        return any
      })
      if (stored) wakes.committed(accountId)
    },
  }
}
