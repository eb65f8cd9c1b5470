// The one place where a request is compared with what its credential may be used for, or its user may do: records,
// changes, native calls and the management API.
import type { FastifyRequest } from 'fastify'
import { missingIn } from '../accounts/lookup.ts'
import type { SearchField } from '../contract/connector.ts'
import { entityTypes } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import { type RequiredRole, roleDenial, type Standing } from '../contract/roles.ts'
import { denialOf, type Need, type Scope } from '../contract/scopes.ts'
import type { Credential } from '../store/store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: Scope | 'any' | 'people' // by default that of records, by the method; people: they and the admin token
    role?: RequiredRole // in the management API; by default that of installation admins
  }
}
type Limits = Pick<Credential, 'kind' | 'scopes' | 'accounts' | 'entities' | 'hiddenFields'>

const kindOf = ({ kind }: Limits) => (kind === 'api_key' ? 'API key' : 'access id')
const refused = (detail: string, extra: Record<string, unknown>, scope?: Scope) =>
  new Problem('insufficient_scope', detail, {
    headers: {
      'www-authenticate': `Bearer error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`,
    },
    extra,
  })

/** A workspace without a role is as unknown as one that does not exist. */
export function checkRole(request: FastifyRequest, standing: Standing): void {
  const { role: required = 'installation' } = request.routeOptions.config
  const denial = roleDenial(standing, required)
  if (denial === undefined) return
  if (denial === 'stranger') throw missingIn('workspaceId', 'workspace', '/workspaces')
  throw new Problem(
    'forbidden',
    required === 'installation'
      ? 'Only an installation admin can do this. Ask one of them.'
      : `Your role in this workspace is ${standing.role}; this needs ${required}. Ask an admin of the workspace for the role.`,
    { extra: { requiredRole: required } },
  )
}

/** Before anything is looked up. An account that the credential may not use is as unknown as one that does not exist. */
export function checkScope(request: FastifyRequest, credential: Limits): void {
  const { config } = request.routeOptions
  const { accountId, entityType } = request.params as { accountId?: string; entityType?: string }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const scope = config.refuses ? 'any' : (config.scope ?? (isRead ? 'records:read' : 'records:write'))
  if (scope === 'people')
    throw new Problem(
      'forbidden',
      `An ${kindOf(credential)} cannot do this, whatever its scopes. Sign in to the dashboard, or use the admin token.`,
    )
  if (credential.hiddenFields && (request.query as { include?: unknown }).include !== undefined)
    throw refused(
      `This ${kindOf(credential)} has hidden fields, which native rows would show. Remove include, or use another credential.`,
      { limit: 'hiddenFields' },
    )
  const replaces = request.method === 'PUT' && scope === 'records:write'
  checkNeed(credential, { scope, accountId, entityType, replaces })
}

export function checkNeed(credential: Limits, { scope, accountId, entityType, replaces }: Need): void {
  const knownType = entityTypes.find((one) => one === entityType) // for others the route explains what there is
  const denial = denialOf(credential, { scope, accountId, entityType: knownType, replaces })
  if (denial === undefined) return
  if (denial === 'scope')
    throw refused(
      `This ${kindOf(credential)} does not have the scope "${scope}". Give it the scope in the dashboard, with unirec or in the management API.`,
      { scope },
      scope as Scope,
    )
  if (denial === 'accounts' && accountId !== undefined) throw unknownAccount(credential)
  if (denial === 'entities' && knownType) checkEntities(credential, [knownType])
  if (denial === 'hiddenFields' && replaces)
    throw refused(
      `An update replaces the whole record, and this ${kindOf(credential)} does not see all of its fields. Use a credential without hidden fields.`,
      { limit: denial },
    )
  throw refused(
    `This ${kindOf(credential)} is limited by ${denial}, and "${scope}" cannot be limited that way. Use a credential without that limit.`,
    { scope, limit: denial },
  )
}

export function checkEntities(credential: Limits, named: readonly string[]): void {
  const denied = named.filter((entityType) => denialOf(credential, { scope: 'any', entityType }) !== undefined)
  if (denied.length > 0)
    throw refused(
      `This ${kindOf(credential)} is limited to ${credential.entities?.join(', ')}. Use another one for ${denied.join(', ')}.`,
      { limit: 'entities', entityTypes: denied },
    )
}

/** A search says which records have a value, so it must not look into hidden fields. `by`: what the platform searches. */
export function checkSearch(credential: Limits, by: readonly SearchField[] = []): void {
  const searched = by.map((field) => (field === 'number' ? 'orderNumber' : field))
  const hidden = searched.filter((field) => credential.hiddenFields?.includes(field))
  if (hidden.length > 0)
    throw refused(
      `A search would find records by ${hidden.join(' and ')}, which this ${kindOf(credential)} does not show. Use the id of the record or your externalId, or another credential.`,
      { limit: 'hiddenFields' },
    )
}

export const unknownAccount = (credential: Limits): Problem =>
  new Problem(
    'unknown_account',
    credential.accounts
      ? `This ${kindOf(credential)} is limited to some accounts, and this id is not among them. Check accountId, or use another credential.`
      : 'There is no connected account with this id. Check accountId; the dashboard and the management API list the accounts.',
  )

/** Of an object by entity type: what the credential may use. */
export function allowedEntities<T extends object>(credential: Limits | undefined, byType: T): T {
  const allowed = credential?.entities as readonly string[] | undefined
  if (!allowed) return byType
  return Object.fromEntries(Object.entries(byType).filter(([entityType]) => allowed.includes(entityType))) as T
}
