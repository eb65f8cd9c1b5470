// What a caller's credential may be used for.
import type { EntityType } from './entity.ts'

export const scopes = ['records:read', 'records:write', 'native'] as const
export type Scope = (typeof scopes)[number]
/** Of a credential that was created without scopes. A native call reaches everything, so it must be granted. */
export const defaultScopes: readonly Scope[] = ['records:read', 'records:write']
/** What a credential is limited to, beside its scopes. */
export interface CredentialLimits {
  accounts?: readonly string[] // their ids; absent: all of the workspace
  entities?: readonly EntityType[] // absent: all
  hiddenFields?: readonly string[] // names of fields that are left out of records, at any depth
}
