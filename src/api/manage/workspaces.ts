import { Type } from 'typebox'
import { existingWorkspace } from '../../accounts/lookup.ts'
import { createId } from '../../accounts/secrets.ts'
import { Problem } from '../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { HookKeeper } from '../../hooks/keeper.ts'
import { everyOf } from '../../store/paging.ts'
import type { Store } from '../../store/store.ts'
import { truth } from '../query.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery, pageSchema } from './route.ts'
import { refuseSecond, uniqueQuery } from './unique.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const workspace = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
const withName = 'a workspace with this name'
const tag = 'Workspaces'
const path = '/workspaces/{workspaceId}'

export function workspaceRoutes(store: Store, engine: Engine, hookKeeper: HookKeeper): ManageRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces',
      operationId: 'listWorkspaces',
      role: 'person',
      summary: 'List workspaces: all for an installation admin, otherwise those where you have a role',
      tag,
      query: pageQuery,
      answer: pageSchema(workspace),
      handle: ({ query, request: { operator } }) =>
        store.workspaces.list(pageOf(query), operator?.isAdmin === false ? operator.user : undefined),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces',
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      tag,
      body: Type.Object({ name }, { additionalProperties: false }),
      answer: workspace,
      status: 201,
      query: uniqueQuery(withName),
      problems: ['already_exists'],
      handle: ({ body, recorded, ...call }) =>
        recorded(async (inner) => {
          await refuseSecond(inner, call, withName, inner.workspaces.list, ({ name }) => name === body.name)
          return inner.workspaces.create({ id: createId('urw'), name: body.name })
        }),
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'getWorkspace',
      role: 'viewer',
      summary: 'Read a workspace',
      tag,
      answer: workspace,
      handle: ({ parameters }) => existingWorkspace(store, parameters.workspaceId),
    }),
    defineRoute({
      method: 'PATCH',
      path,
      operationId: 'renameWorkspace',
      scope: 'people',
      role: 'admin',
      summary: 'Rename a workspace; its id stays the same',
      tag,
      body: Type.Object({ name }, { additionalProperties: false }),
      answer: workspace,
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          const { id } = await existingWorkspace(inner, parameters.workspaceId)
          return inner.workspaces.rename(id, body.name)
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      operationId: 'deleteWorkspace',
      problems: ['resource_in_use'],
      scope: 'people',
      role: 'admin',
      summary:
        'Delete a workspace with its accounts, credentials, mappings, feeds, webhooks, activity and roles. The audit log stays',
      tag,
      query: {
        name: 'The name of the workspace, as a confirmation',
        force: '`true`: also while writes are open, whose outcome at the platform then stays unknown',
      },
      handle: async ({ parameters, query, recorded }) => {
        const found = await existingWorkspace(store, parameters.workspaceId)
        if (query.name !== found.name)
          throw new Problem(
            'invalid_parameter',
            'To delete a workspace, send its exact name as the parameter name: nothing of it can be restored.',
          )
        const { inFlight, unknown } = await store.journal.open(found.id)
        const open = inFlight + unknown
        if (open > 0 && !truth(query, 'force', false))
          throw new Problem(
            'resource_in_use',
            `${open} ${open === 1 ? 'write of this workspace is' : 'writes of this workspace are'} not finished. Wait until they are, or delete the workspace with force=true: what the platforms made of them then stays unknown.`,
          )
        const deleted: string[] = []
        for await (const account of everyOf((page) => store.accounts.list(found.id, page))) {
          await hookKeeper.leave(account) // while there are credentials
          deleted.push(account.id)
        }
        await recorded((inner) => inner.workspaces.delete(found.id))
        for (const id of deleted) engine.forgetFacts(id)
      },
    }),
  ]
}
