import { toPage } from '../paging.ts'
import type { ReferenceImport, Store } from '../store.ts'
import { isoNow, type ReferenceImportRow, type StoreContext } from '../table-types.ts'

type Shown = Omit<ReferenceImportRow, 'content'>
const shown = [
  'account_id',
  'id',
  'state',
  'format',
  'entity_type',
  'total',
  'position',
  'linked',
  'failed',
  'errors',
  'created_at',
  'updated_at',
] as const

const toImport = (row: Shown): ReferenceImport => ({
  accountId: row.account_id,
  id: row.id,
  state: row.state,
  format: row.format,
  entityType: row.entity_type ?? undefined,
  total: row.total,
  position: row.position,
  linked: row.linked,
  failed: row.failed,
  errors: JSON.parse(row.errors) as ReferenceImport['errors'],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export function createReferenceImports({ reads, writes }: StoreContext): Store['referenceImports'] {
  return {
    async create({ accountId, id, format, entityType, total, content }) {
      const now = isoNow()
      const row: ReferenceImportRow = {
        account_id: accountId,
        id,
        state: 'running',
        format,
        entity_type: entityType ?? null,
        content,
        total,
        position: 0,
        linked: 0,
        failed: 0,
        errors: '[]',
        created_at: now,
        updated_at: now,
      }
      await writes.insertInto('reference_imports').values(row).execute()
      return toImport(row)
    },
    async get(accountId, id) {
      const row = await reads
        .selectFrom('reference_imports')
        .select(shown)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toImport(row)
    },
    async list(accountId, { after, limit }) {
      let query = reads.selectFrom('reference_imports').select(shown).where('account_id', '=', accountId)
      if (after !== undefined) query = query.where('id', '<', after)
      const rows = await query
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toImport, (row) => row.id)
    },
    async content(accountId, id) {
      const row = await reads
        .selectFrom('reference_imports')
        .select('content')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.content ?? ''
    },
    async advance({ accountId, id, state, position, linked, failed, errors }) {
      await writes
        .updateTable('reference_imports')
        .set({
          state,
          position,
          linked,
          failed,
          errors: JSON.stringify(errors),
          updated_at: isoNow(),
          content: state === 'running' ? undefined : '',
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
    },
    async running(limit) {
      const rows = await reads
        .selectFrom('reference_imports')
        .select(['account_id', 'id'])
        .where('state', '=', 'running')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ accountId: row.account_id, id: row.id }))
    },
  }
}
