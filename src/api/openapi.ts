// The OpenAPI 3.0.3 documents, made from the schemas that validate and the routes that answer: nothing is described by
// hand twice. One is for callers of records, one for the management API.

import { entities } from '../contract/entities/index.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { nativeCallSchema } from '../contract/native-call.ts'
import type { Scope } from '../contract/scopes.ts'
import { publishedSchema } from '../contract/validation.ts'
import { type Deprecation, deprecations, markDeprecated } from './deprecation.ts'
import { type ManageRoute, roleOf, scopeOf } from './manage/route.ts'
import { shortRoutes } from './manage/workspace-callers.ts'
import { changeSchemas } from './openapi-change-paths.ts'
import { entitySchemas } from './openapi-entity-schemas.ts'
import { addExamples, type Examples } from './openapi-examples.ts'
import { nameSchemas } from './openapi-names.ts'
import { nativeSchemas } from './openapi-native-paths.ts'
import { manageProblems, problems } from './openapi-problems.ts'
import { publicPaths, tokenPath } from './openapi-public-paths.ts'
import { formBPrefix, json, unifiedPaths } from './openapi-record-paths.ts'
import { sharedSchemas } from './openapi-schemas.ts'
import { needing, needingManagement, openToAll, securitySchemes } from './openapi-security.ts'
import { toOpenApi } from './openapi-spelling.ts'

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

function recordsDocument(routes: readonly ManageRoute[], version: string, additions: Additions): Json {
  const schemas: Json = { ...entitySchemas(), ...sharedSchemas, ...changeSchemas, ...nativeSchemas }
  schemas.NativeCall = toOpenApi(publishedSchema(nativeCallSchema, { ofBody: true }))
  const paths = { ...unifiedPaths(schemas), ...publicPaths(), ...managePaths(shortRoutes(routes), '') }
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
  return finish(paths, { Problem: sharedSchemas.Problem }, additions, {
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
