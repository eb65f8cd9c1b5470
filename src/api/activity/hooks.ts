// Every unified request, and every management request that reached a platform, becomes an entry when it has been
// answered.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/errors.ts'
import { withoutSecretFields } from '../../engine/outbound/redaction.ts'
import type { Swept } from '../../engine/write/sweep.ts'
import type { MigratedWrite } from '../../migrate/engine-side.ts'
import { toProblem } from '../problem.ts'
import { formBPrefix } from '../record-operations.ts'
import { pathAndQueryOf, withoutCredentials } from '../request-path.ts'
import type { ActivityRecorder } from './recorder.ts'
import type { About, Finished } from './trace.ts'

const maxText = 8192
const operations: Readonly<Record<string, string>> = {
  testAccount: 'test',
  connectAccount: 'connect',
  callPlatform: 'native',
}

declare module 'fastify' {
  interface FastifyRequest {
    recorded?: boolean
    responseText?: string // of a write or a failure
    heldMs?: number // how long a request waited for changes, as it had asked to
    connectedAccountId?: string // by a connect page
  }
}

export function installActivity(app: FastifyInstance, recorder: ActivityRecorder): void {
  function record(request: FastifyRequest, reply: FastifyReply, callerLeft?: true): void {
    if (request.recorded) return
    request.recorded = true
    const finished = finishedOf(request, reply, callerLeft, recorder)
    if (finished) recorder.finish(finished)
    else recorder.discard(request.id)
  }
  // A caller that has gone gets no response that could end; the work is done in any case.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && request.caller && (request.method !== 'GET' || reply.statusCode >= 400))
      request.responseText = payload
    if (reply.raw.destroyed) record(request, reply, true)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply)
    done()
  })
}

function finishedOf(
  request: FastifyRequest,
  reply: FastifyReply,
  callerLeft: true | undefined,
  recorder: ActivityRecorder,
): Finished | undefined {
  if (request.toolCall) return toolCall(request, reply, request.toolCall, callerLeft)
  if (request.routeOptions.url === '/mcp' && !request.problem) return undefined // other messages of the protocol
  return request.caller
    ? unifiedRequest(request, reply, callerLeft)
    : managementRequest(request, reply, callerLeft, recorder)
}

/** As the request of the records API that does the same. */
function toolCall(
  { id, account, caller }: FastifyRequest,
  { elapsedTime }: FastifyReply,
  { tool, subject, input, problem, client }: NonNullable<FastifyRequest['toolCall']>,
  callerLeft: true | undefined,
): Finished {
  return {
    requestId: id,
    workspaceId: caller?.workspaceId ?? '',
    accountId: account?.id ?? '',
    platform: account?.platform ?? '',
    credentialId: caller?.credentialId ?? '',
    method: 'POST',
    entityType: withoutCredentials(subject.entityType ?? '').slice(0, 40),
    operation: tool.operation,
    status: problem?.status ?? (tool.kind === 'create' && !subject.replayed ? 201 : 200),
    errorCode: problem?.code,
    totalMs: elapsedTime,
    externalId: subject.externalId,
    nativeId: subject.id,
    about: {
      path: `/mcp ${tool.name}`,
      client,
      callerLeft,
      replayed: subject.replayed || undefined,
      body: bodyText(input),
      problem: problem && shownProblem(problem),
    },
  }
}
const cutText = (json: string) => withoutSecretFields(json.slice(0, maxText * 2)).slice(0, maxText)
const bodyText = (body: unknown) => cutText(JSON.stringify(body))

function unifiedRequest(request: FastifyRequest, reply: FastifyReply, callerLeft: true | undefined): Finished {
  const { entityType = '', id } = request.params as { entityType?: string; id?: string }
  const { account, caller, touched, body, problem } = request
  const query = request.query as Record<string, string | undefined>
  const written = typeof body === 'object' && body !== null ? body : undefined
  const own =
    written && 'externalId' in written && typeof written.externalId === 'string' ? written.externalId : query.externalId
  return {
    requestId: request.id,
    workspaceId: caller?.workspaceId ?? '',
    accountId: account?.id ?? '',
    platform: account?.platform ?? '',
    credentialId: caller?.credentialId ?? '',
    method: request.method,
    entityType: withoutCredentials(entityType).slice(0, 40),
    operation: operationOf(request, entityType, id, query),
    status: reply.statusCode,
    errorCode: problem?.code,
    totalMs: Math.max(0, reply.elapsedTime - (request.heldMs ?? 0)),
    externalId: typeof own === 'string' ? own : undefined,
    nativeId: touched?.nativeId ?? id,
    about: {
      path: pathAndQueryOf(request),
      form: request.url.startsWith(formBPrefix) ? 'B' : 'A',
      callerLeft,
      replayed: touched?.replayed || undefined,
      body: written && bodyText(written),
      response: request.responseText && cutText(request.responseText),
      problem: problem && shownProblem(problem),
    },
  }
}

