// The unified routes. One plugin, mounted twice: form A with API keys, form B with access tokens and mapping keys.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeedReader } from '../changes/read-feed.ts'
import type { Rate } from '../contract/connector.ts'
import { type EntityType, referenceModes } from '../contract/entity.ts'
import { Problem, type Warning } from '../contract/errors.ts'
import type { Engine, Selection } from '../engine/engine.ts'
import { updatedReference } from '../engine/identity.ts'
import type { RequestContext } from '../engine/options.ts'
import { fill } from '../engine/outbound/template.ts'
import { parseFields } from '../engine/read/fields.ts'
import { isTest, settingDefaults } from '../engine/settings.ts'
import { isWritable, type Target } from '../engine/target.ts'
import type { Account, MappingOverlay, Store } from '../store/store.ts'
import type { Authenticate, Caller } from './authentication.ts'
import { changesRoutes } from './changes-routes.ts'
import { etagOf, ifMatch } from './etag.ts'
import { installHiddenFields } from './hidden-fields.ts'
import { createMappingKeys } from './mapping-key.ts'
import { allowed } from './methods.ts'
import { nativeRoutes } from './native-routes.ts'
import { nothingAt } from './problem.ts'
import { choice, includesNative, instant, positiveInteger, type Query, readQuery, searchText, truth } from './query.ts'
import { recordQueries } from './record-operations.ts'
import { createContexts } from './request-context.ts'
import { allowedEntities, checkScope, checkSearch, unknownAccount } from './scope.ts'

export interface UnifiedOptions {
  store: Store
  feeds: FeedReader
  engine: Engine
  authenticate: Authenticate
  mappingKeys: boolean // form B
  closing: AbortSignal // ends all waits
  maxWaitMs?: number | undefined
}
declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    pacing?: RequestContext
    account?: Account
    touched?: { externalId?: string; nativeId?: string; replayed?: boolean } // the record, for the activity
  }
}
type Parameters = { accountId: string; entityType: string; id: string }

const defaultPageSize = 50

