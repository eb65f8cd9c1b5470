// Which scope and which role each operation needs, written down a second time: the service must agree.
import type { RequiredRole, Role } from '../../src/contract/roles.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import type { Operation } from './matrix.ts'

export type Need = Scope | 'any' | 'people'

const table: [path: RegExp, need: Need | { read: Need; write: Need }][] = [
  [/\/unified\/\{accountId\}$/, 'any'],
  [/\/unified\/\{accountId\}\/changes/, 'changes'],
  [/\/unified\/\{accountId\}\/native/, 'native'],
  [/\/unified\//, { read: 'records:read', write: 'records:write' }],
  [/\/(api-keys|access-ids)(\/|$)/, { read: 'manage', write: 'people' }],
  [/\/(explorer|migrations|mappings\/preview|sandbox-keys|members|invitations)(\/|$)/, 'people'],
  [/\/workspaces\/\{workspaceId\}$/, { read: 'manage', write: 'people' }],
  [/\/writes\/\{writeId\}$/, 'people'],
  [/\/connect-links(\/|$)/, 'connect:create'],
  [/\/accounts(\/\{accountId\})?$/, { read: 'accounts:read', write: 'manage' }],
  [/\/workspaces\/\{workspaceId\}/, 'manage'],
  [/^\/manage\//, 'people'],
]
export function needOf({ method, path, operationId }: Operation): Need {
  const need = table.find(([pattern]) => pattern.test(path))?.[1]
  if (need === undefined) throw new Error(`${operationId} needs a decision: which scope? Add it to the table.`)
  return typeof need === 'string' ? need : method === 'GET' ? need.read : need.write
}
export const opensBy = (scopes: readonly Scope[], need: Need): boolean =>
  need === 'any' ||
  (need !== 'people' && scopes.includes(need)) ||
  ((need === 'accounts:read' || need === 'connect:create') && scopes.includes('manage'))

const roleTable: [operation: RegExp, role: RequiredRole | { read: RequiredRole; write: RequiredRole }][] = [
  [/ \/(sessions|platforms|users\/current)(\/|$)/, 'person'],
  [/^GET \/workspaces$/, 'person'],
  [/ \/(workspaces|users|audit|sandbox)(\/|$)(?!\{workspaceId\})/, 'installation'],
  [/\/(preview|provenance|validation|dry-run)$/, 'viewer'],
  [
    /\/(api-keys|access-ids|platform-apps|members|branding|settings|erasures)(\/|$)/,
    { read: 'viewer', write: 'admin' },
  ],
  [/\/sandbox-keys$/, 'operator'],
  [/\/invitations(\/|$)/, 'admin'],
  [/\{workspaceId\}$/, { read: 'viewer', write: 'admin' }],
  [/./, { read: 'viewer', write: 'operator' }],
]
export function roleNeededBy({ method, path }: Operation): RequiredRole {
  const operation = `${method} ${path.replace('/manage/v1', '')}`
  const role = roleTable.find(([pattern]) => pattern.test(operation))?.[1] ?? 'installation'
  return typeof role === 'string' ? role : method === 'GET' ? role.read : role.write
}
const included: Record<Role, readonly RequiredRole[]> = {
  viewer: ['person', 'viewer'],
  operator: ['person', 'viewer', 'operator'],
  admin: ['person', 'viewer', 'operator', 'admin'],
}
export const allowedAs = (role: Role | undefined, needed: RequiredRole): boolean =>
  role === undefined ? needed === 'person' : included[role].includes(needed)
