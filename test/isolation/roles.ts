// Every operation of the management API × every role: a person gets what the role allows, and nothing else.
import { fingerprint, type Matrix, missingSide, type Operation, withoutValuesOf } from './matrix.ts'
import { allowedAs, roleNeededBy } from './needs.ts'
import { askAs, isRefusal } from './scopes.ts'
import type { Reply, World } from './world.ts'

export async function runRoles(world: World, operations: readonly Operation[]): Promise<Matrix> {
  const { own, foreign, people } = world
  const missing = missingSide(foreign)
  const matrix: Matrix = { cells: 0, leaks: [] }
  const bare = withoutValuesOf(missing, foreign, own)
  const leak = ({ operationId }: Operation, who: string, { status, text }: Reply, what: string) =>
    matrix.leaks.push(`${operationId} with ${who}: ${what} (${status} ${text.slice(0, 200)})`)

  for (const operation of operations) {
    if (operation.form !== 'manage') continue
    const needed = roleNeededBy(operation)
    if (operation.role !== needed)
      matrix.leaks.push(`${operation.operationId}: the document says ${operation.role}, not ${needed}`)
    // It would end the session of the following cells.
    if (operation.operationId === 'logOut') continue
    const ofWorkspace = operation.path.includes('{workspaceId}')
    for (const { name, role, token } of people) {
      const allowed = allowedAs(role, needed)
      const changes = allowed && operation.method !== 'GET'
      const reply = await askAs(
        world,
        matrix,
        operation,
        token,
        changes ? { ...missing, workspaceId: own.workspaceId } : own,
      )
      if (allowed && (reply.status === 401 || isRefusal(reply))) leak(operation, name, reply, 'it was refused')
      if (allowed && operation.method === 'GET' && reply.text.includes(foreign.workspaceId) && !ofWorkspace)
        if (role !== undefined) leak(operation, name, reply, 'it shows the other workspace')
      if (!allowed && role === undefined && ofWorkspace) {
        const nowhere = await askAs(world, matrix, operation, token, { ...own, workspaceId: 'urw_nowhere' })
        if (reply.status !== 404 || fingerprint(reply, bare) !== fingerprint(nowhere, bare))
          leak(operation, name, reply, 'the workspace differs from one that does not exist')
      } else if (!allowed && !isRefusal(reply)) leak(operation, name, reply, 'it was not refused')
    }
  }
  return matrix
}
