// Connect links for end customers.
import { Type } from 'typebox'
import { obstacle } from '../../accounts/offers.ts'
import { resultParameters } from '../../accounts/result.ts'
import { createId, createSecret, hashSecret } from '../../accounts/secrets.ts'
import type { Connector } from '../../contract/connector.ts'
import { type Vertical, verticals } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import type { ConnectLink, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const time = Type.String({ format: 'date-time' })
const vertical = oneOf(verticals, 'Limits the link to this vertical')
const offer = {
  platforms: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      description: 'Limits the link to these platforms; by default all that can be connected',
    }),
  ),
  vertical: Type.Optional(vertical),
  accountId: Type.Optional(Type.String({ description: 'Account to reconnect; keeps its references and mappings' })),
  accountName: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the new account' })),
  newAccountId: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', description: 'Id of the new account' }),
  ),
  returnUrl: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The customer is redirected here with a signed result' }),
  ),
  state: Type.Optional(Type.String({ maxLength: 500, description: 'Returned with the result' })),
}
const link = Type.Object(
  {
    id: Type.String(),
    ...offer,
    status: oneOf(['open', 'connected', 'expired', 'revoked'], 'Only an open link can be used'),
    connectedAccountId: Type.Optional(Type.String()),
    createdAt: time,
    expiresAt: time,
  },
  { additionalProperties: false },
)
const created = Type.Object(
  {
    ...link.properties,
    url: Type.String({ description: 'Link for the customer; shown once' }),
    signingSecret: Type.String({ description: 'Verifies the result sent to the return URL; shown once' }),
  },
  { additionalProperties: false },
)

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

/** https, or http on localhost, without the parameters that the service adds. */
function returnFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || (url.protocol !== 'https:' && !local) || url.username || url.password)
    return 'must be an https URL (http only on localhost)'
  if (url.hash) return 'must not have a fragment'
  return resultParameters.some((name) => url.searchParams.has(name))
    ? `must not use ${resultParameters.join(', ')} in its query`
    : undefined
}

async function faults(
  store: Store,
  connectors: Readonly<Record<string, Connector>>,
  workspaceId: string,
  body: { platforms?: string[]; vertical?: Vertical; accountId?: string; newAccountId?: string; returnUrl?: string },
): Promise<Violation[]> {
  const errors: Violation[] = []
  const add = (pointer: string, message: string | undefined) =>
    message !== undefined && errors.push({ pointer, message })
  for (const [index, platform] of (body.platforms ?? []).entries())
    add(`/platforms/${index}`, await obstacle(store, workspaceId, connectors[platform], body.vertical))
  if (body.returnUrl !== undefined) add('/returnUrl', returnFault(body.returnUrl))
  if (body.newAccountId !== undefined && (await store.accounts.get(body.newAccountId)))
    add('/newAccountId', 'is already the id of an account')
  if (body.accountId === undefined) return errors
  const account = await store.accounts.get(body.accountId)
  if (account?.workspaceId !== workspaceId) add('/accountId', 'is not an account of this workspace')
  else if (body.platforms || body.vertical || body.newAccountId)
    add('/accountId', 'cannot be combined with platforms, vertical, or newAccountId: the account determines them')
  else add('/accountId', await obstacle(store, workspaceId, connectors[account.platform], account.vertical))
  return errors
}

export function connectLinkRoutes(
  store: Store,
  connectors: Readonly<Record<string, Connector>>,
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
      summary: 'Create a link that lets a customer connect one account; url and signingSecret are shown once',
      tag,
      body: Type.Object(
        {
          ...offer,
          expiresInMinutes: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 7 * 24 * 60, description: 'Default 60, at most 7 days' }),
          ),
        },
        { additionalProperties: false },
      ),
      answer: created,
      status: 201,
      handle: async ({ parameters, body: { expiresInMinutes = 60, ...wanted } }) => {
        const workspaceId = parameters.workspaceId as string
        if (!(await store.workspaces.get(workspaceId))) throw missing('workspace')
        const errors = await faults(store, connectors, workspaceId, wanted)
        if (errors.length > 0) throw new Problem('validation_failed', 'The connect link is not valid.', { errors })
        const token = createSecret('urcl')
        const signingSecret = createSecret('urcs')
        const made = await store.connectLinks.create({
          ...wanted,
          workspaceId,
          id: createId('urlink'),
          tokenHash: hashSecret(token),
          signingSecret,
          expiresAt: new Date(Date.now() + expiresInMinutes * 60_000).toISOString(),
        })
        return { ...showLink(made), url: `${baseUrl()}/connect/${token}`, signingSecret }
      },
    }),
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listConnectLinks',
      summary: 'List connect links; used, expired, and revoked links are kept for 30 days',
      tag,
      query: pageQuery,
      answer: pageSchema(link),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.connectLinks.list(parameters.workspaceId as string, pageOf(query))
        return { data: data.map(showLink), ...(next ? { next } : {}) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{linkId}`,
      operationId: 'getConnectLink',
      summary: 'Read a connect link',
      tag,
      answer: link,
      handle: async ({ parameters }) => {
        const found = await store.connectLinks.get(keyOf(parameters))
        if (!found) throw missing('connect link')
        return showLink(found)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{linkId}`,
      operationId: 'revokeConnectLink',
      summary: 'Revoke a connect link; a connected account is kept',
      tag,
      handle: async ({ parameters }) => {
        if (!(await store.connectLinks.revoke(keyOf(parameters)))) throw missing('connect link')
      },
    }),
  ]
}
