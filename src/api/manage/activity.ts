// Recent activity: every request with its trace.

import { existingWorkspace, missing } from '../../accounts/lookup.ts'
import type { Connector } from '../../contract/connector.ts'
import { errorTable, Problem } from '../../contract/errors.ts'
import { activityEntry, activityWithTrace } from '../../contract/manage/activity.ts'
import { pageSchema, text } from '../../contract/schema.ts'
import { isTest } from '../../engine/settings.ts'
import { timeOfRequestId } from '../../store/request-id.ts'
import type { Activity, ActivityFilter, Store } from '../../store/store.ts'
import { instant, type Query } from '../query.ts'
import { exported, exportQuery, exportTypes } from './export.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

type Shown = Omit<Activity, 'workspaceId'> & { at: string; test: true | undefined }
export type ShowActivity = (entries: readonly Activity[]) => Promise<Shown[]>
/** Looks up accounts only if their platform has a test environment. */
export function createShowActivity(store: Store, connectors: Readonly<Record<string, Connector>>): ShowActivity {
  async function inTest(accountId: string): Promise<boolean> {
    const account = await store.accounts.get(accountId)
    const connector = connectors[account?.platform ?? '']
    return account !== undefined && connector !== undefined && isTest(connector, account.settings)
  }
  return async (entries) => {
    const candidates = entries.filter(({ platform }) => connectors[platform]?.regions?.some(({ test }) => test))
    const ids = [...new Set(candidates.map(({ accountId }) => accountId))].filter(Boolean)
    const flags = await Promise.all(ids.map(inTest))
    const tests = new Set(ids.filter((_, index) => flags[index]))
    return entries.map(({ workspaceId: _, ...rest }) => ({
      ...rest,
      at: new Date(timeOfRequestId(rest.requestId)).toISOString(),
      test: tests.has(rest.accountId) || undefined,
    }))
  }
}

function filterOf(query: Query): ActivityFilter {
  const time = (name: string) => {
    const value = instant(query, name)
    return value === undefined ? {} : { [name]: Date.parse(value) }
  }
  const plain = (name: 'accountId' | 'credentialId' | 'platform' | 'entityType' | 'record' | 'search') =>
    query[name] ? { [name]: query[name] } : {}
  return {
    ...plain('accountId'),
    ...plain('credentialId'),
    ...plain('platform'),
    ...plain('entityType'),
    ...plain('record'),
    ...plain('search'),
    ...time('since'),
    ...time('until'),
    ...statusOf(query.status),
  }
}

function statusOf(status: string | undefined): Pick<ActivityFilter, 'outcome' | 'errorCode'> {
  if (!status) return {}
  if (status === 'ok' || status === 'error' || status === '4xx' || status === '5xx') return { outcome: status }
  if (Object.hasOwn(errorTable, status)) return { errorCode: status }
  throw new Problem('invalid_parameter', 'status must be ok, error, 4xx, 5xx or an error code.')
}

const filters = {
  accountId: 'Requests of this account',
  credentialId: 'Requests of this API key, access id or user',
  platform: 'Requests to this platform',
  status: 'ok, error, 4xx, 5xx or an error code',
  entityType: 'Requests for this entity type',
  record: 'Requests for this record, by platform id or externalId; combine with accountId and entityType',
  since: 'At or after this time',
  until: 'Before this time',
  search:
    'Start of a request id, an externalId, a platform id, an account id, or a part of the text of an error. With a text or credentialId, a page may be short or empty and still have `next`',
}
/** Of one file. */
const mostExported = 100_000
const columns = [
  'at',
  'requestId',
  'credentialId',
  'accountId',
  'platform',
  'method',
  'operation',
  'entityType',
  'externalId',
  'nativeId',
  'status',
  'errorCode',
  'totalMs',
  'waitMs',
  'platformMs',
  'nativeCalls',
] as const

export function activityRoutes(store: Store, show: ShowActivity): ManageRoute[] {
  const tag = 'Activity'
  const base = '/workspaces/{workspaceId}/activity'
  async function* walk(workspaceId: string, filter: ActivityFilter) {
    let left = mostExported
    for (let after: string | undefined; left > 0; ) {
      const page = { limit: Math.min(500, left), ...(after === undefined ? {} : { after }) }
      const { data, next } = await store.activity.list(workspaceId, filter, page)
      yield* await show(data)
      left -= data.length
      if (next === undefined) return
      after = next
    }
  }
  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listActivity',
      role: 'viewer',
      summary: 'List requests and background work, newest first',
      tag,
      query: { ...pageQuery, ...filters },
      answer: pageSchema(activityEntry),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.activity.list(
          parameters.workspaceId as string,
          filterOf(query),
          pageOf(query),
        )
        return { data: await show(data), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/export`,
      operationId: 'exportActivity',
      role: 'viewer',
      summary: `Export requests without their traces, newest first, at most ${mostExported}: one JSON object per line, or CSV`,
      tag,
      query: { ...exportQuery, ...filters },
      answer: text('Entries as in the list'),
      answerType: exportTypes,
      handle: async (call) => {
        const { id } = await existingWorkspace(store, call.parameters.workspaceId)
        const filter = filterOf(call.query)
        return exported(call, 'activity', walk(id, filter), columns)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{requestId}`,
      operationId: 'getActivity',
      role: 'viewer',
      summary: 'Read a request with its trace',
      tag,
      answer: activityWithTrace,
      handle: async ({ parameters }) => {
        const found = await store.activity.get(parameters.workspaceId as string, parameters.requestId as string)
        if (!found)
          throw missing(
            'request, or it is no longer kept',
            'Check requestId in the path: it is in the X-Request-Id header of every response.',
          )
        return (await show([found]))[0]
      },
    }),
  ]
}