export function unifiedRoutes(app: FastifyInstance, options: UnifiedOptions): void {
  const { store, engine } = options
  const { queryOf, keyOf, mappingOf } = createMappingKeys(options)
  app.addHook('onRequest', async (request) => {
    request.caller = await options.authenticate(request)
    const { credential } = request.caller
    checkScope(request, credential)
    // A slash too many leaves a parameter empty.
    if (Object.values(request.params as Parameters).includes('')) throw nothingAt(request)
    const account = await store.accounts.get((request.params as Parameters).accountId, credential)
    // An account of another workspace does not exist for this caller.
    if (!account || account.workspaceId !== request.caller.workspaceId) throw unknownAccount(credential)
    engine.connectorOf(account)
    request.account = account
  })
  installHiddenFields(app)
  // Of every response for an account, errors included: its limit, and what is left of it after the request.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.account) {
      const { policies, daily, left, limit, seconds, resetMs } = engine.rate(request.account)
      const ofDay = daily === undefined ? '' : `, ${policyOf(daily, daySeconds)}`
      reply.header('ratelimit-policy', policyHeader(policies) + ofDay)
      // A refusal names the limit that it comes from.
      if (!reply.hasHeader('ratelimit'))
        reply.header('ratelimit', `"${limit}-per-${seconds}s";r=${left};t=${Math.ceil(resetMs / 1000)}`)
    }
    if (request.pacing) reply.header('x-queue-wait-ms', request.pacing.waitedMs)
    done(null, payload)
  })
  const open = ({ account, params }: FastifyRequest): Target =>
    engine.target(account as Account, (params as Parameters).entityType)
  const contextOf = createContexts(options)
  const bodyOf = (request: FastifyRequest): unknown => {
    if (request.body !== undefined) return request.body
    if (request.headers['content-type'] === undefined)
      throw new Problem(
        'unsupported_media_type',
        'The body must be application/json. Send content-type: application/json.',
      )
    throw new Problem('malformed_json', 'The body is empty. Send one JSON object.')
  }

  app.get('/unified/:accountId', { config: { scope: 'any' } }, async (request) => {
    const account = request.account as Account
    readQuery(request.query, [])
    const connector = engine.connectorOf(account)
    const { id: platform, name, limit, concurrency } = connector
    const { settings } = engine.view(account)
    const origin = fill(connector.origins.api, { ...settingDefaults(connector), ...settings }) ?? connector.origins.api
    return {
      accountId: account.id,
      platform,
      name,
      vertical: account.vertical,
      state: account.state,
      test: isTest(connector, account.settings) || undefined,
      rateLimit: limit,
      concurrency,
      dailyLimit: await engine.dailyLimit(account),
      native: { origin, settings: Object.keys(settings) },
      entities: await entitiesOf(request),
    }
  })

  /** With the custom fields of the account's default mappings. */
  async function entitiesOf({ account, caller }: FastifyRequest) {
    const connected = account as Account
    const supports = allowedEntities(caller?.credential, engine.support(connected))
    const offered = Object.entries(supports).map(async ([entityType, support]) => {
      const custom = await engine.customSchema(connected, entityType as EntityType)
      return [entityType, custom ? { ...support, custom } : support] as const
    })
    return Object.fromEntries(await Promise.all(offered))
  }

  app.get('/unified/:accountId/:entityType', async (request, reply) => {
    const target = open(request)
    const query = queryOf(request, recordQueries.list)
    const updatedAfter = instant(query, 'updatedAfter')
    const pageSize = positiveInteger(query, 'pageSize', defaultPageSize)
    const key = await keyOf(query, target, 'read', true)
    const mapping = await mappingOf(key, target, 'read')
    const selection = selectionOf(query, target, mapping)
    const search = searchText(query)
    if (search) checkSearch((request.caller as Caller).credential, target.adapter.search?.by)
    const listQuery = { pageSize, search, cursor: query.cursor, updatedAfter, mappingId: key?.mappingId, ...selection }
    if (query.externalId !== undefined) {
      if ([query.cursor, query.updatedAfter, query.pageSize, query.search].some((other) => other !== undefined))
        throw new Problem(
          'invalid_parameter',
          'externalId cannot be combined with cursor, pageSize, updatedAfter or search: it names at most one record. Remove the others.',
        )
      const { warnings: found, ...status } = await engine.written(
        target,
        query.externalId,
        mapping,
        contextOf(request, reply),
        selection,
      )
      if (status.reference?.id !== undefined) request.touched = { nativeId: status.reference.id }
      return { ...status, pagination: { hasMore: false }, ...withWarnings(found) }
    }
    const { body, cursor } = await engine.list(target, listQuery, mapping, contextOf(request, reply))
    if (cursor !== undefined) reply.header('link', `<${nextLink(request, query, cursor)}>; rel="next"`)
    reply.type('application/json; charset=utf-8')
    return body
  })

  app.get('/unified/:accountId/:entityType/:id', async (request, reply) => {
    const target = open(request)
    const query = queryOf(request, recordQueries.get)
    const mapping = await mappingOf(await keyOf(query, target, 'read', true), target, 'read')
    const selection = selectionOf(query, target, mapping)
    const { data, native, version, warnings } = await engine.get(
      target,
      (request.params as Parameters).id,
      mapping,
      contextOf(request, reply),
      selection,
    )
    if (version !== undefined) reply.header('etag', etagOf(version))
    return { data, native, ...withWarnings(warnings) }
  })

  app.post('/unified/:accountId/:entityType', async (request, reply) => {
    const target = open(request)
    if (!isWritable(target, 'create')) throw notAllowed(target, false, request.method)
    const query = queryOf(request, recordQueries.create)
    const references = choice(query, 'references', referenceModes, 'auto')
    if (query.dryRun !== undefined && query.dryRun !== 'true' && query.dryRun !== 'check')
      throw new Problem('invalid_parameter', 'dryRun can only be "true" or "check".')
    if (query.onUnknown !== undefined && query.onUnknown !== 'resend')
      throw new Problem('invalid_parameter', 'onUnknown can only be "resend".')
    const exactTotals = exactTotalsIn(query)
    const guard = guardIn(query)
    const mapping = await mappingOf(await keyOf(query, target, 'write', true), target, 'write')
    const write = {
      target,
      body: bodyOf(request),
      mapping,
      context: contextOf(request, reply),
      references,
      exactTotals,
    }
    if (query.dryRun) {
      const planned = await engine.dryRun({
        ...write,
        depth: query.dryRun === 'check' ? 'check' : 'steps',
        guard,
      })
      if ('reference' in planned) reply.header('idempotent-replayed', 'true')
      return { dryRun: true, ...planned }
    }
    const created = await engine.create({ ...write, onUnknown: query.onUnknown, guard })
    request.touched = { nativeId: created.id, replayed: created.replayed }
    if (created.replayed) reply.header('idempotent-replayed', 'true')
    if (created.version !== undefined) reply.header('etag', etagOf(created.version))
    reply.code(created.replayed ? 200 : 201)
    return {
      success: true,
      data: created.data,
      reference: {
        externalId: (request.body as { externalId: string }).externalId,
        id: created.id,
        replayed: created.replayed,
      },
      ...withWarnings(created.warnings),
    }
  })

  app.put('/unified/:accountId/:entityType/:id', async (request, reply) => {
    const target = open(request)
    if (!isWritable(target, 'update')) throw notAllowed(target, true, request.method)
    const query = queryOf(request, recordQueries.update)
    const references = choice(query, 'references', referenceModes, 'auto')
    const mapping = await mappingOf(await keyOf(query, target, 'write', false), target, 'write')
    const updated = await engine.update({
      target,
      id: (request.params as Parameters).id,
      body: bodyOf(request),
      mapping,
      context: contextOf(request, reply),
      ifVersion: ifMatch(request.headers['if-match']),
      references,
      exactTotals: exactTotalsIn(query),
    })
    request.touched = { nativeId: updated.id }
    if (updated.version !== undefined) reply.header('etag', etagOf(updated.version))
    return {
      success: true,
      data: updated.data,
      reference: updatedReference(request.body, updated),
      ...withWarnings(updated.warnings),
    }
  })

  changesRoutes(app, options)
  nativeRoutes(app, options, bodyOf)

  for (const [url, single] of [
    ['/unified/:accountId/:entityType', false],
    ['/unified/:accountId/:entityType/:id', true],
  ] as const) {
    app.route({
      method: single ? ['POST', 'PATCH', 'DELETE'] : ['PUT', 'PATCH', 'DELETE'],
      url,
      config: { refuses: true },
      onRequest: async (request) => {
        throw notAllowed(open(request), single, request.method)
      },
      handler: async () => undefined,
    })
  }
}

