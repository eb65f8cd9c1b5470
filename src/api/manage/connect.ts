// Connect links for end customers.
import { Type } from 'typebox'
import type { ConnectParts } from '../../accounts/connect.ts'
import { createConnectLink } from '../../accounts/connect-links.ts'
import { missingIn, ofWorkspace } from '../../accounts/lookup.ts'
import { verticals } from '../../contract/entity.ts'
import { oneOf } from '../../contract/field.ts'
import { listOf, named, object, optional, pageSchema, text, time, whole } from '../../contract/manage/schema.ts'
import type { ConnectLink } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const vertical = oneOf(verticals, 'Limits the link to this vertical')
const offer = {
  platforms: optional(
    listOf(text(), 'Limits the link to these platforms; by default all that can be connected', {
      minItems: 1,
      maxItems: 50,
    }),
  ),
  vertical: optional(vertical),
  accountId: optional(text('Account to reconnect; keeps its references and mappings')),
  accountName: optional(text('Name of the new account', { maxLength: 200 })),
  newAccountId: optional(text('Id of the new account', { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' })),
  returnUrl: optional(text('The customer is redirected here with a signed result', { maxLength: 2000 })),
  manage: optional(
    Type.Literal(true, {
      description: 'Opens a page where the customer sees, reconnects and ends the connection of `accountId`',
    }),
  ),
  popupOrigin: optional(
    text('Origin of the page that opens the link in a popup; only this page gets the result', { maxLength: 300 }),
  ),
  purpose: optional(
    text('Why the customer is asked to connect; by default that of the branding', { minLength: 1, maxLength: 300 }),
  ),
  state: optional(text('Returned with the result', { maxLength: 500 })),
}
const link = named('ConnectLink', {
  id: text(),
  ...offer,
  status: oneOf(['open', 'connected', 'expired', 'revoked'], 'Only an open link can be used'),
  connectedAccountId: optional(text()),
  createdAt: time(),
  expiresAt: time(),
})
const created = named('CreatedConnectLink', {
  ...link.properties,
  url: text('Link for the customer; shown once'),
  signingSecret: text('Verifies the result sent to the return URL; shown once'),
})

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
        ...offer,
        expiresInMinutes: optional(whole('Default 60, at most 7 days', { minimum: 1, maximum: 7 * 24 * 60 })),
      }),
      answer: created,
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
      answer: pageSchema(link),
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
      answer: link,
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
