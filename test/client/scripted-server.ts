// A server that sends scripted responses in order and records its requests, for failures that the real service rarely
// shows.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenHere } from '../listen.ts'

export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}
export interface Scripted {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** Closes the connection before or during the response. */
  cut?: 'before' | 'amid'
  /** No response. */
  silent?: boolean
}
export type Script = (asked: Asked, index: number) => Scripted
export interface ScriptedServer {
  url: string
  asked: Asked[]
  close(): Promise<void>
}

export const problem = (
  status: number,
  code: string,
  headers: Record<string, string> = { 'retry-after': '0' },
  more: object = {},
): Scripted => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { type: `/errors#${code}`, title: code, status, detail: `about ${code}`, code, requestId: 'req_1', ...more },
})
export const page = (numbers: number[], cursor?: string): Scripted => ({
  body: {
    data: numbers.map((number) => ({ externalId: String(number), name: `P${number}` })),
    pagination: { hasMore: cursor !== undefined, cursor },
  },
})
export const written = (externalId: string, replayed = false): Scripted => ({
  status: replayed ? 200 : 201,
  body: {
    success: true,
    data: { externalId: `native-${externalId}` },
    reference: { externalId, id: `native-${externalId}`, replayed },
  },
})

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function send(response: ServerResponse, { status = 200, headers, body, cut, silent }: Scripted): void {
  if (silent) return
  if (cut === 'before') return void response.destroy()
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  response.writeHead(status, {
    'x-request-id': 'req_1',
    ...headers,
    ...(cut ? { 'content-length': String(text.length + 10) } : {}),
  })
  if (cut) response.write(text, () => response.destroy())
  else response.end(text)
}

/** The last entry of a list handles all further requests. */
export async function createScriptedServer(script: Script | Scripted[]): Promise<ScriptedServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const entry: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: await readBody(request),
    }
    asked.push(entry)
    const index = asked.length - 1
    send(
      response,
      typeof script === 'function' ? script(entry, index) : (script[Math.min(index, script.length - 1)] as Scripted),
    )
  })
  return {
    url: `http://127.0.0.1:${await listenHere(server)}`,
    asked,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
