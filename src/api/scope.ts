// The one place that decides what a caller's credential may be used for in the records API.
import type { FastifyRequest } from 'fastify'
import { requireEntity, requireScope, requireWholeRecords } from '../accounts/permissions.ts'
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
  requireWholeRecords(credential)
  if (scope !== 'any') requireScope(credential, scope)
  const { entityType } = request.params as { entityType?: string }
  if (entityType !== undefined) requireEntity(credential, entityType)
}
