// Operations that need no credential: the token endpoint and reference data. They have the same address for callers of
// both forms.
import { entityTypes, verticals } from '../contract/entity.ts'
import { oneOf } from '../contract/field.ts'
import { platformSupport } from '../contract/records/support.ts'
import { anyObject, listOf, optional, shape, text, whole } from '../contract/schema.ts'
import { describe, type Operation } from './openapi-operation.ts'
import { problems } from './openapi-problems.ts'
import { openToAll } from './openapi-security.ts'
import { json, toOpenApi } from './openapi-spelling.ts'
import { formBPrefix } from './record-operations.ts'

type Json = Record<string, unknown>
export const tokenPath = `${formBPrefix}/oauth/server/access-token`

/** On the first server in both forms. */
const anywhere = (about?: string) => ({ ...openToAll(about), servers: [{ url: '/' }] })

const tokenError = shape('TokenError', {
  error: oneOf(['invalid_request', 'invalid_client', 'unsupported_grant_type']),
  error_description: optional(text()),
})
const tokenRequest = shape('TokenRequest', {
  client_id: text(),
  client_secret: text(),
  grant_type: oneOf(['client_credentials']),
})
const accessToken = shape('AccessToken', {
  access_token: text(),
  token_type: oneOf(['Bearer']),
  expires_in: whole(),
})
const errorEntry = shape('ErrorEntry', {
  code: text(),
  status: whole(),
  title: text(),
  meaning: text(),
  remedy: text(),
})
const schemaEntry = shape('SchemaEntry', {
  vertical: text(),
  entityType: text(),
  url: text('Path of the schema of bodies, with an example'),
  record: anyObject('Schema of a record in a response'),
  body: optional(anyObject('Schema of a body; absent for read-only entities')),
})

const tag = 'Token'
const getToken: Operation = {
  operationId: 'getAccessToken',
  summary: 'Exchange access id and secret for an access token',
  tag,
  access: anywhere('For form B. A token is valid for an hour; get the next one before it expires.'),
  body: { schema: tokenRequest, type: 'application/x-www-form-urlencoded' },
  answers: {
    200: { description: 'The token', schema: accessToken },
    401: { description: '`invalid_client`', schema: tokenError },
  },
  problems: ['payload_too_large', 'unsupported_media_type', 'too_many_requests'],
}
const tokenMethods: Operation = {
  operationId: 'getAccessTokenMethods',
  summary: 'The methods of the token endpoint',
  tag,
  access: anywhere(),
  answers: { 204: { description: 'No content', headers: { Allow: text('The methods') } } },
  problems: [],
}
const data = (
  operationId: string,
  summary: string,
  about: string,
  answer: Operation['answers'][number],
): Operation => ({
  operationId,
  summary,
  tag: 'Reference data',
  access: anywhere(about),
  answers: { 200: answer },
  problems: ['unknown_parameter'],
})

export function publicPaths(): Json {
  const token = describe(tokenPath, getToken) as { responses: Record<string, { description: string; content: Json }> }
  const { 400: malformed } = problems() as { 400: { description: string; content: Json } }
  // Errors of OAuth come beside those of the service.
  token.responses[400] = {
    description: `\`invalid_request\` or \`unsupported_grant_type\`. ${malformed.description}`,
    content: { ...json(toOpenApi(tokenError)), ...malformed.content },
  }
  const get = (path: string, operation: Operation, own = {}) => ({ [path]: { get: describe(path, operation, own) } })
  return {
    [tokenPath]: { post: token, options: describe(tokenPath, tokenMethods) },
    ...get(
      '/platforms',
      data('listPlatforms', 'The support matrix', 'The operations, fields, limits and API version of each platform.', {
        description: 'What each platform supports',
        schema: shape('PlatformList', { data: listOf(platformSupport) }),
      }),
    ),
    ...get(
      '/errors.json',
      data('listErrors', 'The error table', 'Every `code` of a problem, with its meaning and what to do about it.', {
        description: 'All error codes',
        schema: shape('ErrorTable', { data: listOf(errorEntry) }),
      }),
    ),
    ...get(
      '/schemas',
      data(
        'listSchemas',
        'All JSON Schemas: of records in responses, and of bodies',
        'One entry per entity and vertical.',
        {
          description: 'One entry per entity and vertical',
          schema: shape('SchemaList', { data: listOf(schemaEntry) }),
        },
      ),
    ),
    ...get(
      '/schemas/{vertical}/{entityType}.json',
      {
        ...data(
          'getSchema',
          'JSON Schema of an entity in one vertical',
          'The schema that validates bodies of this entity, with an example.',
          { description: 'The schema', schema: anyObject(), type: 'application/schema+json' },
        ),
        problems: ['not_found'],
      },
      {
        vertical: oneOf(verticals, 'Vertical', 'Vertical'),
        entityType: oneOf(entityTypes, 'Entity type', 'EntityType'),
      },
    ),
  }
}
