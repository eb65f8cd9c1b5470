import { toPage } from '../paging.ts'
import type { InvitationRow } from '../people-schema.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import type { Invitation, Invitations } from '../user.ts'

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  name: row.name,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  ...(row.workspace_id === null ? {} : { workspaceId: row.workspace_id }),
  ...(row.role === null ? {} : { role: row.role }),
  ...(row.user_name === null ? {} : { user: row.user_name }),
})

export function createInvitations({ reads, writes }: StoreContext): Invitations {
  return {
    async create({ id, tokenHash, name, workspaceId, role, user, createdBy, expiresAt }) {
      // Nothing else removes expired rows, and invitations are rare.
      await writes.deleteFrom('invitations').where('expires_at', '<=', isoNow()).execute()
      const row = {
        id,
        token_hash: tokenHash,
        name,
        workspace_id: workspaceId ?? null,
        role: role ?? null,
        user_name: user ?? null,
        created_by: createdBy,
        created_at: isoNow(),
        expires_at: expiresAt,
      }
      await writes.insertInto('invitations').values(row).execute()
      return toInvitation(row)
    },
    async list(workspaceId, { after, limit }) {
      const rows = await reads
        .selectFrom('invitations')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '>', isoNow())
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toInvitation, (row) => row.id)
    },
    async byToken(tokenHash) {
      const row = await reads
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', isoNow())
        .executeTakeFirst()
      return row && toInvitation(row)
    },
    async delete(id, workspaceId) {
      const one = writes.deleteFrom('invitations').where('id', '=', id)
      const row = await (workspaceId === undefined ? one : one.where('workspace_id', '=', workspaceId))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
