import { Type } from 'typebox'
import { existingAccount, missing } from '../../accounts/lookup.ts'
import {
  changeMapping,
  createMapping,
  createMappingKey,
  deleteMappingKey,
  existingMapping,
} from '../../accounts/mappings.ts'
import { entityTypes, referenceTypes } from '../../contract/entity.ts'
import { identifier, oneOf } from '../../contract/field.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Link, MappingKey, MappingOverlay, Rule, Store } from '../../store/store.ts'
import { referenceTypeOf } from './reference-imports.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery, pageSchema } from './route.ts'

const direction = oneOf(['read', 'write'], 'Direction of the mapping')
const entityType = oneOf(entityTypes, 'Unified entity type')
const time = Type.String({ format: 'date-time' })
const rule = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        description: "JSON pointer into the source record: the native record for reads, the caller's record for writes",
      }),
    ),
    value: Type.Optional(Type.Unknown({ description: 'A constant' })),
    default: Type.Optional(Type.Unknown({ description: 'Used if there is no value' })),
    lookup: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Source value -> unified value' })),
  },
  { additionalProperties: false },
)
const rules = Type.Record(Type.String(), rule, { description: 'Unified pointer -> rule' })
const mapping = Type.Object(
  {
    id: Type.String(),
    accountId: Type.String(),
    entityType,
    direction,
    name: Type.String(),
    version: Type.Integer(),
    rules,
    createdAt: time,
  },
  { additionalProperties: false },
)
const mappingKey = Type.Object(
  {
    key: Type.String(),
    accountId: Type.String(),
    direction,
    isDefault: Type.Boolean(),
    entityType: Type.Optional(entityType),
    mappingId: Type.Optional(Type.String()),
    createdAt: time,
  },
  { additionalProperties: false },
)
const referenceType = oneOf(referenceTypes, 'Entity type of the reference')
const reference = Type.Object(
  {
    entityType: referenceType,
    sourceId: Type.String(),
    nativeId: Type.String(),
    origin: oneOf(['written', 'linked'], 'Created by a write or linked by a user'),
    createdAt: time,
  },
  { additionalProperties: false },
)

const showMapping = ({ workspaceId: _, ...shown }: MappingOverlay) => shown
const showKey = ({ workspaceId: _, ...shown }: MappingKey) => shown
const showLink = ({ accountId: _, ...shown }: Link) => shown

export function mappingRoutes(store: Store, engine: Engine): ManageRoute[] {
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const base = '/workspaces/{workspaceId}/accounts/{accountId}'
  const mappingOf = (parameters: Record<string, string>) => existingMapping(store, parameters)
  return [
    defineRoute({
      method: 'GET',
      path: `${base}/mappings`,
      operationId: 'listMappings',
      summary: 'List mappings with the newest version of each',
      tag: 'Mappings',
      query: pageQuery,
      answer: pageSchema(mapping),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.mappings.list((await owned(parameters)).id, pageOf(query))
        return { data: data.map(showMapping), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/mappings`,
      operationId: 'createMapping',
      summary: 'Create a mapping; invalid rules are rejected',
      tag: 'Mappings',
      body: Type.Object(
        { entityType, direction, name: Type.String({ minLength: 1, maxLength: 200 }), rules },
        { additionalProperties: false },
      ),
      answer: mapping,
      status: 201,
      handle: async ({ parameters, body }) => {
        const account = await owned(parameters)
        const rules = body.rules as Record<string, Rule>
        return showMapping(await createMapping({ store, engine }, account, { ...body, rules }))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/mappings/{mappingId}`,
      operationId: 'getMapping',
      summary: 'Read a mapping',
      tag: 'Mappings',
      answer: mapping,
      handle: async ({ parameters }) => showMapping(await mappingOf(parameters)),
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/mappings/{mappingId}`,
      operationId: 'changeMapping',
      summary: 'Save the next version of a mapping',
      tag: 'Mappings',
      body: Type.Object(
        { name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })), rules },
        { additionalProperties: false },
      ),
      answer: mapping,
      handle: async ({ parameters, body }) => {
        const rules = body.rules as Record<string, Rule>
        return showMapping(await changeMapping({ store, engine }, parameters, { ...body, rules }))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/mappings/{mappingId}/versions`,
      operationId: 'listMappingVersions',
      summary: 'List the versions of a mapping',
      tag: 'Mappings',
      answer: Type.Object({ data: Type.Array(mapping) }, { additionalProperties: false }),
      handle: async ({ parameters }) => ({
        data: (await store.mappings.versions((await mappingOf(parameters)).id)).map(showMapping),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/mappings/{mappingId}`,
      operationId: 'deleteMapping',
      summary: 'Delete a mapping and its keys',
      tag: 'Mappings',
      handle: async ({ parameters }) => void (await store.mappings.delete((await mappingOf(parameters)).id)),
    }),

    defineRoute({
      method: 'GET',
      path: `${base}/mapping-keys`,
      operationId: 'listMappingKeys',
      summary: 'List mapping keys',
      tag: 'Mappings',
      answer: Type.Object({ data: Type.Array(mappingKey) }, { additionalProperties: false }),
      handle: async ({ parameters }) => ({
        data: (await store.mappingKeys.list((await owned(parameters)).id)).map(showKey),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/mapping-keys`,
      operationId: 'createMappingKey',
      summary: 'Create a key for a mapping',
      tag: 'Mappings',
      body: Type.Object({ mappingId: Type.String() }, { additionalProperties: false }),
      answer: mappingKey,
      status: 201,
      handle: async ({ parameters, body }) =>
        showKey(await createMappingKey(store, { ...parameters, mappingId: body.mappingId })),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/mapping-keys/{key}`,
      operationId: 'deleteMappingKey',
      summary: 'Delete a mapping key; the two default keys cannot be deleted',
      tag: 'Mappings',
      handle: ({ parameters }) => deleteMappingKey(store, parameters, parameters.key),
    }),

    defineRoute({
      method: 'GET',
      path: `${base}/references`,
      operationId: 'listReferences',
      summary: 'List references: source id -> platform id',
      tag: 'References',
      query: {
        ...pageQuery,
        entityType: 'References of this entity type',
        search: 'Start of a source id or platform id',
      },
      answer: pageSchema(reference),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.links.list(
          (await owned(parameters)).id,
          referenceTypeOf(query),
          pageOf(query),
          query.search,
        )
        return { data: data.map(showLink), next }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/references`,
      operationId: 'linkReference',
      summary: 'Link a source id to a platform id',
      tag: 'References',
      body: Type.Object(
        { entityType: referenceType, sourceId: identifier('Your id'), nativeId: identifier('Platform id') },
        { additionalProperties: false },
      ),
      answer: reference,
      handle: async ({ parameters, body }) =>
        showLink(await store.links.put({ accountId: (await owned(parameters)).id, ...body, origin: 'linked' })),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/references/{entityType}/{sourceId}`,
      operationId: 'deleteReference',
      summary: 'Delete a reference',
      tag: 'References',
      handle: async ({ parameters }) => {
        if (
          !(await store.links.delete(
            (
              await owned(parameters)
            ).id,
            parameters.entityType as Link['entityType'],
            parameters.sourceId as string,
          ))
        )
          throw missing('reference')
      },
    }),
  ]
}
