import {
  changeCredential,
  createAccessId,
  createApiKey,
  type Issued,
  revokeCredential,
  rotateCredential,
} from '../../accounts/credentials.ts'
import { existingWorkspace } from '../../accounts/lookup.ts'
import { credential, credentialSettings, shownCredential } from '../../contract/manage/credentials.ts'
import { object, pageSchema, text } from '../../contract/schema.ts'
import type { Credential, PageQuery, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'
import { refuseSecond, uniqueQuery } from './unique.ts'

const show = ({ kind: _, workspaceId: __, secretHash: ___, generation: ____, ...rest }: Credential) => rest

interface Kind {
  kind: Credential['kind']
  path: string
  what: string
  operations: Record<'list' | 'create' | 'change' | 'rotate' | 'revoke', string>
  secret: 'secret' | 'key' // the name of what is shown once
  create: typeof createApiKey
}
const kinds: Kind[] = [
  {
    kind: 'access_id',
    path: '/workspaces/{workspaceId}/access-ids',
    what: 'access id',
    operations: {
      list: 'listAccessIds',
      create: 'createAccessId',
      change: 'changeAccessId',
      rotate: 'rotateAccessId',
      revoke: 'revokeAccessId',
    },
    secret: 'secret',
    create: createAccessId,
  },
  {
    kind: 'api_key',
    path: '/workspaces/{workspaceId}/api-keys',
    what: 'API key',
    operations: {
      list: 'listApiKeys',
      create: 'createApiKey',
      change: 'changeApiKey',
      rotate: 'rotateApiKey',
      revoke: 'revokeApiKey',
    },
    secret: 'key',
    create: createApiKey,
  },
]

export function credentialRoutes(store: Store): ManageRoute[] {
  return kinds.flatMap((kind) => routesOf(store, kind))
}

function routesOf(store: Store, { kind, path, what, operations, secret, create }: Kind): ManageRoute[] {
  const tag = 'Credentials'
  const withName = `an ${what} with this name`
  const withSecret = object({ ...shownCredential, [secret]: text('Shown once') })
  const showIssued = (made: Issued) => ({ ...show(made.credential), [secret]: made.secret })
  const idsOf = (parameters: Record<string, string>) => parameters as { workspaceId: string; id: string }
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: operations.list,
      role: 'viewer',
      summary: `List ${what}s with their scopes, limits and last use`,
      tag,
      query: pageQuery,
      answer: pageSchema(credential),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const { data, next } = await store.credentials.list(id, kind, pageOf(query))
        return { data: data.map(show), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: operations.create,
      role: 'admin',
      scope: 'people', // a credential must not outlive its own limits by creating another one
      summary: `Create an ${what}; its ${secret} is shown once`,
      tag,
      body: credentialSettings,
      answer: withSecret,
      status: 201,
      query: uniqueQuery(withName),
      problems: ['already_exists'],
      handle: ({ body, recorded, ...call }) =>
        recorded(async (inner) => {
          const { workspaceId } = idsOf(call.parameters)
          const list = (page: PageQuery) => inner.credentials.list(workspaceId, kind, page)
          const isSame = ({ name, revokedAt }: Credential) => name === body.name && revokedAt === undefined
          await refuseSecond(inner, call, withName, list, isSame)
          return showIssued(await create(inner, workspaceId, body))
        }),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{id}`,
      operationId: operations.change,
      role: 'admin',
      scope: 'people',
      summary: `Replace name, scopes, limits and expiry of an ${what}; takes effect immediately`,
      tag,
      body: credentialSettings,
      answer: credential,
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          const { workspaceId, id } = idsOf(parameters)
          return show(await changeCredential(inner, workspaceId, id, kind, body))
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{id}/rotate`,
      operationId: operations.rotate,
      role: 'admin',
      scope: 'people',
      summary:
        kind === 'api_key'
          ? 'Replace the secret of an API key; the old key stops working immediately'
          : 'Rotate the secret; the old secret and all earlier tokens stop working immediately',
      tag,
      answer: withSecret,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => {
          const { workspaceId, id } = idsOf(parameters)
          return showIssued(await rotateCredential(inner, workspaceId, id, kind))
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: operations.revoke,
      role: 'admin',
      scope: 'people',
      summary: kind === 'api_key' ? 'Revoke an API key' : 'Revoke an access id and all its tokens',
      tag,
      handle: ({ parameters, recorded }) =>
        recorded((inner) => {
          const { workspaceId, id } = idsOf(parameters)
          return revokeCredential(inner, workspaceId, id, kind)
        }),
    }),
  ]
}
