import { isoNow, type StoreContext } from '../schema.ts'
import type { Store } from '../store.ts'

export function createSessions({ reads, writes }: StoreContext): Store['sessions'] {
  return {
    async create({ tokenHash, user, expiresAt }) {
      // Nothing else removes expired sessions, and logins are rare.
      await writes.deleteFrom('sessions').where('expires_at', '<=', isoNow()).execute()
      await writes
        .insertInto('sessions')
        .values({ token_hash: tokenHash, user_name: user, expires_at: expiresAt })
        .execute()
    },
    async get(tokenHash) {
      const row = await reads
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', isoNow())
        .executeTakeFirst()
      return row && { user: row.user_name, expiresAt: row.expires_at }
    },
    async delete(tokenHash) {
      await writes.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
    },
    async deleteOthers(user, keptTokenHash) {
      await writes
        .deleteFrom('sessions')
        .where('user_name', '=', user)
        .where('token_hash', '<>', keptTokenHash)
        .execute()
    },
  }
}
