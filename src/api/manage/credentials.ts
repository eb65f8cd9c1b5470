import { Type } from 'typebox'
import { createId, createSecret, hashSecret } from '../../accounts/secrets.ts'
import type { Credential, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const optionalText = Type.Optional(Type.String())
const workspace = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
const shown = {
  id: Type.String(),
  name: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  rotatedAt: optionalText,
  lastUsedAt: optionalText,
  revokedAt: optionalText,
}
const credential = Type.Object(shown, { additionalProperties: false })
const accessIdWithSecret = Type.Object(
  { ...shown, secret: Type.String({ description: 'Shown once' }) },
  { additionalProperties: false },
)
const apiKeyWithSecret = Type.Object(
  { ...shown, key: Type.String({ description: 'Shown once' }) },
  { additionalProperties: false },
)

const show = ({ id, name, createdAt, rotatedAt, lastUsedAt, revokedAt }: Credential) => ({
  id,
  name,
  createdAt,
  ...(rotatedAt ? { rotatedAt } : {}),
  ...(lastUsedAt ? { lastUsedAt } : {}),
  ...(revokedAt ? { revokedAt } : {}),
})

export async function createAccessId(store: Store, workspaceId: string, label: string) {
  const secret = createSecret('urs')
  const made = await store.credentials.create({
    id: createId('uri'),
    kind: 'access_id',
    workspaceId,
    name: label,
    secretHash: hashSecret(secret),
  })
  return { ...show(made), secret }
}
export async function createApiKey(store: Store, workspaceId: string, label: string) {
  const secret = createSecret('k').slice(2)
  const made = await store.credentials.create({
    id: createId('urk'),
    kind: 'api_key',
    workspaceId,
    name: label,
    secretHash: hashSecret(secret),
  })
  return { ...show(made), key: `${made.id}.${secret}` }
}

export function credentialRoutes(store: Store): ManageRoute[] {
  const workspaceOf = async (id: string) => (await store.workspaces.get(id)) ?? Promise.reject(missing('workspace'))
  const owned = async (workspaceId: string, id: string, kind: Credential['kind']) => {
    const found = await store.credentials.get(id)
    if (found?.workspaceId !== workspaceId || found.kind !== kind)
      throw missing(kind === 'api_key' ? 'API key' : 'access id')
    return found
  }
  const listing =
    (kind: Credential['kind']) =>
    async ({
      parameters,
      query,
    }: {
      parameters: Record<string, string>
      query: Record<string, string | undefined>
    }) => {
      await workspaceOf(parameters.workspaceId as string)
      const { data, next } = await store.credentials.list(parameters.workspaceId as string, kind, pageOf(query))
      return { data: data.map(show), ...(next ? { next } : {}) }
    }
  const revoking =
    (kind: Credential['kind']) =>
    async ({ parameters }: { parameters: Record<string, string> }) => {
      const { id } = await owned(parameters.workspaceId as string, parameters.id as string, kind)
      await store.credentials.revoke(id)
    }
  const tag = 'Credentials'
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces',
      operationId: 'listWorkspaces',
      summary: 'List workspaces',
      tag: 'Workspaces',
      query: pageQuery,
      answer: pageSchema(workspace),
      handle: ({ query }) => store.workspaces.list(pageOf(query)),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces',
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      tag: 'Workspaces',
      body: Type.Object({ name }, { additionalProperties: false }),
      answer: workspace,
      status: 201,
      handle: ({ body }) => store.workspaces.create({ id: createId('urw'), name: body.name }),
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}',
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      tag: 'Workspaces',
      answer: workspace,
      handle: ({ parameters }) => workspaceOf(parameters.workspaceId as string),
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/access-ids',
      operationId: 'listAccessIds',
      summary: 'List access ids',
      tag,
      query: pageQuery,
      answer: pageSchema(credential),
      handle: listing('access_id'),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces/{workspaceId}/access-ids',
      operationId: 'createAccessId',
      summary: 'Create an access id; its secret is shown once',
      tag,
      body: Type.Object({ name }, { additionalProperties: false }),
      answer: accessIdWithSecret,
      status: 201,
      handle: async ({ parameters, body }) =>
        createAccessId(store, (await workspaceOf(parameters.workspaceId as string)).id, body.name),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces/{workspaceId}/access-ids/{id}/rotate',
      operationId: 'rotateAccessId',
      summary: 'Rotate the secret; the old secret and all earlier tokens stop working immediately',
      tag,
      answer: accessIdWithSecret,
      handle: async ({ parameters }) => {
        const { id } = await owned(parameters.workspaceId as string, parameters.id as string, 'access_id')
        const secret = createSecret('urs')
        const rotated = await store.credentials.rotate(id, hashSecret(secret))
        if (!rotated) throw missing('access id')
        return { ...show(rotated), secret }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/workspaces/{workspaceId}/access-ids/{id}',
      operationId: 'revokeAccessId',
      summary: 'Revoke an access id and all its tokens',
      tag,
      handle: revoking('access_id'),
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/api-keys',
      operationId: 'listApiKeys',
      summary: 'List API keys',
      tag,
      query: pageQuery,
      answer: pageSchema(credential),
      handle: listing('api_key'),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces/{workspaceId}/api-keys',
      operationId: 'createApiKey',
      summary: 'Create an API key; it is shown once',
      tag,
      body: Type.Object({ name }, { additionalProperties: false }),
      answer: apiKeyWithSecret,
      status: 201,
      handle: async ({ parameters, body }) =>
        createApiKey(store, (await workspaceOf(parameters.workspaceId as string)).id, body.name),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/workspaces/{workspaceId}/api-keys/{id}',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      tag,
      handle: revoking('api_key'),
    }),
  ]
}
