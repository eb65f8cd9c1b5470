// The platforms of a benchmark, in a separate process: the simulators behind a cache of GET responses, so that their
// own work is not measured.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

const platforms = ['square', 'xero']
const sandbox = await createSandbox({
  simulators: Object.fromEntries(platforms.map((name) => [name, simulators[name] as CreateSimulator])),
  size: 'full',
  strict: false,
})
const direct = new Pool(sandbox.url, { connections: 64 })
const remembered = new Map<
  string,
  { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
>()

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const key = `${request.url} ${request.headers.authorization}`
  let known = remembered.get(key)
  if (!known) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
    const sent = await direct.request({
      method: request.method as 'GET',
      path: request.url ?? '/',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    known = { status: sent.statusCode, headers: sent.headers, body: Buffer.from(await sent.body.arrayBuffer()) }
    if (request.method === 'GET' && known.status === 200 && !request.url?.startsWith('/_sandbox'))
      remembered.set(key, known)
  }
  const { connection: _, 'keep-alive': __, ...headers } = known.headers
  response.writeHead(known.status, headers as Record<string, string>).end(known.body)
}

const front = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
front.keepAliveTimeout = 60_000
front.listen(0, '127.0.0.1', () =>
  process.send?.({ front: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, direct: sandbox.url }),
)
process.on('disconnect', () => process.exit(0))
