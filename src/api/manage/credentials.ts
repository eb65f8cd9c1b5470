import { type Static, Type } from 'typebox'
import { createAccessId, createApiKey, revokeCredential, rotateAccessId } from '../../accounts/credentials.ts'
import { existingWorkspace } from '../../accounts/lookup.ts'
import { createId } from '../../accounts/secrets.ts'
import { entityTypes } from '../../contract/entity.ts'
import { defaultScopes, scopes } from '../../contract/scopes.ts'
import type { Credential, Store } from '../../store/store.ts'
import { defineRoute, type ManageCall, type ManageRoute, pageOf, pageQuery, pageSchema } from './route.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const optionalText = Type.Optional(Type.String())
const workspace = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
const scope = Type.Union(scopes.map((one) => Type.Literal(one)))
const limitsSchema = Type.Object(
  {
    accounts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: 'Ids of the accounts that it can use; by default all of the workspace',
      }),
    ),
    entities: Type.Optional(
      Type.Array(Type.Union(entityTypes.map((one) => Type.Literal(one))), {
        minItems: 1,
        uniqueItems: true,
        description: 'Entities that it can use; by default all. Native calls are not possible with it',
      }),
    ),
    hiddenFields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^(?!externalId$)\\w+$' }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Names of fields that are left out of all records, such as `email`, `phone` and `address`. Such a credential works at `/mcp` only, and native calls are not possible with it',
      }),
    ),
  },
  { additionalProperties: false, description: 'What the credential is limited to, beside its scopes' },
)
const created = Type.Object(
  {
    name,
    limits: Type.Optional(limitsSchema),
    scopes: Type.Optional(
      Type.Array(scope, {
        minItems: 1,
        uniqueItems: true,
        description: `What the credential may be used for; by default ${defaultScopes.join(' and ')}. Native calls need \`native\``,
      }),
    ),
  },
  { additionalProperties: false },
)
const shown = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(scope),
  limits: limitsSchema,
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

const show = ({ id, name, scopes, limits, createdAt, rotatedAt, lastUsedAt, revokedAt }: Credential) => ({
  id,
  name,
  scopes: [...scopes],
  limits: limits as Static<typeof limitsSchema>,
  createdAt,
  rotatedAt,
  lastUsedAt,
  revokedAt,
})

export function credentialRoutes(store: Store): ManageRoute[] {
  const listing =
    (kind: Credential['kind']) =>
    async ({
      parameters,
      query,
    }: {
      parameters: Record<string, string>
      query: Record<string, string | undefined>
    }) => {
      await existingWorkspace(store, parameters.workspaceId)
      const { data, next } = await store.credentials.list(parameters.workspaceId as string, kind, pageOf(query))
      return { data: data.map(show), next }
    }
  const revoking =
    (kind: Credential['kind']) =>
    ({ parameters, recorded }: Pick<ManageCall<unknown>, 'parameters' | 'recorded'>) =>
      recorded((inner) => revokeCredential(inner, parameters.workspaceId as string, parameters.id as string, kind))
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
      handle: ({ body, recorded }) =>
        recorded((inner) => inner.workspaces.create({ id: createId('urw'), name: body.name })),
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}',
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      tag: 'Workspaces',
      answer: workspace,
      handle: ({ parameters }) => existingWorkspace(store, parameters.workspaceId),
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
      body: created,
      answer: accessIdWithSecret,
      status: 201,
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          const { workspaceId } = parameters as { workspaceId: string }
          const { credential, secret } = await createAccessId(inner, workspaceId, body.name, body.scopes, body.limits)
          return { ...show(credential), secret }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/workspaces/{workspaceId}/access-ids/{id}/rotate',
      operationId: 'rotateAccessId',
      summary: 'Rotate the secret; the old secret and all earlier tokens stop working immediately',
      tag,
      answer: accessIdWithSecret,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => {
          const { workspaceId, id } = parameters as { workspaceId: string; id: string }
          const { credential, secret } = await rotateAccessId(inner, workspaceId, id)
          return { ...show(credential), secret }
        }),
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
      body: created,
      answer: apiKeyWithSecret,
      status: 201,
      handle: ({ parameters, body, recorded }) =>
        recorded(async (inner) => {
          const { workspaceId } = parameters as { workspaceId: string }
          const { credential, key } = await createApiKey(inner, workspaceId, body.name, body.scopes, body.limits)
          return { ...show(credential), key }
        }),
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
