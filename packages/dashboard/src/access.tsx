// What the signed-in user may do in the workspace. The service checks it; the dashboard explains it beforehand.
import { createContext, useContext } from 'react'
import type { Session } from './types.ts'

const roles = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]
export type Needs = Role | 'installation'

export const roleChoices: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'viewer', label: 'Viewer', hint: 'Sees everything except secrets. Changes nothing.' },
  {
    value: 'operator',
    label: 'Operator',
    hint: 'Also changes records, accounts, mappings, watches, and webhook endpoints.',
  },
  { value: 'admin', label: 'Admin', hint: 'Also manages credentials, people, and the workspace itself.' },
]
export const roleLabel = (role: Role): string => roleChoices.find(({ value }) => value === role)?.label ?? role

export interface Access {
  /** Undefined: allowed, or not known yet. */
  denial(needs: Needs | undefined): string | undefined
}
export function accessOf(session: Session | undefined, workspaceId: string): Access {
  return {
    denial(needs) {
      if (needs === undefined || !session || session.isAdmin) return undefined
      if (needs === 'installation') return 'Only an installation admin can do this.'
      const role = session.roles[workspaceId]
      if (role && roles.indexOf(role) >= roles.indexOf(needs)) return undefined
      return `Your role is ${role ?? 'none'}. This needs ${needs}: ask an admin of the workspace.`
    },
  }
}
export const AccessContext = createContext<Access>({ denial: () => undefined })
export const useDenial = (needs: Needs | undefined): string | undefined => useContext(AccessContext).denial(needs)
export const useAccess = (): Access => useContext(AccessContext)
