// The log. A page is one statement, so that its rows, the head and the states of the watches belong together.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import type { ChangeStore, FeedPage, LogRow, NewChange, Position } from '../../changes.ts'
import { type ChangeLogRow, changeLog } from '../../changes-schema.ts'
import { rowsOnce, rowsOnceIn } from '../../compiled-once.ts'
import { insertRows } from '../../insert-rows.ts'
import { drawRandom } from '../../random.ts'
import { openOptional, sealOptional } from '../../sealed-json.ts'
import type { Store } from '../../store.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import type { Vault } from '../../vault.ts'
import { inLists } from './records.ts'
import { toWatch } from './watches.ts'

const bound = (accountId: string, sequence: number): string => changeLog.bound('record', { accountId, sequence })
export const sealRecord = (vault: Vault, accountId: string, sequence: number, record: unknown): string | null =>
  sealOptional(vault, record, bound(accountId, sequence))
export const openRecord = (vault: Vault, accountId: string, sequence: number, record: string | null): unknown =>
  openOptional(vault, record, bound(accountId, sequence))
const toTag = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** `head` is the sequence of the last one. */
export function appendChanges(
  db: Kysely<Database>,
  { kind, vault }: { kind: Store['kind']; vault: Vault },
  { accountId, head, detectedAt }: { accountId: string; head: number; detectedAt: number },
  changes: readonly NewChange[],
): Promise<void> {
  const { toRow } = changeLog.codec(vault)
  const rows = changes.map(({ watch: { entityType, epoch }, ...change }, index) => {
    const sequence = head - changes.length + index + 1
    return Object.values(
      toRow({ ...change, accountId, sequence, tag: toTag(drawRandom(8)), entityType, epoch, detectedAt }),
    )
  })
  return insertRows(db, { kind, table: 'change_log', columns: changeLog.columns }, rows)
}

/** A row of one of the parts of a page: other parts use the columns of the log for what they have. */
type PartRow = ChangeLogRow & { part: 'log' | 'mark' | 'feed' | 'watch' }

/** Sequences have no gaps: a row that is missing was pruned, or belongs to a database that was restored. */
function gapAt({ sequence, tag }: Position, head: number, marks: readonly PartRow[]): Pick<FeedPage, 'gap'> {
  if (sequence === 0) return head === 0 || marks.some((mark) => mark.sequence === 1) ? {} : { gap: 'pruned' }
  if (sequence > head) return { gap: 'replaced' }
  const anchor = marks.find((mark) => mark.sequence === sequence)
  if (!anchor) return { gap: 'pruned' }
  return toTag(anchor.tag) === tag ? {} : { gap: 'replaced' }
}

type Log = Pick<ChangeStore, 'page' | 'start' | 'latest' | 'lastChanges'>
export function createLog({ reads, vault, now }: StoreContext): Log {
  const { toItem } = changeLog.codec(vault)
  const toLogRow = (row: ChangeLogRow): LogRow => {
    const { accountId: _, ...rest } = toItem(row)
    return rest
  }
  interface Part {
    accountId: string
    sequence: number
    limit: number
  }
  const partsOf = ({ accountId, sequence, limit }: Part, entities: RawBuilder<unknown>) => {
    const all = sql.join(changeLog.columns.map((column) => sql.ref(column)))
    // The log is first: PostgreSQL takes the types of the columns from it.
    return sql<PartRow>`
      select * from (
        select 'log' as part, ${all} from change_log
        where account_id = ${accountId} and sequence > ${sequence} and ${entities}
        order by sequence limit ${limit}
      ) as log
      union all
      select 'mark', account_id, sequence, tag, entity_type, epoch, operation, native_id, detected_at, null, origin,
        null, null, null, null
      from change_log where account_id = ${accountId} and sequence in (
        1, cast(${sequence} as bigint), (select head from feeds where account_id = ${accountId}))
      union all
      select 'feed', account_id, head, null, null, null, null, null, null, null, null, null, null, null, null
      from feeds where account_id = ${accountId}
      union all
      select 'watch', account_id, id, null, entity_type, epoch, null, null, (
          select min(first_at) from change_hints
          where change_hints.account_id = watches.account_id and change_hints.entity_type = watches.entity_type
        ), null, null, null, null, null, state
      from watches where account_id = ${accountId}`
  }
  const partsOfAll = rowsOnce((part: Part) => {
    const parts = partsOf(part, sql`1 = 1`)
    return { compile: () => parts.compile(reads) }
  })
  async function partsOfSome(part: Part, entityTypes: readonly EntityType[]): Promise<PartRow[]> {
    const entities = entityTypes.length > 0 ? sql`entity_type in (${sql.join([...entityTypes])})` : sql`1 = 0`
    return (await partsOf(part, entities).execute(reads)).rows
  }
  const lastOf = rowsOnceIn(({ accountId, entityType }: { accountId: string; entityType: EntityType }, ids) =>
    reads
      .selectFrom('change_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('sequence', 'in', (column) =>
        column
          .selectFrom('change_log as newest')
          .select((select) => select.fn.max('newest.sequence').as('sequence'))
          .where('newest.account_id', '=', accountId)
          .where('newest.entity_type', '=', entityType)
          .where('newest.native_id', 'in', ids)
          .groupBy('newest.native_id'),
      ),
  )
  return {
    async page(accountId, query) {
      const { entityTypes, after, limit } = query
      const wanted = { accountId, sequence: after.sequence, limit: limit + 1 }
      const rows = await (entityTypes ? partsOfSome(wanted, entityTypes) : partsOfAll(reads, wanted))
      const part = (name: PartRow['part']) =>
        rows.filter((row) => row.part === name).sort((left, right) => left.sequence - right.sequence)
      const [feed] = part('feed')
      if (!feed) return undefined
      const marks = part('mark')
      const found = part('log')
      const headRow = marks.find((mark) => mark.sequence === feed.sequence)
      return {
        rows: found.slice(0, limit).map(toLogRow),
        hasMore: found.length > limit,
        head: headRow ? { sequence: feed.sequence, tag: toTag(headRow.tag) } : { sequence: 0 },
        ...gapAt(after, feed.sequence, marks),
        watches: part('watch').map((row) => ({
          ...toWatch(vault, {
            id: row.sequence,
            entity_type: row.entity_type,
            epoch: row.epoch,
            state: row.record as string,
          }),
          oldestHintAt: row.detected_at ?? undefined,
        })),
      }
    },
    async start(accountId, settleMs) {
      const row = await reads
        .selectFrom('change_log')
        .select(['sequence', 'tag'])
        .where('account_id', '=', accountId)
        .where('detected_at', '<=', sql<number>`(select ${now} - cast(${Math.round(settleMs)} as bigint))`)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ? { sequence: row.sequence, tag: toTag(row.tag) } : { sequence: 0 }
    },
    async latest(accountId, { entityTypes, since = 0, before = Number.MAX_SAFE_INTEGER, limit }) {
      if (entityTypes.length === 0) return []
      const rows = await reads
        .selectFrom('change_log')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('sequence', '>', since)
        .where('sequence', '<', before)
        .where('entity_type', 'in', entityTypes)
        .orderBy('sequence', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toLogRow)
    },
    async lastChanges(accountId, entityType, ids) {
      const found = new Map<string, LogRow>()
      await inLists(ids, async (list) => {
        for (const row of await lastOf(reads, { accountId, entityType }, list)) found.set(row.native_id, toLogRow(row))
      })
      return found
    },
  }
}
