// One step of a worker, in one transaction that begins with its fence.
import { type Kysely, sql } from 'kysely'
import type { ChangeStore, FeedFence, WatchBatch } from '../../changes.ts'
import { changeOnce, compiledOnce } from '../../compiled-once.ts'
import { insertRows } from '../../insert-rows.ts'
import type { Store } from '../../store.ts'
import type { Database, StoreContext } from '../../table-types.ts'
import { transacted } from '../../transaction.ts'
import { appendEvent } from '../deliveries/events.ts'
import { withoutErased } from '../erasures/suppress.ts'
import { requestErasures } from './erase.ts'
import { lostFeed } from './feeds.ts'
import { changeHints, createPutHint } from './hints.ts'
import { appendChanges } from './log.ts'
import { inLists, putRecords } from './records.ts'
import { sealState } from './watches.ts'

const missing = {
  table: 'watch_missing',
  columns: ['watch', 'native_id', 'since_walk', 'since', 'reads'],
  conflict: `on conflict (watch, native_id) do update
    set since_walk = excluded.since_walk, since = excluded.since, reads = excluded.reads`,
} as const
const unlisted = {
  table: 'watch_unlisted',
  columns: ['watch', 'native_id', 'next_check_at', 'checks'],
  conflict: `on conflict (watch, native_id) do update
    set next_check_at = excluded.next_check_at, checks = excluded.checks`,
} as const

export function createCommit(context: StoreContext, kind: Store['kind']): ChangeStore['commit'] {
  const { writes, vault, now, wakes } = context
  const putHint = createPutHint(context)
  const advance = compiledOnce((values: FeedFence & { changes: number }) =>
    writes
      .updateTable('feeds')
      .set({
        head: sql<number>`head + cast(${values.changes} as bigint)`,
        // Never lower than that of the row before: the log is pruned in the order of its sequences.
        detected_at: sql<number>`case when detected_at > ${now} then detected_at else ${now} end`,
      })
      .where('account_id', '=', values.accountId)
      .where('fence', '=', values.fence)
      .returning(['head', 'detected_at', 'workspace_id']),
  )
  const setState = changeOnce(({ id, state }: { id: number; state: string }) =>
    writes.updateTable('watches').set({ state }).where('id', '=', id),
  )

  async function remove(
    db: Kysely<Database>,
    table: 'watch_records' | 'watch_missing' | 'watch_unlisted',
    watch: number,
    ids: readonly string[] = [],
  ): Promise<void> {
    await inLists(ids, async (list) => {
      await db.deleteFrom(table).where('watch', '=', watch).where('native_id', 'in', list).execute()
    })
  }
  async function changeWatch(db: Kysely<Database>, batch: WatchBatch): Promise<void> {
    const { id } = batch.watch
    await remove(db, 'watch_records', id, batch.remove)
    await remove(db, 'watch_missing', id, [...(batch.remove ?? []), ...(batch.missing?.remove ?? [])])
    await remove(db, 'watch_unlisted', id, [...(batch.remove ?? []), ...(batch.unlisted?.remove ?? [])])
    if (batch.put?.length) await putRecords(db, kind, id, batch.put)
    if (batch.missing?.put?.length)
      await insertRows(
        db,
        { kind, ...missing },
        batch.missing.put.map((row) => [id, row.nativeId, row.sinceWalk, row.since, row.reads]),
      )
    if (batch.unlisted?.put?.length)
      await insertRows(
        db,
        { kind, ...unlisted },
        batch.unlisted.put.map((row) => [id, row.nativeId, row.nextCheckAt, row.checks]),
      )
    if (batch.clearSeen) await db.deleteFrom('walk_seen').where('watch', '=', id).execute()
    if (batch.seen?.length)
      await sql`insert into walk_seen (watch, page, hashes)
        select cast(${id} as integer), coalesce(max(page), 0) + 1, ${batch.seen}
        from walk_seen where watch = ${id}`.execute(db)
    if (batch.state) await setState(db, { id, state: sealState(vault, id, batch.state) })
  }
  return async ({ accountId, fence }, batch) => {
    const changes = batch.changes ?? []
    const head = await transacted(writes, async (transaction) => {
      const feed = await advance(transaction, { accountId, fence, changes: changes.length })
      if (!feed) throw lostFeed(accountId)
      for (const watch of batch.watches ?? []) await changeWatch(transaction, watch)
      if (changes.length > 0)
        await appendChanges(
          transaction,
          { kind, vault },
          { accountId, head: feed.head, detectedAt: feed.detected_at },
          await withoutErased(transaction, accountId, changes),
        )
      const { remapped } = batch
      if (remapped)
        await appendEvent(transaction, context, {
          workspaceId: feed.workspace_id,
          type: 'watch.remapped',
          subject: `watch ${accountId} ${remapped.entityType}`,
          accountId,
          data: { entityType: remapped.entityType },
        })
      await requestErasures(transaction, accountId, feed.detected_at, changes)
      // Last: a caller's write of the same record waits for as short as possible.
      await changeHints(transaction, { kind, putHint, now }, accountId, batch)
      if (changes.length > 0 || remapped) await wakes.committing(transaction, accountId)
      return feed.head
    })
    if (changes.length > 0 || batch.remapped) wakes.committed(accountId)
    return head
  }
}
