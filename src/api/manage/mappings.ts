import { existingAccount, existingWorkspace } from '../../accounts/lookup.ts'
import {
  accountDefaults,
  changeMapping,
  clearDefault,
  createMapping,
  createMappingKey,
  type DefaultPath,
  deleteMapping,
  deleteMappingKey,
  existingMapping,
  mappingScope,
  setDefault,
  workspaceDefaults,
} from '../../accounts/mappings.ts'
import { type EntityType, entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import {
  mappedEntityType,
  mapping,
  mappingDefault,
  mappingDirection,
  mappingKey,
  mappingName,
  mappingRules,
} from '../../contract/manage/mappings.ts'
import { listOf, object, optional, pageSchema, text } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { unknownEntity } from '../../engine/target.ts'
import type { Direction, MappingKey, MappingOverlay, PageQuery, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'
import { refuseSecond, uniqueQuery } from './unique.ts'

const withName = 'a mapping of the same owner, entity type and direction with this name'
/** Instead of the id of a mapping. */
const builtIn = 'built-in'
const showMapping = ({ workspaceId: _, ...shown }: MappingOverlay) => ({
  ...shown,
  scope: mappingScope({ workspaceId: _, ...shown }),
})
const showKey = ({ workspaceId: _, ...shown }: MappingKey) => shown

function defaultPath(parameters: Record<string, string>, platform?: string): DefaultPath {
  const { entityType = '', direction = '' } = parameters
  if (!(entityTypes as readonly string[]).includes(entityType))
    throw new Problem('unknown_entity', unknownEntity(entityType))
  if (direction !== 'read' && direction !== 'write')
    throw new Problem('resource_not_found', 'direction in the path must be read or write.')
  return {
    ...parameters,
    platform: platform || undefined,
    entityType: entityType as EntityType,
    direction: direction as Direction,
  }
}

export function mappingRoutes(store: Store, engine: Engine): ManageRoute[] {
  const parts = { store, engine }
  const ofWorkspace = '/workspaces/{workspaceId}'
  const ofAccount = `${ofWorkspace}/accounts/{accountId}`
  return [
    ...mappingsOf(parts, ofAccount),
    ...mappingsOf(parts, ofWorkspace),
    ...defaultsOf(parts, ofAccount),
    ...defaultsOf(parts, ofWorkspace),
    ...keyRoutes(store, ofAccount),
  ]
}

interface Parts {
  store: Store
  engine: Engine
}

/** The same routes for the mappings of an account, and for those that its accounts inherit. */
function mappingsOf(parts: Parts, base: string): ManageRoute[] {
  const { store } = parts
  const tag = 'Mappings'
  const isShared = !base.includes('accountId')
  const operation = (verb: string, what = 'Mapping') => `${verb}${isShared ? 'Shared' : ''}${what}`
  const what = isShared ? 'shared mapping' : 'mapping'
  return [
    defineRoute({
      method: 'GET',
      path: `${base}/mappings`,
      operationId: operation('list', 'Mappings'),
      role: 'viewer',
      summary: isShared
        ? 'List the mappings of the workspace and its platforms, which accounts inherit'
        : 'List mappings with the newest version of each',
      tag,
      query: pageQuery,
      answer: pageSchema(mapping),
      handle: async ({ parameters, query }) => {
        const owner = isShared
          ? { workspaceId: (await existingWorkspace(store, parameters.workspaceId)).id }
          : await existingAccount(store, parameters).then(({ id, workspaceId }) => ({ workspaceId, accountId: id }))
        const { data, next } = await store.mappings.list(owner, pageOf(query))
        return { data: data.map(showMapping), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/mappings`,
      operationId: operation('create'),
      role: 'operator',
      summary: isShared
        ? 'Create a mapping for all accounts of a platform or of the workspace; invalid rules are rejected'
        : 'Create a mapping; invalid rules are rejected',
      tag,
      body: object({
        entityType: mappedEntityType,
        direction: mappingDirection,
        name: mappingName,
        rules: mappingRules,
        ...(isShared ? { platform: optional(text('By default all platforms of the workspace')) } : {}),
      }),
      answer: mapping,
      status: 201,
      query: uniqueQuery(withName),
      problems: ['already_exists'],
      handle: async ({ body, recorded, ...call }) => {
        const { workspaceId = '', accountId } = call.parameters
        const { platform } = body as { platform?: string }
        const created = { ...body, platform }
        const made = await recorded(async (inner) => {
          const list = (page: PageQuery) => inner.mappings.list({ workspaceId, accountId }, page)
          await refuseSecond(inner, call, withName, list, (other) =>
            (['name', 'entityType', 'direction', 'platform'] as const).every((key) => other[key] === created[key]),
          )
          return createMapping({ ...parts, store: inner }, call.parameters, created)
        })
        return showMapping(made)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/mappings/{mappingId}`,
      operationId: operation('get'),
      role: 'viewer',
      summary: `Read a ${what}`,
      tag,
      answer: mapping,
      handle: async ({ parameters }) => showMapping(await existingMapping(store, parameters)),
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/mappings/{mappingId}`,
      operationId: operation('change'),
      role: 'operator',
      summary: `Save the next version of a ${what}`,
      tag,
      body: object({ name: optional(mappingName), rules: mappingRules }),
      answer: mapping,
      handle: async ({ parameters, body, recorded }) => {
        return showMapping(await recorded((inner) => changeMapping({ ...parts, store: inner }, parameters, body)))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/mappings/{mappingId}/versions`,
      operationId: operation('list', 'MappingVersions'),
      role: 'viewer',
      summary: `List the versions of a ${what}`,
      tag,
      answer: object({ data: listOf(mapping) }),
      handle: async ({ parameters }) => ({
        data: (await store.mappings.versions((await existingMapping(store, parameters)).id)).map(showMapping),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/mappings/{mappingId}`,
      operationId: operation('delete'),
      role: 'operator',
      problems: ['resource_in_use'],
      summary: `Delete a ${what} and its keys; a default mapping cannot be deleted`,
      tag,
      handle: ({ parameters, recorded }) => recorded((inner) => deleteMapping(inner, parameters)),
    }),
  ]
}

function defaultsOf(parts: Parts, base: string): ManageRoute[] {
  const tag = 'Mappings'
  const isShared = !base.includes('accountId')
  const operation = (verb: string, what: string) => `${verb}${isShared ? 'Shared' : ''}Mapping${what}`
  const platform = { platform: 'The default of this platform; by default of the whole workspace' }
  const query = isShared ? { query: platform } : {}
  const owner = isShared ? 'a platform or the workspace' : 'an account'
  return [
    defineRoute({
      method: 'GET',
      path: `${base}/mapping-defaults`,
      operationId: operation('list', 'Defaults'),
      role: 'viewer',
      summary: isShared
        ? 'List the default mappings of the workspace and its platforms'
        : 'List the default mappings that apply to an account, and where each one is set',
      tag,
      answer: object({ data: listOf(mappingDefault) }),
      handle: async ({ parameters }) => ({
        data: await (isShared ? workspaceDefaults(parts.store, parameters) : accountDefaults(parts, parameters)),
      }),
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/mapping-defaults/{entityType}/{direction}`,
      operationId: operation('set', 'Default'),
      role: 'operator',
      summary: `Set the default mapping of ${owner} for an entity type and direction`,
      tag,
      ...query,
      problems: ['unknown_entity', 'entity_not_offered'],
      body: object({
        mappingId: text(`Id of a mapping, or \`${builtIn}\`: then nothing is inherited`),
      }),
      answer: mappingDefault,
      handle: ({ parameters, query, body, recorded }) => {
        const path = defaultPath(parameters, query.platform)
        const mappingId = body.mappingId === builtIn ? undefined : body.mappingId
        return recorded((inner) => setDefault({ ...parts, store: inner }, path, mappingId))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/mapping-defaults/{entityType}/{direction}`,
      operationId: operation('clear', 'Default'),
      role: 'operator',
      summary: isShared
        ? `Remove the default mapping of ${owner}`
        : 'Remove the default of an account: it inherits again',
      tag,
      ...query,
      problems: ['unknown_entity', 'entity_not_offered'],
      handle: ({ parameters, query, recorded }) =>
        recorded((inner) => clearDefault({ ...parts, store: inner }, defaultPath(parameters, query.platform))),
    }),
  ]
}

function keyRoutes(store: Store, base: string): ManageRoute[] {
  const tag = 'Mappings'
  return [
    defineRoute({
      method: 'GET',
      path: `${base}/mapping-keys`,
      operationId: 'listMappingKeys',
      role: 'viewer',
      summary: 'List mapping keys',
      tag,
      answer: object({ data: listOf(mappingKey) }),
      handle: async ({ parameters }) => ({
        data: (await store.mappingKeys.list((await existingAccount(store, parameters)).id)).map(showKey),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/mapping-keys`,
      operationId: 'createMappingKey',
      role: 'operator',
      summary: 'Create a key for a mapping of the account, its platform or its workspace',
      tag,
      body: object({ mappingId: text() }),
      answer: mappingKey,
      status: 201,
      handle: async ({ parameters, body, recorded }) =>
        showKey(await recorded((inner) => createMappingKey(inner, { ...parameters, mappingId: body.mappingId }))),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/mapping-keys/{key}`,
      operationId: 'deleteMappingKey',
      role: 'operator',
      summary: 'Delete a mapping key; the two default keys cannot be deleted',
      tag,
      handle: ({ parameters, recorded }) => recorded((inner) => deleteMappingKey(inner, parameters, parameters.key)),
    }),
  ]
}
