// The index of a watch: its records, without their content.
import type { Kysely, Selectable } from 'kysely'
import type { ChangeStore, IndexRow, UnlistedRow } from '../../changes.ts'
import type { RecordRow } from '../../changes-schema.ts'
import { rowsOnceIn } from '../../compiled-once.ts'
import { insertRows } from '../../insert-rows.ts'
import type { Store } from '../../store.ts'
import type { Database, StoreContext } from '../../table-types.ts'

/** Values of one `in` list. */
const listSize = 500

export async function inLists<T>(values: readonly T[], work: (list: readonly T[]) => Promise<void>): Promise<void> {
  for (let first = 0; first < values.length; first += listSize) await work(values.slice(first, first + listSize))
}

const toIndexRow = (row: Omit<RecordRow, 'watch'>): IndexRow => ({
  nativeId: row.native_id,
  group: row.grp ?? undefined,
  fingerprint: Buffer.from(row.fingerprint),
  revision: row.revision,
  digest: row.digest ? Buffer.from(row.digest) : undefined,
  modified: row.modified ?? undefined,
})

const toUnlisted = (row: Selectable<Database['watch_unlisted']>): UnlistedRow => ({
  nativeId: row.native_id,
  nextCheckAt: row.next_check_at,
  checks: row.checks,
})

const columns = ['native_id', 'grp', 'fingerprint', 'revision', 'digest', 'modified'] as const
const conflict = `on conflict (watch, native_id) do update set grp = excluded.grp, fingerprint = excluded.fingerprint,
  revision = excluded.revision, digest = excluded.digest, modified = excluded.modified`

export function putRecords(
  db: Kysely<Database>,
  kind: Store['kind'],
  watch: number,
  rows: readonly IndexRow[],
): Promise<void> {
  // The last of two rows with one id counts: PostgreSQL refuses to change a row twice in a statement.
  const byId = new Map(rows.map((row) => [row.nativeId, row]))
  return insertRows(
    db,
    { kind, table: 'watch_records', columns: ['watch', ...columns], conflict },
    [...byId.values()].map((row) => [
      watch,
      row.nativeId,
      row.group ?? null,
      row.fingerprint,
      row.revision,
      row.digest ?? null,
      row.modified ?? null,
    ]),
  )
}

type Records = Pick<
  ChangeStore,
  'records' | 'group' | 'recordsAfter' | 'seenAfter' | 'missingAfter' | 'unlistedDue' | 'marks'
>
export function createRecords({ reads, now }: StoreContext): Records {
  const from = (watch: number) => reads.selectFrom('watch_records').select(columns).where('watch', '=', watch)
  const byId = rowsOnceIn(({ watch }: { watch: number }, ids) => from(watch).where('native_id', 'in', ids))
  return {
    async records({ id }, ids) {
      const found = new Map<string, IndexRow>()
      await inLists(ids, async (list) => {
        for (const row of await byId(reads, { watch: id }, list)) found.set(row.native_id, toIndexRow(row))
      })
      return found
    },
    async group({ id }, group) {
      const rows = await from(id).where('grp', '=', group).orderBy('native_id').execute()
      return rows.map(toIndexRow)
    },
    async recordsAfter({ id }, after, limit) {
      const rows = await from(id).where('native_id', '>', after).orderBy('native_id').limit(limit).execute()
      return rows.map(toIndexRow)
    },
    async seenAfter({ id }, after, limit) {
      const rows = await reads
        .selectFrom('walk_seen')
        .select(['page', 'hashes'])
        .where('watch', '=', id)
        .where('page', '>', after)
        .orderBy('page')
        .limit(limit)
        .execute()
      return rows.map(({ page, hashes }) => ({ piece: page, hashes: Buffer.from(hashes) }))
    },
    async missingAfter({ id }, after, limit) {
      const rows = await reads
        .selectFrom('watch_missing')
        .selectAll()
        .where('watch', '=', id)
        .where('native_id', '>', after)
        .orderBy('native_id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        nativeId: row.native_id,
        sinceWalk: row.since_walk,
        since: row.since,
        reads: row.reads,
      }))
    },
    async unlistedDue({ id }, limit) {
      const rows = await reads
        .selectFrom('watch_unlisted')
        .selectAll()
        .where('watch', '=', id)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(limit)
        .execute()
      return rows.map(toUnlisted)
    },
    async marks({ id }, ids) {
      const missing = new Set<string>()
      const unlisted = new Map<string, UnlistedRow>()
      await inLists(ids, async (list) => {
        const gone = await reads
          .selectFrom('watch_missing')
          .select('native_id')
          .where('watch', '=', id)
          .where('native_id', 'in', list)
          .execute()
        for (const row of gone) missing.add(row.native_id)
        const left = await reads
          .selectFrom('watch_unlisted')
          .selectAll()
          .where('watch', '=', id)
          .where('native_id', 'in', list)
          .execute()
        for (const row of left) unlisted.set(row.native_id, toUnlisted(row))
      })
      return { missing, unlisted }
    },
  }
}
