import { pageOf } from '../paging.ts'
import { invitations } from '../people-schema.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import type { Invitations } from '../user.ts'

export function createInvitations({ reads, writes, vault }: StoreContext): Invitations {
  const { toItem: toInvitation, toRow } = invitations.codec(vault)
  return {
    async create({ tokenHash, ...invitation }) {
      // Nothing else removes expired rows, and invitations are rare.
      await writes.deleteFrom('invitations').where('expires_at', '<=', isoNow()).execute()
      const row = toRow({ ...invitation, createdAt: isoNow() })
      await writes
        .insertInto('invitations')
        .values({ ...row, token_hash: tokenHash })
        .execute()
      return toInvitation(row)
    },
    list(workspaceId, query) {
      const rows = reads
        .selectFrom('invitations')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '>', isoNow())
      return pageOf(rows, query, toInvitation)
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
