// A hostile server in place of a platform. Without a script it forwards everything to the simulator.
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { HostileResponse } from './hostile-responses.ts'
import { replaceNode, toText } from './render.ts'

export interface HostilePlatform {
  url: string
  /**
   * From now on calls of this account get these responses, the last one repeatedly. An empty script gives honest ones.
   */
  play(accountId: string, script: readonly HostileResponse[]): void
  connections(): Promise<number>
  close(): Promise<void>
}
const dripMs = 20
let bomb: Buffer | undefined

export async function createHostilePlatform(sandboxUrl: string): Promise<HostilePlatform> {
  const scripts = new Map<string, HostileResponse[]>()
  const server = createServer((incoming, response) => {
    // /accountId/platform/path of the platform
    const [, accountId = '', ...rest] = (incoming.url ?? '').split('/')
    const script = scripts.get(accountId)
    const reply = (script && script.length > 1 ? script.shift() : script?.[0]) ?? { kind: 'honest' }
    response.on('error', () => {})
    incoming.on('error', () => {})
    serve(reply, `${sandboxUrl}/${rest.join('/')}`, incoming, response).catch(() => response.destroy())
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (accountId, script) =>
      void (script.length > 0 ? scripts.set(accountId, [...script]) : scripts.delete(accountId)),
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function serve(
  reply: HostileResponse,
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (reply.kind === 'honest' || reply.kind === 'bent') {
    const { status, headers, body } = await passOn(target, incoming)
    const bent = reply.kind === 'bent' ? bend(body, reply) : body
    const forwarded = Object.entries(headers).filter(
      ([name]) => !/^(connection|keep-alive|transfer-encoding|content-length|date)$/.test(name),
    )
    response
      .writeHead(
        (reply.kind === 'bent' ? reply.status : undefined) ?? status,
        Object.fromEntries(forwarded) as Record<string, string>,
      )
      .end(bent)
    return
  }
  incoming.resume()
  const { socket } = response
  switch (reply.kind) {
    case 'plain':
      response.writeHead(
        reply.status,
        [
          ...(reply.type === '' ? [] : [['content-type', reply.type] as [string, string]]),
          ...(reply.headers ?? []),
        ].flat(),
      )
      response.end(reply.text)
      return
    case 'redirect':
      response.writeHead(reply.status, { location: reply.to }).end()
      return
    case 'bomb':
      bomb ??= gzipSync(Buffer.alloc(20_000_000))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': reply.encoding }).end(bomb)
      return
    case 'reset':
      if (reply.after === 0) return void socket?.resetAndDestroy()
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        .write(' '.repeat(reply.after), () => socket?.resetAndDestroy())
      return
    case 'bytes':
      socket?.end(Buffer.from(reply.text, 'latin1'))
      return
    case 'drip':
    case 'endless':
    case 'large':
      await pour(reply, response)
  }
}

async function pour(
  reply: Extract<HostileResponse, { kind: 'drip' | 'endless' | 'large' }>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(reply.kind === 'drip' ? 1 : 65_536, ' ')
  let left = reply.kind === 'large' ? reply.megabytes * 16 : reply.kind === 'drip' ? 5 : Number.POSITIVE_INFINITY
  const closed = once(response, 'close')
  while (left-- > 0 && !response.destroyed) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
    if (reply.kind === 'drip') await new Promise((resolve) => setTimeout(resolve, dripMs))
  }
  if (reply.kind === 'drip') response.destroy()
  else response.end('{}')
}

function passOn(
  target: string,
  incoming: IncomingMessage,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const { host: _, connection: __, ...headers } = incoming.headers
    const outgoing = httpRequest(
      target,
      { method: incoming.method, headers: headers as Record<string, string> },
      (upstream) => {
        const chunks: Buffer[] = []
        upstream.on('data', (chunk: Buffer) => chunks.push(chunk))
        upstream.on('end', () =>
          resolve({
            status: upstream.statusCode ?? 0,
            headers: upstream.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
        upstream.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    incoming.pipe(outgoing)
  })
}

function bend(body: string, { at, value }: Extract<HostileResponse, { kind: 'bent' }>): string {
  try {
    return toText(replaceNode(JSON.parse(body), at, value))
  } catch {
    return body.slice(0, at)
  }
}
