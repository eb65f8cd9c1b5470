// A management route is data plus a handler. Its schemas validate the body and describe it in the OpenAPI document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type ErrorCode, Problem } from '../../contract/errors.ts'
import type { RequiredRole } from '../../contract/roles.ts'
import type { Scope } from '../../contract/scopes.ts'
import { createValidator } from '../../contract/validation.ts'
import type { Store } from '../../store/store.ts'
import { positiveInteger, type Query, readQuery } from '../query.ts'

export interface ManageCall<Body> {
  parameters: Record<string, string>
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
  /** Changes the store and writes the audit entry of the action, in one transaction. Not for GET. */
  recorded: Recorded
  /**
   * Writes an audit entry with the outcome `started`. For an action that has effects outside the database: called right
   * before the first one. The outcome is a second entry.
   */
  started(): Promise<void>
}
/** The `id`, `mappingId` and `role` of the result are in the audit entry. */
export type Recorded = Store['transaction']
export interface ManageRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string // below /manage/v1, with {name} parameters
  operationId: string
  summary: string
  description?: string // what the summary does not say
  tag: string
  query?: Readonly<Record<string, string>> // name -> description
  headers?: Readonly<Record<string, string>> // of the request: name -> description
  body?: TSchema
  content?: { types: readonly string[]; maxBytes: number } // instead of a JSON body: text of these types
  answer?: TSchema // none: 204
  answerType?: string | readonly string[] // of a response that is not JSON; of several, the handler sets one
  status?: number
  result?: string // of a 202: the operation that shows what came of it
  /** What an API key or access id needs; `people`: only people and the admin token. */
  scope?: Scope | 'people'
  /** Needs no credential. */
  open?: true
  /** Changes nothing, although it is not a GET: strangers must not fill the audit log. */
  unrecorded?: true
  /** What a person needs. Without it, the route is for admins. */
  role?: RequiredRole
  problems?: readonly ErrorCode[] // in addition to those of every route
  handle(call: ManageCall<never>): Promise<unknown>
}

export function defineRoute<const B extends TSchema>(
  route: Omit<ManageRoute, 'handle' | 'body'> & { body?: B; handle(call: ManageCall<Static<B>>): Promise<unknown> },
): ManageRoute {
  return route as ManageRoute
}

const isOfWorkspace = ({ path }: ManageRoute) => path.startsWith('/workspaces/{workspaceId}')
/** A credential belongs to a workspace, and reaches nothing outside it. */
export const scopeOf = (route: ManageRoute): Scope | 'people' =>
  route.scope ?? (isOfWorkspace(route) ? 'manage' : 'people')
export const roleOf = (route: ManageRoute): RequiredRole =>
  route.role ?? (isOfWorkspace(route) ? 'admin' : 'installation')

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
  }
}

export type Recording = Pick<ManageCall<never>, 'recorded' | 'started'>
/** Runs the handler and records the action, unless the handler did. */
export type Audit = (
  route: ManageRoute,
  request: FastifyRequest,
  work: (recording: Recording) => Promise<unknown>,
) => Promise<unknown>

async function unrecorded(): Promise<never> {
  throw new Error('a GET changes nothing')
}
const noRecording: Recording = { recorded: unrecorded, started: unrecorded }

export function mount(app: FastifyInstance, route: ManageRoute, audit: Audit): void {
  const validator = route.body ? createValidator(route.body) : undefined
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operationId: route.operationId, scope: scopeOf(route), role: roleOf(route) },
    ...(route.content ? { bodyLimit: route.content.maxBytes } : {}),
    handler: async (request, reply) => {
      const answer = await (route.method === 'GET' || route.unrecorded
        ? work(request, reply, noRecording)
        : audit(route, request, (recording) => work(request, reply, recording)))
      reply.code(route.status ?? (route.answer ? 200 : 204))
      if (typeof route.answerType === 'string') reply.type(route.answerType)
      return answer ?? null
    },
  })
  async function work(request: FastifyRequest, reply: FastifyReply, recording: Recording): Promise<unknown> {
    const query = readQuery(request.query, Object.keys(route.query ?? {}))
    const body = request.body
    if (validator) {
      const errors = validator.violations(body === undefined ? {} : body)
      if (errors.length === 0) errors.push(...nulIn(body))
      if (errors.length > 0) throw new Problem('validation_failed', 'The body is not valid.', { errors })
    }
    return route.handle({
      parameters: request.params as Record<string, string>,
      query,
      body: (body ?? {}) as never,
      request,
      reply,
      ...recording,
    })
  }
}

export const pageQuery = {
  after: 'The `next` of the previous page',
  limit: 'Entries per page, 50 by default, at most 500',
}
export const pageOf = (query: Query) => ({
  limit: Math.min(positiveInteger(query, 'limit', 50), 500),
  after: query.after,
})
/** PostgreSQL stores no NUL. Not recursive: a body may be nested deeply. */
function nulIn(body: unknown): { pointer: string; message: string }[] {
  const open: [string, unknown][] = [['', body]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [pointer, value] = next
    if (typeof value === 'string' && value.includes('\0'))
      return [{ pointer, message: 'must not contain the character U+0000; remove it' }]
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value))
      open.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner])
  }
  return []
}
