// Connect links for end customers.

import type { ConnectParts } from '../../accounts/connect.ts'
import { createConnectLink } from '../../accounts/connect-links.ts'
import { missingIn, ofWorkspace } from '../../accounts/lookup.ts'
import { connectLink, connectOffer, createdConnectLink } from '../../contract/manage/connect-links.ts'
import { object, optional, pageSchema, whole } from '../../contract/schema.ts'
import type { ConnectLink } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const statusOf = (found: ConnectLink) =>
  found.connectedAt
    ? 'connected'
    : found.revokedAt
      ? 'revoked'
      : Date.parse(found.expiresAt) <= Date.now()
        ? 'expired'
        : 'open'
const showLink = (found: ConnectLink) => {
  const { workspaceId: _, signingSecret: __, attempt: ___, revokedAt: ____, connectedAt: _____, ...shown } = found
  return Object.fromEntries(
    Object.entries({ ...shown, status: statusOf(found) }).filter(([, value]) => value !== undefined),
  )
}

export function connectLinkRoutes(
  { store, ...parts }: Pick<ConnectParts, 'store' | 'engine' | 'connectors'>,
  baseUrl: () => string,
): ManageRoute[] {
  const tag = 'Connect'
  const base = '/workspaces/{workspaceId}/connect-links'
  const keyOf = (parameters: Record<string, string>) => ({
    workspaceId: parameters.workspaceId as string,
    id: parameters.linkId as string,
  })
  return [
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'createConnectLink',
      role: 'operator',
      scope: 'connect:create',
      summary: 'Create a link that lets a customer connect one account; url and signingSecret are shown once',
      tag,
      body: object({
        ...connectOffer,
        expiresInMinutes: optional(whole('Default 60, at most 7 days', { minimum: 1, maximum: 7 * 24 * 60 })),
      }),
      answer: createdConnectLink,
      status: 201,
      handle: ({ parameters, body: { expiresInMinutes = 60, ...offered }, recorded }) =>
        recorded(async (inner) => {
          const workspaceId = parameters.workspaceId as string
          const made = await createConnectLink({ ...parts, store: inner }, workspaceId, offered, expiresInMinutes)
          const { link: shown, token } = made
          return {
            ...showLink(shown),
            url: `${baseUrl()}/connect/${shown.manage ? 'account/' : ''}${token}`,
            signingSecret: shown.signingSecret,
          }
        }),
    }),
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listConnectLinks',
      role: 'viewer',
      scope: 'connect:create',
      summary: 'List connect links; used, expired, and revoked links are kept for 30 days',
      tag,
      query: pageQuery,
      answer: pageSchema(connectLink),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.connectLinks.list(parameters.workspaceId as string, pageOf(query))
        return { data: data.map(showLink), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{linkId}`,
      operationId: 'getConnectLink',
      role: 'viewer',
      scope: 'connect:create',
      summary: 'Read a connect link',
      tag,
      answer: connectLink,
      handle: async ({ parameters }) => {
        const found = await store.connectLinks.get(keyOf(parameters))
        if (!found) throw missingIn('linkId', 'connect link', ofWorkspace('/connect-links'))
        return showLink(found)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{linkId}`,
      operationId: 'revokeConnectLink',
      role: 'operator',
      scope: 'connect:create',
      summary: 'Revoke a connect link; a connected account is kept',
      tag,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => {
          if (!(await inner.connectLinks.revoke(keyOf(parameters))))
            throw missingIn('linkId', 'connect link', ofWorkspace('/connect-links'))
        }),
    }),
  ]
}
