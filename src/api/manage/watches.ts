// What the change feed watches: the default of a workspace, and what an account has of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import { existingAccount, existingWorkspace } from '../../accounts/lookup.ts'
import { effectiveWatches, followSettings, followWorkspace, offeredTo } from '../../changes/settings.ts'
import { feedStatus } from '../../changes/status.ts'
import type { EntityType } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import {
  accountWatch,
  accountWatches,
  entityWatch,
  workspaceBody,
  workspaceWatches,
} from '../../contract/manage/watches.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Account, Store } from '../../store/store.ts'
import { truth } from '../query.ts'
import { defineRoute, type ManageRoute } from './route.ts'

/** Accounts that are not done by then follow in the background. */
const followMs = 5_000

export function watchRoutes(store: Store, engine: Engine): ManageRoute[] {
  const tag = 'Watches'
  const ofWorkspace = '/workspaces/{workspaceId}/watches'
  const ofAccount = '/workspaces/{workspaceId}/accounts/{accountId}/watches'
  const ofEntity = `${ofAccount}/{entityType}`
  const problems = ['unknown_entity', 'entity_not_offered'] as const

  async function watchedEntity(parameters: Record<string, string>): Promise<[Account, EntityType]> {
    const account = await existingAccount(store, parameters)
    const { flavor } = engine.target(account, parameters.entityType as string)
    return [account, flavor.definition.entityType]
  }
  async function watchesOf(account: Account) {
    const [workspace, own, status] = await Promise.all([
      store.changes.settings.workspace(account.workspaceId),
      store.changes.settings.account(account.id),
      feedStatus(store, engine, account),
    ])
    const watched = effectiveWatches(workspace, own, offeredTo(engine, account))
    const entities = Object.keys(engine.support(account)).map((name) => {
      const entityType = name as EntityType
      const setBy = own[entityType] ? 'account' : workspace.entities[entityType] ? 'workspace' : undefined
      const isWatched = watched.has(entityType)
      const ownValue = own[entityType]
      return [
        entityType,
        {
          watched: isWatched,
          setBy,
          ...watched.get(entityType),
          own: ownValue === 'off' ? undefined : ownValue,
          status: isWatched ? status.entities[entityType] : undefined,
        },
      ]
    })
    return { entities: Object.fromEntries(entities) }
  }
  const watchOf = async (account: Account, entityType: EntityType) => (await watchesOf(account)).entities[entityType]

  return [
    defineRoute({
      method: 'GET',
      path: ofWorkspace,
      operationId: 'getWorkspaceWatches',
      role: 'viewer',
      summary: 'What is watched in all accounts of a workspace by default',
      tag,
      answer: workspaceWatches,
      handle: async ({ parameters }) =>
        store.changes.settings.workspace((await existingWorkspace(store, parameters.workspaceId)).id),
    }),
    defineRoute({
      method: 'PUT',
      path: ofWorkspace,
      operationId: 'setWorkspaceWatches',
      role: 'operator',
      summary: 'Set what is watched in all accounts of a workspace by default; existing and new accounts follow it',
      tag,
      body: workspaceBody,
      answer: workspaceWatches,
      handle: async ({ parameters, body, request, recorded }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const value = { entities: body.entities, keepRecords: body.keepRecords ?? true }
        await recorded((inner) => inner.changes.settings.setWorkspace(id, value))
        const following = followWorkspace(store, engine, id).catch((error: unknown) =>
          // The service looks again once a minute.
          request.log.warn({ err: error }, 'accounts do not follow the watches of their workspace yet'),
        )
        const ended = new AbortController()
        await Promise.race([
          following.then(() => ended.abort()),
          sleep(followMs, undefined, { signal: ended.signal }),
        ]).catch(() => {})
        return value
      },
    }),
    defineRoute({
      method: 'GET',
      path: ofAccount,
      operationId: 'listWatches',
      role: 'viewer',
      summary: 'What is watched of an account, with status',
      tag,
      answer: accountWatches,
      handle: async ({ parameters }) => watchesOf(await existingAccount(store, parameters)),
    }),
    defineRoute({
      method: 'PUT',
      path: ofEntity,
      operationId: 'setWatch',
      role: 'operator',
      summary: 'Watch an entity of an account, whatever the default of its workspace is',
      tag,
      problems,
      body: entityWatch,
      answer: accountWatch,
      handle: async ({ parameters, body, recorded }) => {
        const [account, entityType] = await watchedEntity(parameters)
        if (!offeredTo(engine, account).includes(entityType))
          throw new Problem(
            'forbidden',
            `The account's authorization does not cover reading ${entityType}. Connect the account again with the missing scope.`,
          )
        await recorded(async (inner) => {
          await inner.changes.settings.setAccount(account, entityType, body)
          await followSettings(inner, engine, account)
        })
        return watchOf(account, entityType)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: ofEntity,
      operationId: 'stopWatch',
      role: 'operator',
      summary: 'Stop watching an entity of an account; its cursors expire',
      tag,
      problems,
      query: {
        reset: '`true`: removes the setting of the account, so that the default of the workspace applies again',
      },
      handle: async ({ parameters, query, recorded }) => {
        const reset = truth(query, 'reset', false)
        const [account, entityType] = await watchedEntity(parameters)
        await recorded(async (inner) => {
          await inner.changes.settings.setAccount(account, entityType, reset ? undefined : 'off')
          await followSettings(inner, engine, account)
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${ofEntity}/walk`,
      operationId: 'startWalk',
      role: 'operator',
      summary: 'Start a full read of a watched entity now',
      tag,
      problems: [...problems, 'not_watched'],
      answer: accountWatch,
      status: 202,
      result: 'listWatches',
      handle: async ({ parameters, recorded }) => {
        const [account, entityType] = await watchedEntity(parameters)
        await recorded(async (inner) => {
          if (!(await inner.changes.requestWalk(account.id, entityType)))
            throw new Problem(
              'not_watched',
              `The service does not watch ${entityType} of this account. Watch it first: PUT /manage/v1${ofEntity}.`,
            )
        })
        return watchOf(account, entityType)
      },
    }),
  ]
}
