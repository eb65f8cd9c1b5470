import { defaultScopes } from '../../contract/scopes.ts'
import { compiledOnce } from '../compiled-once.ts'
import { toPage } from '../paging.ts'
import type { Credential, CredentialSettings, Store } from '../store.ts'
import { type CredentialRow, isoNow, type StoreContext } from '../table-types.ts'

const touchEveryMs = 60_000

const listOf = <T extends string>(text: string | null) => (text === null ? undefined : (text.split(' ') as T[]))
const textOf = (list: readonly string[] | undefined) => list?.join(' ') ?? null
const columnsOf = ({ name, scopes, accounts, entities, hiddenFields, expiresAt }: CredentialSettings) => ({
  name,
  scopes: textOf(scopes),
  accounts: textOf(accounts),
  entities: textOf(entities),
  hidden_fields: textOf(hiddenFields),
  expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
})

function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    kind: row.kind,
    workspaceId: row.workspace_id,
    name: row.name,
    secretHash: row.secret_hash,
    generation: row.generation,
    scopes: listOf(row.scopes) ?? defaultScopes,
    accounts: listOf(row.accounts),
    entities: listOf(row.entities),
    hiddenFields: listOf(row.hidden_fields),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    rotatedAt: row.rotated_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    lastAddress: row.last_address ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

export function createCredentials({ reads, writes, lookups }: StoreContext): Store['credentials'] {
  const byId = compiledOnce(({ id }: { id: string }) =>
    reads.selectFrom('credentials').selectAll().where('id', '=', id),
  )
  const get: Store['credentials']['get'] = async (id) => {
    const row = await byId(reads, { id })
    return row && toCredential(row)
  }
  return {
    async create({ id, kind, workspaceId, secretHash, ...settings }) {
      const row: CredentialRow = {
        id,
        kind,
        workspace_id: workspaceId,
        ...columnsOf(settings),
        secret_hash: secretHash,
        generation: 1,
        created_at: isoNow(),
        rotated_at: null,
        last_used_at: null,
        revoked_at: null,
        last_address: null,
      }
      await writes.insertInto('credentials').values(row).execute()
      return toCredential(row)
    },
    get,
    lookup: lookups.lookup('credentials', get),
    async list(workspaceId, kind, { after, limit }) {
      const rows = await reads
        .selectFrom('credentials')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('kind', '=', kind)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toCredential, (row) => row.id)
    },
    async change(id, settings) {
      const change = writes
        .updateTable('credentials')
        .set(columnsOf(settings))
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
      const row = await lookups.changing(['credentials'], change.executeTakeFirst())
      return row && toCredential(row)
    },
    async rotate(id, secretHash) {
      const rotate = writes
        .updateTable('credentials')
        .set((column) => ({ secret_hash: secretHash, generation: column('generation', '+', 1), rotated_at: isoNow() }))
        .where('id', '=', id)
        .where('revoked_at', 'is', null) // a new secret must not bring a revoked credential back
        .returningAll()
      const row = await lookups.changing(['credentials'], rotate.executeTakeFirst())
      return row && toCredential(row)
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
