// Credentials of a workspace in the management API: they reach their own workspace, within their scopes.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { missingIn } from '../../accounts/lookup.ts'
import type { Authenticate, Caller } from '../authentication.ts'
import { checkScope } from '../scope.ts'
import { type Audit, type ManageRoute, mount } from './route.ts'

const ofWorkspace = '/workspaces/{workspaceId}'

/** `current` in the path is the workspace of the credential. Another workspace does not exist for it. */
export function enterWorkspace(request: FastifyRequest, { credential, workspaceId }: Caller): void {
  checkScope(request, credential)
  const parameters = request.params as { workspaceId?: string }
  if (parameters.workspaceId === 'current') parameters.workspaceId = workspaceId
  if (parameters.workspaceId !== workspaceId) throw missingIn('workspaceId', 'workspace', '/workspaces')
  request.operator = { credential }
}

/** Routes with a scope of their own are also served without the workspace in the path: /accounts, /connect-links. */
export const shortRoutes = (routes: readonly ManageRoute[]): ManageRoute[] =>
  routes.flatMap((route) =>
    route.scope === 'accounts:read' || route.scope === 'connect:create'
      ? [{ ...route, path: route.path.replace(ofWorkspace, '') }]
      : [],
  )

export function mountShortRoutes(
  app: FastifyInstance,
  routes: readonly ManageRoute[],
  { authenticate, audit }: { authenticate: Authenticate; audit: Audit },
): void {
  app.addHook('onRequest', async (request) => {
    const caller = await authenticate(request)
    Object.assign(request.params as object, { workspaceId: caller.workspaceId })
    enterWorkspace(request, caller)
  })
  for (const route of shortRoutes(routes)) mount(app, route, audit)
}
