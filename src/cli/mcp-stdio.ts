// The bridge of `unirec mcp`. Loaded when the command runs.
import { Readable } from 'node:stream'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpInstructions, mcpServerInfo } from '../contract/mcp-server.ts'
import { reasonOf } from './manage.ts'

interface Options {
  url: string
  apiKey: string
  fetch: typeof fetch
  signal: AbortSignal
  note(text: string): void // stderr
}
interface Answer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
  code?: string // of a problem: the request did not reach the protocol
  detail?: string
}
const revision = '2026-07-28'

/** Ends when the client closes stdin, or the signal is aborted. */
export async function serveTools({ url, apiKey, fetch, signal, note }: Options): Promise<void> {
  let lastId = 0
  async function forward(method: string, params: object, client: unknown, name?: string) {
    const body = {
      jsonrpc: '2.0',
      id: ++lastId,
      method,
      params: {
        ...params,
        _meta: {
          [PROTOCOL_VERSION_META_KEY]: revision,
          [CLIENT_CAPABILITIES_META_KEY]: {},
          ...(client ? { [CLIENT_INFO_META_KEY]: client } : {}),
        },
      },
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': revision,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
      body: JSON.stringify(body),
    })
    return parsed(await response.text(), response.status)
  }

  function serverOf(): Server {
    const server = new Server(mcpServerInfo, { capabilities: { tools: {} }, instructions: mcpInstructions })
    const clientOf = ({ mcpReq }: ServerContext) =>
      (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
    server.setRequestHandler('tools/list', async (_, context) => {
      const { tools } = resultOf(await forward('tools/list', {}, clientOf(context)).catch(unreachable))
      return { tools } as never
    })
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, context) => {
      const sent = forward('tools/call', { name, arguments: given }, clientOf(context), name)
      const answer = await sent.catch(unreachable)
      // Something an agent can act on, as the errors of tools.
      if (answer.code !== undefined)
        return { isError: true, content: [{ type: 'text', text: JSON.stringify(answer) }] } as never
      const { content, structuredContent, isError } = resultOf(answer)
      return { content, structuredContent, isError } as never
    })
    return server
  }

  const ended = Promise.withResolvers<void>()
  const lines = Readable.from(jsonLines(process.stdin))
  const transport = new StdioServerTransport(lines)
  lines.once('end', ended.resolve).once('close', ended.resolve)
  signal.addEventListener('abort', () => ended.resolve())
  const served = serveStdio(serverOf, { transport })
  // A client shows stderr when it is set up; the service may also come later.
  void forward('tools/list', {}, undefined)
    .catch(unreachable)
    .then(({ code, detail }) => code !== undefined && note(`${url}: ${code}: ${detail}`))
  await ended.promise
  await served.close()
}

/** The SDK drops a line that is not JSON; JSON-RPC has an error for it. */
async function* jsonLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of input) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = rest.subarray(0, end + 1)
      rest = rest.subarray(end + 1)
      if (isJson(line.toString())) yield line
      else if (line.toString().trim() !== '') process.stdout.write(`${JSON.stringify(notJson)}\n`)
    }
  }
}
const notJson = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.ParseError, message: 'Parse error: each line must be one JSON-RPC message.' },
}
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
function parsed(text: string, status: number): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return { code: 'unavailable', detail: `The service answered with status ${status} and no JSON. Check UNIREC_URL.` }
  }
}
const unreachable = (error: Error): Answer => ({
  code: 'unavailable',
  detail: `The service cannot be reached: ${reasonOf(error)}. Call the tool again with the same arguments: a write is not repeated.`,
})
function resultOf({ result, error, code, detail }: Answer): Record<string, unknown> {
  if (result) return result
  if (error) throw new ProtocolError(error.code, error.message, error.data)
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${detail}`)
}
