// Migrations of the account: examples in plans and reports, and what is noted of each record. The ids stay: without them
// the next run would move the person again.
import { sql } from 'kysely'
import { migrationRecords, migrations } from '../../migrations-schema.ts'
import { openOptional, sealOptional } from '../../sealed-json.ts'
import type { Person } from './person.ts'
import { type Blank, batchOf, type Search } from './search.ts'

const rowsAtOnce = 50
const erased = 'erased'

/** Lists lose the entries that mention the person; texts next to such a list may be about the same entry. */
function withoutPerson(person: Person, value: unknown): unknown {
  if (typeof value === 'string') return person.mentionedIn(value) ? erased : value
  if (Array.isArray(value))
    return value
      .filter((entry) => hasList(entry) || !person.mentionedIn(entry))
      .map((entry) => withoutPerson(person, entry))
  if (typeof value !== 'object' || value === null) return value
  const isAffected = Object.values(value).some((member) => Array.isArray(member) && person.mentionedIn(member))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isAffected && (name === 'reason' || name === 'message') ? erased : withoutPerson(person, member),
    ]),
  )
}
const hasList = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).some(Array.isArray)

export const searchMigrationReports: Search = async ({ reads, vault }, person, after) => {
  const rows = await reads
    .selectFrom('migrations')
    .select(['id', 'plan', 'report'])
    .where('workspace_id', '=', person.workspaceId)
    .where((column) =>
      column.or([column('from_account', '=', person.accountId), column('to_account', '=', person.accountId)]),
    )
    .where('id', '>', String(after?.[0] ?? ''))
    .orderBy('id')
    .limit(rowsAtOnce)
    .execute()
  const found: Blank[] = []
  for (const { id, ...sealed } of rows) {
    const key = { workspaceId: person.workspaceId, id }
    const changes = (['plan', 'report'] as const).flatMap((column) => {
      const bound = migrations.bound(column, key)
      const before = openOptional(vault, sealed[column], bound)
      if (before === undefined || !person.mentionedIn(before)) return []
      const next = withoutPerson(person, before)
      // A figure that is equal to the id still mentions it.
      if (JSON.stringify(next) === JSON.stringify(before)) return []
      return [{ column, value: sealOptional(vault, next, bound) }]
    })
    if (changes.length > 0)
      found.push(async (db) => {
        for (const { column, value } of changes)
          await db
            .updateTable('migrations')
            .set({ [column]: value })
            .where('workspace_id', '=', person.workspaceId)
            .where('id', '=', id)
            .where(column, '=', sealed[column])
            .execute()
      })
  }
  return batchOf(rows, rowsAtOnce, ({ id }) => [id], found)
}

interface More {
  notes?: unknown[]
  warnings?: unknown[]
  references?: Record<string, string>
}
export const searchMigrationRecords: Search = async ({ reads, vault }, person, after) => {
  let query = reads
    .selectFrom('migration_records')
    .innerJoin('migrations', (join) =>
      join
        .onRef('migrations.workspace_id', '=', 'migration_records.workspace_id')
        .onRef('migrations.id', '=', 'migration_records.migration_id'),
    )
    .select([
      'migration_id',
      'entity_type',
      'source_id',
      'target_id',
      'written',
      'reason',
      'from_account',
      'to_account',
    ])
    .where('migration_records.workspace_id', '=', person.workspaceId)
    .where((column) =>
      column.or([column('from_account', '=', person.accountId), column('to_account', '=', person.accountId)]),
    )
    .where('entity_type', 'in', person.related)
  if (after)
    query = query.where(sql<boolean>`(migration_id, entity_type, source_id) > (${after[0]}, ${after[1]}, ${after[2]})`)
  const rows = await query
    .orderBy('migration_id')
    .orderBy('entity_type')
    .orderBy('source_id')
    .limit(rowsAtOnce)
    .execute()
  const found: Blank[] = []
  for (const row of rows) {
    const key = {
      workspaceId: person.workspaceId,
      migrationId: row.migration_id,
      entityType: row.entity_type,
      sourceId: row.source_id,
    }
    const bound = (column: 'written' | 'reason') => migrationRecords.bound(column, key)
    const more = openOptional(vault, row.written, bound('written')) as More | undefined
    const reason = openOptional(vault, row.reason, bound('reason'))
    const isOwn =
      row.entity_type === person.entityType &&
      ((row.from_account === person.accountId && row.source_id === person.nativeId) ||
        (row.to_account === person.accountId && row.target_id === person.nativeId))
    const refers = Object.values(more?.references ?? {}).some((id) => person.ids.has(id))
    const hasContent = Boolean(more?.notes?.length || more?.warnings?.length || (reason ?? erased) !== erased)
    if (!hasContent || !(isOwn || refers || person.mentionedIn([more?.notes, more?.warnings, reason]))) continue
    const written = more && sealOptional(vault, { ...more, notes: [], warnings: [] }, bound('written'))
    found.push((db) =>
      db
        .updateTable('migration_records')
        .set({
          ...(written ? { written } : {}),
          ...(row.reason === null ? {} : { reason: sealOptional(vault, erased, bound('reason')) }),
        })
        .where('workspace_id', '=', person.workspaceId)
        .where('migration_id', '=', row.migration_id)
        .where('entity_type', '=', row.entity_type)
        .where('source_id', '=', row.source_id)
        .execute(),
    )
  }
  return batchOf(rows, rowsAtOnce, (row) => [row.migration_id, row.entity_type, row.source_id], found)
}
