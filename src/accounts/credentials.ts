// Credentials of callers. A secret is returned once; the store has its hash.
import { entityTypes } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import { fieldsOf, unlimitedScopes } from '../contract/scopes.ts'
import type { Credential, CredentialSettings, Store } from '../store/store.ts'
import { existingWorkspace, missingIn, ofWorkspace } from './lookup.ts'
import { createId, createSecret, hashSecret } from './secrets.ts'

type Kind = Credential['kind']
/** What a caller is given once: an API key whole, and of an access id its secret. */
export interface Issued {
  credential: Credential
  secret: string
}

const newSecret = (kind: Kind) => (kind === 'api_key' ? createSecret('k').slice(2) : createSecret('urs'))
const issued = (credential: Credential, secret: string): Issued => ({
  credential,
  secret: credential.kind === 'api_key' ? `${credential.id}.${secret}` : secret,
})

async function createCredential(
  store: Store,
  workspaceId: string,
  kind: Kind,
  settings: CredentialSettings,
): Promise<Issued> {
  const { id } = await existingWorkspace(store, workspaceId)
  await checkSettings(store, workspaceId, settings)
  const secret = newSecret(kind)
  const prefix = kind === 'api_key' ? 'urk' : 'uri'
  const credential = await store.credentials.create({
    ...settings,
    id: createId(prefix),
    kind,
    workspaceId: id,
    secretHash: hashSecret(secret),
  })
  return issued(credential, secret)
}
export const createAccessId = (store: Store, workspaceId: string, settings: CredentialSettings) =>
  createCredential(store, workspaceId, 'access_id', settings)
export const createApiKey = (store: Store, workspaceId: string, settings: CredentialSettings) =>
  createCredential(store, workspaceId, 'api_key', settings)

/** Replaces name, scopes, limits and expiry. The secret stays. */
export async function changeCredential(
  store: Store,
  workspaceId: string,
  id: string,
  kind: Kind,
  settings: CredentialSettings,
): Promise<Credential> {
  await existingCredential(store, workspaceId, id, kind)
  await checkSettings(store, workspaceId, settings)
  const changed = await store.credentials.change(id, settings)
  if (!changed) throw notThere(kind)
  return changed
}

/** The old secret and all tokens that were issued with it stop working. */
export async function rotateCredential(store: Store, workspaceId: string, id: string, kind: Kind): Promise<Issued> {
  await existingCredential(store, workspaceId, id, kind)
  const secret = newSecret(kind)
  const credential = await store.credentials.rotate(id, hashSecret(secret))
  if (!credential) throw notThere(kind)
  return issued(credential, secret)
}

export async function revokeCredential(store: Store, workspaceId: string, id: string, kind: Kind): Promise<void> {
  await existingCredential(store, workspaceId, id, kind)
  await store.credentials.revoke(id)
}

const notThere = (kind: Kind) =>
  kind === 'api_key'
    ? missingIn('id', 'API key', ofWorkspace('/api-keys'))
    : missingIn('id', 'access id', ofWorkspace('/access-ids'))

async function existingCredential(store: Store, workspaceId: string, id: string, kind: Kind) {
  const found = await store.credentials.get(id)
  if (found?.workspaceId !== workspaceId || found.kind !== kind) throw notThere(kind)
}

/** A limit that a scope reaches around would protect nothing. */
async function checkSettings(store: Store, workspaceId: string, settings: CredentialSettings): Promise<void> {
  const errors: { pointer: string; message: string }[] = []
  for (const limit of ['accounts', 'entities', 'hiddenFields'] as const) {
    const around = unlimitedScopes[limit].filter((scope) => settings.scopes?.includes(scope))
    if (settings[limit] && around.length > 0)
      errors.push({
        pointer: `/${limit}`,
        message: `cannot limit ${around.join(' and ')}; remove ${limit}, or leave out ${around.length > 1 ? 'these scopes' : 'this scope'}`,
      })
  }
  for (const [index, id] of (settings.accounts ?? []).entries())
    if ((await store.accounts.get(id))?.workspaceId !== workspaceId)
      errors.push({ pointer: `/accounts/${index}`, message: 'is not an account of this workspace; send its id' })
  for (const [index, name] of (settings.hiddenFields ?? []).entries())
    if (!hideableFields.has(name))
      errors.push({
        pointer: `/hiddenFields/${index}`,
        message: `is not a field of unified records that can be hidden; possible are ${[...hideableFields].join(', ')}`,
      })
  if (settings.expiresAt !== undefined && Date.parse(settings.expiresAt) <= Date.now())
    errors.push({ pointer: '/expiresAt', message: 'must be in the future' })
  if (errors.length > 0) throw new Problem('validation_failed', 'The body is not valid.', { errors })
}

/** Fields of unified records, nested ones included. Without ids a record could not be named. */
const hideableFields: ReadonlySet<string> = new Set(
  entityTypes
    .flatMap(fieldsOf)
    .filter((name) => !/^(id|.*externalId)$/i.test(name))
    .sort(),
)
