// What a caller's credential may be used for.
export const scopes = ['records:read', 'records:write', 'native'] as const
export type Scope = (typeof scopes)[number]
/** Of a credential that was created without scopes. A native call reaches everything, so it must be granted. */
export const defaultScopes: readonly Scope[] = ['records:read', 'records:write']