const operationsOf: Readonly<Record<string, string>> = {
  '/unified/:accountId/changes': 'changes',
  '/unified/:accountId/changes/status': 'changes_status',
}
function operationOf(
  { method, routeOptions }: FastifyRequest,
  entityType: string,
  id: string | undefined,
  query: Record<string, string | undefined>,
): string {
  const [, path = ''] = /(\/unified\/.*)$/.exec(routeOptions.url ?? '') ?? []
  const operation = operationsOf[path]
  if (operation !== undefined) return operation
  if (method === 'POST' && entityType === '') return 'native'
  if (method === 'POST') return query.dryRun === undefined ? 'create' : 'dry_run'
  if (method === 'PUT') return 'update'
  if (id !== undefined) return 'get'
  if (entityType === '') return 'support'
  return query.externalId === undefined ? 'list' : 'find'
}

function managementRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  callerLeft: true | undefined,
  recorder: ActivityRecorder,
): Finished | undefined {
  const first = recorder.trail(request.id)?.calls[0]?.event
  if (!first) return undefined
  const { entityType, id, recordId } = request.params as Record<string, string | undefined>
  const { operationId = 'connect' } = request.routeOptions.config // only connect pages have none
  const { problem } = request
  return {
    requestId: request.id,
    workspaceId: first.workspaceId,
    accountId: request.connectedAccountId ?? (isDraft(first.accountId) ? '' : first.accountId),
    platform: first.platform,
    credentialId: request.operator?.user ?? request.operator?.credential?.id ?? '',
    method: request.method,
    entityType: entityType ?? '',
    operation: operations[operationId] ?? operationId,
    status: reply.statusCode,
    errorCode: problem?.code,
    totalMs: reply.elapsedTime,
    externalId: undefined,
    nativeId: recordId ?? id,
    isOwn: true,
    about: { path: pathAndQueryOf(request), callerLeft, problem: problem && shownProblem(problem) },
  }
}

/** Credentials on trial belong to no account yet; no account can have such an id (connect/flow.ts). */
const isDraft = (accountId: string) => accountId.startsWith('probe ')

/** What a migration wrote. */
export function recordMigrated(recorder: ActivityRecorder, write: MigratedWrite): void {
  const { requestId, account, caller, entityType, operation, externalId, nativeId, totalMs, error } = write
  const problem = error === undefined ? undefined : toProblem(error)
  recorder.finish({
    requestId,
    workspaceId: account.workspaceId,
    accountId: account.id,
    platform: account.platform,
    credentialId: caller,
    method: operation === 'create' ? 'POST' : 'PUT',
    entityType,
    operation: 'migrate',
    status: problem?.status ?? (operation === 'create' ? 201 : 200),
    totalMs,
    errorCode: problem?.code,
    externalId,
    nativeId,
    about: { problem: problem && shownProblem(problem) },
  })
}

/** What a sweep did for a write that no request waited for. */
export function recordSwept(recorder: ActivityRecorder, { requestId, account, key, totalMs, error }: Swept): void {
  const problem = error === undefined ? undefined : toProblem(error)
  // Nothing failed: the sweep takes it up again when its outcome can be known.
  if (problem?.code === 'write_in_progress') {
    recorder.discard(requestId)
    return
  }
  recorder.finish({
    requestId,
    workspaceId: account.workspaceId,
    accountId: account.id,
    platform: account.platform,
    credentialId: '',
    method: 'POST',
    entityType: key.entityType,
    operation: 'resume',
    status: problem?.status ?? 201,
    totalMs,
    errorCode: problem?.code,
    externalId: key.externalId,
    nativeId: undefined,
    about: { problem: problem && shownProblem(problem) },
  })
}

const shownProblem = ({ code, detail, errors }: Problem): About['problem'] => ({
  code,
  detail: detail.slice(0, maxText),
  errors: errors?.slice(0, 50),
})
