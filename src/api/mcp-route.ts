// POST /mcp: the Model Context Protocol over HTTP, with the credentials of the records API.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeedReader } from '../changes/read-feed.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Called } from '../mcp/call-tool.ts'
import type { createMcp } from '../mcp/handler.ts'
import type { Account, Credential, Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Authenticate, Caller } from './authentication.ts'
import { createContexts, goneSignal } from './request-context.ts'
import { allowedEntities, checkNeed, checkSearch, unknownAccount } from './scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call of a tool. Absent in `/mcp` for every other message. */
    toolCall?: Called & { client: string }
  }
}
export interface McpOptions {
  store: Store
  engine: Engine
  feeds: FeedReader
  vault: Vault
  byKey: Authenticate
  byToken: Authenticate
  baseUrl(): string
  origins: readonly string[]
  maxWaitMs?: number | undefined
}
const passedHeaders = /^(accept|content-type|user-agent|mcp-.*)$/
/** Of pages on the caller's own machine, such as an inspector. */
const isLocal = (hostname: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

export function mcpRoute(app: FastifyInstance, options: McpOptions): void {
  const contextOf = createContexts(options)
  const permissions = {
    check: checkNeed,
    entities: allowedEntities,
    search: checkSearch,
    async account(credential: Credential, accountId: string) {
      checkNeed(credential, { scope: 'any', accountId })
      const account = await options.store.accounts.get(accountId, credential)
      if (account?.workspaceId !== credential.workspaceId) throw unknownAccount(credential)
      return account
    },
  }
  let handler: Promise<ReturnType<typeof createMcp>> | undefined
  // The protocol's code is loaded with the first request: most starts do not need it.
  const loaded = () =>
    (handler ??= import('../mcp/handler.ts').then((mcp) =>
      mcp.createMcp({ ...options, permissions }, (problem) =>
        app.log[problem.code === 'internal_error' ? 'error' : 'warn'](
          { err: problem.cause ?? problem },
          problem.detail,
        ),
      ),
    ))

  app.addHook('onRequest', async (request) => {
    checkOrigin(request, options)
    const isToken = /^Bearer +urt_/i.test(request.headers.authorization ?? '')
    request.caller = await (isToken ? options.byToken : options.byKey)(request)
  })

  app.post('/mcp', async (request, reply) => {
    if (Array.isArray(request.body))
      throw new Problem('malformed_request', 'The body is a batch. Send one JSON-RPC message per request.')
    const mcp = await loaded()
    const { status, headers, body, client, called } = await mcp({
      url: `${options.baseUrl()}/mcp`,
      headers: Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          passedHeaders.test(name) && value !== undefined ? [[name, String(value)]] : [],
        ),
      ),
      body: request.body,
      calling: {
        requestId: request.id,
        credential: (request.caller as Caller).credential,
        address: request.ip,
        signal: goneSignal(reply),
        contextOf(account: Account) {
          request.account = account
          return request.pacing ?? contextOf(request, reply)
        },
      },
    })
    if (called) {
      request.toolCall = { ...called, client }
      request.account = called.subject.account
    }
    for (const name of ['content-type', 'mcp-session-id', 'allow'])
      if (headers[name] !== undefined) reply.header(name, headers[name])
    return reply.code(status).header('cache-control', 'no-store').send(body)
  })
}

/** A page of another site cannot call the service through its visitor, also if it changes what its name resolves to. */
function checkOrigin({ headers: { origin } }: FastifyRequest, { origins, baseUrl }: McpOptions): void {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return
  const url = URL.parse(origin)
  if (url && (isLocal(url.hostname) || url.origin === URL.parse(baseUrl())?.origin)) return
  throw new Problem(
    'forbidden',
    'Pages of this origin cannot call /mcp. Add the origin to CORS_ORIGINS, or call without an Origin header.',
  )
}
