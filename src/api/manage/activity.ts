// Recent activity: every request with its trace.

import { existingWorkspace, missing } from '../../accounts/lookup.ts'
import type { Connector } from '../../contract/connector.ts'
import { errorTable, Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import {
  byName,
  flag,
  listOf,
  named,
  number,
  object,
  optional,
  pageSchema,
  text,
  time,
  whole,
} from '../../contract/manage/schema.ts'
import { isTest } from '../../engine/settings.ts'
import { timeOfRequestId } from '../../store/request-id.ts'
import type { Activity, ActivityFilter, Store } from '../../store/store.ts'
import { instant, type Query } from '../query.ts'
import { exported, exportQuery, exportTypes } from './export.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const shown = {
  requestId: text(),
  at: time(),
  accountId: text('Empty if the request did not reach an account'),
  platform: text(),
  credentialId: text('Access id or API key of the caller; empty for dashboard users and background work'),
  method: text(),
  entityType: text(),
  operation: text(
    'list, get, find, create, update, dry_run, support, accounts, changes, changes_status, native, test, connect, resume, or the operationId of a management request',
  ),
  status: whole(),
  errorCode: optional(text()),
  totalMs: number('Total duration, without the wait for changes that `Prefer: wait` asks for'),
  waitMs: number("Time in the queue for the platform's rate limit"),
  platformMs: number('Time in calls to the platform'),
  nativeCalls: whole(),
  externalId: optional(text('externalId of the record')),
  nativeId: optional(text('Platform id of the record')),
  test: optional(flag('`true` if the account is in a test environment of the platform')),
}
const headers = byName(text(), 'For writes and failures; values only of headers that are known to be safe')
const body = optional(text('For writes and failures; without secrets, truncated to 8 KiB'))
const nativeCall = named('ActivityCall', {
  kind: oneOf(['read', 'write', 'token'], 'Purpose of the call; token calls have no headers or bodies'),
  method: text(),
  path: text('Path and query, without secrets'),
  status: optional(whole()),
  error: optional(text('Reason if there is no response')),
  attempt: whole(),
  retry: optional(text('Reason for the retry that follows')),
  readAhead: optional(flag('`true` if the call began before the request: its page was read ahead')),
  startMs: number('Start of the call, from the start of the request; negative if it was read ahead'),
  waitedMs: number('Queue time before the call'),
  durationMs: number('Duration of the call'),
  used: optional(number("Share of the account's rate limit in use, including this call")),
  requestHeaders: optional(headers),
  responseHeaders: optional(headers),
  requestBody: body,
  responseBody: body,
})
const stage = named('ActivityStage', {
  name: text('validation, journal, references, recovery, undo'),
  startMs: number('Start, from the start of the request'),
  durationMs: number('Duration'),
  note: optional(text('Result')),
})
const problem = named('ActivityProblem', {
  code: text(),
  detail: text(),
  errors: optional(listOf(object({ pointer: text(), message: text() }))),
})
const trace = named('ActivityTrace', {
  path: optional(text('Requested path, without credentials, unknown query parameters, or the token of a connect link')),
  erasedAt: optional(time('Ids, paths, bodies and texts were erased: they were of a person')),
  form: optional(oneOf(['A', 'B'], 'Address form of a unified request')),
  client: optional(text('Name and version of the client of a tool call at /mcp')),
  callerLeft: optional(flag('The caller disconnected before the response')),
  replayed: optional(flag('Replayed from the journal')),
  body: optional(text('Request body as JSON; without secrets, truncated to 8 KiB')),
  response: optional(text('Response to the caller, for writes and failures; without secrets, truncated to 8 KiB')),
  problem: optional(problem),
  stages: listOf(stage),
  calls: listOf(nativeCall),
})
export const activityEntry = named('Activity', shown)
const full = named('ActivityWithTrace', { ...shown, trace })

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
      answer: full,
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
