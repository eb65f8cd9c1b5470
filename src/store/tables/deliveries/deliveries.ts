// Deliveries: what an endpoint is to receive, and what came of it.
import { type Kysely, sql } from 'kysely'
import type { Attempt, Delivery, NewDelivery, Settled, WebhookStore } from '../../deliveries.ts'
import type { DeliveryRow } from '../../deliveries-schema.ts'
import { insertRows } from '../../insert-rows.ts'
import { toPage } from '../../paging.ts'
import { associatedData, isPlainList, openJson, sealJson } from '../../sealed-json.ts'
import type { Store } from '../../store.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import type { Vault } from '../../vault.ts'
import { inLists } from '../changes/records.ts'
import { checkFence, taken } from './endpoints.ts'
import { appendEvent } from './events.ts'
import { holdAccount, putPosition } from './positions.ts'
import { woken } from './woken.ts'

const boundTo = (column: 'body' | 'log', endpointId: string, id: string): string =>
  associatedData('webhook_deliveries', column, [endpointId, id])
export const sealBody = (vault: Vault, endpointId: string, id: string, body: string): string =>
  sealJson(vault, body, boundTo('body', endpointId, id))
export const openBody = (vault: Vault, endpointId: string, id: string, sealed: string): string =>
  openJson(vault, sealed, boundTo('body', endpointId, id)) as string
/** Sealed: what a receiver answers can repeat what it was sent. */
export const sealLog = (vault: Vault, endpointId: string, id: string, log: readonly Attempt[]): string =>
  log.length === 0 ? noAttempts : sealJson(vault, log, boundTo('log', endpointId, id))
/** Early rows have plain JSON, until their next write or `unirec encryption-key rotate` seals it. */
export const openLog = (vault: Vault, endpointId: string, id: string, log: string): Attempt[] =>
  (isPlainList(log) ? JSON.parse(log) : openJson(vault, log, boundTo('log', endpointId, id))) as Attempt[]
const noAttempts = '[]'

const columns = [
  'endpoint_id',
  'id',
  'account_id',
  'sequence',
  'subject',
  'type',
  'state',
  'attempts',
  'next_at',
  'created_at',
  'body',
  'log',
] as const

type SelectedRow = Omit<DeliveryRow, 'place'> & { place: number }
function toDelivery(vault: Vault, row: SelectedRow): Delivery {
  return {
    place: row.place,
    endpointId: row.endpoint_id,
    id: row.id,
    accountId: row.account_id,
    sequence: row.sequence,
    subject: row.subject,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
    body: openBody(vault, row.endpoint_id, row.id, row.body),
    log: openLog(vault, row.endpoint_id, row.id, row.log),
  }
}
/** A literal, as in the partial indexes: a planner cannot match a parameter with them. */
const isWaiting = sql<boolean>`webhook_deliveries.state = 'waiting'`
/** No earlier delivery of the same subject waits. */
const isFirst = sql<boolean>`not exists (
  select 1 from webhook_deliveries as earlier
  where earlier.endpoint_id = webhook_deliveries.endpoint_id and earlier.subject = webhook_deliveries.subject
    and earlier.state = 'waiting' and earlier.place < webhook_deliveries.place)`

type Deliveries = Pick<
  WebhookStore,
  | 'untried'
  | 'enqueue'
  | 'dueDeliveries'
  | 'waiting'
  | 'failed'
  | 'settle'
  | 'deliveries'
  | 'delivery'
  | 'resend'
  | 'add'
  | 'prune'
  | 'sizes'
