// Webhooks that platforms send, and who works on which. Every decision is one statement on its row.
import { sql } from 'kysely'
import { compiledOnce } from '../compiled-once.ts'
import { pageOf } from '../paging.ts'
import type { HookOwner, HookStore, StoredHook } from '../platform-webhooks.ts'
import { type HookRow, hooks } from '../platform-webhooks-schema.ts'
import type { StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'

/** More than any platform needs for all kinds of its events. */
const mostChallenges = 50
const mostSecrets = 50

export function createHooks({ reads, writes, vault, now }: StoreContext): HookStore {
  const { toItem, toRow, changed } = hooks.codec(vault)
  const toHook = (row: HookRow): StoredHook => {
    const hook = toItem(row)
    return { ...hook, challenges: hook.challenges ?? [] }
  }
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
      if (known) return toHook(known)
      await writes
        .insertInto('hooks')
        .values({
          ...toRow({ ...owner, id, secrets, state: 'waiting', failures: 0, createdAt: 0 }),
          owner: owner.accountId ?? '',
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
      return toHook(row)
    },
    async find(id) {
      const row = await byId(reads, { id })
      return row && toHook(row)
    },
    async get(owner) {
      const row = await rowOf(reads, owner)
      return row && toHook(row)
    },
    list(workspaceId, query) {
      return pageOf(reads.selectFrom('hooks').selectAll().where('workspace_id', '=', workspaceId), query, toHook)
    },
    async setSecrets(id, secrets) {
      const row = await writes
        .updateTable('hooks')
        .set({ ...changed({ id }, { secrets: [...secrets] }), due_at: 0 })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toHook(row)
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
        const waiting = toHook(row).challenges.filter(({ request }) => request !== undefined)
        const challenges = [...waiting, challenge].slice(-mostChallenges)
        await transaction.updateTable('hooks').set(changed({ id }, { challenges })).where('id', '=', id).execute()
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
        const before = toHook(row)
        const challenges = before.challenges.filter((one) => one.id !== challengeId)
        const others = before.secrets.filter((one) => one.secret !== secret)
        const secrets = secret === undefined ? others : [{ secret }, ...others].slice(0, mostSecrets)
        await transaction
          .updateTable('hooks')
          .set(changed({ id }, { challenges, secrets }))
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
      return row && { ...toHook(row), fence: row.fence }
    },
    async renew({ id, fence }, leaseMs) {
      const { numUpdatedRows } = await writes
        .updateTable('hooks')
        .set({ lease_until: after(leaseMs) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async change({ id, fence }, change) {
      const { numUpdatedRows } = await writes
        .updateTable('hooks')
        // `fence` itself: a change that has no columns must still find the row.
        .set({ ...changed({ id }, change), ...(change.checked ? { checked_at: now } : {}), fence })
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
