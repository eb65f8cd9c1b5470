import type { Kysely, SelectQueryBuilder } from 'kysely'
import { type EntityType, entityTypes } from '../../contract/entity.ts'
import { type LinkRow, links } from '../accounts-schema.ts'
import { changeOnce, rowsOnceIn } from '../compiled-once.ts'
import { toPage } from '../paging.ts'
import type { Link, Store } from '../store.ts'
import { type Database, isoNow, type Queries, type StoreContext } from '../table-types.ts'

/** No entity type contains a space, so the first space separates the two. */
const nameOf = (entityType: EntityType, sourceId: string): string => `${entityType} ${sourceId}`

function positionOf(after: string): { entityType: EntityType; sourceId: string } {
  const space = after.indexOf(' ')
  return space < 0
    ? { entityType: after as EntityType, sourceId: '' }
    : { entityType: after.slice(0, space) as EntityType, sourceId: after.slice(space + 1) }
}

/** A search looks at no more native ids with the same prefix; a longer prefix finds the rest. */
const nativeMatches = 1_000

/** One query per index that helps: an OR over both ids would scan all links of the account. */
function searched(
  db: Kysely<Database>,
  accountId: string,
  entityType: EntityType | undefined,
  start: string,
): SelectQueryBuilder<Database, 'links', LinkRow>[] {
  const links = db.selectFrom('links').selectAll().where('account_id', '=', accountId)
  const end = `${start}\u{10ffff}` // text is in byte order on both databases
  const types = entityType === undefined ? entityTypes : [entityType]
  const native = links
    .where('native_id', '>=', start)
    .where('native_id', '<', end)
    .orderBy('native_id')
    .limit(nativeMatches)
  return [
    ...types.map((type) =>
      links.where('entity_type', '=', type).where('source_id', '>=', start).where('source_id', '<', end),
    ),
    db.selectFrom(native.as('links')).selectAll(),
  ]
}

/** In the order of the databases: by bytes. */
const inOrder = (rows: LinkRow[]) =>
  rows
    .map((row) => ({ row, key: Buffer.from(`${row.entity_type}\0${row.source_id}`) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
    .map(({ row }) => row)

/** A new link replaces an existing one. */
export function createPutLink(
  db: Kysely<Database>,
): (executor: Queries, link: Omit<Link, 'createdAt'>) => Promise<Link> {
  const put = changeOnce(({ accountId, entityType, sourceId, nativeId, origin, createdAt }: Link) =>
    db
      .insertInto('links')
      .values({
        account_id: accountId,
        entity_type: entityType,
        source_id: sourceId,
        native_id: nativeId,
        origin,
        created_at: createdAt,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'entity_type', 'source_id'])
          .doUpdateSet({ native_id: nativeId, origin, created_at: createdAt }),
      ),
  )
  return async (executor, link) => {
    const created = { ...link, createdAt: isoNow() }
    await put(executor, created)
    return created
  }
}

export function createLinks({ reads, writes, vault }: StoreContext): Store['links'] {
  const { toItem: toLink } = links.codec(vault)
  const putLink = createPutLink(writes)
  const ofRecords = rowsOnceIn(({ accountId }: { accountId: string }, nativeIds) =>
    reads
      .selectFrom('links')
      .select(['entity_type', 'source_id', 'native_id'])
      .where('account_id', '=', accountId)
      .where('native_id', 'in', nativeIds)
      // `linked` before `written`: the last one of a record counts.
      .orderBy('origin')
      .orderBy('created_at')
      .orderBy('source_id'),
  )
  return {
    async get(accountId, entityType, sourceId) {
      const row = await reads
        .selectFrom('links')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('entity_type', '=', entityType)
        .where('source_id', '=', sourceId)
        .executeTakeFirst()
      return row && toLink(row)
    },
    async find(accountId, references) {
      if (references.length === 0) return new Map()
      // One branch per type: for an OR over types, SQLite would scan all links of the account.
      const branches = [...Map.groupBy(references, ({ entityType }) => entityType)].map(([entityType, group]) =>
        reads
          .selectFrom('links')
          .select(['entity_type', 'source_id', 'native_id'])
          .where('account_id', '=', accountId)
          .where('entity_type', '=', entityType)
          .where('source_id', 'in', [...new Set(group.map(({ sourceId }) => sourceId))]),
      )
      const rows = await branches.reduce((all, branch) => all.unionAll(branch)).execute()
      return new Map(rows.map((row) => [nameOf(row.entity_type, row.source_id), row.native_id]))
    },
    async sourcesOf(accountId, entityType, nativeId) {
      const rows = await reads
        .selectFrom('links')
        .select('source_id')
        .where('account_id', '=', accountId)
        .where('native_id', '=', nativeId)
        .where('entity_type', '=', entityType)
        .where('origin', '=', 'written')
        .execute()
      return rows.map((row) => row.source_id)
    },
    async sourceIds(accountId, records) {
      const wanted = new Set(records.map(({ entityType, nativeId }) => nameOf(entityType, nativeId)))
      const nativeIds = [...new Set(records.map(({ nativeId }) => nativeId))]
      const rows = nativeIds.length === 0 ? [] : await ofRecords(reads, { accountId }, nativeIds)
      return new Map(
        rows
          .map((row): [string, string] => [nameOf(row.entity_type, row.native_id), row.source_id])
          .filter(([name]) => wanted.has(name)),
      )
    },
    put: (link) => putLink(writes, link),
    async restore({ accountId, entityType, sourceId, nativeId }) {
      await writes
        .insertInto('links')
        .values({
          account_id: accountId,
          entity_type: entityType,
          source_id: sourceId,
          native_id: nativeId,
          origin: 'written',
          created_at: isoNow(),
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'entity_type', 'source_id']).doNothing())
        .execute()
    },
    async putAll(accountId, links) {
      const now = isoNow()
      const rows = new Map(
        links.map((link) => [
          nameOf(link.entityType, link.sourceId),
          {
            account_id: accountId,
            entity_type: link.entityType,
            source_id: link.sourceId,
            native_id: link.nativeId,
            origin: link.origin,
            created_at: now,
          },
        ]),
      )
      if (rows.size === 0) return
      await writes
        .insertInto('links')
        .values([...rows.values()])
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'entity_type', 'source_id']).doUpdateSet((column) => ({
            native_id: column.ref('excluded.native_id'),
            origin: column.ref('excluded.origin'),
            created_at: column.ref('excluded.created_at'),
          })),
        )
        .execute()
    },
    async list(accountId, entityType, { after, limit }, search) {
      const links = search
        ? searched(reads, accountId, entityType, search)
        : [reads.selectFrom('links').selectAll().where('account_id', '=', accountId)]
      const found = await Promise.all(
        links.map((branch) => {
          let query = branch
          if (entityType !== undefined) query = query.where('entity_type', '=', entityType)
          if (after !== undefined) {
            const position = positionOf(after)
            query = query.where((column) =>
              column(
                column.refTuple('entity_type', 'source_id'),
                '>',
                column.tuple(position.entityType, position.sourceId),
              ),
            )
          }
          return query
            .orderBy('entity_type')
            .orderBy('source_id')
            .limit(limit + 1)
            .execute()
        }),
      )
      const nameOfRow = (row: LinkRow) => nameOf(row.entity_type, row.source_id)
      const rows =
        found.length === 1
          ? (found[0] as LinkRow[])
          : inOrder([...new Map(found.flat().map((row) => [nameOfRow(row), row])).values()])
      return toPage(rows, limit, toLink, nameOfRow)
    },
    async delete(accountId, entityType, sourceId) {
      const row = await writes
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
