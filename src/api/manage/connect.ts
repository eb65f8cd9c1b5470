// Links for end customers, and the operator's applications at OAuth platforms that such links authorise.
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { type Vertical, verticals } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import type { ConnectLink, Store } from '../../store/store.ts'
import { obstacle } from '../connect/offers.ts'
import { resultParameters } from '../connect/result.ts'
import { createId, createSecret, hashSecret } from '../secrets.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const time = Type.String({ format: 'date-time' })
const vertical = oneOf(verticals, 'Only this vertical')
const offer = {
  platforms: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'Only these; all that can be connected, unless told' })),
  vertical: Type.Optional(vertical),
  accountId: Type.Optional(Type.String({ description: 'An account to be connected again; its references and mappings stay' })),
  accountName: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the new account' })),
  newAccountId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', description: 'Id of the new account' })),
  returnUrl: Type.Optional(Type.String({ maxLength: 2000, description: 'Where the customer is sent afterwards, with a signed result' })),
  state: Type.Optional(Type.String({ maxLength: 500, description: 'Handed back with the result' })),
}
const link = Type.Object(
  {
    id: Type.String(),
    ...offer,
    status: oneOf(['open', 'connected', 'expired', 'revoked'], 'Only an open one can be used'),
    connectedAccountId: Type.Optional(Type.String()),
    createdAt: time,
    expiresAt: time,
  },
  { additionalProperties: false },
)
const created = Type.Object(
  {
    ...link.properties,
    url: Type.String({ description: 'For the customer; shown once' }),
    signingSecret: Type.String({ description: 'Verifies the result at the return URL; shown once' }),
  },
  { additionalProperties: false },
)

const statusOf = (found: ConnectLink) => (found.connectedAt ? 'connected' : found.revokedAt ? 'revoked' : Date.parse(found.expiresAt) <= Date.now() ? 'expired' : 'open')
const showLink = (found: ConnectLink) => {
  const { workspaceId: _, signingSecret: __, attempt: ___, revokedAt: ____, connectedAt: _____, ...shown } = found
  return Object.fromEntries(Object.entries({ ...shown, status: statusOf(found) }).filter(([, value]) => value !== undefined))
}

/** https, or a machine of one's own; without anything that is ours to add. */
function returnFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || (url.protocol !== 'https:' && !local) || url.username || url.password) return 'must be an https URL (http only on localhost)'
  if (url.hash) return 'must have no fragment'
  return resultParameters.some((name) => url.searchParams.has(name)) ? `must not use ${resultParameters.join(', ')} in its query` : undefined
}

async function faults(
  store: Store,
  connectors: Readonly<Record<string, Connector>>,
  workspaceId: string,
  wanted: { platforms?: string[]; vertical?: Vertical; accountId?: string; newAccountId?: string; returnUrl?: string },
): Promise<Violation[]> {
  const errors: Violation[] = []
  const add = (pointer: string, message: string | undefined) => message !== undefined && errors.push({ pointer, message })
  for (const [index, platform] of (wanted.platforms ?? []).entries()) add(`/platforms/${index}`, await obstacle(store, workspaceId, connectors[platform], wanted.vertical))
  if (wanted.returnUrl !== undefined) add('/returnUrl', returnFault(wanted.returnUrl))
  if (wanted.newAccountId !== undefined && (await store.accounts.get(wanted.newAccountId))) add('/newAccountId', 'is the id of an account already')
  if (wanted.accountId === undefined) return errors
  const account = await store.accounts.get(wanted.accountId)
  if (account?.workspaceId !== workspaceId) add('/accountId', 'is not an account of this workspace')
  else if (wanted.platforms || wanted.vertical || wanted.newAccountId) add('/accountId', 'stands alone: the account has its platform, vertical and id')
  else add('/accountId', await obstacle(store, workspaceId, connectors[account.platform], account.vertical))
  return errors
}

export function connectLinkRoutes(store: Store, connectors: Readonly<Record<string, Connector>>, baseUrl: () => string): ManageRoute[] {
  const tag = 'Connect'
  const base = '/workspaces/{workspaceId}/connect-links'
  const keyOf = (parameters: Record<string, string>) => ({ workspaceId: parameters.workspaceId as string, id: parameters.linkId as string })
  return [
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'createConnectLink',
      summary: 'Make a link with which an end customer connects one account; url and signingSecret are shown only now',
      tag,
      body: Type.Object(
        { ...offer, expiresInMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 * 24 * 60, description: '60 unless told, at most 7 days' })) },
        { additionalProperties: false },
      ),
      answer: created,
      status: 201,
      handle: async ({ parameters, body: { expiresInMinutes = 60, ...wanted } }) => {
        const workspaceId = parameters.workspaceId as string
        if (!(await store.workspaces.get(workspaceId))) throw missing('workspace')
        const errors = await faults(store, connectors, workspaceId, wanted)
        if (errors.length > 0) throw new Problem('validation_failed', 'The link cannot be made like this.', { errors })
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
      summary: 'List connect links; dead ones are kept for 30 days',
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
      summary: 'Revoke a connect link; an account that it connected stays',
      tag,
      handle: async ({ parameters }) => {
        if (!(await store.connectLinks.revoke(keyOf(parameters)))) throw missing('connect link')
      },
    }),
  ]
}
