import { referenceImports } from '../accounts-schema.ts'
import { pageOf } from '../paging.ts'
import type { Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'

export function createReferenceImports({ reads, writes, vault }: StoreContext): Store['referenceImports'] {
  const { toItem: toImport, toRow, changed } = referenceImports.codec(vault)
  return {
    async create({ content, ...created }) {
      const at = isoNow()
      const row = toRow({
        ...created,
        state: 'running',
        position: 0,
        linked: 0,
        failed: 0,
        errors: [],
        createdAt: at,
        updatedAt: at,
      })
      await writes
        .insertInto('reference_imports')
        .values({ ...row, content })
        .execute()
      return toImport(row)
    },
    async get(accountId, id) {
      const row = await reads
        .selectFrom('reference_imports')
        .select(referenceImports.columns)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toImport(row)
    },
    list(accountId, query) {
      const rows = reads
        .selectFrom('reference_imports')
        .select(referenceImports.columns)
        .where('account_id', '=', accountId)
      return pageOf(rows, query, toImport, { newestFirst: true })
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
      const progress = { state, position, linked, failed, errors, updatedAt: isoNow() }
      await writes
        .updateTable('reference_imports')
        .set({
          ...changed({ accountId, id }, progress),
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
