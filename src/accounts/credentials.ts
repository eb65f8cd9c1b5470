// Credentials of callers. A secret is returned once; the store has its hash.
import type { CredentialLimits, Scope } from '../contract/scopes.ts'
import type { Credential, Store } from '../store/store.ts'
import { existingWorkspace, missingIn, ofWorkspace } from './lookup.ts'
import { createId, createSecret, hashSecret } from './secrets.ts'

/** Without `scopes`, it has the default ones. */
export async function createAccessId(
  store: Store,
  workspaceId: string,
  name: string,
  scopes?: readonly Scope[],
  limits?: CredentialLimits,
) {
  const { id } = await existingWorkspace(store, workspaceId)
  const secret = createSecret('urs')
  const credential = await store.credentials.create({
    id: createId('uri'),
    kind: 'access_id',
    workspaceId: id,
    name,
    secretHash: hashSecret(secret),
    scopes,
    limits,
  })
  return { credential, secret }
}

export async function createApiKey(
  store: Store,
  workspaceId: string,
  name: string,
  scopes?: readonly Scope[],
  limits?: CredentialLimits,
) {
  const { id } = await existingWorkspace(store, workspaceId)
  const secret = createSecret('k').slice(2)
  const credential = await store.credentials.create({
    id: createId('urk'),
    kind: 'api_key',
    workspaceId: id,
    name,
    secretHash: hashSecret(secret),
    scopes,
    limits,
  })
  return { credential, key: `${credential.id}.${secret}` }
}

/** The old secret and all tokens that were issued with it stop working. */
export async function rotateAccessId(store: Store, workspaceId: string, id: string) {
  await existingCredential(store, workspaceId, id, 'access_id')
  const secret = createSecret('urs')
  const credential = await store.credentials.rotate(id, hashSecret(secret))
  if (!credential) throw missingIn('id', 'access id', ofWorkspace('/access-ids'))
  return { credential, secret }
}

export async function revokeCredential(
  store: Store,
  workspaceId: string,
  id: string,
  kind: Credential['kind'],
): Promise<void> {
  await existingCredential(store, workspaceId, id, kind)
  await store.credentials.revoke(id)
}

async function existingCredential(store: Store, workspaceId: string, id: string, kind: Credential['kind']) {
  const found = await store.credentials.get(id)
  if (found?.workspaceId !== workspaceId || found.kind !== kind)
    throw kind === 'api_key'
      ? missingIn('id', 'API key', ofWorkspace('/api-keys'))
      : missingIn('id', 'access id', ofWorkspace('/access-ids'))
}
