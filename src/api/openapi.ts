// The OpenAPI 3.0.3 document, made from the schemas that validate and the routes that answer: nothing is described by hand twice.
import type { TSchema } from 'typebox'
import { type EntityDefinition, type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { entities } from '../contract/unified.ts'
import { allFlavors } from '../contract/validation.ts'
import type { ManageRoute } from './manage/route.ts'
import { manageProblems, problems, readProblems, writeProblems } from './openapi-problems.ts'
import { rateLimitSchema, ref, sharedSchemas } from './openapi-schemas.ts'

type Json = Record<string, unknown>
export const formBPrefix = '/api/1.0/standalone-link-engine-service'

const verticalNames: Record<Vertical, string> = { restaurant: 'Restaurant', retail_pos: 'RetailPos', accounting: 'Accounting' }
const entityNames: Record<EntityType, string> = { product: 'Product', order: 'Order', customer: 'Customer', category: 'Category', employee: 'Employee', time_entry: 'TimeEntry' }
const plural: Record<EntityType, string> = { product: 'Products', order: 'Orders', customer: 'Customers', category: 'Categories', employee: 'Employees', time_entry: 'TimeEntries' }

/** JSON Schema as OpenAPI 3.0 spells it. */
function toOpenApi(schema: TSchema): Json {
  const { exclusiveMinimum, patternProperties, const: only, ...node } = schema as unknown as Json & { exclusiveMinimum?: number; patternProperties?: Record<string, TSchema> }
  const result: Json = { ...node }
  if (exclusiveMinimum !== undefined) Object.assign(result, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  if (only !== undefined) result.enum = [only]
  if (patternProperties) result.additionalProperties = toOpenApi(Object.values(patternProperties)[0] as TSchema)
  if (node.properties) result.properties = Object.fromEntries(Object.entries(node.properties as Record<string, TSchema>).map(([name, property]) => [name, toOpenApi(property)]))
  if (node.items) result.items = toOpenApi(node.items as TSchema)
  if (Array.isArray(node.required) && node.required.length === 0) delete result.required
  return result
}

const json = (schema: unknown) => ({ 'application/json': { schema } })
const oneRef = (names: string[]) => (names.length === 1 ? ref(names[0] as string) : { anyOf: names.map(ref) })

/** An example without what the flavor does not have. */
export function flavorExample(definition: EntityDefinition, vertical: Vertical): Json {
  const foreign = Object.entries(definition.only).flatMap(([owner, pointers]) => (owner === vertical ? [] : pointers))
  const example = structuredClone(definition.example) as Json
  for (const pointer of foreign) {
    const [first, star, inner] = pointer.slice(1).split('/') as [string, string?, string?]
    if (star === undefined) delete example[first]
    else for (const line of (example[first] as Json[] | undefined) ?? []) delete line[inner as string]
  }
  return example
}

function recordSchemas(): { schemas: Json; names: Map<EntityType, { read: string[]; write: string[] }> } {
  const schemas: Json = {}
  const names = new Map<EntityType, { read: string[]; write: string[] }>()
  for (const { definition, vertical, read, write } of allFlavors()) {
    const name = `${verticalNames[vertical]}${entityNames[definition.entityType]}`
    const entry = names.get(definition.entityType) ?? { read: [], write: [] }
    schemas[name] = { ...toOpenApi(read.schema), title: `${definition.title} (${vertical})` }
    const strict = { ...toOpenApi(write.schema), title: `${definition.title} (${vertical})` }
    const differs = JSON.stringify(strict) !== JSON.stringify(schemas[name])
    if (differs && definition.writable) schemas[`${name}Input`] = { ...strict, title: `${definition.title} to write (${vertical})` }
    entry.read.push(name)
    entry.write.push(differs && definition.writable ? `${name}Input` : name)
    names.set(definition.entityType, entry)
  }
  return { schemas, names }
}

function unifiedPaths(names: Map<EntityType, { read: string[]; write: string[] }>, schemas: Json, form: 'A' | 'B'): Json {
  const suffix = form === 'A' ? '' : 'WithToken'
  const prefix = form === 'A' ? '' : formBPrefix
  const security = [{ [form === 'A' ? 'apiKey' : 'accessToken']: [] }]
  const accountId = { name: 'accountId', in: 'path', required: true, schema: { type: 'string' }, description: 'Id of the connected account' }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: "The platform's id of the record" }
  const prefer = {
    name: 'Prefer',
    in: 'header',
    schema: { type: 'string' },
    description: "`wait=SECONDS`: how long the call can wait for a slot within the platform's rate limit, at most 60",
  }
  const mappingKey = (direction: string, required = true) =>
    form === 'A' ? [] : [{ name: 'mappingKey', in: 'query', required, schema: { type: 'string' }, description: `A ${direction} mapping key of the account` }]
  const mappingProblems: ErrorCode[] = form === 'A' ? [] : ['mapping_key_required', 'mapping_key_mismatch']
  const warnings = { type: 'array', items: ref('Warning') }
  const paths: Json = {
    [`${prefix}/unified/{accountId}`]: {
      get: {
        operationId: `getAccountSupport${suffix}`,
        summary: 'What the account supports',
        tags: ['Accounts'],
        security,
        parameters: [accountId],
        responses: {
          200: {
            description: 'Support per entity',
            content: json({
              type: 'object',
              required: ['accountId', 'platform', 'name', 'vertical', 'state', 'rateLimit', 'entities'],
              properties: {
                accountId: { type: 'string' },
                platform: { type: 'string' },
                name: { type: 'string', description: "The platform's name" },
                vertical: { type: 'string' },
                state: { type: 'string' },
                rateLimit: rateLimitSchema,
                entities: { type: 'object', additionalProperties: ref('EntitySupport') },
              },
            }),
          },
          ...problems('unknown_parameter', 'unauthorized', 'unknown_account', 'too_many_requests', 'unavailable'),
        },
      },
    },
  }
  for (const entityType of entityTypes) {
    const record = names.get(entityType) as { read: string[]; write: string[] }
    const title = entityNames[entityType]
    const tags = [entities[entityType].title]
    schemas[`${title}Page`] = {
      type: 'object',
      required: ['data', 'pagination'],
      properties: { data: { type: 'array', items: oneRef(record.read) }, pagination: ref('Pagination'), reference: ref('KeyStatus'), warnings },
    }
    schemas[`${title}Answer`] = { type: 'object', required: ['data'], properties: { data: oneRef(record.read), warnings } }
    const examples = Object.fromEntries(
      entities[entityType].verticals.map((vertical) => [vertical, { value: flavorExample(entities[entityType] as unknown as EntityDefinition, vertical) }]),
    )
    const requestBody = { required: true, content: { 'application/json': { schema: oneRef(record.write), examples } } }
    const list = {
      operationId: `list${plural[entityType]}${suffix}`,
      summary: `List ${plural[entityType].toLowerCase()}`,
      tags,
      security,
      parameters: [
        accountId,
        {
          name: 'pageSize',
          in: 'query',
          schema: { type: 'integer', minimum: 1, default: 50 },
          description: "Maximum number of records per page; the platform's limit also applies",
        },
        { name: 'cursor', in: 'query', schema: { type: 'string' }, description: '`pagination.cursor` of the previous page; it contains the page size and the filters' },
        { name: 'updatedAfter', in: 'query', schema: { type: 'string', format: 'date-time' }, description: 'Only records modified after this time (exclusive)' },
        {
          name: 'externalId',
          in: 'query',
          schema: { type: 'string' },
          description: 'Returns the record that you wrote under this key, with its outcome; cannot be combined with other parameters',
        },
        ...mappingKey('read'),
        prefer,
      ],
      responses: {
        200: {
          description: 'One page',
          headers: { Link: { schema: { type: 'string' }, description: 'rel="next" if there is another page' } },
          content: json(ref(`${title}Page`)),
        },
        ...problems('invalid_cursor', 'filter_unsupported', ...mappingProblems, ...readProblems),
      },
    }
    const get = {
      operationId: `get${title}${suffix}`,
      summary: `Read one ${title.toLowerCase()} by platform id`,
      tags,
      security,
      parameters: [accountId, id, ...mappingKey('read'), prefer],
      responses: {
        200: {
          description: 'The record',
          headers: { ETag: { schema: { type: 'string' }, description: 'Version of the record, if the platform has versions' } },
          content: json(ref(`${title}Answer`)),
        },
        ...problems('record_not_found', ...mappingProblems, ...readProblems),
      },
    }
    const written = (description: string) => ({ description, content: json(ref(`${title}Written`)) })
    if (entities[entityType].writable) {
      schemas[`${title}Written`] = {
        type: 'object',
        required: ['success', 'data', 'reference'],
        properties: { success: { type: 'boolean' }, data: oneRef(record.read), reference: ref('Reference'), warnings },
      }
    }
    const onUnknown = { name: 'onUnknown', in: 'query', schema: { type: 'string', enum: ['resend'] }, description: 'Resend a write whose outcome the platform cannot report' }
    const dryRun = {
      name: 'dryRun',
      in: 'query',
      schema: { type: 'string', enum: ['true', 'check'] },
      description: 'true: show what would be sent; nothing is written or stored. check: only what can be checked without calling the platform',
    }
    const post = {
      operationId: `create${title}${suffix}`,
      summary: `Write one ${title.toLowerCase()}; externalId is the idempotency key`,
      tags,
      security,
      parameters: [accountId, onUnknown, dryRun, ...mappingKey('write'), prefer],
      requestBody,
      responses: {
        200: {
          description: 'Replay of an earlier write with this key; with dryRun, what would be sent',
          content: json({ anyOf: [ref(`${title}Written`), ref('DryRun')] }),
        },
        201: written('Written'),
        ...problems('idempotency_conflict', 'outcome_unknown', 'partially_written', 'write_in_progress', ...mappingProblems, ...writeProblems),
      },
    }
    const ifMatch = {
      name: 'If-Match',
      in: 'header',
      schema: { type: 'string' },
      description: 'ETag of the record that you read; the update is rejected if the record has changed',
    }
    const put = {
      operationId: `update${title}${suffix}`,
      summary: `Replace one ${title.toLowerCase()}`,
      tags,
      security,
      parameters: [accountId, id, ...mappingKey('write', false), ifMatch, prefer],
      requestBody,
      responses: { 200: written('Replaced'), ...problems('record_not_found', 'stale_record', 'precondition_failed', ...mappingProblems, ...writeProblems) },
    }
    const writable = entities[entityType].writable
    paths[`${prefix}/unified/{accountId}/${entityType}`] = writable ? { get: list, post } : { get: list }
    paths[`${prefix}/unified/{accountId}/${entityType}/{id}`] = writable ? { get, put } : { get }
  }
  return paths
}

function managePaths(routes: readonly ManageRoute[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `/manage/v1${route.path}`
    const parameters = [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(route.query ?? {}).map(([name, description]) => ({ name, in: 'query', schema: { type: 'string' }, description })),
    ]
    paths[path] ??= {}
    ;(paths[path] as Json)[route.method.toLowerCase()] = {
      operationId: route.operationId,
      summary: route.summary,
      tags: [route.tag],
      security: route.operationId === 'logIn' ? [] : [{ management: [] }, { session: [] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(route.body ? { requestBody: { required: true, content: json(toOpenApi(route.body)) } } : {}),
      ...(route.content ? { requestBody: { required: true, content: Object.fromEntries(route.content.types.map((type) => [type, { schema: { type: 'string' } }])) } } : {}),
      responses: {
        [route.status ?? (route.answer ? 200 : 204)]: route.answer
          ? { description: 'Done', content: { [route.answerType ?? 'application/json']: { schema: toOpenApi(route.answer) } } }
          : { description: 'Done' },
        ...problems(...manageProblems(route)),
      },
    }
  }
  return paths
}

export function openApiDocument(routes: readonly ManageRoute[], version: string): Json {
  const { schemas, names } = recordSchemas()
  Object.assign(schemas, sharedSchemas)
  const paths = { ...unifiedPaths(names, schemas, 'A'), ...unifiedPaths(names, schemas, 'B') }
  const oauthError = {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string', enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type'] }, error_description: { type: 'string' } },
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Unified Records API',
      version,
      description: 'One API in front of restaurant, retail point-of-sale and accounting platforms. Form A (API key) and form B (access token, mapping keys) have the same paths.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...entityTypes.map((type) => ({ name: entities[type].title, description: `Unified ${type} records` })),
      ...['Accounts', 'Token', 'Reference data', 'Sessions', 'Workspaces', 'Credentials', 'Mappings', 'References', 'Connect', 'Activity', 'Audit', 'Sandbox'].map((name) => ({
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
                  properties: { client_id: { type: 'string' }, client_secret: { type: 'string' }, grant_type: { type: 'string', enum: ['client_credentials'] } },
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
                properties: { access_token: { type: 'string' }, token_type: { type: 'string', enum: ['Bearer'] }, expires_in: { type: 'integer' } },
              }),
            },
            400: { description: 'invalid_request or unsupported_grant_type', content: json(oauthError) },
            401: { description: 'invalid_client', content: json(oauthError) },
            ...problems('payload_too_large', 'unsupported_media_type', 'too_many_requests', 'unavailable'),
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
              content: json({ type: 'object', required: ['data'], properties: { data: { type: 'array', items: ref('PlatformSupport') } } }),
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
                      properties: { code: { type: 'string' }, status: { type: 'integer' }, title: { type: 'string' }, meaning: { type: 'string' }, remedy: { type: 'string' } },
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
            { name: 'vertical', in: 'path', required: true, schema: { type: 'string', enum: ['restaurant', 'retail_pos', 'accounting'] } },
            { name: 'entityType', in: 'path', required: true, schema: { type: 'string', enum: [...entityTypes] } },
          ],
          responses: { 200: { description: 'The schema', content: { 'application/schema+json': { schema: { type: 'object' } } } }, ...problems('not_found') },
        },
      },
      ...managePaths(routes),
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Form A: an API key' },
        accessToken: { type: 'oauth2', description: 'Form B: an access token', flows: { clientCredentials: { tokenUrl: `${formBPrefix}/oauth/server/access-token`, scopes: {} } } },
        management: { type: 'http', scheme: 'bearer', description: 'An admin token or a session of the management API' },
        session: { type: 'apiKey', in: 'cookie', name: 'unirec_session', description: 'Browser session; methods other than GET also need `x-csrf-token`' },
      },
      schemas,
    },
  }
}
