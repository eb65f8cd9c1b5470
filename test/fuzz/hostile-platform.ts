// A server that stands in for a platform and means harm. Without a script it passes everything on to the simulator.
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { HostileAnswer } from './hostile-answers.ts'
import { replaceNode, toText } from './render.ts'

export interface HostilePlatform {
  url: string
  /** From now on calls of this account get these answers, the last one for ever; none: honest ones. */
  play(accountId: string, script: readonly HostileAnswer[]): void
  connections(): Promise<number>
  close(): Promise<void>
}
const dripMs = 20
let bomb: Buffer | undefined

export async function createHostilePlatform(sandboxUrl: string): Promise<HostilePlatform> {
  const scripts = new Map<string, HostileAnswer[]>()
  const server = createServer((incoming, response) => {
    // /accountId/platform/path of the platform
    const [, accountId = '', ...rest] = (incoming.url ?? '').split('/')
    const script = scripts.get(accountId)
    const answer = (script && script.length > 1 ? script.shift() : script?.[0]) ?? { answer: 'honest' }
    response.on('error', () => {})
    incoming.on('error', () => {})
    serve(answer, `${sandboxUrl}/${rest.join('/')}`, incoming, response).catch(() => response.destroy())
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
  answer: HostileAnswer,
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (answer.answer === 'honest' || answer.answer === 'bent') {
    const { status, headers, body } = await passOn(target, incoming)
    const bent = answer.answer === 'bent' ? bend(body, answer) : body
    const kept = Object.entries(headers).filter(
      ([name]) => !/^(connection|keep-alive|transfer-encoding|content-length|date)$/.test(name),
    )
    response
      .writeHead(
        (answer.answer === 'bent' ? answer.status : undefined) ?? status,
        Object.fromEntries(kept) as Record<string, string>,
      )
      .end(bent)
    return
  }
  incoming.resume()
  const { socket } = response
  switch (answer.answer) {
    case 'plain':
      response.writeHead(
        answer.status,
        [
          ...(answer.type === '' ? [] : [['content-type', answer.type] as [string, string]]),
          ...(answer.headers ?? []),
        ].flat(),
      )
      response.end(answer.text)
      return
    case 'redirect':
      response.writeHead(answer.status, { location: answer.to }).end()
      return
    case 'bomb':
      bomb ??= gzipSync(Buffer.alloc(20_000_000))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': answer.encoding }).end(bomb)
      return
    case 'reset':
      if (answer.after === 0) return void socket?.resetAndDestroy()
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        .write(' '.repeat(answer.after), () => socket?.resetAndDestroy())
      return
    case 'bytes':
      socket?.end(Buffer.from(answer.text, 'latin1'))
      return
    case 'drip':
    case 'endless':
    case 'large':
      await pour(answer, response)
  }
}

async function pour(
  answer: Extract<HostileAnswer, { answer: 'drip' | 'endless' | 'large' }>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(answer.answer === 'drip' ? 1 : 65_536, ' ')
  let left = answer.answer === 'large' ? answer.megabytes * 16 : answer.answer === 'drip' ? 5 : Number.POSITIVE_INFINITY
  const closed = once(response, 'close')
  while (left-- > 0 && !response.destroyed) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
    if (answer.answer === 'drip') await new Promise((resolve) => setTimeout(resolve, dripMs))
  }
  if (answer.answer === 'drip') response.destroy()
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
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
        answer.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    incoming.pipe(outgoing)
  })
}

function bend(body: string, { at, value }: Extract<HostileAnswer, { answer: 'bent' }>): string {
  try {
    return toText(replaceNode(JSON.parse(body), at, value))
  } catch {
    return body.slice(0, at)
  }
}
