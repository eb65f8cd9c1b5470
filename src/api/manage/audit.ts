// The audit log. The code that mounts the routes writes an entry for every management action except GET; this file
// reads and exports them.

import type { FastifyRequest } from 'fastify'
import { missingIn } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import { auditChain, auditEntry } from '../../contract/manage/audit.ts'
import { listOf, object, pageSchema, text } from '../../contract/schema.ts'
import type { AuditEntry, AuditFilter, Store } from '../../store/store.ts'
import { instant, positiveInteger, type Query } from '../query.ts'
import { createThrottle } from '../throttle.ts'
import { exported, exportQuery, exportTypes } from './export.ts'
import { type Audit, defineRoute, type ManageRoute, pageOf, pageQuery, type Recorded } from './route.ts'

/** Actions without a workspace: sign-ins, new workspaces, and requests for an unknown workspace. */
export const installation = 'install'

/** Recorded rejections of requests without a credential, per minute: strangers must not fill the log. */
const rejectionsPerMinute = 100

/** An action that cannot be recorded does not succeed. */
export function createAudit(store: Store): Audit {
  const strangers = createThrottle({ limit: rejectionsPerMinute })
  /** A throttled request is never recorded, and a stranger's only if a user name and a password were tried. */
  function isRecorded({ operator }: FastifyRequest, code: string): boolean {
    if (code === 'too_many_requests') return false
    if (operator) return true
    if (code !== 'unauthorized' || strangers.waitMs('') > 0) return false
    strangers.count('')
    return true
  }
  const alone = createTurns()
  return async (route, request, work) => {
    let done = false
    let begun = false
    const record = ({ audit }: Store, outcome: string, made?: unknown) =>
      audit.append({ ...contentOf(route, request, outcome === 'resource_not_found', made), outcome })
    const recorded: Recorded = async (change) => {
      const { workspaceId = installation } = request.params as { workspaceId?: string }
      const made = await alone(workspaceId, () =>
        store.transaction(async (inner) => {
          const result = await change(inner)
          await record(inner, 'ok', result)
          return result
        }),
      )
      done = true
      return made
    }
    const started = async () => {
      await record(store, 'started')
      begun = true
    }
    let answer: unknown
    try {
      answer = await work({ recorded, started })
    } catch (error) {
      const code = error instanceof Problem ? error.code : 'internal_error'
      if (!done && (begun || isRecorded(request, code))) await record(store, code)
      throw error
    }
    if (!done) await record(store, 'ok', answer)
    return answer
  }
}

/**
 * One at a time per scope: each entry has the hash of the one before, so the database would make them wait, each with a
 * connection of the pool.
 */
function createTurns(): <T>(scope: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (scope, work) => {
    const turn = (last.get(scope) ?? Promise.resolve()).then(work)
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (last.get(scope) === ended) last.delete(scope)
      })
    last.set(scope, ended)
    return turn
  }
}

/** Of what an action returned. */
const shownMembers = ['id', 'mappingId', 'role']

function contentOf(
  route: ManageRoute,
  request: FastifyRequest,
  missing: boolean,
  made: unknown,
): Pick<AuditEntry, 'scope' | 'actor' | 'address' | 'action' | 'object' | 'requestId'> {
  const { workspaceId, ...others } = request.params as Record<string, string>
  const scope = missing ? installation : (workspaceId ?? installation)
  const shown = Object.entries((made ?? {}) as object).filter(
    ([name, value]) => shownMembers.includes(name) && typeof value === 'string',
  )
  return {
    scope,
    actor: actorOf(route, request),
    address: request.ip,
    action: route.operationId,
    // Field names only: values may be secrets.
    object: {
      ...others,
      ...Object.fromEntries(shown),
      ...(workspaceId !== undefined && scope === installation ? { workspaceId } : {}),
    },
    requestId: request.id,
  }
}

