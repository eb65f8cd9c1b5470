// The explorer reads through the same engine and rate limits as the unified routes, and returns native rows with the
// records.

import { existingAccount } from '../../accounts/lookup.ts'
import type { EntityType } from '../../contract/entity.ts'
import { flavorExample } from '../../contract/example.ts'
import { described, explorable, exploredPage, exploredRecord, provenance } from '../../contract/manage/explorer.ts'
import { anything, object, optional, text } from '../../contract/schema.ts'
import { publishedSchema } from '../../contract/validation.ts'
import type { Engine } from '../../engine/engine.ts'
import { searchLimits } from '../../engine/read/list.ts'
import { isTest } from '../../engine/settings.ts'
import type { Store } from '../../store/store.ts'
import { platformProblems } from '../openapi-problems.ts'
import { includesNative, instant, positiveInteger, searchText } from '../query.ts'
import { callerRequest, callSummary, createAsking } from './explorer-call.ts'
import { missingFields } from './explorer-words.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export const explorerBase = '/workspaces/{workspaceId}/accounts/{accountId}/explorer'
const mappingKey = { mappingKey: 'A read mapping key of the account; by default the default mapping' }
const defaultPageSize = 20

export function explorerRoutes(store: Store, engine: Engine): ManageRoute[] {
  const tag = 'Explorer'
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const ask = createAsking(store, engine)
  return [
    defineRoute({
      method: 'GET',
      path: explorerBase,
      operationId: 'exploreAccount',
      role: 'viewer',
      problems: platformProblems,
      summary: 'List what can be explored in an account',
      tag,
      answer: explorable,
      handle: async ({ parameters }) => {
        const account = await owned(parameters)
        const { id: accountId, name, platform, vertical, state, stateReason } = account
        const keys = (await store.mappingKeys.list(accountId)).filter(({ mappingId }) => mappingId)
        const named = await Promise.all(
          keys.map(async ({ key, direction, mappingId }) => {
            const found = await store.mappings.get(mappingId as string)
            return found
              ? [
                  {
                    key,
                    direction,
                    entityType: found.entityType,
                    mappingId: found.id,
                    name: found.name,
                    version: found.version,
                  },
                ]
              : []
          }),
        )
        const connector = engine.connectorOf(account)
        return {
          accountId,
          name,
          platform,
          platformName: connector.name,
          vertical,
          state,
          stateReason: stateReason || undefined,
          test: isTest(connector, account.settings) || undefined,
          native: { docs: connector.docs, settings: Object.keys(engine.view(account).settings) },
          entities: engine.support(account),
          mappingKeys: named.flat(),
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${explorerBase}/{entityType}`,
      operationId: 'describeEntity',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Describe an entity type: schema, example, required fields, and fields that are not stored',
      tag,
      answer: described,
      handle: async ({ parameters }) => {
        const account = await owned(parameters)
        const { flavor, adapter } = engine.target(account, parameters.entityType as string)
        const { definition, vertical, write } = flavor
        const support = engine.support(account)[definition.entityType as EntityType]
        const { entityType, title, references } = definition
        return {
          entityType,
          title,
          support,
          schema: publishedSchema(write.schema, { ofBody: true }),
          example: flavorExample(definition, vertical),
          references,
          gettable: Boolean(adapter.get),
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${explorerBase}/{entityType}/records`,
      operationId: 'exploreRecords',
      role: 'viewer',
      problems: platformProblems,
      summary: 'List records with their native rows',
      tag,
      query: {
        ...mappingKey,
        pageSize: `Records per page, ${defaultPageSize} by default`,
        cursor: '`cursor` of the previous page',
        updatedAfter: 'Records changed after this time',
        search: 'Source id, platform id, or what the platform can search for: name, email, phone, SKU, number',
      },
      answer: exploredPage,
      handle: async (call) => {
        const { query } = call
        const updatedAfter = instant(query, 'updatedAfter')
        const search = searchText(query)
        const pageSize = positiveInteger(query, 'pageSize', defaultPageSize)
        const asking = await ask(call, 'read', query.mappingKey)
        const listQuery = {
          pageSize,
          cursor: query.cursor,
          updatedAfter,
          search,
          mappingId: asking.mappingId,
        }
        const walk = await engine.mappings.ofWalk(asking.target, listQuery, asking.mapping)
        const page = await engine.explore.page(asking.target, walk.query, walk.mapping, asking.context)
        const shown =
          query.cursor === undefined
            ? { pageSize: String(pageSize), updatedAfter, search: search?.text }
            : { cursor: query.cursor }
        const warnings = search ? searchLimits(asking.target, page.data.length > 0 || query.cursor !== undefined) : []
        return { ...page, warnings, ...callSummary(asking, callerRequest(asking, { query: shown })) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${explorerBase}/{entityType}/records/{id}`,
      operationId: 'exploreRecord',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Read a record with its native row',
      tag,
      query: { ...mappingKey, include: '`native`: also the parts of responses that the row was made of' },
      answer: exploredRecord,
      handle: async (call) => {
        const id = call.parameters.id as string
        const asking = await ask(call, 'read', call.query.mappingKey)
        const native = includesNative(call.query)
        const record = await engine.explore.record(asking.target, id, asking.mapping, asking.context, native)
        return { ...record, ...callSummary(asking, callerRequest(asking, { id })) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${explorerBase}/{entityType}/provenance`,
      operationId: 'traceFields',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Trace the unified fields of a native row to their sources without calling the platform',
      tag,
      body: object({
        native: anything('A native row from an explorer response'),
        mappingKey: optional(text()),
      }),
      answer: provenance,
      handle: async (call) => {
        const asking = await ask(call, 'read', call.body.mappingKey)
        const found = await engine.explore.provenance(asking.target, call.body.native, asking.mapping)
        return { ...found, lacking: missingFields(asking.target, found) }
      },
    }),
  ]
}