>
export function createDeliveries({ reads, writes, vault, now, wakes }: StoreContext, kind: Store['kind']): Deliveries {
  const after = (milliseconds: number) => sql<number>`${now} + cast(${Math.round(milliseconds)} as bigint)`
  async function clock(db: Kysely<Database>): Promise<number> {
    const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db)
    return Number(rows[0]?.now)
  }
  async function insert(
    db: Kysely<Database>,
    endpointId: string,
    accountId: string,
    deliveries: readonly NewDelivery[],
    at: number,
  ): Promise<void> {
    if (deliveries.length === 0) return
    const rows = deliveries.map(({ id, sequence, subject, type, body }) => [
      endpointId,
      id,
      accountId,
      sequence,
      subject,
      type,
      'waiting',
      0,
      at,
      at,
      sealBody(vault, endpointId, id, body),
      noAttempts,
    ])
    await insertRows(
      db,
      { kind, table: 'webhook_deliveries', columns, conflict: 'on conflict (endpoint_id, id) do nothing' },
      rows,
    )
  }
  async function put(db: Kysely<Database>, endpointId: string, { place, id, log, outcome }: Settled): Promise<void> {
    const isOver = typeof outcome === 'string'
    await db
      .updateTable('webhook_deliveries')
      .set({
        attempts: log.length,
        log: sealLog(vault, endpointId, id, log),
        ...(isOver ? { state: outcome, ended_at: now } : { next_at: after(outcome.retryInMs) }),
      })
      .where('place', '=', place)
      .execute()
  }
  return {
    async untried(endpointId, subjects) {
      const found: Pick<Delivery, 'place' | 'subject' | 'type'>[] = []
      await inLists([...subjects], async (list) => {
        found.push(
          ...(await reads
            .selectFrom('webhook_deliveries')
            .select(['place', 'subject', 'type'])
            .where('endpoint_id', '=', endpointId)
            .where(isWaiting)
            .where('attempts', '=', 0)
            .where('subject', 'in', list)
            .execute()),
        )
      })
      return found
    },
    enqueue: (endpoint, logs) =>
      transacted(writes, async (transaction) => {
        await checkFence(transaction, endpoint, { due_at: sql<number>`due_at` })
        const at = await clock(transaction)
        for (const { position, deliveries, superseded } of logs) {
          const { accountId } = position
          if (accountId !== '' && !(await holdAccount(transaction, kind, accountId))) continue
          await inLists(superseded.map(String), async (list) => {
            await transaction
              .updateTable('webhook_deliveries')
              .set({ state: 'superseded', ended_at: now })
              .where('place', 'in', list.map(Number))
              .where('attempts', '=', 0)
              .execute()
          })
          await insert(transaction, endpoint.id, accountId, deliveries, at)
          await putPosition(transaction, endpoint.id, position)
        }
      }),
    async dueDeliveries(endpointId, limit) {
      const rows = await reads
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where(isWaiting)
        .where('next_at', '<=', sql<number>`(select ${now})`)
        .where(isFirst)
        .orderBy('next_at')
        .orderBy('place')
        .limit(limit)
        .execute()
      return rows.map((row) => toDelivery(vault, row))
    },
    async waiting(endpointId) {
      const { rows } = await sql<{ count: number; next_in: number | null }>`
        select (
            select count(*) from webhook_deliveries where endpoint_id = ${endpointId} and ${isWaiting}
          ) as count,
          (select next_at - ${now} from webhook_deliveries
            where endpoint_id = ${endpointId} and ${isWaiting} and ${isFirst} order by next_at limit 1) as next_in`.execute(
        reads,
      )
      const { count = 0, next_in: nextIn = null } = rows[0] ?? {}
      return { count: Number(count), ...(nextIn === null ? {} : { nextInMs: Math.max(0, Number(nextIn)) }) }
    },
    async failed(endpointId) {
      const { count } = await reads
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', sql.lit('failed')) // a literal: the index has only these
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async settle(endpoint, settled, verdict) {
      const last = settled.findLastIndex(({ outcome }) => outcome === 'delivered')
      const failures = settled.length - 1 - last
      const result = await transacted(writes, async (transaction) => {
        const row = await checkFence(
          transaction,
          endpoint,
          last >= 0
            ? { last_success_at: now, failures, failing_since: failures > 0 ? now : null }
            : {
                failures: sql<number>`failures + ${failures}`,
                failing_since: sql<number>`coalesce(failing_since, ${now})`,
              },
        )
        for (const one of settled) await put(transaction, endpoint.id, one)
        const { failures: inARow, failing_since: since } = row
        const health = { failures: inARow, failingForMs: since === null ? 0 : (await clock(transaction)) - since }
        const { events, disabled } = verdict(health)
        if (disabled !== undefined)
          await checkFence(transaction, endpoint, { state: 'disabled', state_reason: disabled, ...taken })
        for (const event of events) await appendEvent(transaction, { vault, now }, event)
        if (events.length > 0) await wakes.committing(transaction, '')
        return { ...health, disabled, hasEvents: events.length > 0 }
      })
      if (result.hasEvents) wakes.committed('')
      return result
    },
    async deliveries(endpointId, { after: position, limit, state, type, accountId, sequence, subjects }) {
      let query = reads.selectFrom('webhook_deliveries').selectAll().where('endpoint_id', '=', endpointId)
      if (position !== undefined) query = query.where('place', '<', Number(position))
      if (state !== undefined) query = query.where('state', '=', state)
      if (type?.endsWith('.*')) {
        const family = type.slice(0, -2)
        query = query.where('type', '>', `${family}.`).where('type', '<', `${family}/`) // the character after the point
      } else if (type !== undefined) query = query.where('type', '=', type)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      if (sequence !== undefined) query = query.where('sequence', '=', sequence)
      if (subjects !== undefined) query = query.where('subject', 'in', [...subjects])
      const rows = await query
        .orderBy('place', 'desc')
        .limit(limit + 1)
        .execute()
      return toPage(
        rows,
        limit,
        (row) => toDelivery(vault, row),
        (row) => String(row.place),
      )
    },
    async delivery(endpointId, id) {
      const row = await reads
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toDelivery(vault, row)
    },
    async resend(endpointId, id) {
      const row = await woken({ writes, wakes }, async (transaction) => {
        const found = await transaction
          .updateTable('webhook_deliveries')
          .set({ state: 'waiting', next_at: now, ended_at: null })
          .where('endpoint_id', '=', endpointId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        await transaction
          .updateTable('webhook_endpoints')
          .set({ due_at: 0, rest_until: 0 })
          .where('id', '=', endpointId)
          .execute()
        return found
      })
      return row && toDelivery(vault, row)
    },
    add: (endpointId, delivery) =>
      woken({ writes, wakes }, async (transaction) => {
        await insert(transaction, endpointId, '', [delivery], await clock(transaction))
        await transaction
          .updateTable('webhook_endpoints')
          .set({ due_at: 0, rest_until: 0 })
          .where('id', '=', endpointId)
          .execute()
      }),
    async sizes() {
      const endpoints = { active: 0, failing: 0, disabled: 0 }
      const { rows: states } = await sql<{ state: keyof typeof endpoints; count: number }>`
        select case when state = 'active' and failures > 0 then 'failing' else state end as state, count(*) as count
        from webhook_endpoints group by 1`.execute(reads)
      for (const { state, count } of states) endpoints[state] = Number(count)
      const { rows } = await sql<{ count: number; age: number | null }>`
        select count(*) as count, ${now} - min(created_at) as age from webhook_deliveries
        where ${isWaiting} and endpoint_id in (select id from webhook_endpoints where webhook_endpoints.state = 'active')`.execute(
        reads,
      )
      return { endpoints, waiting: Number(rows[0]?.count ?? 0), oldestMs: Math.max(0, Number(rows[0]?.age ?? 0)) }
    },
    async prune(ageMs, limit) {
      const before = sql<number>`(select ${now} - cast(${Math.round(ageMs)} as bigint))`
      const deliveries = await sql`delete from webhook_deliveries where place in (
        select place from webhook_deliveries where ended_at is not null and ended_at < ${before} limit ${limit})`.execute(
        writes,
      )
      // The newest event of a workspace stays: the position of an endpoint that is up to date does not expire.
      const events = await sql`delete from workspace_events where (workspace_id, sequence) in (
        select workspace_events.workspace_id, sequence from workspace_events
        join workspace_logs on workspace_logs.workspace_id = workspace_events.workspace_id
        where at < ${before} and sequence < head limit ${limit})`.execute(writes)
      return Number(deliveries.numAffectedRows ?? 0) + Number(events.numAffectedRows ?? 0)
    },
  }
}
