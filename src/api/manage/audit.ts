// The audit log: written for every management action that is not a GET, by whoever mounts the routes; read and exported here.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import type { AuditEntry, Store } from '../../store/store.ts'
import { positiveInteger } from '../query.ts'
import { type Audit, defineRoute, type ManageRoute, pageOf, pageQuery, pageSchema } from './route.ts'

/** What belongs to no workspace: log-ins, new workspaces, and what was asked of one that does not exist. */
const installation = 'install'

/** An action that cannot be recorded is not answered as done. */
export function createAudit(store: Store): Audit {
  return async (route, request, work) => {
    const record = (outcome: string, made?: unknown) => store.audit.append({ ...contentOf(route, request, outcome === 'resource_not_found', made), outcome })
    let answer: unknown
    try {
      answer = await work()
    } catch (error) {
      const code = error instanceof Problem ? error.code : 'internal_error'
      // Who is turned away for asking too often must not fill the log that way.
      if (code !== 'too_many_requests') await record(code)
      throw error
    }
    await record('ok', answer)
    return answer
  }
}

function contentOf(
  route: ManageRoute,
  request: FastifyRequest,
  missing: boolean,
  made: unknown,
): Pick<AuditEntry, 'scope' | 'actor' | 'address' | 'action' | 'object' | 'requestId'> {
  const { workspaceId, ...others } = request.params as Record<string, string>
  const scope = missing ? installation : (workspaceId ?? installation)
  const { id } = (made ?? {}) as { id?: unknown }
  return {
    scope,
    actor: actorOf(route, request),
    address: request.ip,
    action: route.operationId,
    // Names only, never a value of the body: it may hold a secret.
    object: { ...others, ...(typeof id === 'string' ? { id } : {}), ...(workspaceId !== undefined && scope === installation ? { workspaceId } : {}) },
    requestId: request.id,
  }
}

function actorOf({ operationId }: ManageRoute, { operator, body }: FastifyRequest): string {
  if (operator) return operator.user ?? 'admin token'
  const { user } = (operationId === 'logIn' ? (body ?? {}) : {}) as { user?: unknown }
  return typeof user === 'string' ? user.slice(0, 200) : 'nobody'
}

const text = (description: string) => Type.String({ description })
const entry = Type.Object(
  {
    scope: text('A workspace, or `install`'),
    sequence: Type.Integer({ description: 'Counts from 1 in each scope, without gaps' }),
    at: Type.String({ format: 'date-time' }),
    actor: text('User, or `admin token`'),
    address: text('Where the request came from'),
    action: text('operationId of the route'),
    object: Type.Record(Type.String(), Type.String(), { description: 'What it was done to' }),
    outcome: text('`ok`, or the code of the problem'),
    requestId: Type.String(),
    previous: text('`hash` of the entry before; empty for the first'),
    hash: text('SHA-256 over all of the above'),
  },
  { additionalProperties: false },
)
const chain = Type.Object(
  {
    scope: Type.String(),
    entries: Type.Integer(),
    head: text('`hash` of the newest entry: kept elsewhere, it also shows whether the end was cut off'),
    brokenAt: Type.Optional(Type.Integer({ description: 'The first entry that does not fit the one before it' })),
  },
  { additionalProperties: false },
)
const scopeQuery = "A workspace's id, or `install` for what belongs to none"

export function auditRoutes(store: Store): ManageRoute[] {
  const tag = 'Audit'
  return [
    defineRoute({
      method: 'GET',
      path: '/audit',
      operationId: 'listAudit',
      summary: 'Who did what in the management API, newest first',
      tag,
      query: {
        ...pageQuery,
        scope: `${scopeQuery}; \`install\` unless told`,
        action: 'Only this operationId',
        actor: 'Only this user',
        outcome: 'Only this outcome: `ok` or the code of a problem',
      },
      answer: pageSchema(entry),
      handle: async ({ query }) => {
        if (query.after !== undefined) positiveInteger(query, 'after', 1)
        const { scope = installation, action, actor, outcome } = query
        return store.audit.list(scope, { ...(action ? { action } : {}), ...(actor ? { actor } : {}), ...(outcome ? { outcome } : {}) }, pageOf(query))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/audit/export',
      operationId: 'exportAudit',
      summary: 'The whole audit log, one JSON object per line, oldest first',
      tag,
      query: { scope: `${scopeQuery}; everything unless told` },
      answer: Type.String({ description: 'Entries as in listAudit' }),
      answerType: 'application/x-ndjson',
      handle: async ({ query }) => Readable.from(lines(store.audit.walk(query.scope))),
    }),
    defineRoute({
      method: 'GET',
      path: '/audit/verification',
      operationId: 'verifyAudit',
      summary: 'Checks the chain of every scope from its first entry on',
      tag,
      answer: Type.Object({ data: Type.Array(chain) }, { additionalProperties: false }),
      handle: async () => ({ data: await store.audit.verify() }),
    }),
  ]
}

const chunkLength = 65_536
/** Many lines at a time: a chunk of the answer for each costs more than making it. */
async function* lines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  let chunk = ''
  for await (const one of entries) {
    chunk += `${JSON.stringify(one)}\n`
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
