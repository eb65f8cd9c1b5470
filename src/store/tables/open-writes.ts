// The writes of a workspace that are not done. One query per partial index: all other rows of the journal are done.
import { sql } from 'kysely'
import { toPage } from '../paging.ts'
import type { OpenWrite, Store } from '../store.ts'
import type { JournalRow, StoreContext } from '../table-types.ts'
import { keyIn } from './journal-steps.ts'

const columns = [
  'journal.account_id',
  'journal.entity_type',
  'journal.external_id',
  'write_id',
  'journal.state',
  'started_at',
  'native_id',
  'detail',
] as const
type Row = Pick<
  JournalRow,
  'account_id' | 'entity_type' | 'external_id' | 'write_id' | 'state' | 'started_at' | 'native_id' | 'detail'
> & { due_ms: number; held: number }

const toOpenWrite = (row: Row): OpenWrite => ({
  ...keyIn(row),
  writeId: row.write_id,
  state: row.state as OpenWrite['state'],
  startedAt: row.started_at,
  nativeId: row.native_id ?? undefined,
  detail: row.detail ?? undefined,
  isHeld: Number(row.held) === 1,
  dueInMs: Math.max(0, Number(row.due_ms)),
})
const positionOf = (row: Row) => `${row.started_at} ${row.write_id}`
const indexes = ["journal.state in ('in_flight', 'unknown')", "journal.state = 'partial'"]

export const createOpenWrites =
  ({ reads, now }: StoreContext): Store['journal']['openWrites'] =>
  async (workspaceId, { accountId, state, externalId, writeId }, { after, limit }) => {
    const [before, beforeId = ''] = after?.split(' ') ?? []
    const queries = indexes.map((condition) => {
      let query = reads
        .selectFrom('journal')
        .innerJoin('accounts', 'accounts.id', 'journal.account_id')
        .select(columns)
        .select([
          sql<number>`lease_until - ${now}`.as('due_ms'),
          sql<number>`case when holder <> '' and lease_until > ${now} then 1 else 0 end`.as('held'),
        ])
        .where(sql<boolean>`${sql.raw(condition)}`)
        .where('accounts.workspace_id', '=', workspaceId)
      if (accountId !== undefined) query = query.where('journal.account_id', '=', accountId)
      if (state !== undefined) query = query.where('journal.state', '=', state)
      if (externalId !== undefined) query = query.where('journal.external_id', '=', externalId)
      if (writeId !== undefined) query = query.where('write_id', '=', writeId)
      if (before !== undefined) query = query.where(sql<boolean>`(started_at, write_id) < (${before}, ${beforeId})`)
      return query
        .orderBy('started_at', 'desc')
        .orderBy('write_id', 'desc')
        .limit(limit + 1)
        .execute()
    })
    const rows = (await Promise.all(queries))
      .flat()
      .sort((left, right) => (positionOf(left) < positionOf(right) ? 1 : -1))
    return toPage(rows, limit, toOpenWrite, positionOf)
  }
