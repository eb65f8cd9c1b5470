import { sql } from 'kysely'
import type { ChangeStore, WatchState } from '../../changes.ts'
import type { StoreContext } from '../../table-types.ts'
import { toWatch } from './watches.ts'

/** Tables of a watch, with the other column of their key. */
const ofWatch = {
  watch_records: 'native_id',
  walk_seen: 'page',
  watch_missing: 'native_id',
  watch_unlisted: 'native_id',
} as const

export function createPrune({ reads, writes, vault, now }: StoreContext): Pick<ChangeStore, 'prune' | 'sizes'> {
  async function pruneEnded(limit: number): Promise<number> {
    const ended = await writes.selectFrom('watches').select('id').where('account_id', 'is', null).limit(1).execute()
    const [watch] = ended
    if (!watch) return 0
    for (const [table, key] of Object.entries(ofWatch)) {
      const { numAffectedRows = 0n } =
        await sql`delete from ${sql.table(table)} where watch = ${watch.id} and ${sql.ref(key)} in (
          select ${sql.ref(key)} from ${sql.table(table)} where watch = ${watch.id} limit ${limit})`.execute(writes)
      if (numAffectedRows > 0n) return Number(numAffectedRows)
    }
    const { numDeletedRows } = await writes.deleteFrom('watches').where('id', '=', watch.id).executeTakeFirst()
    return Number(numDeletedRows)
  }
  return {
    async prune(ageMs, limit) {
      const before = sql`(select ${now} - cast(${Math.round(ageMs)} as bigint))`
      const old = await sql`delete from change_log where (account_id, sequence) in (
          select log.account_id, log.sequence from change_log as log
          join feeds on feeds.account_id = log.account_id and log.sequence < feeds.head
          where log.detected_at < ${before} order by log.detected_at, log.sequence limit ${limit})`.execute(writes)
      const kept = await sql`update change_log set record = null where (account_id, sequence) in (
          select log.account_id, log.sequence from change_log as log
          join feeds on feeds.account_id = log.account_id and log.sequence = feeds.head
          where log.detected_at < ${before} and log.record is not null limit ${limit})`.execute(writes)
      // A write may have added its hint while the watch ended.
      const hints = await sql`delete from change_hints where (account_id, entity_type, native_id) in (
          select account_id, entity_type, native_id from change_hints where not exists (
            select 1 from watches where watches.account_id = change_hints.account_id
              and watches.entity_type = change_hints.entity_type) limit ${limit})`.execute(writes)
      const changed = [old, kept, hints].reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0)
      return changed + (await pruneEnded(limit))
    },
    async sizes() {
      const count = async (table: 'feeds' | 'change_hints') => {
        const row = await reads
          .selectFrom(table)
          .select((column) => column.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return Number(row.count)
      }
      // Sequences have no gaps, so nothing is counted row by row.
      const { rows: spans } = await sql<{ rows: number | null }>`select head + 1 - (
          select min(sequence) from change_log where change_log.account_id = feeds.account_id) as rows from feeds`.execute(
        reads,
      )
      const watches = await reads
        .selectFrom('watches')
        .select(['id', 'entity_type', 'epoch', 'state'])
        .where('account_id', 'is not', null)
        .execute()
      const states: WatchState[] = watches.map((row) => toWatch(vault, row).state)
      const { at, due } = await reads
        .selectFrom('feeds')
        .select((column) => [now.as('at'), column.fn.countAll<number>().as('due')])
        .where('due_at', '<=', now)
        .where('lease_until', '<=', now)
        .where('rest_until', '<=', now)
        .executeTakeFirstOrThrow()
      // Before the end of the first walk nothing is complete.
      const reached = states.flatMap(({ complete }) => complete?.modified ?? complete?.all ?? [])
      return {
        feeds: await count('feeds'),
        due: Number(due),
        watches: watches.length,
        records: states.reduce((sum, { records = 0 }) => sum + records, 0),
        log: spans.reduce((sum, { rows }) => sum + Number(rows ?? 0), 0),
        hints: await count('change_hints'),
        lagMs: Math.max(0, ...reached.map((time) => Number(at) - time)),
      }
    },
  }
}
