// Where an endpoint is in each log.
import { type Kysely, sql } from 'kysely'
import type { EndpointPosition, WebhookStore } from '../../deliveries.ts'
import type { Store } from '../../store.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { woken } from './woken.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

interface Head {
  account_id: string
  sequence: number
  tag: Uint8Array | null
}
/** The last row of each log of the workspace, or the last one before an instant. */
async function lastRows(db: Kysely<Database>, workspaceId: string, before?: number): Promise<Head[]> {
  const at = (column: string) => (before === undefined ? sql`` : sql`and ${sql.ref(column)} < ${before}`)
  const { rows } = await sql<Head>`
    select feeds.account_id, log.sequence, log.tag from feeds join change_log as log
      on log.account_id = feeds.account_id and log.sequence = (
        select max(sequence) from change_log where change_log.account_id = feeds.account_id ${at('change_log.detected_at')})
    where feeds.workspace_id = ${workspaceId}
    union all
    select '', log.sequence, log.tag from workspace_events as log
    where log.workspace_id = ${workspaceId} and log.sequence = (
      select max(sequence) from workspace_events where workspace_id = ${workspaceId} ${at('workspace_events.at')})`.execute(
    db,
  )
  return rows
}

/** Without a row, an endpoint is at the start of the log. */
interface NullablePosition {
  account_id: string
  sequence: number | null
  tag: string | null
  epochs: string | null
  generation: number | null
}
const toPosition = ({ account_id, sequence, tag, epochs, generation }: NullablePosition): EndpointPosition => ({
  accountId: account_id,
  sequence: sequence ?? 0,
  tag: tag ?? undefined,
  epochs: JSON.parse(epochs ?? '{}') as EndpointPosition['epochs'],
  generation: generation ?? 0,
})

export async function putPosition(db: Kysely<Database>, endpointId: string, position: EndpointPosition): Promise<void> {
  const { accountId, sequence, tag = null, epochs, generation } = position
  const columns = { sequence, tag, epochs: JSON.stringify(epochs), generation }
  await db
    .insertInto('webhook_positions')
    .values({ endpoint_id: endpointId, account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.columns(['endpoint_id', 'account_id']).doUpdateSet(columns))
    .execute()
}

/**
 * After the account is deleted, in that transaction. Positions and deliveries of a workspace have an empty account id,
 * so they do not cascade.
 */
export async function forgetAccount(
  db: Kysely<Database>,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<void> {
  await db
    .deleteFrom('webhook_positions')
    .where('endpoint_id', 'in', (select) =>
      select.selectFrom('webhook_endpoints').select('id').where('workspace_id', '=', workspaceId),
    )
    .where('account_id', '=', id)
    .execute()
  await db.deleteFrom('webhook_deliveries').where('account_id', '=', id).execute()
}
/** False for a deleted account. It is not deleted before this transaction ends. */
export async function holdAccount(db: Kysely<Database>, kind: Store['kind'], id: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .$if(kind === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst()
  return row !== undefined
}

export async function startNow(
  db: Kysely<Database>,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<void> {
  for (const { account_id: accountId, sequence, tag } of await lastRows(db, workspaceId))
    await putPosition(db, id, { accountId, sequence, ...(tag ? { tag: hex(tag) } : {}), epochs: {}, generation: 0 })
}

type Positions = Pick<WebhookStore, 'news' | 'position' | 'replay'>
export function createPositions({ reads, writes, wakes }: StoreContext): Positions {
  const read = async (db: Kysely<Database>, endpointId: string, accountId: string): Promise<EndpointPosition> => {
    const row = await db
      .selectFrom('webhook_positions')
      .selectAll()
      .where('endpoint_id', '=', endpointId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return toPosition(row ?? { account_id: accountId, sequence: null, tag: null, epochs: null, generation: null })
  }
  return {
    async news({ id, workspaceId }, limit) {
      const { rows } = await sql<NullablePosition>`
        select feeds.account_id, position.sequence, position.tag, position.epochs, position.generation
        from feeds left join webhook_positions as position
          on position.endpoint_id = ${id} and position.account_id = feeds.account_id
        where feeds.workspace_id = ${workspaceId} and feeds.head <> coalesce(position.sequence, 0)
        union all
        select '', position.sequence, position.tag, position.epochs, position.generation
        from workspace_logs left join webhook_positions as position
          on position.endpoint_id = ${id} and position.account_id = ''
        where workspace_logs.workspace_id = ${workspaceId} and workspace_logs.head <> coalesce(position.sequence, 0)
        limit ${limit}`.execute(reads)
      return rows.map(toPosition)
    },
    position: (endpointId, accountId) => read(reads, endpointId, accountId),
    replay: ({ id, workspaceId }, from) =>
      woken({ writes, wakes }, async (transaction) => {
        const starts: EndpointPosition[] = []
        const back = async (accountId: string, sequence: number, tag: Uint8Array | null | undefined) => {
          const before = await read(transaction, id, accountId)
          if (sequence >= before.sequence) return
          starts.push({
            ...before,
            sequence,
            tag: tag ? hex(tag) : undefined,
            epochs: {},
            generation: before.generation + 1,
          })
        }
        if ('since' in from) {
          const rows = new Map(
            (await lastRows(transaction, workspaceId, from.since)).map((row) => [row.account_id, row]),
          )
          const known = await transaction
            .selectFrom('webhook_positions')
            .select('account_id')
            .where('endpoint_id', '=', id)
            .execute()
          for (const { account_id: accountId } of known) {
            const row = rows.get(accountId)
            const oldest = row ? undefined : await oldestOf(transaction, workspaceId, accountId)
            await back(accountId, row?.sequence ?? (oldest ? oldest - 1 : 0), row?.tag)
          }
        } else {
          const row = await transaction
            .selectFrom('change_log')
            .select('tag')
            .where('account_id', '=', from.accountId)
            .where('sequence', '=', from.sequence - 1)
            .executeTakeFirst()
          await back(from.accountId, from.sequence - 1, row?.tag)
        }
        for (const start of starts) await putPosition(transaction, id, start)
        // Its holder has read the positions.
        await transaction
          .updateTable('webhook_endpoints')
          .set({ fence: sql<number>`fence + 1`, due_at: 0 })
          .where('id', '=', id)
          .execute()
        return starts.length
      }),
  }
}

/** The oldest of the rows that are still in the log. */
async function oldestOf(db: Kysely<Database>, workspaceId: string, accountId: string): Promise<number | undefined> {
  const row =
    accountId === ''
      ? await db
          .selectFrom('workspace_events')
          .select((column) => column.fn.min('sequence').as('sequence'))
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirst()
      : await db
          .selectFrom('change_log')
          .select((column) => column.fn.min('sequence').as('sequence'))
          .where('account_id', '=', accountId)
          .executeTakeFirst()
  return row?.sequence ?? undefined
}
