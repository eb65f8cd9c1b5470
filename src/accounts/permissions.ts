// What a caller's credential may be used for: the checks of the records API and of MCP.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Account, Credential, Store } from '../store/store.ts'

const kindOf = ({ kind }: Credential) => (kind === 'api_key' ? 'API key' : 'access id')
const insufficient = (detail: string, scope?: Scope) =>
  new Problem('insufficient_scope', detail, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}` },
    extra: scope ? { scope } : {},
  })

const isNarrow = ({ limits }: Credential) => limits.entities !== undefined || limits.hiddenFields !== undefined

/** A native call reaches every entity and field, so a credential with such limits cannot make one. */
export const hasScope = (credential: Credential, scope: Scope): boolean =>
  credential.scopes.includes(scope) && !(scope === 'native' && isNarrow(credential))

export function requireScope(credential: Credential, scope: Scope): void {
  if (hasScope(credential, scope)) return
  throw insufficient(
    credential.scopes.includes(scope)
      ? `This ${kindOf(credential)} is limited to some entities or fields, and a native call reaches all of them. Create one without these limits for it.`
      : `This ${kindOf(credential)} does not have the scope "${scope}". Create one with it in the management API or with unirec, and use it for this request.`,
    scope,
  )
}

export const mayUseEntity = ({ limits }: Credential, entityType: string): boolean =>
  limits.entities?.includes(entityType as EntityType) ?? true

export function requireEntity(credential: Credential, entityType: string): void {
  if (mayUseEntity(credential, entityType)) return
  throw insufficient(
    `This ${kindOf(credential)} is limited to ${credential.limits.entities?.join(', ')}. Create one without this limit, or with ${entityType.slice(0, 64)} in it.`,
  )
}

/** Of the change feed. A limited credential names the entities, or it would get all that are watched. */
export function requireNamedEntities(credential: Credential, named: readonly EntityType[] | undefined): void {
  for (const entityType of named ?? []) requireEntity(credential, entityType)
  const { entities } = credential.limits
  if (!named && entities)
    throw insufficient(
      `This ${kindOf(credential)} is limited to ${entities.join(', ')}. Name those that you want in entityType.`,
    )
}

/** Of an API that returns records whole. */
export function requireWholeRecords(credential: Credential): void {
  if (credential.limits.hiddenFields === undefined) return
  throw insufficient(
    `This ${kindOf(credential)} hides fields, so it works at /mcp only. Create one without hiddenFields for this request.`,
  )
}

/** An account of another workspace, or outside the limits of the credential, does not exist for the caller. */
export async function usableAccount(store: Store, credential: Credential, accountId: string): Promise<Account> {
  const isListed = credential.limits.accounts?.includes(accountId) ?? true
  const account = await store.accounts.get(accountId, credential)
  if (!account || account.workspaceId !== credential.workspaceId || !isListed)
    throw new Problem(
      'unknown_account',
      'There is no connected account with this id. Check accountId; the dashboard and the management API list the accounts.',
    )
  return account
}
