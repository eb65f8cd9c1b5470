// The OpenAPI 3.0.3 document, made from the schemas that validate and the routes that answer: nothing is described by
// hand twice.
import type { TSchema } from 'typebox'
import { type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'
import { nativeCallSchema } from '../contract/native-call.ts'
import type { Scope } from '../contract/scopes.ts'
import { entities } from '../contract/unified.ts'
import { allFlavors, publishedSchema } from '../contract/validation.ts'
import { type Deprecation, deprecations, markDeprecated } from './deprecation.ts'
import { type ManageRoute, roleOf, scopeOf } from './manage/route.ts'
import { shortRoutes } from './manage/workspace-callers.ts'
import { changeSchemas } from './openapi-change-paths.ts'
import { nativeSchemas } from './openapi-native-paths.ts'
import { manageProblems, problems } from './openapi-problems.ts'
import { entityNames, formBPrefix, json, unifiedPaths } from './openapi-record-paths.ts'
import { ref, sharedSchemas } from './openapi-schemas.ts'
import { needing, needingManagement, securitySchemes } from './openapi-security.ts'

type Json = Record<string, unknown>

const verticalNames: Record<Vertical, string> = {
  restaurant: 'Restaurant',
  retail_pos: 'RetailPos',
  accounting: 'Accounting',
}

/** JSON Schema as OpenAPI 3.0 spells it. */
function toOpenApi(schema: TSchema): Json {
  const {
    exclusiveMinimum,
    patternProperties,
    const: only,
    ...node
  } = schema as unknown as Json & { exclusiveMinimum?: number; patternProperties?: Record<string, TSchema> }
  const result: Json = { ...node }
  if (exclusiveMinimum !== undefined) Object.assign(result, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  if (only !== undefined) result.enum = [only]
  if (patternProperties) result.additionalProperties = toOpenApi(Object.values(patternProperties)[0] as TSchema)
  if (node.properties)
    result.properties = Object.fromEntries(
      Object.entries(node.properties as Record<string, TSchema>).map(([name, property]) => [name, toOpenApi(property)]),
    )
  if (node.items) result.items = toOpenApi(node.items as TSchema)
  if (Array.isArray(node.required) && node.required.length === 0) delete result.required
  return result
}

/** Not a field of the entity: it appears only where the mapping in use declares custom fields. */
const withCustom = (schema: Json): Json => ({
  ...schema,
  properties: {
    ...(schema.properties as Json),
    custom: {
      type: 'object',
      additionalProperties: true,
      description:
        'Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it',
    },
  },
})

function recordSchemas(): { schemas: Json; names: Map<EntityType, { read: string[]; write: string[] }> } {
  const schemas: Json = {}
  const names = new Map<EntityType, { read: string[]; write: string[] }>()
  for (const { definition, vertical, read, write } of allFlavors()) {
    const name = `${verticalNames[vertical]}${entityNames[definition.entityType]}`
    const entry = names.get(definition.entityType) ?? { read: [], write: [] }
    schemas[name] = {
      ...withCustom(toOpenApi(publishedSchema(read.schema, { ofBody: false }))),
      title: `${definition.title} (${vertical})`,
    }
    const strict = {
      ...withCustom(toOpenApi(publishedSchema(write.schema, { ofBody: true }))),
      title: `${definition.title} (${vertical})`,
    }
    const differs = JSON.stringify(strict) !== JSON.stringify(schemas[name])
    if (differs && definition.writable)
      schemas[`${name}Input`] = { ...strict, title: `${definition.title} to write (${vertical})` }
    entry.read.push(name)
    entry.write.push(differs && definition.writable ? `${name}Input` : name)
    names.set(definition.entityType, entry)
  }
  return { schemas, names }
}

const parametersIn = (place: 'query' | 'header', described: Readonly<Record<string, string>> = {}) =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    schema: { type: 'string' },
    description,
  }))

