// Who works on which feed. Every decision is one statement on its row.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import type { ChangeStore, FeedFence, WatchState } from '../../changes.ts'
import { changeOnce, compiledOnce } from '../../compiled-once.ts'
import { LostLease } from '../../lost-lease.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import { endWatches, insertWatch, sealState, watchesOf } from './watches.ts'

export const lostFeed = (accountId: string): LostLease =>
  new LostLease(`the feed of account ${accountId} has another holder, other watches, or is gone`)

const firstState: WatchState = { phase: 'first_walk' }
/** By the clock, so that an epoch is not used again after a restore; higher than the last one in any case. */
const nextEpoch = (now: RawBuilder<number>) =>
  sql<number>`case when last_epoch < ${now} then ${now} else last_epoch + 1 end`
/** The holder loses the feed, which is due. */
const taken = {
  fence: sql<number>`fence + 1`,
  holder: '',
  lease_until: 0,
  due_at: 0,
  rest_until: 0,
}

/** A lease that is lost with the machine is lost in any case: it need not wait for the disk. */
const leaseOnly = { durability: 'normal' } as const

/** The webhooks of the platform follow the watches and the account. */
async function wakeHook(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.updateTable('hooks').set({ due_at: 0 }).where('account_id', '=', accountId).execute()
}

type Feeds = Pick<
  ChangeStore,
  | 'ensure'
  | 'watches'
  | 'raiseEpochs'
  | 'due'
  | 'takeFeed'
  | 'renewFeed'
  | 'releaseFeed'
  | 'wake'
  | 'requestWalk'
  | 'beginEpoch'
