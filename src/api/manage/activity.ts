// Recent activity: every request with its trace.
import { Type } from 'typebox'
import { errorTable, Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { timeOfRequestId } from '../../store/request-id.ts'
import type { Activity, ActivityFilter, Store } from '../../store/store.ts'
import { instant, type Query } from '../query.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const text = Type.String()
const optional = Type.Optional(text)
const whole = Type.Integer()
const milliseconds = (description: string) => Type.Number({ description })
const shown = {
  requestId: text,
  at: Type.String({ format: 'date-time' }),
  accountId: Type.String({ description: 'Empty where no account was reached' }),
  platform: text,
  credentialId: Type.String({ description: 'Who asked: an access id, an API key; empty for people and background work' }),
  method: text,
  entityType: text,
  operation: Type.String({ description: 'list, get, find, create, update, dry_run, test, connect, resume; else the operation of the management API that asked the platform' }),
  status: whole,
  errorCode: optional,
  totalMs: milliseconds('From the first byte to the last'),
  waitMs: milliseconds("Of that, waited for slots of the platform's limit"),
  platformMs: milliseconds('Of that, in calls to the platform'),
  nativeCalls: whole,
  externalId: Type.Optional(Type.String({ description: "The caller's key of the record" })),
  nativeId: Type.Optional(Type.String({ description: "The platform's id of the record" })),
}
const headers = Type.Record(text, text, { description: 'Of writes and failures: those that are known to be harmless as they were, of the others only the name' })
const body = Type.Optional(Type.String({ description: 'Of writes and failures; secrets removed, cut after 8 KiB' }))
const nativeCall = Type.Object(
  {
    kind: oneOf(['read', 'write', 'token'], 'What the call was for; a token call has no headers and bodies here'),
    method: text,
    path: Type.String({ description: 'With the query, secrets removed' }),
    status: Type.Optional(whole),
    error: Type.Optional(Type.String({ description: 'Why there is no answer' })),
    attempt: whole,
    retry: Type.Optional(Type.String({ description: 'Why it was sent again after this' })),
    startMs: milliseconds('When it left, from the beginning of the request'),
    waitedMs: milliseconds('Waited for its slot before that'),
    durationMs: milliseconds('Until the answer was there'),
    used: Type.Optional(Type.Number({ description: "Share of the account's limit that was used, this call included" })),
    requestHeaders: Type.Optional(headers),
    responseHeaders: Type.Optional(headers),
    requestBody: body,
    responseBody: body,
  },
  { additionalProperties: false },
)
const stage = Type.Object(
  {
    name: Type.String({ description: 'validation, journal, references, recovery, undo' }),
    startMs: milliseconds('From the beginning of the request'),
    durationMs: milliseconds('How long it took'),
    note: Type.Optional(Type.String({ description: 'What came of it' })),
  },
  { additionalProperties: false },
)
const problem = Type.Object(
  { code: text, detail: text, errors: Type.Optional(Type.Array(Type.Object({ pointer: text, message: text }, { additionalProperties: false }))) },
  { additionalProperties: false },
)
const trace = Type.Object(
  {
    path: Type.Optional(Type.String({ description: 'What was requested. Credentials, unknown query parameters and the token of a connect link are left out' })),
    form: Type.Optional(oneOf(['A', 'B'], 'Address form of a unified request')),
    callerLeft: Type.Optional(Type.Boolean({ description: 'Nobody waited for the answer any more' })),
    replayed: Type.Optional(Type.Boolean({ description: 'Answered from the journal' })),
    body: Type.Optional(Type.String({ description: 'What was written, as JSON; secrets removed, cut after 8 KiB' })),
    problem: Type.Optional(problem),
    stages: Type.Array(stage),
    calls: Type.Array(nativeCall),
  },
  { additionalProperties: false },
)
export const activityEntry = Type.Object(shown, { additionalProperties: false })
const full = Type.Object({ ...shown, trace }, { additionalProperties: false })

export const showActivity = ({ workspaceId: _, ...rest }: Activity) => ({ ...rest, at: new Date(timeOfRequestId(rest.requestId)).toISOString() })

function filterOf(query: Query): ActivityFilter {
  const time = (name: string) => {
    const value = instant(query, name)
    return value === undefined ? {} : { [name]: Date.parse(value) }
  }
  const plain = (name: 'accountId' | 'platform' | 'entityType' | 'record' | 'search') => (query[name] ? { [name]: query[name] } : {})
  return {
    ...plain('accountId'),
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

export function activityRoutes(store: Store): ManageRoute[] {
  const tag = 'Activity'
  const base = '/workspaces/{workspaceId}/activity'
  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listActivity',
      summary: 'Requests and background work, newest first',
      tag,
      query: {
        ...pageQuery,
        accountId: 'Only of this account',
        platform: 'Only of this platform',
        status: 'ok, error, 4xx, 5xx or an error code',
        entityType: 'Only of this entity type',
        record: "Only what touched this record: its id at the platform or the caller's key, best with accountId and entityType",
        since: 'Not before this instant',
        until: 'Before this instant',
        search: "A request id or its beginning, a record's id at either side, or an account id",
      },
      answer: pageSchema(activityEntry),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.activity.list(parameters.workspaceId as string, filterOf(query), pageOf(query))
        return { data: data.map(showActivity), ...(next ? { next } : {}) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{requestId}`,
      operationId: 'getActivity',
      summary: 'Read a request with its trace',
      tag,
      answer: full,
      handle: async ({ parameters }) => {
        const found = await store.activity.get(parameters.workspaceId as string, parameters.requestId as string)
        if (!found) throw missing('request, or its days are over')
        return showActivity(found)
      },
    }),
  ]
}