function exactTotalsIn({ totals }: Query): boolean {
  if (totals !== undefined && totals !== 'exact') throw new Problem('invalid_parameter', 'totals can only be "exact".')
  return totals !== undefined
}

function guardIn(query: Query): 'duplicates' | 'confirmed' | undefined {
  if (query.guard !== undefined && query.guard !== 'duplicates')
    throw new Problem('invalid_parameter', 'guard can only be "duplicates".')
  const isConfirmed = truth(query, 'confirmDuplicate', false)
  if (query.guard === undefined) {
    if (isConfirmed)
      throw new Problem('invalid_parameter', 'confirmDuplicate belongs to guard=duplicates. Send both, or neither.')
    return undefined
  }
  return isConfirmed ? 'confirmed' : 'duplicates'
}

const selectionOf = (query: Query, { flavor }: Target, mapping: MappingOverlay | undefined): Selection => ({
  native: includesNative(query),
  fields: query.fields === undefined ? undefined : parseFields(query.fields, flavor, mapping),
})

function notAllowed(target: Target, single: boolean, method: string): Problem {
  const { adapter, connector, flavor } = target
  const allow = allowed([
    ...(!single || adapter.get ? ['GET', 'HEAD'] : []),
    ...(isWritable(target, single ? 'update' : 'create') ? [single ? 'PUT' : 'POST'] : []),
  ])
  const what = flavor.definition.entityType
  const path = `/unified/${target.account.id}/${what}`
  const hints: Record<string, string | undefined> = {
    PUT:
      !single && isWritable(target, 'update')
        ? `PUT needs the platform's id of the record: PUT ${path}/{id}.`
        : undefined,
    POST: single && isWritable(target, 'create') ? `POST has no id in its path: POST ${path}.` : undefined,
    PATCH: isWritable(target, 'update') ? `There is no PATCH. Send the whole record: PUT ${path}/{id}.` : undefined,
    DELETE: 'Records cannot be deleted here. Delete them at the platform.',
  }
  return new Problem(
    'method_not_allowed',
    hints[method] ??
      `${connector.name} does not support ${method} for ${what}${single ? ' records' : ''}. Supported here: ${allow.join(', ')}. GET /unified/${target.account.id} lists what the account supports.`,
    { headers: { allow: allow.join(', ') } },
  )
}

const withWarnings = (warnings: readonly Warning[]) => (warnings.length > 0 ? { warnings } : {})

function nextLink(request: FastifyRequest, query: Query, cursor: string): string {
  const key = query.mappingKey === undefined ? '' : `mappingKey=${encodeURIComponent(query.mappingKey)}&`
  return `${request.url.split('?')[0]}?${key}cursor=${cursor}` // of base64url
}

const daySeconds = 86_400
const policyOf = (calls: number, seconds: number) => `"${calls}-per-${seconds}s";q=${calls};w=${seconds}`
const policies = new WeakMap<readonly Rate[], string>() // one per platform
function policyHeader(rates: readonly Rate[]): string {
  const header =
    policies.get(rates) ?? rates.map(({ requests, usable = requests, seconds }) => policyOf(usable, seconds)).join(', ')
  policies.set(rates, header)
  return header
}
