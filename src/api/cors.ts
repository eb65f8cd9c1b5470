// Cross-origin requests of browsers: off by default, allowed per origin. Never with cookies: callers send a bearer
// token, and management routes stay same-origin.
import type { FastifyInstance } from 'fastify'
import { decodedPath } from './request-path.ts'

const methods = 'GET, POST, PUT'
const requestHeaders =
  'authorization, content-type, if-match, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, prefer'
const exposedHeaders =
  'deprecation, etag, idempotent-replayed, link, mcp-session-id, ratelimit, ratelimit-policy, retry-after, sunset, www-authenticate, x-queue-wait-ms, x-request-id'
const isManagement = /^\/(manage|dashboard|metrics|connect)(\/|$)/i

/** `origins`: of web pages, such as https://app.example.com; `*` allows all. */
export function installCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const all = origins.includes('*')
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (isManagement.test(request.routeOptions.url ?? decodedPath(request.url))) return done()
    if (!all) reply.header('vary', 'origin')
    if (origin === undefined || !(all || origins.includes(origin))) return done()
    reply.header('access-control-allow-origin', all ? '*' : origin)
    reply.header('access-control-expose-headers', exposedHeaders)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done()
    reply
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', '600')
      .code(204)
      .send()
  })
}
