// The rights of a person in the management API. An installation admin may do everything.

/** Each role of a workspace includes the ones before it. */
export const roles = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]
/**
 * What a route needs. `person`: any signed-in user. `installation`: an installation admin, because the route is not
 * about one workspace.
 */
export type RequiredRole = Role | 'person' | 'installation'

export interface Standing {
  isAdmin: boolean // of the installation
  role?: Role // in the workspace of the request
}

/** The one answer to: may this person do that? `stranger`: not a member of the workspace. Undefined: yes. */
export function roleDenial({ isAdmin, role }: Standing, required: RequiredRole): 'stranger' | 'role' | undefined {
  if (isAdmin || required === 'person') return undefined
  if (required === 'installation') return 'role'
  if (role === undefined) return 'stranger'
  return roles.indexOf(role) >= roles.indexOf(required) ? undefined : 'role'
}
