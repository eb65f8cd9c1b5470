// Which scope each operation needs, written down a second time: the service must agree.
import type { Scope } from '../../src/contract/scopes.ts'
import type { Operation } from './matrix.ts'

export type Need = Scope | 'any' | 'operator'

const table: [path: RegExp, need: Need | { read: Need; write: Need }][] = [
  [/\/unified\/\{accountId\}$/, 'any'],
  [/\/unified\/\{accountId\}\/changes/, 'changes'],
  [/\/unified\/\{accountId\}\/native/, 'native'],
  [/\/unified\//, { read: 'records:read', write: 'records:write' }],
  [/\/(api-keys|access-ids)(\/|$)/, { read: 'manage', write: 'operator' }],
  [/\/(explorer|mappings\/preview|sandbox-keys)(\/|$)/, 'operator'],
  [/\/connect-links(\/|$)/, 'connect:create'],
  [/\/accounts(\/\{accountId\})?$/, { read: 'accounts:read', write: 'manage' }],
  [/\/workspaces\/\{workspaceId\}/, 'manage'],
  [/^\/manage\//, 'operator'],
]
export function needOf({ method, path, operationId }: Operation): Need {
  const need = table.find(([pattern]) => pattern.test(path))?.[1]
  if (need === undefined) throw new Error(`${operationId} needs a decision: which scope? Add it to the table.`)
  return typeof need === 'string' ? need : method === 'GET' ? need.read : need.write
}
export const opensBy = (scopes: readonly Scope[], need: Need): boolean =>
  need === 'any' ||
  (need !== 'operator' && scopes.includes(need)) ||
  ((need === 'accounts:read' || need === 'connect:create') && scopes.includes('manage'))
