import { pageOf } from '../paging.ts'
import { members } from '../people-schema.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import type { Members } from '../user.ts'

export function createMembers({ reads, writes, vault }: StoreContext): Members {
  const { toItem: toMember } = members.codec(vault)
  const rows = (workspaceId: string) => reads.selectFrom('members').selectAll().where('workspace_id', '=', workspaceId)
  return {
    list: (workspaceId, query) => pageOf(rows(workspaceId), query, toMember, { by: 'user_name' }),
    async get(workspaceId, user) {
      const row = await rows(workspaceId).where('user_name', '=', user).executeTakeFirst()
      return row && toMember(row)
    },
    async put(workspaceId, { user, role }) {
      await writes
        .insertInto('members')
        .values({ workspace_id: workspaceId, user_name: user, role, created_at: isoNow() })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_name']).doUpdateSet({ role }))
        .execute()
    },
    async delete(workspaceId, user) {
      const row = await writes
        .deleteFrom('members')
        .where('workspace_id', '=', workspaceId)
        .where('user_name', '=', user)
        .returning('user_name')
        .executeTakeFirst()
      return row !== undefined
    },
    async rolesOf(user) {
      const found = await reads
        .selectFrom('members')
        .select(['workspace_id', 'role'])
        .where('user_name', '=', user)
        .orderBy('workspace_id')
        .execute()
      return found.map((row) => ({ workspaceId: row.workspace_id, role: row.role }))
    },
  }
}
