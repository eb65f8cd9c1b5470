// Every unified request, and every management request that reached a platform, becomes an entry when it has been answered.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode, Problem } from '../../contract/errors.ts'
import type { Swept } from '../../engine/sweep.ts'
import { formBPrefix } from '../openapi.ts'
import { toProblem } from '../problem.ts'
import type { ActivityRecorder } from './recorder.ts'
import type { Finished } from './way.ts'

const maxText = 8192
const operations: Readonly<Record<string, string>> = { testAccount: 'test', connectAccount: 'connect' }

declare module 'fastify' {
  interface FastifyRequest {
    recorded?: boolean
  }
}

export function installActivity(app: FastifyInstance, recorder: ActivityRecorder): void {
  function record(request: FastifyRequest, reply: FastifyReply, callerLeft: boolean): void {
    if (request.recorded) return
    request.recorded = true
    const entry = request.caller ? unifiedEntry(request) : managementEntry(request, recorder)
    if (!entry) {
      recorder.discard(request.id)
      return
    }
    const { problem } = request
    recorder.finish({
      ...entry,
      requestId: request.id,
      method: request.method,
      status: reply.statusCode,
      totalMs: reply.elapsedTime,
      ...(problem ? { errorCode: problem.code } : {}),
      about: {
        path: request.url.slice(0, 2000),
        ...(callerLeft ? { callerLeft } : {}),
        ...entry.about,
        ...(problem ? { problem: shownProblem(problem) } : {}),
      },
    })
  }
  // Whoever has gone gets no answer that could end; the work is over all the same.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.destroyed) record(request, reply, true)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply, false)
    done()
  })
}

type Known = Omit<Finished, 'requestId' | 'method' | 'status' | 'totalMs' | 'errorCode'>

function unifiedEntry(request: FastifyRequest): Known {
  const { accountId: _, entityType = '', id } = request.params as { accountId?: string; entityType?: string; id?: string }
  const { account, caller, touched, body } = request
  const query = request.query as Record<string, string | undefined>
  const written = typeof body === 'object' && body !== null ? body : undefined
  const own = written && 'externalId' in written && typeof written.externalId === 'string' ? written.externalId : query.externalId
  return {
    workspaceId: caller?.workspaceId ?? '',
    accountId: account?.id ?? '',
    platform: account?.platform ?? '',
    credentialId: caller?.credentialId ?? '',
    entityType: entityType.slice(0, 40),
    operation: operationOf(request.method, { entityType, id, query }),
    externalId: typeof own === 'string' ? own : undefined,
    nativeId: touched?.nativeId ?? id,
    about: {
      form: request.url.startsWith(formBPrefix) ? 'B' : 'A',
      ...(touched?.replayed ? { replayed: true } : {}),
      ...(written ? { body: JSON.stringify(written).slice(0, maxText) } : {}),
    },
  }
}

function operationOf(method: string, { entityType, id, query }: { entityType: string; id: string | undefined; query: Record<string, string | undefined> }): string {
  if (method === 'POST') return query.dryRun === undefined ? 'create' : 'dry_run'
  if (method === 'PUT') return 'update'
  if (id !== undefined) return 'get'
  if (entityType === '') return 'support'
  return query.externalId === undefined ? 'list' : 'find'
}

function managementEntry(request: FastifyRequest, recorder: ActivityRecorder): Known | undefined {
  const trail = recorder.trail(request.id)
  if (!trail?.workspaceId) return undefined
  const { entityType, id, recordId } = request.params as Record<string, string | undefined>
  const { operationId = '' } = request.routeOptions.config
  return {
    workspaceId: trail.workspaceId,
    accountId: trail.accountId ?? '',
    platform: trail.platform ?? '',
    credentialId: request.operator?.user ?? '',
    entityType: entityType ?? '',
    operation: operations[operationId] ?? operationId,
    nativeId: recordId ?? id,
    about: {},
  }
}

/** What a sweep did about a write that nobody waited for. */
export function recordSwept(recorder: ActivityRecorder, { requestId, account, key, totalMs, error }: Swept): void {
  const problem = error === undefined ? undefined : toProblem(error)
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
    about: problem ? { problem: shownProblem(problem) } : {},
  })
}

const shownProblem = ({ code, detail, errors }: Problem): { code: ErrorCode; detail: string; errors?: Problem['errors'] } => ({
  code,
  detail: detail.slice(0, maxText),
  ...(errors ? { errors: errors.slice(0, 50) } : {}),
})