function actorOf({ open }: ManageRoute, { operator, body }: FastifyRequest): string {
  if (operator) return operator.user ?? operator.credential?.id ?? 'admin token'
  const { user } = (open ? (body ?? {}) : {}) as { user?: unknown }
  return typeof user === 'string' ? user.slice(0, 200) : 'anonymous'
}
const filters = {
  action: 'Entries with this operationId',
  actor: 'Entries of this user or credential',
  address: 'Entries from this IP address',
  outcome: 'Entries with this outcome: `ok`, `started`, `error` for all errors, or an error code',
  since: 'At or after this time',
  until: 'Before this time',
  search: 'A part of an actor, an action, an address, a request id or the target, in any case',
}
function filterOf(query: Query): AuditFilter {
  const plain = (['action', 'actor', 'address', 'outcome', 'search'] as const).map((name) => [name, query[name]])
  const times = (['since', 'until'] as const).map((name) => [name, instant(query, name)])
  return Object.fromEntries([...plain, ...times].filter(([, value]) => value))
}
const listed = (store: Store, scope: string, query: Query) => {
  if (query.after !== undefined) positiveInteger(query, 'after', 1)
  return store.audit.list(scope, filterOf(query), pageOf(query))
}
const columns = [
  'scope',
  'sequence',
  'at',
  'actor',
  'address',
  'action',
  'object',
  'outcome',
  'requestId',
  'hash',
] as const

const answers = {
  list: pageSchema(auditEntry),
  export: text('Entries as in the list; CSV without `previous`'),
}

export function auditRoutes(store: Store): ManageRoute[] {
  const tag = 'Audit'
  const ofWorkspace = '/workspaces/{workspaceId}/audit'
  const existing = async ({ workspaceId = '' }: Record<string, string>) => {
    if (!(await store.workspaces.get(workspaceId))) throw missingIn('workspaceId', 'workspace', '/workspaces')
    return workspaceId
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/audit',
      operationId: 'listAudit',
      summary: 'List management actions, newest first',
      tag,
      query: {
        ...pageQuery,
        scope: 'Workspace id, or `install` for actions without a workspace; `install` by default',
        ...filters,
      },
      answer: answers.list,
      handle: ({ query }) => listed(store, query.scope ?? installation, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/audit/export',
      operationId: 'exportAudit',
      summary: 'Export the audit log, oldest first: one JSON object per line, or CSV',
      tag,
      query: {
        ...exportQuery,
        scope: 'Workspace id, or `install` for actions without a workspace; all scopes by default',
        ...filters,
      },
      answer: answers.export,
      answerType: exportTypes,
      handle: async (call) =>
        exported(call, 'audit', store.audit.walk(call.query.scope, filterOf(call.query)), columns),
    }),
    defineRoute({
      method: 'GET',
      path: '/audit/verification',
      operationId: 'verifyAudit',
      summary: 'Verify the hash chain of every scope',
      tag,
      query: { scope: 'Workspace id, or `install`; all scopes by default' },
      answer: object({ data: listOf(auditChain) }),
      handle: async ({ query }) => ({ data: await store.audit.verify(query.scope) }),
    }),
    defineRoute({
      method: 'GET',
      path: ofWorkspace,
      operationId: 'listWorkspaceAudit',
      role: 'viewer',
      summary: 'List management actions in a workspace, newest first',
      tag,
      query: { ...pageQuery, ...filters },
      answer: answers.list,
      handle: async ({ parameters, query }) => listed(store, await existing(parameters), query),
    }),
    defineRoute({
      method: 'GET',
      path: `${ofWorkspace}/export`,
      operationId: 'exportWorkspaceAudit',
      role: 'viewer',
      summary: 'Export the audit log of a workspace, oldest first: one JSON object per line, or CSV',
      tag,
      query: { ...exportQuery, ...filters },
      answer: answers.export,
      answerType: exportTypes,
      handle: async (call) => {
        const scope = await existing(call.parameters)
        return exported(call, 'audit', store.audit.walk(scope, filterOf(call.query)), columns)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ofWorkspace}/verification`,
      operationId: 'verifyWorkspaceAudit',
      role: 'viewer',
      summary: 'Verify the hash chain of a workspace',
      tag,
      answer: auditChain,
      handle: async ({ parameters }) => {
        const scope = await existing(parameters)
        return (await store.audit.verify(scope))[0] ?? { scope, entries: 0, head: '' }
      },
    }),
  ]
}
