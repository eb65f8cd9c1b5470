// Webhooks that platforms send, and who works on which. Every decision is one statement on its row.
import { sql, type UpdateObject } from 'kysely'
import { compiledOnce } from '../compiled-once.ts'
import { toPage } from '../paging.ts'
import type { HookChange, HookOwner, HookStore, StoredHook } from '../platform-webhooks.ts'
import type { HookRow } from '../platform-webhooks-schema.ts'
import { associatedData, openJson, openOptional, sealJson } from '../sealed-json.ts'
import type { Database, StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'
import type { Vault } from '../vault.ts'

/** More than any platform needs for all kinds of its events. */
const mostChallenges = 50
const mostSecrets = 50

type Sealed = 'secrets' | 'registration' | 'challenges'
const boundTo = (column: Sealed, id: string): string => associatedData('hooks', column, [id])

function toHook(vault: Vault, row: HookRow): StoredHook {
  const { id } = row
  const optional = (column: 'registration' | 'challenges') => openOptional(vault, row[column], boundTo(column, id))
  return {
    id,
    workspaceId: row.workspace_id,
    platform: row.platform,
    accountId: row.account_id ?? undefined,
    url: row.url ?? undefined,
    secrets: openJson(vault, row.secrets, boundTo('secrets', id)) as StoredHook['secrets'],
    registration: optional('registration') as StoredHook['registration'],
    challenges: (optional('challenges') ?? []) as StoredHook['challenges'],
    state: row.state,
    error: row.error ?? undefined,
    failures: row.failures,
    createdAt: row.created_at,
    checkedAt: row.checked_at ?? undefined,
    receivedAt: row.received_at ?? undefined,
    refusedAt: row.refused_at ?? undefined,
  }
}

function columnsOf(vault: Vault, id: string, change: HookChange): UpdateObject<Database, 'hooks'> {
  const sealed = (column: Sealed, value: unknown) =>
    value === null ? null : sealJson(vault, value, boundTo(column, id))
  return {
    ...(change.url === undefined ? {} : { url: change.url }),
    ...(change.secrets === undefined ? {} : { secrets: sealed('secrets', change.secrets) as string }),
    ...(change.registration === undefined ? {} : { registration: sealed('registration', change.registration) }),
    ...(change.state === undefined ? {} : { state: change.state }),
    ...(change.error === undefined ? {} : { error: change.error }),
    ...(change.failures === undefined ? {} : { failures: change.failures }),
  }
}

export function createHooks({ reads, writes, vault, now }: StoreContext): HookStore {
  const after = (milliseconds: number) => sql<number>`${now} + cast(${Math.round(milliseconds)} as bigint)`
  const byId = compiledOnce(({ id }: { id: string }) => reads.selectFrom('hooks').selectAll().where('id', '=', id))
  const rowOf = (db: StoreContext['reads'], { workspaceId, platform, accountId = '' }: HookOwner) =>
    db
      .selectFrom('hooks')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('platform', '=', platform)
      .where('owner', '=', accountId)
      .executeTakeFirst()
  return {
    async ensure(owner, { id, secrets }) {
      const known = await rowOf(reads, owner)
      if (known) return toHook(vault, known)
      await writes
        .insertInto('hooks')
        .values({
          id,
          workspace_id: owner.workspaceId,
          platform: owner.platform,
          owner: owner.accountId ?? '',
          account_id: owner.accountId ?? null,
          secrets: sealJson(vault, secrets, boundTo('secrets', id)),
          state: 'waiting',
          failures: 0,
          created_at: now,
          fence: 0,
          holder: '',
          lease_until: 0,
          due_at: 0,
        })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'platform', 'owner']).doNothing())
        .execute()
      const row = await rowOf(writes, owner)
      if (!row) throw new Error(`the hook of ${owner.platform} was removed at the same time`)
      return toHook(vault, row)
    },
    async find(id) {
      const row = await byId(reads, { id })
      return row && toHook(vault, row)
    },
    async get(owner) {
      const row = await rowOf(reads, owner)
      return row && toHook(vault, row)
    },
    async list(workspaceId, { after: position, limit }) {
      const rows = await reads
        .selectFrom('hooks')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', position ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(
        rows,
        limit,
        (row) => toHook(vault, row),
        (row) => row.id,
      )
    },
    async setSecrets(id, secrets) {
      const row = await writes
        .updateTable('hooks')
        .set({ secrets: sealJson(vault, secrets, boundTo('secrets', id)), due_at: 0 })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toHook(vault, row)
    },
    challenged: (id, challenge) =>
      transacted(writes, async (transaction) => {
        // First: it locks the row.
        const row = await transaction
          .updateTable('hooks')
          .set({ due_at: 0 })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) return
        const waiting = toHook(vault, row).challenges.filter(({ request }) => request !== undefined)
        const challenges = [...waiting, challenge].slice(-mostChallenges)
        await transaction
          .updateTable('hooks')
          .set({ challenges: sealJson(vault, challenges, boundTo('challenges', id)) })
          .where('id', '=', id)
          .execute()
      }),
    answered: ({ id, fence }, challengeId, secret) =>
      transacted(writes, async (transaction) => {
        const row = await transaction
          .updateTable('hooks')
          .set({ fence })
          .where('id', '=', id)
          .where('fence', '=', fence)
          .returningAll()
          .executeTakeFirst()
        if (!row) return false
        const before = toHook(vault, row)
        const challenges = before.challenges.filter((one) => one.id !== challengeId)
        const others = before.secrets.filter((one) => one.secret !== secret)
        const secrets = secret === undefined ? others : [{ secret }, ...others].slice(0, mostSecrets)
        await transaction
          .updateTable('hooks')
          .set({
            challenges: sealJson(vault, challenges, boundTo('challenges', id)),
            secrets: sealJson(vault, secrets, boundTo('secrets', id)),
          })
          .where('id', '=', id)
          .execute()
        return true
      }),
    async noted(id, what) {
      await writes
        .updateTable('hooks')
        .set(what === 'received' ? { received_at: now } : { refused_at: now })
        .where('id', '=', id)
        .execute()
    },
    async due(limit) {
      const rows = await reads
        .selectFrom('hooks')
        .select('id')
        .where('due_at', '<=', now)
        .where('lease_until', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async take(id, holder, leaseMs) {
      const row = await writes
        .updateTable('hooks')
        // Still due, in case the holder dies; a wake from now on makes it 0.
        .set({ fence: sql<number>`fence + 1`, holder, lease_until: after(leaseMs), due_at: 1 })
        .where('id', '=', id)
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst()
      return row && { ...toHook(vault, row), fence: row.fence }
    },
    async change({ id, fence }, change) {
      const { numUpdatedRows } = await writes
        .updateTable('hooks')
        // `fence` itself: a change that has no columns must still find the row.
        .set({ ...columnsOf(vault, id, change), ...(change.checked ? { checked_at: now } : {}), fence })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release({ id, fence }, dueInMs) {
      await writes
        .updateTable('hooks')
        .set({
          holder: '',
          lease_until: 0,
          due_at: sql<number>`case when due_at = 0 then 0 else ${after(dueInMs)} end`,
        })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .execute()
    },
    async remove({ id, fence }) {
      await writes.deleteFrom('hooks').where('id', '=', id).where('fence', '=', fence).execute()
    },
    async wake(id) {
      await writes.updateTable('hooks').set({ due_at: 0 }).where('id', '=', id).execute()
    },
    async unhooked(platforms, limit) {
      if (platforms.length === 0) return []
      const rows = await reads
        .selectFrom('accounts')
        .select('id')
        .where('platform', 'in', [...platforms])
        .where('state', '=', 'active')
        .where(sql<boolean>`exists (select 1 from watches where watches.account_id = accounts.id)`)
        .where(sql<boolean>`not exists (select 1 from hooks where hooks.account_id = accounts.id)`)
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async unhookedApplications(platforms, limit) {
      if (platforms.length === 0) return []
      const rows = await reads
        .selectFrom('accounts')
        .select(['workspace_id', 'platform'])
        .distinct()
        .where('platform', 'in', [...platforms])
        .where(sql<boolean>`exists (select 1 from watches where watches.account_id = accounts.id)`)
        .where(
          sql<boolean>`not exists (select 1 from hooks where hooks.workspace_id = accounts.workspace_id
            and hooks.platform = accounts.platform and hooks.owner = '')`,
        )
        .limit(limit)
        .execute()
      return rows.map((row) => ({ workspaceId: row.workspace_id, platform: row.platform }))
    },
    async wakeMoved(base) {
      await writes
        .updateTable('hooks')
        .set({ due_at: 0 })
        .where('due_at', '>', now)
        .where(sql<boolean>`url is null or url <> cast(${base} as text) || '/hooks/' || platform || '/' || id`)
        .execute()
    },
  }
}
