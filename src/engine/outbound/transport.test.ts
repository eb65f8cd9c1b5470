// Platforms that answer with too much, too slowly, or something else than was asked.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { version } from '../../base/version.ts'
import { createTransport, type Transport } from './transport.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
})
async function platform(answer: RequestListener): Promise<{ origin: string; server: Server; transport: Transport }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport()
  open.push(
    {
      close() {
        server.closeAllConnections()
        server.close()
      },
    },
    transport,
  )
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server, transport }
}
const ask = (transport: Transport, origin: string, timeoutMs = 60_000) =>
  transport.exchange({ method: 'GET', origin, sandbox: true, path: '/x', headers: {}, timeoutMs })

it('names the service and its version in every call', async () => {
  const agents: (string | undefined)[] = []
  const { origin, transport } = await platform((request, response) => {
    agents.push(request.headers['user-agent'])
    response.end('{}')
  })
  await ask(transport, origin)
  expect(agents).toEqual([`unified-records/${version}`])
})

it('follows no redirect, wherever it leads', async () => {
  const asked: (string | undefined)[] = []
  const { origin, transport } = await platform((request, response) => {
    asked.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect((await ask(transport, origin)).status).toBe(302)
  expect(asked).toEqual(['/x'])
})

it('lets go of an endless body', async () => {
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const { origin, transport } = await platform((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more).on('close', closed)
    more()
  })
  await expect(ask(transport, origin)).rejects.toMatchObject({
    message: 'the response is too large',
    sent: true,
  })
  await gone
})

it('does not even read a body that says it is too large', async () => {
  const { origin, transport } = await platform(
    (_, response) => void response.writeHead(200, { 'content-length': String(2 ** 31) }).write('x'),
  )
  await expect(ask(transport, origin)).rejects.toMatchObject({ message: 'the response is too large' })
})

const page = JSON.stringify({ data: Array.from({ length: 500 }, (_, id) => ({ id, name: 'Flat white' })) })
it.each([
  ['gzip', gzipSync(page)],
  ['GZIP', gzipSync(page)],
  ['x-gzip', gzipSync(page)],
  ['deflate', deflateSync(page)],
  ['deflate', deflateRawSync(page)],
  ['br', brotliCompressSync(page)],
  ['identity', Buffer.from(page)],
])('reads a response in %s, whatever pieces it arrives in', async (encoding, bytes) => {
  let accepted: unknown
  const { origin, transport } = await platform((request, response) => {
    accepted = request.headers['accept-encoding']
    response.writeHead(200, { 'content-encoding': encoding })
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  })
  const { bytes: read, headers } = await ask(transport, origin)
  expect(Buffer.from(read).toString()).toBe(page)
  expect(headers['content-encoding'] ?? 'identity').toBe('identity')
  expect(accepted).toBe('gzip, deflate, br')
})
it('reads an empty response that names an encoding', async () => {
  const { origin, transport } = await platform(
    (_, response) => void response.writeHead(204, { 'content-encoding': 'gzip' }).end(),
  )
  expect(await ask(transport, origin)).toMatchObject({ status: 204, bytes: Buffer.alloc(0) })
})
it.each([
  ['zstd', Buffer.from(page), 'the response has an encoding that was not requested'],
  ['gzip, gzip', gzipSync(gzipSync(page)), 'the response has an encoding that was not requested'],
  ['constructor', Buffer.from(page), 'the response has an encoding that was not requested'],
  ['gzip', Buffer.from(page), 'the compressed response is damaged'],
  ['gzip', gzipSync(page).subarray(0, 200), 'the compressed response is damaged'],
  ['br', brotliCompressSync(page).subarray(0, 20), 'the compressed response is damaged'],
])('does not believe a response in %s that it cannot read', async (encoding, bytes, message) => {
  const { origin, transport } = await platform(
    (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
  )
  await expect(ask(transport, origin)).rejects.toMatchObject({ message, sent: true })
})
it('stops at the limit of a response that is small and expands to a large one, with memory to spare', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const { origin, transport } = await platform(
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  const before = process.memoryUsage().rss
  for (let round = 0; round < 3; round++)
    for (const outcome of await Promise.allSettled(Array.from({ length: 4 }, () => ask(transport, origin))))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('too large') } })
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024)
})

it('counts headers and body towards one deadline, however steadily they drip', async () => {
  const { origin, transport } = await platform((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(ask(transport, origin, 300)).rejects.toMatchObject({ timeout: true, sent: true })
})

it('never sends what was too late before a connection was free', async () => {
  const asked: (string | undefined)[] = []
  const isLate = Promise.withResolvers<void>()
  const { origin, server } = await platform(async (request, response) => {
    asked.push(request.url)
    await isLate.promise
    response.end('{}')
  })
  const transport = createTransport({ connections: 1 })
  open.push(transport)
  const call = { method: 'POST', origin, sandbox: true, headers: {}, body: '{}' }
  const first = transport.exchange({ ...call, path: '/first', timeoutMs: 60_000 })
  await once(server, 'request')
  await expect(transport.exchange({ ...call, path: '/second', timeoutMs: 50 })).rejects.toMatchObject({ timeout: true })
  isLate.resolve()
  await first
  expect((await transport.exchange({ ...call, path: '/third', timeoutMs: 60_000 })).status).toBe(200)
  expect(asked).toEqual(['/first', '/third'])
})

it('takes no more than 64 KiB of headers', async () => {
  const { origin, transport } = await platform(
    (_, response) => void response.writeHead(200, { 'x-large': 'y'.repeat(70_000) }).end('{}'),
  )
  await expect(ask(transport, origin)).rejects.toMatchObject({
    message: 'the headers of its response are too large',
    sent: true,
  })
})

it('sends no cookie back', async () => {
  const cookies: unknown[] = []
  const { origin, transport } = await platform((request, response) => {
    cookies.push(request.headers.cookie)
    response.writeHead(200, { 'set-cookie': 'a=1' }).end('{}')
  })
  await ask(transport, origin)
  await ask(transport, origin)
  expect(cookies).toEqual([undefined, undefined])
})

it('survives what is not HTTP', async () => {
  const server = createTcpServer((socket) => void socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport()
  open.push({ close: () => server.close() }, transport)
  await expect(ask(transport, `http://127.0.0.1:${(server.address() as { port: number }).port}`)).rejects.toMatchObject(
    { name: 'TransportError', sent: true },
  )
})

it('takes paths only, never an address of its own', async () => {
  const transport = createTransport()
  open.push(transport)
  for (const path of ['https://collector.example/', '@collector.example/', 'collector', ''])
    await expect(
      transport.exchange({ method: 'GET', origin: 'https://shop.example.com', path, headers: {}, timeoutMs: 1000 }),
    ).rejects.toMatchObject({
      message: 'a path begins with a slash',
    })
})
