// A link is connected once, and one request at a time processes its attempt: single statements decide both.
import type { ExpressionBuilder } from 'kysely'
import { connectLinks } from '../accounts-schema.ts'
import type { TableRow } from '../define-table.ts'
import { pageOf } from '../paging.ts'
import type { ConnectLink, Store } from '../store.ts'
import { type Database, isoNow, type StoreContext } from '../table-types.ts'

/** Ended links stay this long, so that their outcome can be shown. */
const retentionMs = 30 * 86_400_000
/** A request that processes an attempt for longer than this has crashed. */
const processingMs = 120_000

const alive = (column: ExpressionBuilder<Database, 'connect_links'>) =>
  column.and([
    column('connected_at', 'is', null),
    column('revoked_at', 'is', null),
    column('expires_at', '>', isoNow()),
  ])

export function createConnectLinks({ reads, writes, vault }: StoreContext): Store['connectLinks'] {
  const { toItem, toRow, changed } = connectLinks.codec(vault)
  function toLink(row: TableRow<typeof connectLinks>): ConnectLink {
    const { offer, attemptId, attemptState, attemptAt, attempt, ...link } = toItem(row)
    const isAbandoned = attemptState === 'working' && attemptAt <= Date.now() - processingMs
    return {
      ...offer,
      ...link,
      attempt: { id: attemptId, state: isAbandoned ? 'failed' : attemptState, data: attempt },
    }
  }
  return {
    async create({ workspaceId, id, tokenHash, signingSecret, expiresAt, ...offer }) {
      await writes
        .deleteFrom('connect_links')
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '<', new Date(Date.now() - retentionMs).toISOString())
        .execute()
      const row = toRow({
        workspaceId,
        id,
        offer,
        signingSecret,
        createdAt: isoNow(),
        expiresAt,
        attemptId: '',
        attemptState: 'none',
        attemptAt: 0,
      })
      await writes
        .insertInto('connect_links')
        .values({ ...row, token_hash: tokenHash })
        .execute()
      return toLink(row)
    },
    async byToken(tokenHash) {
      const row = await reads
        .selectFrom('connect_links')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && toLink(row)
    },
    async get({ workspaceId, id }) {
      const row = await reads
        .selectFrom('connect_links')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toLink(row)
    },
    list(workspaceId, query) {
      const rows = reads.selectFrom('connect_links').selectAll().where('workspace_id', '=', workspaceId)
      return pageOf(rows, query, toLink)
    },
    async revoke({ workspaceId, id }) {
      const row = await writes
        .updateTable('connect_links')
        .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(isoNow())), attempt: null }))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async begin(link, attemptId, data) {
      const row = await writes
        .updateTable('connect_links')
        .set(changed(link, { attemptId, attemptState: 'waiting', attemptAt: Date.now(), attempt: data ?? null }))
        .where('workspace_id', '=', link.workspaceId)
        .where('id', '=', link.id)
        .where(alive)
        .where((column) =>
          column.or([column('attempt_state', '<>', 'working'), column('attempt_at', '<=', Date.now() - processingMs)]),
        )
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async take({ workspaceId, id }, attemptId, from) {
      const row = await writes
        .updateTable('connect_links')
        .set({ attempt_state: 'working', attempt_at: Date.now() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('attempt_id', '=', attemptId)
        .where('attempt_state', '=', from)
        .where(alive)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async settle(link, attemptId, outcome) {
      const connected = outcome.state === 'connected'
      const row = await writes
        .updateTable('connect_links')
        .set(
          changed(link, {
            attemptState: outcome.state,
            attempt: outcome.data ?? null,
            connectedAt: connected ? isoNow() : undefined,
            connectedAccountId: connected ? outcome.accountId : undefined,
          }),
        )
        .where('workspace_id', '=', link.workspaceId)
        .where('id', '=', link.id)
        .where('attempt_id', '=', attemptId)
        .where('connected_at', 'is', null)
        .$if(connected, (query) => query.where('revoked_at', 'is', null))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
