import type { Kysely } from 'kysely'
import type { ReferenceType } from '../contract/entity.ts'
import { toPage } from './paging.ts'
import { type Database, isoNow, type LinkRow, type StoreContext } from './schema.ts'
import type { Link, Store } from './store.ts'

const toLink = (row: LinkRow): Link => ({
  accountId: row.account_id,
  entityType: row.entity_type,
  sourceId: row.source_id,
  nativeId: row.native_id,
  origin: row.origin,
  createdAt: row.created_at,
})

/** No entity type has a space in its name, so the first one parts the two. */
const nameOf = (entityType: ReferenceType, sourceId: string): string => `${entityType} ${sourceId}`

function positionOf(after: string): { entityType: ReferenceType; sourceId: string } {
  const space = after.indexOf(' ')
  return space < 0 ? { entityType: after as ReferenceType, sourceId: '' } : { entityType: after.slice(0, space) as ReferenceType, sourceId: after.slice(space + 1) }
}

/** The last word counts: a new link replaces the one that was there. */
export async function putLink(db: Kysely<Database>, link: Omit<Link, 'createdAt'>): Promise<Link> {
  const row: LinkRow = {
    account_id: link.accountId,
    entity_type: link.entityType,
    source_id: link.sourceId,
    native_id: link.nativeId,
    origin: link.origin,
    created_at: isoNow(),
  }
  await db
    .insertInto('links')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'entity_type', 'source_id']).doUpdateSet({ native_id: row.native_id, origin: row.origin, created_at: row.created_at }),
    )
    .execute()
  return toLink(row)
}

export function createLinks({ db }: StoreContext): Store['links'] {
  return {
    async get(accountId, entityType, sourceId) {
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('entity_type', '=', entityType)
        .where('source_id', '=', sourceId)
        .executeTakeFirst()
      return row && toLink(row)
    },
    async find(accountId, wanted) {
      if (wanted.length === 0) return new Map()
      // One branch per type: SQLite answers an OR over types by walking all links of the account.
      const branches = [...Map.groupBy(wanted, ({ entityType }) => entityType)].map(([entityType, group]) =>
        db
          .selectFrom('links')
          .select(['entity_type', 'source_id', 'native_id'])
          .where('account_id', '=', accountId)
          .where('entity_type', '=', entityType)
          .where('source_id', 'in', [...new Set(group.map(({ sourceId }) => sourceId))]),
      )
      const rows = await branches.reduce((all, branch) => all.unionAll(branch)).execute()
      return new Map(rows.map((row) => [nameOf(row.entity_type, row.source_id), row.native_id]))
    },
    put: (link) => putLink(db, link),
    async list(accountId, entityType, { after, limit }) {
      let query = db.selectFrom('links').selectAll().where('account_id', '=', accountId)
      if (entityType !== undefined) query = query.where('entity_type', '=', entityType)
      if (after !== undefined) {
        const position = positionOf(after)
        query = query.where((column) => column(column.refTuple('entity_type', 'source_id'), '>', column.tuple(position.entityType, position.sourceId)))
      }
      const rows = await query
        .orderBy('entity_type')
        .orderBy('source_id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toLink, (row) => nameOf(row.entity_type, row.source_id))
    },
    async delete(accountId, entityType, sourceId) {
      const row = await db
        .deleteFrom('links')
        .where('account_id', '=', accountId)
        .where('entity_type', '=', entityType)
        .where('source_id', '=', sourceId)
        .returning('source_id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
