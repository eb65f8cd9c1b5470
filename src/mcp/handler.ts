// The protocol: the official SDK serves both revisions, one server per request. The service keeps no session.
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Problem } from '../contract/errors.ts'
import { mcpInstructions, mcpServerInfo } from '../contract/mcp-server.ts'
import type { Vault } from '../store/vault.ts'
import { type Called, createCallTool, listTools } from './call-tool.ts'
import { createClientIdentity } from './client-identity.ts'
import type { Calling, Services } from './tool.ts'

/** For answers of people to questions, which no tool asks. The default would be created for every request. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
}
/** How long a client may keep the list of tools. Calls are checked with the current scopes of the key. */
const listTtlMs = 5 * 60_000

interface Exchange {
  calling: Calling
  called(call: Called): void
}
export interface McpRequest {
  url: string
  headers: Record<string, string>
  body: unknown
  calling: Omit<Calling, 'client'>
}
export interface McpResponse {
  status: number
  headers: Record<string, string>
  body: string
  client: string
  called?: Called // the call of a tool
}

export function createMcp(services: Services & { vault: Vault }, onError: (problem: Problem) => void) {
  const identity = createClientIdentity(services.vault)
  const tools = createCallTool(services, onError)

  function serverOf({ calling, called }: Exchange): Server {
    const server = new Server(mcpServerInfo, {
      capabilities: { tools: {} },
      instructions: mcpInstructions,
      jsonSchemaValidator: noValidator as never,
      cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
    })
    server.setRequestHandler('tools/list', () => ({ tools: listTools(calling.credential) as never }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.find(params.name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`)
      const { result, called: call } = await tools.call(tool, params.arguments ?? {}, calling)
      called(call)
      return result as never
    })
    return server
  }
  const handlerOf = () =>
    createMcpHandler(({ authInfo }) =>
      serverOf((authInfo as unknown as { extra: { exchange: Exchange } }).extra.exchange),
    )
  const shared = handlerOf()

  return async ({ url, headers, body, calling }: McpRequest): Promise<McpResponse> => {
    const client = identity.clientOf(body, headers)
    let called: Called | undefined
    const exchange: Exchange = {
      calling: { ...calling, client },
      called: (call) => {
        called = call
      },
    }
    // Nothing that a client could subscribe to ever changes, so a subscription ends when it has been acknowledged.
    const isSubscription = (body as { method?: unknown } | null)?.method === 'subscriptions/listen'
    const handler = isSubscription ? handlerOf() : shared
    const response = await handler.fetch(new Request(url, { method: 'POST', headers }), {
      parsedBody: body,
      authInfo: { token: '', clientId: calling.credential.id, scopes: [], extra: { exchange } },
    })
    if (isSubscription) await handler.close()
    const session = response.ok ? identity.sessionOf(body) : undefined
    return {
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: await response.text(),
      client,
      ...(called ? { called } : {}),
    }
  }
}
