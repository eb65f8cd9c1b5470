// The uses that a caller's credential allows.

import { entities } from './entities/index.ts'
import type { EntityType } from './entity.ts'

export const scopes = [
  'records:read',
  'records:write',
  'changes',
  'native',
  'accounts:read',
  'connect:create',
  'manage',
] as const
export type Scope = (typeof scopes)[number]
/** The scopes of a credential that was created without any. A native call reaches everything, so it must be granted. */
export const defaultScopes: readonly Scope[] = ['records:read', 'records:write', 'changes']

/** The scopes that include another one. */
const included: Partial<Record<Scope, readonly Scope[]>> = { 'accounts:read': ['manage'], 'connect:create': ['manage'] }
/** The scopes that reach around a limit, so that the limit would protect nothing. */
export const unlimitedScopes = {
  accounts: ['connect:create', 'manage'],
  entities: ['native', 'manage'],
  hiddenFields: ['native', 'manage'],
} as const satisfies Record<string, readonly Scope[]>
type Limit = keyof typeof unlimitedScopes

export interface Permissions {
  scopes: readonly Scope[]
  accounts?: readonly string[] // absent: all of the workspace
  entities?: readonly EntityType[] // absent: all
  hiddenFields?: readonly string[] // fields of records, at any depth, that responses leave out
}
export interface Need {
  scope: Scope | 'any'
  accountId?: string | undefined
  entityType?: string | undefined
  /** An update replaces the whole record: hidden fields would be cleared. */
  replaces?: boolean | undefined
}

/** The one answer to: may this credential do that with this account and this entity? Undefined: yes. */
export function denialOf(permissions: Permissions, need: Need): 'scope' | Limit | undefined {
  const { scope, accountId, entityType, replaces } = need
  if (scope !== 'any') {
    if (![scope, ...(included[scope] ?? [])].some((one) => permissions.scopes.includes(one))) return 'scope'
    for (const limit of ['accounts', 'entities', 'hiddenFields'] as const)
      if (permissions[limit] && (unlimitedScopes[limit] as readonly Scope[]).includes(scope)) return limit
  }
  if (accountId !== undefined && permissions.accounts && !permissions.accounts.includes(accountId)) return 'accounts'
  if (entityType !== undefined && !entityAllowed(permissions, entityType)) return 'entities'
  if (replaces && permissions.hiddenFields?.some((name) => fieldsOf(entityType).includes(name))) return 'hiddenFields'
  return undefined
}
const entityAllowed = ({ entities }: Permissions, entityType: string) =>
  !entities || (entities as readonly string[]).includes(entityType)

/** Names of the fields of an entity, nested ones included. */
export const fieldsOf = (entityType: string | undefined): string[] =>
  namesIn(entities[entityType as EntityType]?.fields)
function namesIn(schema: unknown): string[] {
  const { properties = {}, items } = (schema ?? {}) as { properties?: Record<string, unknown>; items?: unknown }
  const nested = [...Object.values(properties), ...(items ? [items] : [])].flatMap(namesIn)
  return [...Object.keys(properties), ...nested]
}

/** A copy of records, or of anything that contains records, without these fields. */
export function withoutFields(value: unknown, hidden: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, hidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      hidden.includes(name) ? [] : [[name, withoutFields(inner, hidden)]],
    ),
  )
}
