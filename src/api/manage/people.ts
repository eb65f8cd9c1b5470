// Who may do what: the members of a workspace, and the users of the installation.

import { existingWorkspace, missingIn } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import { member, role, user } from '../../contract/manage/people.ts'
import { flag, listOf, object, pageSchema } from '../../contract/schema.ts'
import type { Store, UserChange } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const members = '/workspaces/{workspaceId}/members'
const missingMember = () => missingIn('user', 'member', members)
export const missingUser = () => missingIn('user', 'user', '/users')

/** What became of a change, as a problem if it was refused. */
function checkChange(change: UserChange): void {
  if (change === 'missing') throw missingUser()
  if (change === 'last')
    throw new Problem(
      'resource_in_use',
      'This is the last installation admin. Make another user an installation admin first.',
    )
}

export function peopleRoutes(store: Store): ManageRoute[] {
  return [...memberRoutes(store), ...userRoutes(store)]
}

function memberRoutes(store: Store): ManageRoute[] {
  const tag = 'People'
  return [
    defineRoute({
      method: 'GET',
      path: members,
      operationId: 'listMembers',
      scope: 'people',
      role: 'viewer',
      summary: 'List who has a role in the workspace. Installation admins have all rights without one',
      tag,
      query: pageQuery,
      answer: pageSchema(member),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        return store.members.list(id, pageOf(query))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${members}/{user}`,
      operationId: 'setMember',
      scope: 'people',
      role: 'admin',
      summary: 'Change the role of a member, effective immediately. New members need an invitation',
      tag,
      body: object({ role }),
      answer: member,
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          const { id } = await existingWorkspace(inner, parameters.workspaceId)
          const name = parameters.user as string
          if (!(await inner.members.get(id, name))) throw missingMember()
          await inner.members.put(id, { user: name, role: body.role })
          return inner.members.get(id, name)
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${members}/{user}`,
      operationId: 'removeMember',
      scope: 'people',
      role: 'admin',
      summary: 'Remove a member from the workspace, effective immediately',
      tag,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => {
          const { id } = await existingWorkspace(inner, parameters.workspaceId)
          if (!(await inner.members.delete(id, parameters.user as string))) throw missingMember()
        }),
    }),
  ]
}

function userRoutes(store: Store): ManageRoute[] {
  const tag = 'People'
  return [
    defineRoute({
      method: 'GET',
      path: '/users',
      operationId: 'listUsers',
      summary: 'List all users of the installation',
      tag,
      answer: object({ data: listOf(user) }),
      handle: async () => ({ data: await store.users.list() }),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/users/{user}',
      operationId: 'changeUser',
      problems: ['resource_in_use'],
      summary: 'Make a user an installation admin, or end that; effective immediately',
      tag,
      body: object({ isAdmin: flag() }),
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          checkChange(await inner.users.setAdmin(parameters.user as string, body.isAdmin))
          return { role: body.isAdmin ? 'installation admin' : 'none' }
        }).then(() => undefined),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/{user}',
      operationId: 'deleteUser',
      problems: ['resource_in_use'],
      summary: 'Delete a user with all roles and sessions',
      tag,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => checkChange(await inner.users.delete(parameters.user as string))),
    }),
  ]
}
