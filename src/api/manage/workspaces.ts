import { existingWorkspace } from '../../accounts/lookup.ts'
import { environmentFaults } from '../../accounts/platform-apps.ts'
import { createId } from '../../accounts/secrets.ts'
import { Problem } from '../../contract/errors.ts'
import { testMark, workspace, workspaceName } from '../../contract/manage/workspaces.ts'
import { object, optional, pageSchema } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import type { HookKeeper } from '../../platform-webhooks/registrar.ts'
import { everyOf } from '../../store/paging.ts'
import type { Store, Workspace } from '../../store/store.ts'
import { truth } from '../query.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'
import { refuseSecond, uniqueQuery } from './unique.ts'

const show = ({ isTest, ...shown }: Workspace) => ({ ...shown, test: isTest || undefined })
const withName = 'a workspace with this name'
const tag = 'Workspaces'
const path = '/workspaces/{workspaceId}'

/** A workspace with accounts of the other kind keeps its mark. */
async function checkMark(store: Store, engine: Engine, id: string, isTest: boolean): Promise<void> {
  const inUse = (what: string, next: string) =>
    new Problem(
      'resource_in_use',
      `The workspace has ${what}, so it ${isTest ? 'cannot become' : 'stays'} a test workspace. ${next}`,
    )
  for await (const account of everyOf((page) => store.accounts.list(id, page)))
    if (!isTest) throw inUse('accounts', 'Delete them first, or create another workspace.')
    else if (engine.testFault({ ...account, testOnly: true }))
      throw inUse(
        `the account ${account.id}, which is not in a test environment`,
        'Create another workspace for tests.',
      )
  const apps = isTest ? await store.platformApps.list(id) : []
  const app = apps.find((one) => environmentFaults(engine, one).length > 0)
  if (app)
    throw inUse(`an application of ${app.platform} that is not of a test environment`, 'Replace or delete it first.')
}

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
      handle: async ({ query, request: { operator } }) => {
        const user = operator?.isAdmin === false ? operator.user : undefined
        const { data, next } = await store.workspaces.list(pageOf(query), user)
        return { data: data.map(show), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces',
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      tag,
      body: object({ name: workspaceName, test: testMark }),
      answer: workspace,
      status: 201,
      query: uniqueQuery(withName),
      problems: ['already_exists'],
      handle: async ({ body, recorded, ...call }) =>
        show(
          await recorded(async (inner) => {
            await refuseSecond(inner, call, withName, inner.workspaces.list, ({ name }) => name === body.name)
            return inner.workspaces.create({ id: createId('urw'), name: body.name, isTest: body.test ?? false })
          }),
        ),
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'getWorkspace',
      role: 'viewer',
      summary: 'Read a workspace',
      tag,
      answer: workspace,
      handle: async ({ parameters }) => show(await existingWorkspace(store, parameters.workspaceId)),
    }),
    defineRoute({
      method: 'PATCH',
      path,
      operationId: 'changeWorkspace',
      scope: 'people',
      role: 'admin',
      summary: 'Rename a workspace, or mark it as a test workspace; its id stays the same',
      tag,
      body: object({ name: optional(workspaceName), test: testMark }, { minProperties: 1 }),
      answer: workspace,
      problems: ['resource_in_use'],
      handle: async ({ parameters, body, recorded }) => {
        const changed = await recorded(async (inner) => {
          const found = await existingWorkspace(inner, parameters.workspaceId)
          if (body.name !== undefined) await inner.workspaces.rename(found.id, body.name)
          if (body.test !== undefined && body.test !== found.isTest) {
            // Marked first: what is connected at the same time waits, and is checked then.
            await inner.workspaces.mark(found.id, body.test)
            await checkMark(inner, engine, found.id, body.test)
          }
          return existingWorkspace(inner, found.id)
        })
        if (body.test !== undefined)
          for await (const account of everyOf((page) => store.accounts.list(changed.id, page)))
            engine.forgetFacts(account.id)
        return show(changed)
      },
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
