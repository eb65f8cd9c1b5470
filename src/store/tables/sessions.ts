import { sql } from 'kysely'
import { type SessionRow, sessions } from '../people-schema.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import type { Session, Sessions } from '../user.ts'

/** A part of the hash of a random token reveals nothing of the token. */
const idOf = (tokenHash: string) => `uss_${tokenHash.slice(0, 16)}`
/** A session that an instance of 0.1.0 has created since the upgrade has no id in its row. */
const hasId = (id: string) => sql<boolean>`'uss_' || substr(token_hash, 1, 16) = ${id}`

export function createSessions({ reads, writes, vault }: StoreContext): Sessions {
  const { toItem, toRow } = sessions.codec(vault)
  const toSession = (row: SessionRow): Session => ({ ...toItem(row), id: idOf(row.token_hash) })
  const live = () => reads.selectFrom('sessions').selectAll('sessions').where('expires_at', '>', isoNow())
  return {
    async create({ tokenHash, ...session }) {
      const at = isoNow()
      // Nothing else removes expired sessions, and logins are rare.
      await writes.deleteFrom('sessions').where('expires_at', '<=', isoNow()).execute()
      await writes
        .insertInto('sessions')
        .values({ ...toRow({ ...session, startedAt: at, lastUsedAt: at }), token_hash: tokenHash, id: idOf(tokenHash) })
        .execute()
    },
    async get(tokenHash, workspaceId = '') {
      // One query: a role that was removed is not used by any request that begins afterwards.
      const row = await live()
        .innerJoin('users', 'users.name', 'sessions.user_name')
        .leftJoin('members', (join) =>
          join.onRef('members.user_name', '=', 'users.name').on('members.workspace_id', '=', workspaceId),
        )
        .select(['users.is_admin', 'members.role'])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && { ...toSession(row), isAdmin: row.is_admin === 1, ...(row.role === null ? {} : { role: row.role }) }
    },
    async list(user) {
      const rows = user === undefined ? live() : live().where('user_name', '=', user)
      return (await rows.orderBy('last_used_at', 'desc').orderBy('token_hash').execute()).map(toSession)
    },
    async touch(id, address) {
      await writes.updateTable('sessions').set({ last_used_at: isoNow(), address }).where(hasId(id)).execute()
    },
    async delete(tokenHash) {
      await writes.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
    },
    async end(id, user) {
      const one = writes.deleteFrom('sessions').where(hasId(id))
      const row = await (user === undefined ? one : one.where('user_name', '=', user))
        .returning('token_hash')
        .executeTakeFirst()
      return row !== undefined
    },
    async deleteOthers(user, keptTokenHash) {
      const rows = await writes
        .deleteFrom('sessions')
        .where('user_name', '=', user)
        .where('token_hash', '<>', keptTokenHash)
        .returning('token_hash')
        .execute()
      return rows.length
    },
  }
}
