// A link is connected once, and one request at a time processes its attempt: single statements decide both.
import type { ExpressionBuilder } from 'kysely'
import { toPage } from '../paging.ts'
import { associatedData, openJson, openOptional, sealJson, sealOptional } from '../sealed-json.ts'
import type { ConnectLink, Store } from '../store.ts'
import { type ConnectLinkRow, type Database, isoNow, type StoreContext } from '../table-types.ts'
import type { Vault } from '../vault.ts'

/** Ended links stay this long, so that their outcome can be shown. */
const retentionMs = 30 * 86_400_000
/** A request that processes an attempt for longer than this has crashed. */
const processingMs = 120_000

const associatedDataOf = (column: 'signing_secret' | 'attempt', workspaceId: string, id: string) =>
  associatedData('connect_links', column, [workspaceId, id])

function toLink(vault: Vault, row: ConnectLinkRow): ConnectLink {
  return {
    ...(JSON.parse(row.offer) as Pick<
      ConnectLink,
      | 'platforms'
      | 'vertical'
      | 'accountId'
      | 'accountName'
      | 'newAccountId'
      | 'returnUrl'
      | 'purpose'
      | 'manage'
      | 'popupOrigin'
      | 'state'
    >),
    workspaceId: row.workspace_id,
    id: row.id,
    signingSecret: openJson(
      vault,
      row.signing_secret,
      associatedDataOf('signing_secret', row.workspace_id, row.id),
    ) as string,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
    connectedAt: row.connected_at ?? undefined,
    connectedAccountId: row.connected_account_id ?? undefined,
    attempt: {
      id: row.attempt_id,
      state:
        row.attempt_state === 'working' && row.attempt_at <= Date.now() - processingMs ? 'failed' : row.attempt_state,
      data: openOptional(vault, row.attempt, associatedDataOf('attempt', row.workspace_id, row.id)),
    },
  }
}

const alive = (column: ExpressionBuilder<Database, 'connect_links'>) =>
  column.and([
    column('connected_at', 'is', null),
    column('revoked_at', 'is', null),
    column('expires_at', '>', isoNow()),
  ])

export function createConnectLinks({ reads, writes, vault }: StoreContext): Store['connectLinks'] {
  const sealedAttempt = ({ workspaceId, id }: { workspaceId: string; id: string }, data: unknown) =>
    sealOptional(vault, data, associatedDataOf('attempt', workspaceId, id))
  return {
    async create({ workspaceId, id, tokenHash, signingSecret, expiresAt, ...offer }) {
      await writes
        .deleteFrom('connect_links')
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '<', new Date(Date.now() - retentionMs).toISOString())
        .execute()
      const row: ConnectLinkRow = {
        workspace_id: workspaceId,
        id,
        token_hash: tokenHash,
        offer: JSON.stringify(offer),
        signing_secret: sealJson(vault, signingSecret, associatedDataOf('signing_secret', workspaceId, id)),
        created_at: isoNow(),
        expires_at: expiresAt,
        revoked_at: null,
        connected_at: null,
        connected_account_id: null,
        attempt_id: '',
        attempt_state: 'none',
        attempt_at: 0,
        attempt: null,
      }
      await writes.insertInto('connect_links').values(row).execute()
      return toLink(vault, row)
    },
    async byToken(tokenHash) {
      const row = await reads
        .selectFrom('connect_links')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && toLink(vault, row)
    },
    async get({ workspaceId, id }) {
      const row = await reads
        .selectFrom('connect_links')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toLink(vault, row)
    },
    async list(workspaceId, { after, limit }) {
      const rows = await reads
        .selectFrom('connect_links')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(
        rows,
        limit,
        (row) => toLink(vault, row),
        (row) => row.id,
      )
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
        .set({
          attempt_id: attemptId,
          attempt_state: 'waiting',
          attempt_at: Date.now(),
          attempt: sealedAttempt(link, data),
        })
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
        .set({
          attempt_state: outcome.state,
          attempt: sealedAttempt(link, outcome.data),
          connected_at: connected ? isoNow() : undefined,
          connected_account_id: connected ? outcome.accountId : undefined,
        })
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