>
export function createFeeds({ reads, writes, vault, now, wakes }: StoreContext): Feeds {
  /** Whole milliseconds. */
  const after = (milliseconds: number) => sql<number>`${now} + cast(${milliseconds} as bigint)`
  const take = compiledOnce(
    (values: { accountId: string; holder: string; leaseMs: number }) =>
      writes
        .updateTable('feeds')
        // Still due, in case the holder dies; a wake from now on makes it 0.
        .set({ fence: sql<number>`fence + 1`, holder: values.holder, lease_until: after(values.leaseMs), due_at: 1 })
        .where('account_id', '=', values.accountId)
        .where('lease_until', '<=', now)
        .returning(['workspace_id', 'head', 'fence']),
    leaseOnly,
  )
  const unlessWoken = (milliseconds: number) => sql<number>`case when due_at = 0 then 0 else ${after(milliseconds)} end`
  const release = changeOnce(
    (values: FeedFence & { dueInMs: number; restMs: number }) =>
      writes
        .updateTable('feeds')
        .set({
          holder: '',
          lease_until: 0,
          due_at: unlessWoken(values.dueInMs),
          rest_until: unlessWoken(values.restMs),
        })
        .where('account_id', '=', values.accountId)
        .where('fence', '=', values.fence),
    leaseOnly,
  )

  async function follow(db: Kysely<Database>, accountId: string, entities: readonly EntityType[]): Promise<void> {
    const { last_epoch: epoch } = await db
      .updateTable('feeds')
      .set({ ...taken, last_epoch: nextEpoch(now) })
      .where('account_id', '=', accountId)
      .returning('last_epoch')
      .executeTakeFirstOrThrow()
    const present = await db.selectFrom('watches').select('entity_type').where('account_id', '=', accountId).execute()
    const before = new Set(present.map((row) => row.entity_type))
    const ended = [...before].filter((entityType) => !entities.includes(entityType))
    if (ended.length > 0) {
      await endWatches(db, accountId, ended)
      await db
        .deleteFrom('change_hints')
        .where('account_id', '=', accountId)
        .where('entity_type', 'in', ended)
        .execute()
    }
    for (const entityType of new Set(entities))
      if (!before.has(entityType)) await insertWatch(db, vault, { accountId, entityType, epoch, state: firstState })
  }
  return {
    async ensure({ id, workspaceId }, entities) {
      const present = await writes.selectFrom('watches').select('entity_type').where('account_id', '=', id).execute()
      const wanted = new Set(entities)
      if (present.length === wanted.size && present.every((row) => wanted.has(row.entity_type))) return
      await transacted(writes, async (transaction) => {
        await transaction
          .insertInto('feeds')
          .values({
            account_id: id,
            workspace_id: workspaceId,
            head: 0,
            detected_at: 0,
            last_epoch: 0,
            fence: 0,
            holder: '',
            lease_until: 0,
            due_at: 0,
            rest_until: 0,
          })
          .onConflict((conflict) => conflict.column('account_id').doNothing())
          .execute()
        await follow(transaction, id, entities)
        await wakeHook(transaction, id)
        await wakes.committing(transaction, id)
      })
      wakes.committed(id)
    },
    watches: (accountId) => watchesOf(reads, vault, accountId),
    async raiseEpochs() {
      const feeds = await writes.selectFrom('feeds').select('account_id').execute()
      for (const { account_id: accountId } of feeds) {
        await transacted(writes, async (transaction) => {
          const feed = await transaction
            .updateTable('feeds')
            .set({ ...taken, last_epoch: nextEpoch(now) })
            .where('account_id', '=', accountId)
            .returning('last_epoch')
            .executeTakeFirst()
          if (!feed) return // deleted meanwhile
          for (const { id, state } of await watchesOf(transaction, vault, accountId)) {
            const { walk: _walk, nextWalkAt: _nextWalkAt, ...rest } = state
            await transaction
              .updateTable('watches')
              .set({ epoch: feed.last_epoch, state: sealState(vault, id, rest) })
              .where('id', '=', id)
              .execute()
            await transaction.deleteFrom('walk_seen').where('watch', '=', id).execute()
          }
          await wakes.committing(transaction, accountId)
        })
        wakes.committed(accountId)
      }
    },
    async due(limit) {
      const rows = await reads
        .selectFrom('feeds')
        .select('account_id')
        .where('lease_until', '<=', now)
        .where('rest_until', '<=', now)
        .where((column) =>
          column.or([
            column('due_at', '<=', now),
            column.exists(
              column
                .selectFrom('change_hints')
                .select('change_hints.account_id')
                .whereRef('change_hints.account_id', '=', 'feeds.account_id')
                .where('change_hints.due_at', '<=', sql<number>`(select ${now})`),
            ),
          ]),
        )
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map((row) => row.account_id)
    },
    async takeFeed(accountId, holder, leaseMs) {
      const row = await take(writes, { accountId, holder, leaseMs })
      if (!row) return undefined
      // Who changes the watches takes the feed: then the holder cannot store anything.
      const watches = await watchesOf(reads, vault, accountId)
      return { accountId, workspaceId: row.workspace_id, head: row.head, fence: row.fence, watches }
    },
    async renewFeed({ accountId, fence }, leaseMs) {
      const { numUpdatedRows } = await writes
        .updateTable('feeds')
        .set({ lease_until: after(leaseMs) })
        .where('account_id', '=', accountId)
        .where('fence', '=', fence)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async releaseFeed({ accountId, fence }, { dueInMs, restMs = 0 }) {
      await release(writes, { accountId, fence, dueInMs: Math.round(dueInMs), restMs: Math.round(restMs) })
    },
    async wake(accountId) {
      await transacted(writes, async (transaction) => {
        await transaction
          .updateTable('feeds')
          .set({ due_at: 0, rest_until: 0 })
          .where('account_id', '=', accountId)
          .execute()
        await wakeHook(transaction, accountId)
        await wakes.committing(transaction, accountId)
      })
      wakes.committed(accountId)
    },
    async requestWalk(accountId, entityType) {
      const found = await transacted(writes, async (transaction) => {
        const isFeed = transaction.updateTable('feeds').where('account_id', '=', accountId)
        await isFeed.set({ due_at: 0, rest_until: 0 }).execute()
        const watch = (await watchesOf(transaction, vault, accountId)).find((one) => one.entityType === entityType)
        if (!watch) return false
        // Requested before and not ended: a holder that loses its feed to every request would never end it.
        if (watch.state.nextWalkAt === 0) return true
        // The holder loses the feed: it would store the state that it knows.
        await isFeed.set(taken).execute()
        const state = sealState(vault, watch.id, { ...watch.state, nextWalkAt: 0 })
        await transaction.updateTable('watches').set({ state }).where('id', '=', watch.id).execute()
        await wakes.committing(transaction, accountId)
        return true
      })
      if (found) wakes.committed(accountId)
      return found
    },
    async beginEpoch({ accountId, fence }: FeedFence, watch, { state, keepIndex }) {
      return transacted(writes, async (transaction) => {
        const feed = await transaction
          .updateTable('feeds')
          .set({ last_epoch: nextEpoch(now) })
          .where('account_id', '=', accountId)
          .where('fence', '=', fence)
          .returning('last_epoch')
          .executeTakeFirst()
        if (!feed) throw lostFeed(accountId)
        const epoch = feed.last_epoch
        if (!keepIndex) {
          await endWatches(transaction, accountId, [watch.entityType])
          return insertWatch(transaction, vault, { accountId, entityType: watch.entityType, epoch, state })
        }
        await transaction
          .updateTable('watches')
          .set({ epoch, state: sealState(vault, watch.id, state) })
          .where('id', '=', watch.id)
          .execute()
        return { ...watch, epoch, state }
      })
    },
  }
}
