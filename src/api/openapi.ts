// The OpenAPI 3.0.3 documents, made from the schemas that validate and the routes that answer: nothing is described by
// hand twice. One is for callers of records, one for the management API.

import type { TSchema } from 'typebox'
import { entities } from '../contract/entities/index.ts'
import { type EntityDefinition, type EntityType, entityTypes } from '../contract/entity.ts'
import { change, changePage, completeUntil, feedStatus, watchStatus } from '../contract/records/changes.ts'
import { nativeParts, nativeResponse } from '../contract/records/native.ts'
import { dryRun, keyStatus, pagination, problem, reference, warning } from '../contract/records/responses.ts'
import { entitySupport, platformSupport } from '../contract/records/support.ts'
import type { Scope } from '../contract/scopes.ts'
import { type Deprecation, deprecations, markDeprecated } from './deprecation.ts'
import { type ManageRoute, roleOf, scopeOf } from './manage/route.ts'
import { shortRoutes } from './manage/workspace-callers.ts'
import { entitySchemas } from './openapi-entity-schemas.ts'
import { addExamples, type Examples } from './openapi-examples.ts'
import { nameSchemas } from './openapi-names.ts'
import { describe, type Operation } from './openapi-operation.ts'
import { manageProblems, problems } from './openapi-problems.ts'
import { needing, needingManagement, openToAll, securitySchemes } from './openapi-security.ts'
import { json, toOpenApi } from './openapi-spelling.ts'
import { publicPaths, tokenPath } from './public-operations.ts'
import {
  changesOperation,
  changesStatusOperation,
  formBPrefix,
  nativeCall,
  nativeOperation,
  recordAnswers,
  recordOperations,
  supportOperation,
} from './record-operations.ts'

type Json = Record<string, unknown>
export interface Documents {
  records: Json
  manage: Json
}

const parametersIn = (place: 'query' | 'header', described: Readonly<Record<string, string>> = {}) =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    schema: { type: 'string' },
    description,
  }))

function accessOf(route: ManageRoute, isShort: boolean) {
  if (route.open) return openToAll(route.description)
  return isShort
    ? needing(route.scope as Scope, route.description)
    : needingManagement(scopeOf(route), roleOf(route), route.description)
}

/** Those with an address of their own for callers of records are in both documents. */
function managePaths(routes: readonly ManageRoute[], prefix: '' | '/manage/v1'): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `${prefix}${route.path}`
    const { answer, status = answer ? 200 : 204 } = route
    const description = successOf(status, route, routes, prefix)
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
      operationId: route.operationId,
      summary: route.summary,
      tags: [route.tag],
      ...accessOf(route, prefix === ''),
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
        [status]: answer
          ? {
              description,
              content: Object.fromEntries(
                [route.answerType ?? 'application/json'].flat().map((type) => [type, { schema: toOpenApi(answer) }]),
              ),
            }
          : { description },
        ...problems(...manageProblems(route)),
      },
    }
  }
  return paths
}

/** A 202 only begins: it says where the result is. */
function successOf(status: number, { result }: ManageRoute, routes: readonly ManageRoute[], prefix: string): string {
  if (status === 201) return 'Created'
  if (status !== 202) return 'Done'
  const shown = routes.find(({ operationId }) => operationId === result)
  if (!shown) throw new Error(`a route with status 202 names no operation for its result: ${result}`)
  return `Accepted; read \`${shown.method} ${prefix}${shown.path}\` for the result`
}

const about = { license: { name: 'MIT', url: 'https://opensource.org/license/mit' } }
const method405 =
  'A method that a path does not list gets 405 `method_not_allowed` with `Allow`; OPTIONS lists the methods of a path.'

export function openApiDocuments(routes: readonly ManageRoute[], version: string, additions: Additions): Documents {
  return { records: recordsDocument(routes, version, additions), manage: manageDocument(routes, version, additions) }
}
interface Additions {
  examples: Examples
  deprecated?: readonly Deprecation[]
}

