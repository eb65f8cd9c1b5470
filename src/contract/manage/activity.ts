// Recent activity: every request with its trace.

import { oneOf } from '../field.ts'
import { byName, flag, listOf, named, number, object, optional, text, time, whole } from '../schema.ts'

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
export const activityWithTrace = named('ActivityWithTrace', { ...shown, trace })
