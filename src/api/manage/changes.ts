import { existingAccount } from '../../accounts/lookup.ts'
import type { LatestReader } from '../../changes/latest.ts'
import type { EntityType } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { change } from '../../contract/records/changes.ts'
import { pageSchema } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Store } from '../../store/store.ts'
import { loadOf } from '../admission.ts'
import { waitOf } from '../changes-routes.ts'
import type { Query } from '../query.ts'
import { goneSignal } from '../request-context.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

/** The sequence of a change. */
function sequenceIn(query: Query, name: string): number | undefined {
  const text = query[name]
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('invalid_parameter', `${name} must be the sequence of a change, such as 4711.`)
}

export function changeRoutes(
  store: Store,
  engine: Engine,
  { latestChanges, closing }: { latestChanges: LatestReader; closing: AbortSignal },
): ManageRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/accounts/{accountId}/changes',
      operationId: 'listLatestChanges',
      role: 'viewer',
      summary: 'List the latest changes of the watched entities of an account, newest first',
      tag: 'Watches',
      problems: ['unknown_entity', 'entity_not_offered'],
      query: {
        ...pageQuery,
        entityType: 'Changes of this entity type',
        since: 'Changes after this sequence; 0 for all. With it, `Prefer: wait=SECONDS` waits for a change',
      },
      headers: { Prefer: '`wait=SECONDS`: how long to wait if there is no change after `since`, at most 60' },
      answer: { ...pageSchema(change), title: 'LatestChanges' },
      handle: async ({ parameters, query, request, reply }) => {
        const account = await existingAccount(store, parameters)
        const { limit } = pageOf(query)
        const since = sequenceIn(query, 'since')
        const before = sequenceIn(query, 'after')
        const waitSeconds = since === undefined ? undefined : waitOf(request)
        if (waitSeconds !== undefined) reply.header('preference-applied', `wait=${waitSeconds}`)
        const entityTypes = query.entityType
          ? [engine.target(account, query.entityType).flavor.definition.entityType]
          : (Object.keys(engine.support(account)) as EntityType[])
        return latestChanges(
          account,
          { entityTypes, since: since ?? 0, before, limit },
          {
            waitMs: (waitSeconds ?? 0) * 1000,
            signal: AbortSignal.any([goneSignal(reply), closing]),
            ...loadOf(request),
          },
        )
      },
    }),
  ]
}