const definitions = Object.values<EntityDefinition>(entities)
/** Components of the record API besides records. */
const shared: Record<string, TSchema> = {
  Problem: problem,
  Warning: warning,
  Pagination: pagination,
  Reference: reference,
  KeyStatus: keyStatus,
  DryRun: dryRun,
  EntitySupport: entitySupport,
  PlatformSupport: platformSupport,
  Change: change,
  CompleteUntil: completeUntil,
  ChangePage: changePage,
  WatchStatus: watchStatus,
  FeedStatus: feedStatus,
  NativeParts: nativeParts,
  NativeResponse: nativeResponse,
}
const mapped = (schemas: Record<string, TSchema>): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toOpenApi(schema)]))

function recordPaths(): Json {
  const base = '/unified/{accountId}'
  const paths: Json = {}
  const add = (path: string, operations: Record<string, Operation | undefined>) => {
    const given = Object.entries(operations).filter((entry): entry is [string, Operation] => entry[1] !== undefined)
    paths[path] = Object.fromEntries(given.map(([method, operation]) => [method, describe(path, operation)]))
  }
  add(base, { get: supportOperation })
  for (const definition of definitions) {
    const { list, get, create, update } = recordOperations(definition)
    add(`${base}/${definition.entityType}`, { get: list, post: create })
    add(`${base}/${definition.entityType}/{id}`, { get, put: update })
  }
  add(`${base}/changes`, { get: changesOperation })
  add(`${base}/changes/status`, { get: changesStatusOperation })
  add(`${base}/native`, { post: nativeOperation })
  return paths
}

function recordsDocument(routes: readonly ManageRoute[], version: string, additions: Additions): Json {
  const answers = Object.assign({}, ...definitions.map(recordAnswers)) as Record<string, TSchema>
  const schemas: Json = { ...entitySchemas(), ...mapped({ ...shared, NativeCall: nativeCall, ...answers }) }
  const paths = { ...recordPaths(), ...publicPaths(), ...managePaths(shortRoutes(routes), '') }
  return finish(paths, schemas, additions, {
    info: {
      title: 'Unified Records API',
      version,
      description: `One API in front of restaurant, retail point-of-sale and accounting platforms. It has two forms with the same paths: form A takes an API key. Form B has the server \`${formBPrefix}\`, takes an access token, and needs a \`mappingKey\` for records. ${method405}`,
      ...about,
    },
    servers: [
      { url: '/', description: 'Form A: API key' },
      { url: formBPrefix, description: 'Form B: access token and mapping keys' },
    ],
    tags: tagsOf(paths),
    securitySchemes: pick(securitySchemes(tokenPath), ['apiKey', 'accessToken']),
  })
}

function manageDocument(routes: readonly ManageRoute[], version: string, additions: Additions): Json {
  const paths = managePaths(routes, '/manage/v1')
  return finish(paths, mapped({ Problem: problem }), additions, {
    info: {
      title: 'Unified Records management API',
      version,
      description: `Workspaces, accounts, credentials, mappings, watches, webhooks and activity. \`current\` as workspace id is the workspace of an API key or access token. ${method405}`,
      ...about,
    },
    servers: [{ url: '/' }],
    tags: tagsOf(paths),
    securitySchemes: securitySchemes(tokenPath),
  })
}

function finish(
  paths: Json,
  schemas: Json,
  { examples, deprecated = deprecations }: Additions,
  { securitySchemes: schemes, ...head }: Json,
): Json {
  nameSchemas(paths, schemas)
  addExamples(paths, examples)
  markDeprecated(paths, deprecated)
  return { openapi: '3.0.3', ...head, paths, components: { securitySchemes: schemes, schemas } }
}

const tagMeanings = new Map<string, string>(
  entityTypes.map((type: EntityType) => [entities[type].title, `Unified ${type} records`]),
)
function tagsOf(paths: Json) {
  const used = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
  )
  const entityTags = [...tagMeanings.keys()].filter((name) => used.includes(name))
  return [...new Set([...entityTags, ...used])].map((name) => ({ name, description: tagMeanings.get(name) ?? name }))
}
const pick = (from: Json, names: string[]) => Object.fromEntries(names.map((name) => [name, from[name]]))
