// The change feed of an account, in both address forms. Mounted with the record routes: their hooks authenticate.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeedReader } from '../changes/read-feed.ts'
import { feedStatus } from '../changes/status.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { unknownEntity } from '../engine/target.ts'
import type { Account, MappingKey, Store } from '../store/store.ts'
import { loadOf } from './admission.ts'
import { createMappingKeys } from './mapping-key.ts'
import { includesNative, positiveInteger, type Query } from './query.ts'
import { changesOperation, changesStatusOperation } from './record-operations.ts'
import { createContexts, goneSignal, maxPreferredWaitSeconds, preferredWait } from './request-context.ts'
import { allowedEntities, checkEntities } from './scope.ts'

export interface ChangesOptions {
  store: Store
  engine: Engine
  feeds: FeedReader
  mappingKeys: boolean // form B
  closing: AbortSignal // ends all waits
  maxWaitMs?: number | undefined
}

const defaultPageSize = 50
const maxPageSize = 500

export function changesRoutes(app: FastifyInstance, options: ChangesOptions): void {
  const { store, engine, feeds } = options
  const { queryOf, accountKeyOf, mappingOf } = createMappingKeys(options)
  const contextOf = createContexts(options)

  /** A key of one entity reads only that entity. */
  function checkKey(key: MappingKey | undefined, named: readonly EntityType[] | undefined): void {
    if (!key?.entityType || (named?.length === 1 && named[0] === key.entityType)) return
    throw new Problem(
      'mapping_key_mismatch',
      `This mapping key is for ${key.entityType}. Send entityType=${key.entityType}, or use a key for all entities.`,
    )
  }
  const entitiesIn = ({ entityType: text }: Query, account: Account): EntityType[] | undefined => {
    if (text === undefined) return undefined
    const names = [...new Set(text.split(',').map((name) => name.trim()))]
    for (const name of names) {
      if (!(entityTypes as readonly string[]).includes(name))
        throw new Problem('invalid_parameter', `entityType: ${unknownEntity(name)}`)
      engine.target(account, name)
    }
    return names as EntityType[]
  }

  app.get('/unified/:accountId/changes', { config: { scope: 'changes' } }, async (request, reply) => {
    const account = request.account as Account
    const query = queryOf(request, changesOperation.query)
    const named = entitiesIn(query, account)
    if (request.caller) checkEntities(request.caller.credential, named ?? [])
    const pageSize = Math.min(positiveInteger(query, 'pageSize', defaultPageSize), maxPageSize)
    const waitSeconds = waitOf(request)
    const key = await accountKeyOf(query, account.id, 'read', true)
    checkKey(key, named)
    const signal = AbortSignal.any([goneSignal(reply), options.closing])
    if (waitSeconds !== undefined) reply.header('preference-applied', `wait=${waitSeconds}`)
    return feeds.read(
      account,
      { entityTypes: named, cursor: query.cursor, pageSize, within: request.caller?.credential.entities },
      {
        waitMs: (waitSeconds ?? 0) * 1000,
        native: includesNative(query),
        signal,
        held: (milliseconds) => {
          request.heldMs = (request.heldMs ?? 0) + milliseconds
        },
        mappingOf: (target) => mappingOf(key, target, 'read'),
        context: () => request.pacing ?? contextOf(request, reply),
        ...loadOf(request),
      },
    )
  })

  app.get('/unified/:accountId/changes/status', { config: { scope: 'changes' } }, async (request) => {
    const account = request.account as Account
    const query = queryOf(request, changesStatusOperation.query)
    await accountKeyOf(query, account.id, 'read', true)
    const status = await feedStatus(store, engine, account)
    return { ...status, entities: allowedEntities(request.caller?.credential, status.entities) }
  })

  // The addresses of records would match them, too.
  for (const url of ['/unified/:accountId/changes', '/unified/:accountId/changes/status'])
    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { refuses: true },
      onRequest: async (request) => {
        throw new Problem(
          'method_not_allowed',
          `This address does not support ${request.method}. Supported here: ${supported}.`,
          { headers: { allow: supported } },
        )
      },
      handler: async () => undefined,
    })
}
const supported = 'GET, HEAD, OPTIONS'

/** Of a long poll. */
export function waitOf(request: FastifyRequest): number | undefined {
  const seconds = preferredWait(request)
  if (seconds !== undefined && seconds > maxPreferredWaitSeconds)
    throw new Problem(
      'invalid_parameter',
      `The wait in Prefer is too long. Send at most wait=${maxPreferredWaitSeconds}, and request again with the same cursor.`,
    )
  return seconds
}
