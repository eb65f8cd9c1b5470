// Endpoints, and who works on which. Every decision is one statement on its row.
import { type Kysely, sql, type UpdateObject } from 'kysely'
import { endpointSettings } from '../../../contract/manage/webhooks.ts'
import type {
  EndpointChange,
  EndpointFence,
  EndpointSecret,
  EndpointSettings,
  WebhookEndpoint,
  WebhookStore,
} from '../../deliveries.ts'
import type { EndpointRow } from '../../deliveries-schema.ts'
import { LostLease } from '../../lost-lease.ts'
import { toPage } from '../../paging.ts'
import { associatedData, openJson, sealJson } from '../../sealed-json.ts'
import { type Database, isoNow, type StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import type { Vault } from '../../vault.ts'
import { startNow } from './positions.ts'
import { woken } from './woken.ts'

const boundTo = (id: string): string => associatedData('webhook_endpoints', 'secrets', [id])
const lost = (id: string): LostLease =>
  new LostLease(`the webhook endpoint ${id} has another holder, other settings, or is gone`)
/**
 * The holder loses the endpoint, which is due. The lease stays until the holder gives the endpoint back, after the
 * attempts that are under way: the next holder could overtake them.
 */
export const taken = { fence: sql<number>`fence + 1`, due_at: 0, rest_until: 0 }

function toEndpoint(vault: Vault, row: EndpointRow): WebhookEndpoint {
  return {
    ...(JSON.parse(row.settings) as EndpointSettings),
    workspaceId: row.workspace_id,
    id: row.id,
    url: row.url,
    secrets: openJson(vault, row.secrets, boundTo(row.id)) as EndpointSecret[],
    state: row.state,
    stateReason: row.state_reason ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSuccessAt: row.last_success_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
    failures: row.failures,
  }
}
const settingNames = Object.keys(endpointSettings).filter((name) => name !== 'url') as (keyof EndpointSettings)[]
const settingsOf = (settings: EndpointSettings): string =>
  JSON.stringify(Object.fromEntries(settingNames.map((name) => [name, settings[name]])))

/** The first statement of every transaction of a holder. */
export async function checkFence(
  db: Kysely<Database>,
  { id, fence }: EndpointFence,
  change: UpdateObject<Database, 'webhook_endpoints'>,
): Promise<Pick<EndpointRow, 'failures' | 'failing_since'>> {
  const row = await db
    .updateTable('webhook_endpoints')
    .set(change)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .returning(['failures', 'failing_since'])
    .executeTakeFirst()
  if (!row) throw lost(id)
  return row
}

type Endpoints = Pick<
  WebhookStore,
  'create' | 'get' | 'list' | 'update' | 'enable' | 'disable' | 'delete' | 'due' | 'take' | 'renew' | 'release'
>
export function createEndpoints({ reads, writes, vault, now, wakes }: StoreContext): Endpoints {
  const after = (milliseconds: number) => sql<number>`${now} + cast(${Math.round(milliseconds)} as bigint)`
  const rowOf = (db: Kysely<Database>, workspaceId: string, id: string) =>
    db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
  async function change(
    workspaceId: string,
    id: string,
    columnsOf: (row: EndpointRow) => Partial<EndpointRow>,
  ): Promise<WebhookEndpoint | undefined> {
    const row = await woken({ writes, wakes }, async (transaction) => {
      const before = await rowOf(transaction, workspaceId, id)
      if (!before) return undefined
      return transaction
        .updateTable('webhook_endpoints')
        .set({ ...columnsOf(before as EndpointRow), ...taken, updated_at: isoNow() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    })
    return row && toEndpoint(vault, row as EndpointRow)
  }
  return {
    async create({ workspaceId, id, url, secrets, ...settings }) {
      const row = await transacted(writes, async (transaction) => {
        const created = await transaction
          .insertInto('webhook_endpoints')
          .values({
            id,
            workspace_id: workspaceId,
            url,
            settings: settingsOf(settings),
            secrets: sealJson(vault, secrets, boundTo(id)),
            state: 'active',
            created_at: isoNow(),
            updated_at: isoNow(),
            failures: 0,
            fence: 0,
            holder: '',
            lease_until: 0,
            due_at: 0,
            rest_until: 0,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await startNow(transaction, { id, workspaceId })
        return created
      })
      return toEndpoint(vault, row as EndpointRow)
    },
    async get(workspaceId, id) {
      const row = await rowOf(reads, workspaceId, id)
      return row && toEndpoint(vault, row as EndpointRow)
    },
    async list(workspaceId, { after: position, limit }) {
      const rows = await reads
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', position ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(
        rows,
        limit,
        (row) => toEndpoint(vault, row as EndpointRow),
        (row) => row.id,
      )
    },
    update: (workspaceId, id, { url, secrets, ...settings }: EndpointChange) =>
      change(workspaceId, id, (row) => ({
        ...(url === undefined ? {} : { url }),
        ...(secrets === undefined ? {} : { secrets: sealJson(vault, secrets, boundTo(id)) }),
        settings: settingsOf({ ...(JSON.parse(row.settings) as EndpointSettings), ...settings }),
      })),
    enable: (workspaceId, id) =>
      change(workspaceId, id, () => ({ state: 'active', state_reason: null, failures: 0, failing_since: null })),
    disable: (workspaceId, id, reason) => change(workspaceId, id, () => ({ state: 'disabled', state_reason: reason })),
    async delete(workspaceId, id) {
      const row = await writes
        .deleteFrom('webhook_endpoints')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async due(limit) {
      const rows = await reads
        .selectFrom('webhook_endpoints as endpoint')
        .select('endpoint.id')
        .where('endpoint.state', '=', 'active')
        .where('endpoint.lease_until', '<=', now)
        .where('endpoint.rest_until', '<=', now)
        .where((column) =>
          column.or([
            column('endpoint.due_at', '<=', now),
            sql<boolean>`exists (
              select 1 from feeds left join webhook_positions as position
                on position.endpoint_id = endpoint.id and position.account_id = feeds.account_id
              where feeds.workspace_id = endpoint.workspace_id and feeds.head <> coalesce(position.sequence, 0))`,
            sql<boolean>`exists (
              select 1 from workspace_logs left join webhook_positions as position
                on position.endpoint_id = endpoint.id and position.account_id = ''
              where workspace_logs.workspace_id = endpoint.workspace_id
                and workspace_logs.head <> coalesce(position.sequence, 0))`,
          ]),
        )
        .orderBy('endpoint.lease_until') // in turns
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    async take(id, holder, leaseMs) {
      const row = await writes
        .updateTable('webhook_endpoints')
        // Still due, in case the holder dies; a wake from now on makes it 0.
        .set({ fence: sql<number>`fence + 1`, holder, lease_until: after(leaseMs), due_at: 1 })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst()
      return row && { ...toEndpoint(vault, row as EndpointRow), fence: row.fence, holder }
    },
    async renew({ id, fence }, leaseMs) {
      const { numUpdatedRows } = await writes
        .updateTable('webhook_endpoints')
        .set({ lease_until: after(leaseMs) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release({ id, fence, holder }, { dueInMs, restMs = 0 }) {
      // If it was lost, it has other settings or positions: it stays due.
      const dueAt = sql<number>`case when due_at = 0 or fence <> ${fence} then 0 else ${after(dueInMs)} end`
      const restUntil = sql<number>`case when fence <> ${fence} then rest_until else ${after(restMs)} end`
      await writes
        .updateTable('webhook_endpoints')
        .set({ holder: '', lease_until: now, due_at: dueAt, rest_until: restUntil })
        .where('id', '=', id)
        .where('holder', '=', holder)
        .execute()
    },
  }
}
