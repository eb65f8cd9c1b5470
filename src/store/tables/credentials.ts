import { defaultScopes } from '../../contract/scopes.ts'
import { credentials } from '../accounts-schema.ts'
import { compiledOnce } from '../compiled-once.ts'
import { pageOf } from '../paging.ts'
import type { CredentialSettings, Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'

const touchEveryMs = 60_000

const settingsOf = ({ name, scopes, accounts, entities, hiddenFields, expiresAt }: CredentialSettings) => ({
  name,
  scopes: scopes ?? null,
  accounts: accounts ?? null,
  entities: entities ?? null,
  hiddenFields: hiddenFields ?? null,
  expiresAt: expiresAt ?? null,
})

export function createCredentials({ reads, writes, lookups, vault }: StoreContext): Store['credentials'] {
  const { toItem, toRow, changed } = credentials.codec(vault)
  const byId = compiledOnce(({ id }: { id: string }) =>
    reads.selectFrom('credentials').selectAll().where('id', '=', id),
  )
  const get: Store['credentials']['get'] = async (id) => {
    const row = await byId(reads, { id })
    return row && toItem(row)
  }
  return {
    async create(credential) {
      const { id } = credential
      const row = {
        ...toRow({ ...credential, scopes: defaultScopes, generation: 1, createdAt: isoNow() }),
        ...changed({ id }, settingsOf(credential)),
      }
      await writes.insertInto('credentials').values(row).execute()
      return toItem(row)
    },
    get,
    lookup: lookups.lookup('credentials', get),
    list(workspaceId, kind, query) {
      const rows = reads
        .selectFrom('credentials')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('kind', '=', kind)
      return pageOf(rows, query, toItem)
    },
    async change(id, settings) {
      const change = writes
        .updateTable('credentials')
        .set(changed({ id }, settingsOf(settings)))
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
      const row = await lookups.changing(['credentials'], change.executeTakeFirst())
      return row && toItem(row)
    },
    async rotate(id, secretHash) {
      const rotate = writes
        .updateTable('credentials')
        .set((column) => ({ secret_hash: secretHash, generation: column('generation', '+', 1), rotated_at: isoNow() }))
        .where('id', '=', id)
        .where('revoked_at', 'is', null) // a new secret must not bring a revoked credential back
        .returningAll()
      const row = await lookups.changing(['credentials'], rotate.executeTakeFirst())
      return row && toItem(row)
    },
    async revoke(id) {
      const revoke = writes
        .updateTable('credentials')
        .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(isoNow())) }))
        .where('id', '=', id)
        .returning('id')
      const row = await lookups.changing(['credentials'], revoke.executeTakeFirst())
      return row !== undefined
    },
    async touch(id, address) {
      const before = new Date(Date.now() - touchEveryMs).toISOString()
      const touch = writes
        .updateTable('credentials')
        .set({ last_used_at: isoNow(), last_address: address })
        .where('id', '=', id)
        .where((column) => column.or([column('last_used_at', 'is', null), column('last_used_at', '<', before)]))
      await touch.execute()
    },
  }
}
