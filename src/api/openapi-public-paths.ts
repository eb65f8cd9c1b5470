// Paths of the OpenAPI document that need no credential: the token endpoint and reference data. They have the same
// address for callers of both forms.
import { entityTypes, verticals } from '../contract/entity.ts'
import { oneOf } from '../contract/field.ts'
import { problems } from './openapi-problems.ts'
import { formBPrefix, json } from './openapi-record-paths.ts'
import { ref } from './openapi-schemas.ts'
import { openToAll } from './openapi-security.ts'

type Json = Record<string, unknown>
export const tokenPath = `${formBPrefix}/oauth/server/access-token`

/** On the first server in both forms. */
const anywhere = (about?: string) => ({ ...openToAll(about), servers: [{ url: '/' }] })

export function publicPaths(): Json {
  const oauthError = {
    title: 'TokenError',
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type'] },
      error_description: { type: 'string' },
    },
  }
  const { 400: malformed, ...tokenProblems } = problems(
    'payload_too_large',
    'unsupported_media_type',
    'too_many_requests',
  ) as Record<string, { description: string; content: Json }> & { 400: { description: string; content: Json } }
  return {
    [tokenPath]: {
      post: {
        operationId: 'getAccessToken',
        summary: 'Exchange access id and secret for an access token',
        tags: ['Token'],
        ...anywhere('For form B. A token is valid for an hour; get the next one before it expires.'),
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                title: 'TokenRequest',
                type: 'object',
                required: ['client_id', 'client_secret', 'grant_type'],
                properties: {
                  client_id: { type: 'string' },
                  client_secret: { type: 'string' },
                  grant_type: { type: 'string', enum: ['client_credentials'] },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'The token',
            content: json({
              title: 'AccessToken',
              type: 'object',
              required: ['access_token', 'token_type', 'expires_in'],
              properties: {
                access_token: { type: 'string' },
                token_type: { type: 'string', enum: ['Bearer'] },
                expires_in: { type: 'integer' },
              },
            }),
          },
          ...tokenProblems,
          400: {
            description: `\`invalid_request\` or \`unsupported_grant_type\`. ${malformed.description}`,
            content: { ...json(oauthError), ...malformed.content },
          },
          401: { description: '`invalid_client`', content: json(oauthError) },
        },
      },
      options: {
        operationId: 'getAccessTokenMethods',
        summary: 'The methods of the token endpoint',
        tags: ['Token'],
        ...anywhere(),
        responses: {
          204: {
            description: 'No content',
            headers: { Allow: { schema: { type: 'string' }, description: 'The methods' } },
          },
          ...problems(),
        },
      },
    },
    '/platforms': {
      get: {
        operationId: 'listPlatforms',
        summary: 'The support matrix',
        tags: ['Reference data'],
        ...anywhere('The operations, fields, limits and API version of each platform.'),
        responses: {
          200: {
            description: 'What each platform supports',
            content: json({
              title: 'PlatformList',
              type: 'object',
              required: ['data'],
              properties: { data: { type: 'array', items: ref('PlatformSupport') } },
            }),
          },
          ...problems('unknown_parameter'),
        },
      },
    },
    '/errors.json': {
      get: {
        operationId: 'listErrors',
        summary: 'The error table',
        tags: ['Reference data'],
        ...anywhere('Every `code` of a problem, with its meaning and what to do about it.'),
        responses: {
          200: {
            description: 'All error codes',
            content: json({
              title: 'ErrorTable',
              type: 'object',
              required: ['data'],
              properties: {
                data: {
                  type: 'array',
                  items: {
                    title: 'ErrorEntry',
                    type: 'object',
                    required: ['code', 'status', 'title', 'meaning', 'remedy'],
                    properties: {
                      code: { type: 'string' },
                      status: { type: 'integer' },
                      title: { type: 'string' },
                      meaning: { type: 'string' },
                      remedy: { type: 'string' },
                    },
                  },
                },
              },
            }),
          },
          ...problems('unknown_parameter'),
        },
      },
    },
    '/schemas': {
      get: {
        operationId: 'listSchemas',
        summary: 'All JSON Schemas: of records in responses, and of bodies',
        tags: ['Reference data'],
        ...anywhere('One entry per entity and vertical.'),
        responses: {
          200: {
            description: 'One entry per entity and vertical',
            content: json({
              title: 'SchemaList',
              type: 'object',
              required: ['data'],
              properties: {
                data: {
                  type: 'array',
                  items: {
                    title: 'SchemaEntry',
                    type: 'object',
                    required: ['vertical', 'entityType', 'url', 'record'],
                    properties: {
                      vertical: { type: 'string' },
                      entityType: { type: 'string' },
                      url: { type: 'string', description: 'Path of the schema of bodies, with an example' },
                      record: { type: 'object', description: 'Schema of a record in a response' },
                      body: { type: 'object', description: 'Schema of a body; absent for read-only entities' },
                    },
                  },
                },
              },
            }),
          },
          ...problems('unknown_parameter'),
        },
      },
    },
    '/schemas/{vertical}/{entityType}.json': {
      get: {
        operationId: 'getSchema',
        summary: 'JSON Schema of an entity in one vertical',
        tags: ['Reference data'],
        ...anywhere('The schema that validates bodies of this entity, with an example.'),
        parameters: [
          {
            name: 'vertical',
            in: 'path',
            required: true,
            schema: oneOf(verticals, 'Vertical', 'Vertical'),
          },
          { name: 'entityType', in: 'path', required: true, schema: oneOf(entityTypes, 'Entity type', 'EntityType') },
        ],
        responses: {
          200: { description: 'The schema', content: { 'application/schema+json': { schema: { type: 'object' } } } },
          ...problems('not_found'),
        },
      },
    },
  }
}
