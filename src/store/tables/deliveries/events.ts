// The log of a workspace: events that are not about a record.
import { type Kysely, sql } from 'kysely'
import type { Position } from '../../changes.ts'
import type { NewWorkspaceEvent, WebhookStore, WorkspaceEvent } from '../../deliveries.ts'
import type { WebhookTables } from '../../deliveries-schema.ts'
import { drawRandom } from '../../random.ts'
import { associatedData, openJson, sealJson } from '../../sealed-json.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'

type EventRow = WebhookTables['workspace_events']

const boundTo = (workspaceId: string, sequence: number): string =>
  associatedData('workspace_events', 'data', [workspaceId, sequence])
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** In the transaction of what the event tells. */
export async function appendEvent(
  db: Kysely<Database>,
  { vault, now }: Pick<StoreContext, 'vault' | 'now'>,
  { workspaceId, type, subject, accountId, data }: NewWorkspaceEvent,
): Promise<void> {
  const { head: sequence } = await db
    .insertInto('workspace_logs')
    .values({ workspace_id: workspaceId, head: 1 })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet({ head: sql<number>`workspace_logs.head + 1` }),
    )
    .returning('head')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('workspace_events')
    .values({
      workspace_id: workspaceId,
      sequence,
      tag: drawRandom(8),
      type,
      subject,
      account_id: accountId ?? null,
      at: now,
      data: sealJson(vault, data, boundTo(workspaceId, sequence)),
    })
    .execute()
}

/** Sequences have no gaps: a row that is missing was pruned, or belongs to a database that was restored. */
function gapAt({ sequence, tag }: Position, rows: readonly { sequence: number; tag: Uint8Array }[]) {
  const [first] = rows
  if (sequence === 0) return !first || first.sequence === 1 ? undefined : 'pruned'
  if (!rows.some((row) => row.sequence >= sequence)) return 'replaced'
  if (first?.sequence !== sequence) return 'pruned'
  return hex(first.tag) === tag ? undefined : 'replaced'
}

export function createWorkspaceEvents({ reads, writes, vault, now, wakes }: StoreContext): WebhookStore['events'] {
  const toEvent = (row: EventRow): WorkspaceEvent => ({
    workspaceId: row.workspace_id,
    sequence: row.sequence,
    tag: hex(row.tag),
    type: row.type,
    subject: row.subject,
    accountId: row.account_id ?? undefined,
    at: row.at,
    data: openJson(vault, row.data, boundTo(row.workspace_id, row.sequence)) as object,
  })
  return {
    async append(event) {
      await transacted(writes, async (transaction) => {
        await appendEvent(transaction, { vault, now }, event)
        await wakes.committing(transaction, event.accountId ?? '')
      })
      wakes.committed(event.accountId ?? '')
    },
    async page(workspaceId, after, limit) {
      // The newest event is never pruned: it is the head.
      const rows = await reads
        .selectFrom('workspace_events')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where((column) =>
          column.or([
            column('sequence', '>=', after.sequence),
            column('sequence', '=', (select) =>
              select.selectFrom('workspace_logs').select('head').where('workspace_id', '=', workspaceId),
            ),
          ]),
        )
        .orderBy('sequence')
        .limit(limit + 2)
        .execute()
      const found = rows.filter((row) => row.sequence > after.sequence)
      const page = found.slice(0, limit)
      const hasMore = found.length > limit
      const last = hasMore ? page.at(-1) : rows.at(-1)
      const gap = gapAt(after, rows)
      return {
        rows: gap === 'replaced' ? [] : page.map(toEvent),
        hasMore,
        head: last ? { sequence: last.sequence, tag: hex(last.tag) } : { sequence: 0 },
        ...(gap ? { gap } : {}),
      }
    },
  }
}
