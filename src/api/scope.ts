// The one place that decides what a caller's credential may be used for.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Caller } from './authentication.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: Scope | 'any' // by default that of records, by the method
  }
}

export function checkScope(request: FastifyRequest, { credential }: Caller): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const scope = request.routeOptions.config.scope ?? (isRead ? 'records:read' : 'records:write')
  if (scope === 'any' || credential.scopes.includes(scope)) return
  const kind = credential.kind === 'api_key' ? 'API key' : 'access id'
  throw new Problem(
    'insufficient_scope',
    `This ${kind} does not have the scope "${scope}". Create one with it in the management API or with unirec, and use it for this request.`,
    { headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }, extra: { scope } },
  )
}