/** Those with an address of their own for callers are described twice: as a part of the management API, and there. */
function managePaths(routes: readonly ManageRoute[], form?: 'A' | 'B'): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `${form === undefined ? '/manage/v1' : form === 'B' ? formBPrefix : ''}${route.path}`
    const { answer } = route
    const short = form && needing(form, route.scope as Scope)
    const suffix = form === undefined ? '' : form === 'A' ? 'WithKey' : 'WithToken'
    const parameters = [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...parametersIn('query', route.query),
      ...parametersIn('header', route.headers),
    ]
    paths[path] ??= {}
    ;(paths[path] as Json)[route.method.toLowerCase()] = {
      operationId: route.operationId + suffix,
      summary: route.summary,
      tags: [route.tag],
      ...(route.open ? { security: [] } : (short ?? needingManagement(scopeOf(route), roleOf(route)))),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(route.body ? { requestBody: { required: true, content: json(toOpenApi(route.body)) } } : {}),
      ...(route.content
        ? {
            requestBody: {
              required: true,
              content: Object.fromEntries(route.content.types.map((type) => [type, { schema: { type: 'string' } }])),
            },
          }
        : {}),
      responses: {
        [route.status ?? (answer ? 200 : 204)]: answer
          ? {
              description: 'Done',
              content: Object.fromEntries(
                [route.answerType ?? 'application/json'].flat().map((type) => [type, { schema: toOpenApi(answer) }]),
              ),
            }
          : { description: 'Done' },
        ...problems(...manageProblems(route)),
      },
    }
  }
  return paths
}

export function openApiDocument(
  routes: readonly ManageRoute[],
  version: string,
  deprecated: readonly Deprecation[] = deprecations,
): Json {
  const { schemas, names } = recordSchemas()
  Object.assign(schemas, sharedSchemas, changeSchemas, nativeSchemas)
  schemas.NativeCall = toOpenApi(publishedSchema(nativeCallSchema, { ofBody: true }))
  const paths = { ...unifiedPaths(names, schemas, 'A'), ...unifiedPaths(names, schemas, 'B') }
  const oauthError = {
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
  const document = {
    openapi: '3.0.3',
    info: {
      title: 'Unified Records API',
      version,
      description:
        'One API in front of restaurant, retail point-of-sale and accounting platforms. Form A (API key) and form B (access token, mapping keys) have the same paths. A method that a path does not list gets 405 `method_not_allowed` with `Allow`; OPTIONS lists the methods of a path.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...entityTypes.map((type) => ({ name: entities[type].title, description: `Unified ${type} records` })),
      ...[
        'Changes',
        'Accounts',
        'Token',
        'Reference data',
        'Sessions',
        'Workspaces',
        'Credentials',
        'Mappings',
        'References',
        'Watches',
        'Connect',
        'Activity',
        'Audit',
        'Sandbox',
      ].map((name) => ({
        name,
        description: name,
      })),
    ],
    paths: {
      ...paths,
      [`${formBPrefix}/oauth/server/access-token`]: {
        post: {
          operationId: 'getAccessToken',
          summary: 'Exchange access id and secret for an access token',
          tags: ['Token'],
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
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
          security: [],
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
          security: [],
          responses: {
            200: {
              description: 'What each platform supports',
              content: json({
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
          security: [],
          responses: {
            200: {
              description: 'All error codes',
              content: json({
                type: 'object',
                required: ['data'],
                properties: {
                  data: {
                    type: 'array',
                    items: {
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
          security: [],
          responses: {
            200: {
              description: 'One entry per entity and vertical',
              content: json({
                type: 'object',
                required: ['data'],
                properties: {
                  data: {
                    type: 'array',
                    items: {
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
          security: [],
          parameters: [
            {
              name: 'vertical',
              in: 'path',
              required: true,
              schema: { type: 'string', enum: ['restaurant', 'retail_pos', 'accounting'] },
            },
            { name: 'entityType', in: 'path', required: true, schema: { type: 'string', enum: [...entityTypes] } },
          ],
          responses: {
            200: { description: 'The schema', content: { 'application/schema+json': { schema: { type: 'object' } } } },
            ...problems('not_found'),
          },
        },
      },
      ...managePaths(shortRoutes(routes), 'A'),
      ...managePaths(shortRoutes(routes), 'B'),
      ...managePaths(routes),
    },
    components: {
      securitySchemes: securitySchemes(`${formBPrefix}/oauth/server/access-token`),
      schemas,
    },
  }
  markDeprecated(document.paths, deprecated)
  return document
}
