// How the pages for customers present a workspace.

import { setBranding } from '../../accounts/branding.ts'
import { existingWorkspace } from '../../accounts/lookup.ts'
import { branding } from '../../contract/manage/branding.ts'
import type { Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export function brandingRoutes(store: Store): ManageRoute[] {
  const tag = 'Connect'
  const path = '/workspaces/{workspaceId}/branding'
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'getBranding',
      role: 'viewer',
      summary: 'How the connect pages present a workspace',
      tag,
      answer: branding,
      handle: async ({ parameters }) => store.branding.get((await existingWorkspace(store, parameters.workspaceId)).id),
    }),
    defineRoute({
      method: 'PUT',
      path,
      operationId: 'setBranding',
      role: 'admin',
      summary: 'Replace how the connect pages present a workspace; fields that are absent get their default',
      tag,
      body: branding,
      answer: branding,
      handle: ({ parameters, body, recorded }) =>
        recorded((inner) => setBranding(inner, parameters.workspaceId as string, body)),
    }),
  ]
}
