// How the pages for customers present a workspace.

import { setBranding } from '../../accounts/branding.ts'
import { existingWorkspace } from '../../accounts/lookup.ts'
import { named, optional, text } from '../../contract/manage/schema.ts'
import type { Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const branding = named('Branding', {
  name: optional(text('By default the name of the workspace', { minLength: 1, maxLength: 100 })),
  logo: optional(
    text('PNG, JPEG or WebP image of at most 64 KiB, as a data URL: `data:image/png;base64,…`', { maxLength: 90_000 }),
  ),
  color: optional(
    text('Of buttons, such as `#1f5fd0`; needs a contrast of at least 4.5 with white text', { maxLength: 7 }),
  ),
  privacyUrl: optional(text('Your privacy policy: https, or http on localhost', { maxLength: 2000 })),
  purpose: optional(
    text('Why customers are asked to connect; shown as written, in every language', { minLength: 1, maxLength: 300 }),
  ),
})

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
